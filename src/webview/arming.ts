/** Milliseconds before a question that just appeared can be decided, so that no click or key meant for something else decides it. */
const armingDelayMs = 700;

/** Keeps the deciding buttons and keys disabled until the person has had time to see the question. */
export interface Arming {
  /** A new question is on the screen: forgets all interaction and waits. */
  restart(): void;
  /** The next step of the same question is on the screen: waits again. */
  wait(): void;
  /** The wait is over: buttons and keys may decide. */
  readonly isArmed: boolean;
  /** The person has clicked on the page or focused a control since the question appeared. Before that, keys do nothing. */
  readonly isTouched: boolean;
}

/**
 * Creates the guard of a page; its listeners stay for as long as the page.
 * @param onDidChange called when the deciding buttons are to be enabled or disabled
 */
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
    // The page itself focuses headings only. A control gets the focus from the person.
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
