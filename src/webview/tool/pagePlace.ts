import type { PagePlace } from '../../shared/toolMessages.ts';

export function placeOfPerson(): PagePlace {
  return { top: window.scrollY, control: controls().findIndex((control) => control === document.activeElement) };
}

/** Brings a page that shows the same as before to a place, and gives the focus back once the page has it. */
export function returnTo({ top, control }: PagePlace): void {
  window.scrollTo(0, top);
  const focus = (): void => {
    if (document.activeElement === document.body) controls()[control]?.focus({ preventScroll: true });
  };
  // A page can take the focus from where the person types meanwhile.
  if (document.hasFocus()) focus();
  else window.addEventListener('focus', focus, { once: true });
}

function controls(): readonly HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>('a[href], button, input, select, textarea, summary, [tabindex]')];
}
