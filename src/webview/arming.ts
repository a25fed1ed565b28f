/** Milliseconds a question is on the screen before it can be decided: a click or key meant for something else must not hit it. */
const armingDelayMs = 700;

/** Guards the buttons and keys that decide until a person can have seen what they are about. */
export interface Arming {
  /** Another question is on the screen: start over. */
  restart(): void;
  /** The same person goes on to the next step: only the wait starts over. */
  wait(): void;
  readonly isArmed: boolean;
  /** The person has touched this page since the question came; before that, keys are not for it. */
  readonly isTouched: boolean;
}

/** @param onDidChange told when {@link Arming.isArmed} changes */
export function createArming(onDidChange: (isArmed: boolean) => void): Arming {
  let isArmed = false;
  let isTouched = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function wait(): void {
    clearTimeout(timer);
    isArmed = false;
    onDidChange(false);
    if (document.visibilityState !== 'visible') return;
    timer = setTimeout(() => {
      isArmed = true;
      onDidChange(true);
    }, armingDelayMs);
  }

  const touch = (event: Event): void => {
    // Headings take the focus when a question comes; controls only from the person.
    if (event.type === 'pointerdown' || (event.target instanceof Element && event.target.matches(controls)))
      isTouched = true;
  };
  document.addEventListener('pointerdown', touch, { capture: true });
  document.addEventListener('focusin', touch);
  document.addEventListener('visibilitychange', () => {
    if (!isArmed) wait();
  });
  return {
    wait,
    restart() {
      isTouched = false;
      wait();
    },
    get isArmed() {
      return isArmed;
    },
    get isTouched() {
      return isTouched;
    },
  };
}

const controls = 'button, input, select, textarea, summary, audio';
