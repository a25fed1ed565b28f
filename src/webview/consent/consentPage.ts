import type { ConsentFromPanel, ConsentToPanel, ConsentView, ReviewAnswer } from '../../shared/consentMessages.ts';
import { connectToExtension, type ExtensionConnection } from '../extensionConnection.ts';
import { QuestionPage } from '../questionPage.ts';
import { createReviewStep, createRunningStep, type RunningStep } from './answerStep.ts';
import { createRequestStep, type RequestStep } from './requestStep.ts';

const messageTypes = ['show', 'models', 'running', 'answerText', 'reviewAnswer', 'failure', 'waiting', 'done'] as const;

/** The request on the page. */
interface Shown {
  readonly id: number;
  readonly view: ConsentView;
  readonly request: RequestStep;
  running: RunningStep | undefined;
  modelName: string;
  /** The person has approved this request: no rule has, whatever the view says. */
  isApproved: boolean;
}

/** The consent panel: shows one sampling request at a time and sends the person's decisions to the extension. */
export class ConsentPage {
  readonly #extension: ExtensionConnection<ConsentFromPanel>;
  readonly #page: QuestionPage;
  #shown: Shown | undefined;

  constructor(root: HTMLElement) {
    this.#page = new QuestionPage(root, 'Nothing to decide right now.');
    this.#extension = connectToExtension<ConsentToPanel, ConsentFromPanel>(messageTypes, (message) =>
      this.#receive(message),
    );
  }

  /** Tells the extension that the page is ready for messages. */
  start(): void {
    this.#extension.send({ type: 'ready' });
  }

  #receive(message: ConsentToPanel): void {
    if (message.type === 'show') return this.#show(message.id, message.view);
    const shown = this.#shown;
    if (shown === undefined || message.id !== shown.id) return;
    switch (message.type) {
      case 'models':
        shown.request.showModels(message.models);
        return this.#page.say('You can choose a model now.');
      case 'running':
        shown.modelName = message.modelName;
        return void this.#showRunning(shown);
      case 'answerText':
        return this.#showRunning(shown).showText(message.text);
      case 'reviewAnswer':
        return this.#showReview(shown, message);
      case 'failure':
        this.#backToRequest(shown);
        return shown.request.showFailure(message.message);
      case 'waiting':
        return this.#page.showWaiting(message.count);
      case 'done':
        return this.#clear();
    }
  }

  #show(id: number, view: ConsentView): void {
    const request = createRequestStep(view, {
      onApprove: (approval, modelName) => {
        this.#extension.send({ type: 'approve', id, ...approval });
        shown.modelName = modelName;
        shown.isApproved = true;
        this.#showRunning(shown);
        this.#page.say(`${modelName} is answering.`);
      },
      onAnswer: (text) => this.#finish({ type: 'answer', id, text }),
      onDecline: () => this.#finish({ type: 'decline', id }),
      onAddModel: () => this.#extension.send({ type: 'addModel', id }),
      onDidChangeQuestion: () => this.#page.restartDelay(),
    });
    const shown: Shown = { id, view, request, running: undefined, modelName: '', isApproved: false };
    this.#shown = shown;
    const asksFor = view.isOwn ? 'has content that you send to a language model' : 'asks for a language model';
    const header = { ...view, icon: 'comment-discussion-sparkle', asksFor };
    this.#page.showQuestion(header, request);
  }

  #showRunning(shown: Shown): RunningStep {
    if (shown.running !== undefined) return shown.running;
    shown.running = createRunningStep({
      modelName: shown.modelName,
      because: becauseOf(shown),
      onStop: () => this.#finish({ type: 'withhold', id: shown.id }),
    });
    this.#page.showStep(shown.running);
    return shown.running;
  }

  #showReview(shown: Shown, answer: ReviewAnswer): void {
    const { id } = shown;
    const step = createReviewStep(answer, shown.isApproved ? undefined : shown.view, {
      onSend: (text) => this.#finish({ type: 'send', id, text }),
      onWithhold: () => this.#finish({ type: 'withhold', id }),
      onRetry: () => {
        this.#extension.send({ type: 'retry', id });
        this.#backToRequest(shown);
      },
    });
    this.#page.showStep(step);
    this.#page.say('The answer is complete. Review it before it is sent.');
  }

  #backToRequest(shown: Shown): void {
    shown.running = undefined;
    this.#page.showStep(shown.request);
    this.#page.focusHeader();
  }

  #finish(message: ConsentFromPanel): void {
    this.#extension.send(message);
    this.#clear();
  }

  #clear(): void {
    this.#shown = undefined;
    this.#page.clear();
  }
}

/** Why the answer is reviewed although a rule approved the request; `undefined` if the person approved it. */
function becauseOf({ isApproved, view }: Shown): string | undefined {
  return isApproved ? undefined : view.askedBecause;
}
