import type { Page } from 'playwright-core';

/** What a task takes. Typing text is not counted: each client takes the same. */
export interface Steps {
  readonly clicks: number;
  /** Enter, arrows, function keys and shortcuts. */
  readonly keys: number;
  /** Dialogs and pages that wait for an answer. */
  readonly questions: number;
}

/** What is counted, by the selector that the window shows it with. */
const questionSelector = '.monaco-dialog-box, body:has(.reviews)';

const counters = new WeakMap<Page, StepCounter>();

/** Counts the steps of a person by the events that the window itself gets, so that no driver can leave one out. */
export class StepCounter {
  readonly #page: Page;
  #steps: Steps = { clicks: 0, keys: 0, questions: 0 };

  private constructor(page: Page) {
    this.#page = page;
  }

  /** Counts in all frames of the page, those to come included. */
  static async of(page: Page): Promise<StepCounter> {
    const known = counters.get(page);
    if (known !== undefined) {
      await known.#watchFrames();
      return known;
    }
    const counter = new StepCounter(page);
    counters.set(page, counter);
    await page.exposeFunction('patchbayStep', (kind: keyof Steps) => counter.#count(kind));
    await page.addInitScript(watchFrame, questionSelector);
    await counter.#watchFrames();
    return counter;
  }

  /** @returns what `act` took */
  async measure(act: () => Promise<unknown>): Promise<Steps> {
    this.#steps = { clicks: 0, keys: 0, questions: 0 };
    await act();
    // What the frames have said is here once they answer.
    await this.#everyFrame(() => 0);
    return this.#steps;
  }

  #count(kind: keyof Steps): void {
    this.#steps = { ...this.#steps, [kind]: this.#steps[kind] + 1 };
  }

  #watchFrames(): Promise<void> {
    return this.#everyFrame(watchFrame);
  }

  async #everyFrame(run: (selector: string) => unknown): Promise<void> {
    // A frame may go meanwhile.
    await Promise.all(this.#page.frames().map((frame) => frame.evaluate(run, questionSelector).catch(() => {})));
  }
}

/** Runs in each frame, once. */
function watchFrame(selector: string): void {
  const scope: { patchbayStep?: (kind: string) => void } = globalThis as object;
  const root: Element & { isPatchbayWatched?: boolean } = document.documentElement;
  if (root.isPatchbayWatched === true) return;
  root.isPatchbayWatched = true;
  const count = (kind: string): void => scope.patchbayStep?.(kind);
  const modifiers = ['Shift', 'Control', 'Alt', 'Meta', 'CapsLock'];
  addEventListener('pointerdown', (event) => event.isTrusted && count('clicks'), { capture: true });
  addEventListener(
    'keydown',
    (event) => {
      const isTyping = event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey;
      if (event.isTrusted && !event.repeat && !isTyping && !modifiers.includes(event.key)) count('keys');
    },
    { capture: true },
  );
  const seen = new WeakSet<Element>();
  const look = (): void => {
    for (const found of document.querySelectorAll(selector)) {
      if (seen.has(found)) continue;
      seen.add(found);
      count('questions');
    }
  };
  new MutationObserver(look).observe(document, { childList: true, subtree: true, attributes: true });
  look();
}
