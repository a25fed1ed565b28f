import type { WebviewPanel } from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { isTypedMessage, tellMoves } from '../platform/webviewPanel.ts';
import type { OpenQuestions } from './openQuestions.ts';

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

export interface QuestionQueuePorts {
  readonly openPanel: () => WebviewPanel;
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
  readonly #ports: QuestionQueuePorts;
  readonly #read: (message: unknown) => FromPanel | { readonly type: 'ready' } | undefined;
  readonly #create: (slot: QuestionSlot<ToPanel>, review: Review) => Q;
  readonly #waiting: Q[] = [];
  readonly #announcements = new Map<number, Disposable>();
  #panel: WebviewPanel | undefined;
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
    ports: QuestionQueuePorts,
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
    const reveal = (): void => this.#panel?.reveal();
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
    this.#closePanel();
  }

  #post(message: ToPanel | QueueMessage): void {
    if (message.id === this.#shown?.id && this.#isReady) void this.#panel?.webview.postMessage(message);
  }

  #withdraw(id: number): void {
    this.#announcements.get(id)?.dispose();
    this.#announcements.delete(id);
  }

  #advance(): void {
    const first = this.#waiting.find(({ isAnswered }) => !isAnswered) ?? this.#waiting[0];
    if (first === undefined) return this.#closePanel();
    if (first === this.#shown) return this.#showWaiting();
    this.#shown = first;
    if (this.#panel === undefined) this.#openPanel();
    // The keyboard focus stays where the person types.
    else this.#panel.reveal(undefined, true);
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

  #openPanel(): void {
    const panel = this.#ports.openPanel();
    this.#panel = panel;
    this.#isReady = false;
    tellMoves(panel);
    panel.webview.onDidReceiveMessage((message: unknown) => {
      if (panel === this.#panel && !isTypedMessage(message)) this.#receive(message);
    });
    panel.onDidDispose(() => {
      // Otherwise the queue has closed it.
      if (panel !== this.#panel) return;
      this.#panel = undefined;
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

  #closePanel(): void {
    const panel = this.#panel;
    this.#panel = undefined;
    this.#isReady = false;
    panel?.dispose();
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
