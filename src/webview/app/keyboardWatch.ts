import { element } from '../dom.ts';

export interface KeyboardWatchOptions {
  readonly frame: HTMLIFrameElement;
  /** Gets the focus when the app has to give it back. Enter on it must do nothing. */
  readonly home: () => HTMLElement;
  /** The app has taken the keyboard. @param wasHere the page around it had the keyboard before */
  readonly onTaken: (wasHere: boolean) => void;
  /** A click was not enough to give the app the keyboard. */
  readonly onAskAgain: () => void;
}

/** Milliseconds between two looks at where the focus is. An app that takes it gets the keys that are typed between two looks. */
const lookMs = 4;

/** After a gap of so many milliseconds between two looks, the app may have got keys before its focus was seen. */
const gapMs = 50;

/** The focus that a press brings arrives within this time after it, in milliseconds. */
const pressMs = 500;

/** The focus may arrive so long before the script of a busy app says that it was a press, in milliseconds. Meanwhile the page has it. */
const lateMs = 2_000;

/** A Tab that leads into the app has done so within this time, in milliseconds: the focus goes through another process. */
const tabMs = 1_000;

/** Who has typed elsewhere has not pressed in the app within this time, in milliseconds: the hand was on the keyboard. */
const typingMs = 1_000;

/** For so long after its last use a browser confirms that a person has used the app, in milliseconds, with some to spare. */
const activationMs = 5_500;

/**
 * Watches that an app has the keyboard only while a person has put it there. No event says that a frame of another process has taken the focus from the window, so the watch looks often.
 * A press in the app is known only by what the script in its frame says, confirmed by the browser. An app could say the same for
 * some seconds after its last use, or with a key that it got before it lost the focus again. So within some seconds after its last
 * use, and right after keys that were typed elsewhere, one more click is needed, on a cover that only this page can see.
 */
export class KeyboardWatch {
  /** What belongs beside the frame: a cover over it, hidden at first, and the end of the app for Tab. */
  readonly elements: readonly HTMLElement[];
  readonly #options: KeyboardWatchOptions;
  readonly #cover = element('div', { class: 'cover', hidden: true });
  readonly #ended = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isInside = false;
  /** The page had the focus at the last look. */
  #wasHere = document.hasFocus();
  /** When the focus came that nothing explains yet; this page has it since. */
  #arrivedAt: number | undefined;
  #tabbedAt = -Infinity;
  #pressedAt = -Infinity;
  #isUp = true;
  #usedAt = -Infinity;
  #typedAt = -Infinity;
  #lookedAt = performance.now();
  /** When a click was not enough; its cover waits until the pointer is up, for the app to get the whole click. */
  #askedAt: number | undefined;
  /** When the focus came, until it has come once more: the second of two quick clicks can be faster than the cover. */
  #cameAt = -Infinity;
  /** The focus came in a gap between two looks. */
  #isLate = false;

