import type { PagePlace } from '../../shared/toolMessages.ts';

/** Brings a page that shows the same as before to a place, unless the focus has a place in it already. */
export function returnTo({ top, control }: PagePlace): void {
  const focus = (): void => {
    if (document.activeElement === document.body) document.getElementById(control)?.focus({ preventScroll: true });
  };
  if (document.activeElement === document.body) window.scrollTo(0, top);
  // A page can take the focus from where the person types meanwhile.
  if (document.hasFocus()) focus();
  else window.addEventListener('focus', focus, { once: true });
}

/** Keys with which a control is used. Others may be for the window, such as F1. */
const usingKeys = ['Enter', ' ', 'ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', '*', 'Delete', 'Backspace'];

/**
 * True for a click, a key or an input with which the person may open, close, choose or put aside something that only the page knows of: all
 * but those in a field of the form.
 */
export function usesPageAlone(event: Event, form: HTMLElement): boolean {
  const { target } = event;
  if (!(target instanceof Element) || (event instanceof KeyboardEvent && !usingKeys.includes(event.key))) return false;
  if (form.contains(target) && target.matches('input, textarea')) return false;
  return target.closest('a, button, input, select, summary, textarea, [role]:not(main, [role=main])') !== null;
}
