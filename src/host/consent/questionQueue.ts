import type { WebviewPanel } from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';
import { isTypedMessage, tellMoves } from '../platform/webviewPanel.ts';
import type { OpenQuestions } from './openQuestions.ts';

/** The panel of a queue: an editor tab (see {@link toQuestionSurface}), or a page in a test. */
export interface QuestionSurface<ToPanel> extends Disposable {
  post(message: ToPanel): void;
  /** @param takesFocus false keeps the keyboard focus where it is, for a person who types elsewhere */
  reveal(takesFocus: boolean): void;
  /** The messages of the page, unchecked. */
  readonly onMessage: Event<unknown>;
  /** The person closed the panel. `dispose` does not fire it. */
  readonly onDidClose: Event<void>;
}

/** The messages that every panel with questions gets besides those of its own questions. */
export type QueueMessage =
  | { readonly type: 'waiting'; readonly id: number; readonly count: number }
  | { readonly type: 'done'; readonly id: number };

export interface Question<FromPanel> {
  readonly id: number;
  readonly server: string;
  /** The person has decided but is still busy with it, for instance on a page in the browser: other questions go first. */
  readonly isAnswered: boolean;
  /**
   * Sends the whole question to a panel that begins to show it, or was loaded again.
   * @param waiting the number of questions behind this one
   * @param lookAlike how the label of the server could be mistaken for another one, in a few words
   */
  present(waiting: number, lookAlike: string | undefined): void;
  receive(message: FromPanel): void;
  /** Ends the question as a refusal if it is still open: the panel closed, or sent a message that is not valid. */
  refuse(): void;
}

export interface QuestionSlot<ToPanel> {
  readonly id: number;
  /** Sends a message to the panel. Does nothing while another question is shown. */
  post(message: ToPanel): void;
  /** The question is decided and stays open: see {@link Question.isAnswered}. */
  answered(): void;
  /** The question is over: the panel can show the next one. */
  ended(): void;
}

export interface QuestionQueuePorts<ToPanel> {
  readonly openSurface: () => QuestionSurface<ToPanel | QueueMessage>;
  /** Gets every question that waits for the person. */
  readonly questions: Pick<OpenQuestions, 'add'>;
  readonly lookAlike?: (server: string) => string | undefined;
}

/**
 * Shows questions one after the other in one panel, in the order in which they came. If the person closes the panel, or the
 * panel sends a message that is not valid, only the question that is shown is refused; the next one is shown then.
 */
export class QuestionQueue<
  ToPanel extends { readonly id: number },
  FromPanel extends { readonly type: string; readonly id: number },
  Review,
  Q extends Question<FromPanel>,
> implements Disposable {
  readonly #ports: QuestionQueuePorts<ToPanel>;
  readonly #read: (message: unknown) => FromPanel | { readonly type: 'ready' } | undefined;
  readonly #create: (slot: QuestionSlot<ToPanel>, review: Review) => Q;
  readonly #waiting: Q[] = [];
  readonly #announcements = new Map<number, Disposable>();
  #surface: QuestionSurface<ToPanel | QueueMessage> | undefined;
  /** The page of the panel has loaded and listens. */
  #isReady = false;
  #shown: Q | undefined;
  #nextId = 1;
  #isDisposed = false;

  /**
   * @param read checks a message of the panel: `undefined` for one that is not valid in all parts
   * @param create makes a question of what the person is to review
   */
  constructor(
    ports: QuestionQueuePorts<ToPanel>,
    read: (message: unknown) => FromPanel | { readonly type: 'ready' } | undefined,
    create: (slot: QuestionSlot<ToPanel>, review: Review) => Q,
  ) {
    this.#ports = ports;
    this.#read = read;
    this.#create = create;
  }

  /** Shows a question about `review` as soon as it is its turn. After `dispose` it is refused at once. */
  open(review: Review): Q {
    const id = this.#nextId++;
    const slot: QuestionSlot<ToPanel> = {
      id,
      post: (message) => this.#post(message),
      answered: () => {
        this.#withdraw(id);
        if (this.#waiting.some(({ isAnswered }) => !isAnswered)) this.#advance();
      },
      ended: () => this.#remove(id),
    };
    const question = this.#create(slot, review);
    if (this.#isDisposed) {
      question.refuse();
      return question;
    }
    this.#waiting.push(question);
    const reveal = (): void => this.#surface?.reveal(true);
    this.#announcements.set(id, this.#ports.questions.add(question.server, reveal));
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
    if (this.#isReady) this.#present(first);
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
    const surface = this.#ports.openSurface();
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
    const message = this.#read(value);
    if (message === undefined) this.#shown?.refuse();
    else if (!('id' in message)) {
      this.#isReady = true;
      if (this.#shown !== undefined) this.#present(this.#shown);
    } else if (message.id === this.#shown?.id) this.#shown.receive(message);
  }

  #closeSurface(): void {
    const surface = this.#surface;
    this.#surface = undefined;
    this.#isReady = false;
    surface?.dispose();
  }

  #present(question: Q): void {
    question.present(this.#waitingCount(), this.#ports.lookAlike?.(question.server));
  }

  #showWaiting(): void {
    if (this.#shown !== undefined) this.#post({ type: 'waiting', id: this.#shown.id, count: this.#waitingCount() });
  }

  #waitingCount(): number {
    return this.#waiting.filter((question) => question !== this.#shown && !question.isAnswered).length;
  }
}

/** An editor tab as the panel of a queue. Disposing it closes the tab. */
export function toQuestionSurface<ToPanel>(panel: WebviewPanel): QuestionSurface<ToPanel> {
  const didClose = new Emitter<void>();
  let isClosing = false;
  tellMoves(panel);
  panel.onDidDispose(() => {
    if (!isClosing) didClose.fire();
    didClose.dispose();
  });
  return {
    onMessage: (listener) =>
      panel.webview.onDidReceiveMessage((message: unknown) => {
        if (!isTypedMessage(message)) listener(message);
      }),
    onDidClose: didClose.event,
    // The result says whether the page got the message. A page that is not loaded yet gets everything after its "ready".
    post: (message) => void panel.webview.postMessage(message),
    reveal: (takesFocus) => panel.reveal(undefined, !takesFocus),
    dispose() {
      isClosing = true;
      panel.dispose();
    },
  };
}