  constructor(options: KeyboardWatchOptions) {
    this.#options = options;
    // Otherwise Shift+Tab would lead from the rest of the window into the app, past this page.
    const last = element('div', { class: 'end', tabindex: 0, role: 'note', 'aria-label': 'End of the app' });
    this.elements = [this.#cover, last];
    const { signal } = this.#ended;
    this.#cover.addEventListener('pointerdown', (event) => {
      event.preventDefault();
      this.#enter();
      options.frame.contentWindow?.focus();
    });
    this.#cover.addEventListener('mousedown', (event) => event.preventDefault());
    window.addEventListener('keydown', (event) => this.#noteKey(event), { capture: true, signal });
    // The Tab has led to something else.
    window.addEventListener('focusin', ({ target }) => target !== options.frame && this.#forgetTab(), { signal });
    for (const around of windowsOfThisOrigin()) {
      around.addEventListener('focus', () => this.#left(), { signal });
      // VS Code repeats there the keys of all its pages, which no browser vouches for: more of them only make the watch stricter.
      around.addEventListener('keydown', () => this.noteTyping(), { capture: true, signal });
    }
    this.#look();
  }

  /** A pointer is down in the app, or up again. Call it only where the browser confirms that a person has just used the app. */
  notePress(isUp: boolean): void {
    this.#pressedAt = performance.now();
    this.#isUp = isUp;
    if (this.#arrivedAt !== undefined) this.#explained();
    if (isUp) this.#showCover();
  }

  /** A key was typed outside the app, where this page cannot see it. */
  noteTyping(): void {
    this.#typedAt = performance.now();
  }

  /** Moves the focus out of the app, if it has it. */
  leave(): void {
    if (!this.#isInside || !this.#hasFocus) return;
    this.#options.home().focus();
    this.#left();
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#ended.abort();
  }

  get #hasFocus(): boolean {
    return document.activeElement === this.#options.frame;
  }

  #noteKey({ key, shiftKey, target, isTrusted }: KeyboardEvent): void {
    if (!isTrusted) return;
    this.noteTyping();
    if (key !== 'Tab' || !(target instanceof Element)) return this.#forgetTab();
    const isBefore = (target.compareDocumentPosition(this.#options.frame) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
    this.#tabbedAt = isBefore === shiftKey ? -Infinity : performance.now();
  }

  #forgetTab(): void {
    this.#tabbedAt = -Infinity;
  }

  #look(): void {
    const now = performance.now();
    this.#isLate = now - this.#lookedAt > gapMs;
    this.#lookedAt = now;
    if (this.#isInside) {
      if (!this.#hasFocus) this.#left();
    } else if (this.#hasFocus) this.#arrived();
    else this.#away();
    if (this.#ended.signal.aborted) return;
    this.#timer = setTimeout(() => this.#look(), lookMs);
  }

  #away(): void {
    const now = performance.now();
    if (this.#arrivedAt === undefined) this.#wasHere = document.hasFocus();
    else if (now - this.#arrivedAt > lateMs) return this.#taken();
    // A press that brought no focus is a use all the same: its confirmation could be spent later.
    if (now - this.#pressedAt > pressMs) this.#spendPress();
    if (this.#askedAt !== undefined && now - this.#askedAt > pressMs) this.#showCover();
    if (now - this.#usedAt > activationMs) this.#cover.hidden = true;
  }

  #arrived(): void {
    if (performance.now() - this.#tabbedAt <= tabMs) return this.#enter();
    const isAgain = this.#arrivedAt !== undefined || this.#askedAt !== undefined || !this.#cover.hidden;
    if (isAgain) return this.#isSecondClick() ? this.#takeBack() : this.#taken();
    this.#arrivedAt = performance.now();
    if (this.#isLate) this.noteTyping();
    this.#cameAt = performance.now();
    if (this.#arrivedAt - this.#pressedAt <= pressMs) return this.#explained();
    this.#takeBack();
  }

  /** A second click may bring the focus again: once, soon after the first, and not where a key was typed in between. */
  #isSecondClick(): boolean {
    const cameAt = this.#cameAt;
    this.#cameAt = -Infinity;
    return performance.now() - cameAt <= pressMs && this.#typedAt <= cameAt;
  }

  /** In this page, the focus would make the editor take the app's group for the one that the person uses. */
  #takeBack(): void {
    if (this.#wasHere) this.#options.home().focus();
    else window.top?.focus();
  }

  /** A press has brought the focus, unless it is the app that says so. */
  #explained(): void {
    const now = performance.now();
    // An app that got a key as it took the focus may wait before it says that it was pressed.
    const isRightAfterKeys = (this.#arrivedAt ?? now) - this.#typedAt <= typingMs;
    this.#arrivedAt = undefined;
    if (isRightAfterKeys || now - this.#usedAt <= activationMs) return this.#askAgain();
    this.#enter();
    if (!this.#hasFocus) this.#options.frame.contentWindow?.focus();
  }

  #enter(): void {
    this.#arrivedAt = undefined;
    this.#askedAt = undefined;
    this.#forgetTab();
    this.#cover.hidden = true;
    this.#isInside = true;
  }

  #left(): void {
    if (!this.#isInside) return;
    this.#isInside = false;
    this.#pressedAt = -Infinity;
    this.#usedAt = performance.now();
  }

  #spendPress(): void {
    if (this.#pressedAt > this.#usedAt) this.#usedAt = this.#pressedAt;
    this.#pressedAt = -Infinity;
  }

  #askAgain(): void {
    this.#spendPress();
    this.#askedAt = performance.now();
    this.#takeBack();
    if (this.#isUp) this.#showCover();
  }

  #showCover(): void {
    if (this.#askedAt === undefined) return;
    this.#askedAt = undefined;
    this.#cover.hidden = false;
    this.#options.onAskAgain();
  }

  #taken(): void {
    this.end();
    this.#options.onTaken(this.#wasHere);
  }
}

/** In a browser, the window may have the origin of this page, and its events come before an app could take the focus back. */
function windowsOfThisOrigin(): readonly Window[] {
  try {
    // Reading it throws where the origins differ.
    return window.top === null || window.top === window || window.top.document === undefined ? [] : [window.top];
  } catch {
    return [];
  }
}
