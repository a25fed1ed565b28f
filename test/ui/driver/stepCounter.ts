import type { Page } from 'playwright-core';

/** What a task takes. Typing text is not counted: each client takes the same. */
export interface Steps {
  readonly clicks: number;
  /** Enter, arrows, function keys and shortcuts. */
  readonly keys: number;
  /** Dialogs and pages that wait for an answer. The click or key that answers a dialog is counted with it. */
  readonly questions: number;
}

/** Between two looks for documents that are new. */
const watchMs = 100;

const dialogs = '.monaco-dialog-box';
const selectors = { dialog: dialogs, question: `${dialogs}, body:has(.reviews)` };

const counters = new WeakMap<Page, StepCounter>();

/** Counts the steps of a person by the events that the window itself gets, so that no driver can leave one out. */
export class StepCounter {
  readonly #page: Page;
  #steps: Steps = { clicks: 0, keys: 0, questions: 0 };

  private constructor(page: Page) {
    this.#page = page;
  }

  /** Counts in all frames of the page. */
  static async of(page: Page): Promise<StepCounter> {
    const known = counters.get(page);
    if (known !== undefined) return known;
    const counter = new StepCounter(page);
    counters.set(page, counter);
    await page.exposeFunction('patchbayStep', (kind: keyof Steps) => counter.#count(kind));
    return counter;
  }

  /** @returns what `act` took */
  async measure(act: () => Promise<unknown>): Promise<Steps> {
    await this.#watchFrames();
    this.#steps = { clicks: 0, keys: 0, questions: 0 };
    // VS Code writes the document of a webview anew after it was loaded, which no event tells.
    const watching = setInterval(() => void this.#watchFrames(), watchMs);
    try {
      await act();
      // What the frames have said is here once they answer.
      await this.#watchFrames();
      return this.#steps;
    } finally {
      clearInterval(watching);
    }
  }

  #count(kind: keyof Steps): void {
    this.#steps = { ...this.#steps, [kind]: this.#steps[kind] + 1 };
  }

  async #watchFrames(): Promise<void> {
    // A frame may go meanwhile.
    await Promise.all(this.#page.frames().map((frame) => frame.evaluate(watchFrame, selectors).catch(() => {})));
  }
}

/** Runs in each document, where it counts once. */
function watchFrame({ dialog, question }: typeof selectors): void {
  const scope: { patchbayStep?: (kind: string) => void } = globalThis as object;
  const root: Element & { isPatchbayWatched?: boolean } = document.documentElement;
  if (root.isPatchbayWatched === true) return;
  root.isPatchbayWatched = true;
  const count = (kind: string): void => scope.patchbayStep?.(kind);
  const modifiers = ['Shift', 'Control', 'Alt', 'Meta', 'CapsLock'];
  const isAnswer = ({ target }: Event): boolean => target instanceof Element && target.closest(dialog) !== null;
  addEventListener('pointerdown', (event) => event.isTrusted && !isAnswer(event) && count('clicks'), { capture: true });
  addEventListener(
    'keydown',
    (event) => {
      const isTyping = event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey;
      if (event.isTrusted && !event.repeat && !isTyping && !modifiers.includes(event.key) && !isAnswer(event))
        count('keys');
    },
    { capture: true },
  );
  // The observer of a document lives on when it is written again.
  const page: Document & { patchbaySeen?: WeakSet<Element> } = document;
  const seen = (page.patchbaySeen ??= new WeakSet());
  const look = (): void => {
    for (const found of document.querySelectorAll(question)) {
      if (seen.has(found)) continue;
      seen.add(found);
      count('questions');
    }
  };
  new MutationObserver(look).observe(document, { childList: true, subtree: true, attributes: true });
  look();
}
