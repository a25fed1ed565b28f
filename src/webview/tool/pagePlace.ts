import { isRecord } from '../../base/json.ts';

interface PagePlace {
  /** What the control with the focus is called, and how many before it are called the same. */
  readonly control: string;
  readonly nth: number;
  /** How far the page is scrolled, in pixels. */
  readonly top: number;
}

/** Where a person is in the page, as JSON. */
export function pagePlace(): PagePlace {
  const active = document.activeElement;
  const control = active === null ? '' : nameOf(active);
  return { control, nth: controlsCalled(control).findIndex((each) => each === active), top: window.scrollY };
}

/**
 * Brings a page that shows the same as before to a place.
 * @param place what {@link pagePlace} gave, unchecked
 * @param takesFocus whether the control that had the focus has it again
 */
export function returnTo(place: unknown, takesFocus: boolean): void {
  if (!isRecord(place)) return;
  const { control, nth, top } = place;
  if (typeof top === 'number') window.scrollTo(0, top);
  if (!takesFocus || document.activeElement !== document.body) return;
  if (typeof control === 'string' && typeof nth === 'number')
    controlsCalled(control)[nth]?.focus({ preventScroll: true });
}

function controlsCalled(name: string): readonly HTMLElement[] {
  const all = document.querySelectorAll<HTMLElement>('a[href], button, input, select, textarea, summary, [tabindex]');
  return [...all].filter((control) => nameOf(control) === name);
}

function nameOf(control: Element): string {
  const name = control.id || control.getAttribute('aria-label') || control.textContent;
  return `${control.tagName} ${name}`.slice(0, 100);
}
