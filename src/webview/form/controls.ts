import { formatNumber } from '../dom.ts';
import type { FormNode } from './formParts.ts';
import { shownValue } from './shownText.ts';

/** What every native control of a node has. */
export function controlAttributes({ ids, place, layout }: FormNode) {
  return {
    id: ids.control,
    'aria-describedby': ids.describedBy,
    'aria-required': place.isRequired && layout === 'property' ? 'true' : undefined,
    spellcheck: 'false',
  };
}

/** That no value is sent, with the server's default. */
export function nothingSent({ field }: FormNode): string {
  return field.default === undefined ? 'not sent' : `not sent (default: ${shownValue(field.default)})`;
}

/** What an empty control stands for: nothing that is sent, or an empty text. */
export function placeholderOf(node: FormNode): string {
  if (node.place.value === '') return 'empty text';
  return node.place.value === undefined ? nothingSent(node) : '';
}

/** Sets an attribute only if it is another: screen readers and layout notice each change. */
export function setAttribute(target: HTMLElement, name: string, value: string | undefined): void {
  if (value === undefined) target.removeAttribute(name);
  else if (target.getAttribute(name) !== value) target.setAttribute(name, value);
}

/** Shows how many more there are to draw; hides the button if there are none. */
export function showMoreButton(more: HTMLButtonElement, left: number, step: number): void {
  more.hidden = left <= 0;
  const words = more.querySelector('span');
  const text = `Show ${formatNumber(Math.min(left, step))} More`;
  if (words !== null && words.textContent !== text) words.textContent = text;
}

/** Frames stop while the page is hidden. */
const longestFrameMs = 200;

/** Runs after the browser has painted what is there now. */
export function afterNextFrame(run: () => void): void {
  let isOver = false;
  const once = (): void => {
    if (isOver) return;
    isOver = true;
    run();
  };
  requestAnimationFrame(() => setTimeout(once));
  setTimeout(once, longestFrameMs);
}
