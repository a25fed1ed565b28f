import type { ConsentFromPanel, ConsentToPanel, ConsentView, ReviewAnswer } from '../../shared/consentMessages.ts';
import { connectToExtension } from '../extensionConnection.ts';
import { QuestionPage } from '../questionPage.ts';
import { createReviewStep, createRunningStep, type RunningStep } from './answerStep.ts';
import { RequestStep } from './requestStep.ts';

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
  readonly #extension = connectToExtension<ConsentFromPanel>((message: ConsentToPanel) => this.#receive(message));
  readonly #page: QuestionPage;
  #shown: Shown | undefined;

  constructor(root: HTMLElement) {
    this.#page = new QuestionPage(root, 'Nothing to decide right now.');
  }

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
    const decide = (message: ConsentFromPanel): void => this.#decide(shown, message);
    const request = new RequestStep(id, view, decide, () => this.#page.restartDelay());
    const shown: Shown = { id, view, request, running: undefined, modelName: '', isApproved: false };
    this.#shown = shown;
    const asksFor = view.isOwn ? 'provides content that you send to a language model' : 'wants to use a language model';
    this.#page.showQuestion(view, 'comment-discussion-sparkle', asksFor, request);
  }

  #showRunning(shown: Shown): RunningStep {
    if (shown.running !== undefined) return shown.running;
    const because = shown.isApproved ? undefined : shown.view.askedBecause;
    shown.running = createRunningStep(shown.modelName, because, () =>
      this.#decide(shown, { type: 'withhold', id: shown.id }),
    );
    this.#page.showStep(shown.running);
    return shown.running;
  }

  #showReview(shown: Shown, answer: ReviewAnswer): void {
    const ruled = shown.isApproved ? undefined : shown.view;
    this.#page.showStep(createReviewStep(answer, ruled, (message) => this.#decide(shown, message)));
    this.#page.say('The answer is complete. Review it before it is sent.');
  }

  #backToRequest(shown: Shown): void {
    shown.running = undefined;
    this.#page.showStep(shown.request);
    this.#page.focusHeader();
  }

  /** Sends what the person wants, and shows what follows. */
  #decide(shown: Shown, message: ConsentFromPanel): void {
    this.#extension.send(message);
    if (message.type === 'addModel') return;
    if (message.type === 'retry') return this.#backToRequest(shown);
    if (message.type !== 'approve') return this.#clear();
    shown.modelName = shown.request.modelName;
    shown.isApproved = true;
    this.#showRunning(shown);
    this.#page.say(`${shown.modelName} is answering.`);
  }

  #clear(): void {
    this.#shown = undefined;
    this.#page.clear();
  }
}
