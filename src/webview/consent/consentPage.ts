import type { ConsentFromPanel, ConsentToPanel, ConsentView } from '../../shared/consentMessages.ts';
import { connectToExtension, type ExtensionConnection } from '../extensionConnection.ts';
import { QuestionPage } from '../questionPage.ts';
import { createReviewStep, createRunningStep, type RunningStep } from './answerStep.ts';
import { createRequestStep, type RequestStep } from './requestStep.ts';

const messageTypes = ['show', 'answerText', 'reviewAnswer', 'failure', 'waiting', 'done'] as const;

/** The request on the page. */
interface Shown {
  readonly id: number;
  readonly request: RequestStep;
  running: RunningStep | undefined;
  modelName: string;
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
      case 'answerText':
        return this.#showRunning(shown).showText(message.text);
      case 'reviewAnswer':
        this.#page.showStep(
          createReviewStep(message, {
            onSend: (text) => this.#finish({ type: 'send', id: shown.id, text }),
            onWithhold: () => this.#finish({ type: 'withhold', id: shown.id }),
            onRetry: () => {
              this.#extension.send({ type: 'retry', id: shown.id });
              this.#backToRequest(shown);
            },
          }),
        );
        return this.#page.say('The answer is complete. Review it before it is sent.');
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
      onApprove: (edits, model, grant) => {
        this.#extension.send({ type: 'approve', id, edits, model: model.model, grant });
        shown.modelName = model.modelName;
        this.#showRunning(shown);
        this.#page.say(`${model.modelName} is answering.`);
      },
      onAnswer: (text) => this.#finish({ type: 'answer', id, text }),
      onDecline: () => this.#finish({ type: 'decline', id }),
      onDidChangeQuestion: () => this.#page.restartDelay(),
    });
    const shown: Shown = { id, request, running: undefined, modelName: '' };
    this.#shown = shown;
    const header = { ...view, icon: 'comment-discussion-sparkle', asksFor: 'asks for a language model' };
    this.#page.showQuestion(header, request);
  }

  #showRunning(shown: Shown): RunningStep {
    if (shown.running !== undefined) return shown.running;
    shown.running = createRunningStep(shown.modelName, () => this.#finish({ type: 'withhold', id: shown.id }));
    this.#page.showStep(shown.running);
    return shown.running;
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
