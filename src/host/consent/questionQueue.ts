import type { WebviewPanel } from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';
import type { OpenQuestions } from './openQuestions.ts';

/** A panel on the screen, or a stand-in for one. */
export interface QuestionSurface<ToPanel> extends Disposable {
  post(message: ToPanel): void;
  /** @param takesFocus false where whoever types elsewhere by now goes on typing there */
  reveal(takesFocus: boolean): void;
  /** Whatever the page sent, unchecked. */
  readonly onMessage: Event<unknown>;
  /** The person closed it; not fired by `dispose`. */
  readonly onDidClose: Event<void>;
}

/** What every panel with questions is told besides its own messages. */
export type QueueMessage =
  | { readonly type: 'waiting'; readonly id: number; readonly count: number }
  | { readonly type: 'done'; readonly id: number };

/** One question, as far as the queue knows it. */
export interface Question<FromPanel> {
  readonly id: number;
  readonly server: string;
  /** How many others its asker knows of. */
  readonly waiting: number;
  /** Answered, and on the screen while the person is at it; any other question goes first. */
  readonly isAnswered: boolean;
  /** Sends all there is to a panel that has just begun to show it, or was reloaded. */
  present(waiting: number): void;
  /** Takes a checked message of the panel about this question. */
  receive(message: FromPanel): void;
  /** The panel has closed, or said something that cannot be understood. Ends the question, if it has not ended. */
  refuse(): void;
}

/** The place of one question in the queue. */
export interface QuestionSlot<ToPanel> {
  /** Tells this question's messages from those of others. */
  readonly id: number;
  /** How the label of a server could be taken for another, in a few words. */
  readonly lookAlike: (server: string) => string | undefined;
  /** Reaches the panel while this question is the one shown, and is lost otherwise. */
  post(message: ToPanel): void;
  /** The person has decided, and goes on elsewhere: whatever else is asked goes first. */
  answered(): void;
  /** The panel is free for the next one. */
  ended(): void;
  changedWaiting(): void;
}

export interface QuestionQueueOptions<ToPanel, FromPanel> {
  readonly openSurface: () => QuestionSurface<ToPanel | QueueMessage>;
  /** @returns `undefined` for anything not understood in full */
  readonly read: (message: unknown) => FromPanel | { readonly type: 'ready' } | undefined;
  /** Hears of every question that waits for the person. */
  readonly questions: Pick<OpenQuestions, 'add'>;
  /** See {@link QuestionSlot}. */
  readonly lookAlike?: QuestionSlot<ToPanel>['lookAlike'];
}

/**
 * Shows questions one after the other, in the order they came. Closing the panel, or a message from it that cannot be
 * understood, refuses the question on the screen and no other: the next one comes up on its own.
 */
export class QuestionQueue<
  ToPanel extends { readonly id: number },
  FromPanel extends { readonly type: string; readonly id: number },
> implements Disposable {
  readonly #options: QuestionQueueOptions<ToPanel, FromPanel>;
  readonly #waiting: Question<FromPanel>[] = [];
  readonly #announcements = new Map<number, Disposable>();
  #surface: QuestionSurface<ToPanel | QueueMessage> | undefined;
  /** The page has loaded and listens. */
  #isReady = false;
  #shown: Question<FromPanel> | undefined;
  #nextId = 1;
  #isDisposed = false;

  constructor(options: QuestionQueueOptions<ToPanel, FromPanel>) {
    this.#options = options;
  }

  /** Shows the question that `create` makes as soon as it is its turn. */
  add<Q extends Question<FromPanel>>(create: (slot: QuestionSlot<ToPanel>) => Q): Q {
    const id = this.#nextId++;
    const question = create({
      id,
      lookAlike: (server) => this.#options.lookAlike?.(server),
      post: (message) => this.#post(message),
      answered: () => {
        this.#withdraw(id);
        if (this.#waiting.some(({ isAnswered }) => !isAnswered)) this.#advance();
      },
      ended: () => this.#remove(id),
      changedWaiting: () => this.#showWaiting(),
    });
    if (this.#isDisposed) {
      question.refuse();
      return question;
    }
    this.#waiting.push(question);
    const reveal = (): void => this.#surface?.reveal(true);
    this.#announcements.set(id, this.#options.questions.add(question.server, reveal));
    this.#advance();
    return question;
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#shown = undefined;
    for (const question of this.#waiting.splice(0)) {
      this.#withdraw(question.id);
      question.refuse();
    }
    this.#closeSurface();
  }

  #post(message: ToPanel | QueueMessage): void {
    if (message.id === this.#shown?.id && this.#isReady) this.#surface?.post(message);
  }

  #withdraw(id: number): void {
    this.#announcements.get(id)?.dispose();
    this.#announcements.delete(id);
  }

  #advance(): void {
    const first = this.#waiting.find(({ isAnswered }) => !isAnswered) ?? this.#waiting[0];
    if (first === undefined) return this.#closeSurface();
    if (first === this.#shown) return this.#showWaiting();
    this.#shown = first;
    if (this.#surface === undefined) this.#openSurface();
    else this.#surface.reveal(false);
    if (this.#isReady) first.present(this.#waitingCount());
  }

  #remove(id: number): void {
    this.#withdraw(id);
    const index = this.#waiting.findIndex((question) => question.id === id);
    if (index === -1) return;
    this.#waiting.splice(index, 1);
    if (id === this.#shown?.id) {
      this.#post({ type: 'done', id });
      this.#shown = undefined;
    }
    this.#advance();
  }

  #openSurface(): void {
    const surface = this.#options.openSurface();
    this.#surface = surface;
    this.#isReady = false;
    surface.onMessage((message) => {
      if (surface === this.#surface) this.#receive(message);
    });
    surface.onDidClose(() => {
      if (surface !== this.#surface) return;
      this.#surface = undefined;
      this.#isReady = false;
      this.#shown?.refuse();
    });
  }

  #receive(value: unknown): void {
    const message = this.#options.read(value);
    if (message === undefined) this.#shown?.refuse();
    else if (!('id' in message)) {
      this.#isReady = true;
      this.#shown?.present(this.#waitingCount());
    } else if (message.id === this.#shown?.id) this.#shown.receive(message);
  }

  #closeSurface(): void {
    const surface = this.#surface;
    this.#surface = undefined;
    this.#isReady = false;
    surface?.dispose();
  }

  #showWaiting(): void {
    if (this.#shown !== undefined) this.#post({ type: 'waiting', id: this.#shown.id, count: this.#waitingCount() });
  }

  /** An asker may know of more than are in this queue, never of fewer. */
  #waitingCount(): number {
    const others = this.#waiting.filter((question) => question !== this.#shown && !question.isAnswered);
    return Math.max(others.length, this.#shown?.waiting ?? 0);
  }
}

/** An editor tab as a queue of questions sees it. */
export function toQuestionSurface<ToPanel>(panel: WebviewPanel): QuestionSurface<ToPanel> {
  const didClose = new Emitter<void>();
  let isClosing = false;
  panel.onDidDispose(() => {
    if (!isClosing) didClose.fire();
    didClose.dispose();
  });
  return {
    onMessage: (listener) => panel.webview.onDidReceiveMessage((message: unknown) => listener(message)),
    onDidClose: didClose.event,
    // The promise tells whether the page was there to hear it; a page that was not gets everything with its "ready".
    post: (message) => void panel.webview.postMessage(message),
    reveal: (takesFocus) => panel.reveal(undefined, !takesFocus),
    dispose() {
      isClosing = true;
      panel.dispose();
    },
  };
}
