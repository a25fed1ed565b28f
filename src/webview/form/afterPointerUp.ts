import { memoize } from '../../base/memoize.ts';

/**
 * Runs a function at once, or after the pointer is released if it is down: a change of layout would make the click miss
 * its target.
 */
export type AfterPointerUp = (run: () => void) => void;

/** Listens for pointer events from the first call on, for as long as the page exists: its forms share it. */
export const createAfterPointerUp = memoize(listen);

function listen(): AfterPointerUp {
  let isPressed = false;
  const setPressed = (event: Event): void => {
    isPressed = event.type === 'pointerdown';
  };
  for (const type of ['pointerdown', 'pointerup', 'pointercancel'])
    document.addEventListener(type, setPressed, { capture: true });
  return (run) => {
    if (!isPressed) return run();
    // The click itself comes after the end of the press.
    const later = (): void => void setTimeout(run);
    document.addEventListener('pointerup', later, { once: true });
  };
}
