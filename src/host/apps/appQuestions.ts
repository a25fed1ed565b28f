import { CancelledError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import { truncateWithCount } from '../../base/truncate.ts';
import type { AboutApp, AskAboutApp } from '../../client/toolCalls/ports.ts';
import type { AppQuestionView } from '../../shared/appMessages.ts';

/** The questions above one document of an app, one at a time. */
export interface AppQuestions {
  /** The question that is open. */
  readonly current: AppQuestionView | undefined;
  readonly ask: AskAboutApp;
  /** @param id of the question that the person saw; an answer to another one is ignored */
  answer(id: number, choice: string | undefined): void;
  /** Cancels all, as the app has ended: that is no answer of the person. */
  end(): void;
}

interface Open {
  readonly view: AppQuestionView;
  resolve(choice: string | undefined): void;
  reject(reason: unknown): void;
}

/** Over all apps: an answer to one document is none to the next. */
let lastId = 0;

/** @param onDidChange another question is open, or none */
export function createAppQuestions(onDidChange: () => void): AppQuestions {
  let waiting: readonly Open[] = [];

  function settle(open: Open | undefined, choice: string | undefined): void {
    if (open === undefined || !waiting.includes(open)) return;
    waiting = waiting.filter((other) => other !== open);
    open.resolve(choice);
    onDidChange();
  }

  return {
    get current() {
      return waiting[0]?.view;
    },
    ask: (question, signal) =>
      new Promise((resolve, reject) => {
        lastId += 1;
        const open: Open = { view: { id: lastId, ...bounded(question) }, resolve, reject };
        if (signal?.aborted === true) return resolve(undefined);
        signal?.addEventListener('abort', () => settle(open, undefined), { once: true });
        waiting = [...waiting, open];
        onDidChange();
      }),
    answer(id, choice) {
      const open = waiting.find(({ view }) => view.id === id);
      settle(open, choice === undefined || open?.view.actions.includes(choice) === true ? choice : undefined);
    },
    end() {
      const ended = waiting;
      waiting = [];
      for (const open of ended) open.reject(new CancelledError('The app has ended'));
      if (ended.length > 0) onDidChange();
    },
  };
}

function bounded({ body, ...question }: AboutApp): Omit<AppQuestionView, 'id'> {
  return { ...question, body: body && truncateWithCount(body, limits.shown.document) };
}
