import { memoize } from '../../base/memoize.ts';
import type { FormNode } from './formParts.ts';
import { shownValue } from './shownText.ts';

/** What every native control of a node has. */
export function controlAttributes(node: FormNode) {
  return {
    id: node.ids.control,
    'aria-describedby': node.ids.describedBy,
    'aria-required': ariaRequired(node),
    spellcheck: 'false',
  };
}

/** Whether a value has to be there, as screen readers are told: `true`, or nothing. */
function ariaRequired({ place, layout }: FormNode): string | undefined {
  return place.isRequired && layout === 'property' ? 'true' : undefined;
}

/** Shows what is said of a value that is not there, or that has to be. */
export function describeControl(control: HTMLElement, node: FormNode): void {
  control.ariaRequired = ariaRequired(node) ?? null;
  // What an empty control stands for: nothing that is sent, or an empty text.
  if (control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement)
    control.placeholder =
      node.place.value === '' ? 'empty text' : node.place.value === undefined ? nothingSent(node) : '';
}

/** What no value stands for: the server's default, or nothing. What is required says so beside its label. */
export function nothingSent({ field, place }: FormNode): string {
  if (field.default !== undefined) return `Default: ${shownValue(field.default)}`;
  return place.isRequired ? '' : 'not sent';
}

/** Sets an attribute only if it is another: screen readers and layout notice each change. */
export function setAttribute(target: HTMLElement, name: string, value: string | undefined): void {
  if (value === undefined) target.removeAttribute(name);
  else if (target.getAttribute(name) !== value) target.setAttribute(name, value);
}

/** False for elements that were removed, or are hidden. */
export function isShown(target: HTMLElement): boolean {
  return target.offsetParent !== null;
}

/** Frames stop while the page is hidden. */
const longestFrameMs = 200;

/** Runs after the browser has painted what is there now. */
export function afterNextFrame(run: () => void): void {
  const once = memoize(run);
  requestAnimationFrame(() => setTimeout(once));
  setTimeout(once, longestFrameMs);
}

/**
 * Gives a function that runs another one at once, or after the pointer is released if it is down: a change of layout would make
 * the click miss its target. Listens from the first call on, for as long as the page exists: its forms share it.
 */
export const createAfterPointerUp = memoize((): ((run: () => void) => void) => {
  let isPressed = false;
  const setPressed = (event: Event): void => {
    isPressed = event.type === 'pointerdown';
  };
  for (const type of ['pointerdown', 'pointerup', 'pointercancel'])
    document.addEventListener(type, setPressed, { capture: true });
  return (run) => {
    if (!isPressed) return run();
    // The click itself comes after the end of the press.
    document.addEventListener('pointerup', () => setTimeout(run), { once: true });
  };
});
