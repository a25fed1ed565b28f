import { CancelledError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import { truncateWithCount } from '../../base/truncate.ts';
import type { AboutApp, AskAboutApp } from '../../client/toolCalls/ports.ts';
import type { AppQuestionView } from '../../shared/appMessages.ts';

interface Open {
  readonly view: AppQuestionView;
  resolve(choice: string | undefined): void;
  reject(reason: unknown): void;
}

/** Over all apps: an answer to one document is none to the next. */
let lastId = 0;

/** The questions above one document of an app, one at a time. */
export class AppQuestions {
  readonly #onDidChange: () => void;
  #waiting: readonly Open[] = [];

  /** @param onDidChange another question is open, or none */
  constructor(onDidChange: () => void) {
    this.#onDidChange = onDidChange;
  }

  get current(): AppQuestionView | undefined {
    return this.#waiting[0]?.view;
  }

  readonly ask: AskAboutApp = (question, signal) =>
    new Promise((resolve, reject) => {
      lastId += 1;
      const open: Open = { view: { id: lastId, ...bounded(question) }, resolve, reject };
      if (signal?.aborted === true) return resolve(undefined);
      signal?.addEventListener('abort', () => this.#settle(open, undefined), { once: true });
      this.#waiting = [...this.#waiting, open];
      this.#onDidChange();
    });

  /** @param id of the question that the person saw; an answer to another one is ignored */
  answer(id: number, choice: string | undefined): void {
    const open = this.#waiting.find(({ view }) => view.id === id);
    this.#settle(open, choice === undefined || open?.view.actions.includes(choice) === true ? choice : undefined);
  }

  /** Cancels all, as the app has ended: that is no answer of the person. */
  end(): void {
    const ended = this.#waiting;
    this.#waiting = [];
    for (const open of ended) open.reject(new CancelledError('The app has ended'));
    if (ended.length > 0) this.#onDidChange();
  }

  #settle(open: Open | undefined, choice: string | undefined): void {
    if (open === undefined || !this.#waiting.includes(open)) return;
    this.#waiting = this.#waiting.filter((other) => other !== open);
    open.resolve(choice);
    this.#onDidChange();
  }
}

function bounded({ body, ...question }: AboutApp): Omit<AppQuestionView, 'id'> {
  return { ...question, body: body && truncateWithCount(body, limits.shown.document) };
}
