/** Runs something, but not while a pointer is down: what moves the page then makes the click miss what it was meant for. */
export type AfterPress = (run: () => void) => void;

export function createAfterPress(): AfterPress {
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
