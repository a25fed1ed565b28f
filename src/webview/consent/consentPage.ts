import type { ConsentFromPanel, ConsentToPanel, ConsentView } from '../../shared/consentMessages.ts';
import { element } from '../dom.ts';
import { connectToExtension, type ExtensionConnection } from '../extensionConnection.ts';
import { createQuestionHeader, type QuestionHeader, type QuestionStep } from '../questionPage.ts';
import { createReviewStep, createRunningStep, type RunningStep } from './answerStep.ts';
import { createDecisionGuard, type DecisionGuard, listenToShortcuts } from '../decisionGuard.ts';
import { createRequestStep, type RequestStep } from './requestStep.ts';

const messageTypes = ['show', 'answerText', 'reviewAnswer', 'failure', 'waiting', 'done'] as const;

/** The request on the page. */
interface Shown {
  readonly id: number;
  readonly request: RequestStep;
  readonly header: QuestionHeader;
  running: RunningStep | undefined;
  modelName: string;
}

/** The consent panel: shows one sampling request at a time and sends the person's decisions to the extension. */
export class ConsentPage {
  readonly #host: ExtensionConnection<ConsentFromPanel>;
  readonly #arming: DecisionGuard;
  readonly #header = element('header', { class: 'page-header' });
  readonly #body = element('main');
  /** A live region: screen readers read each change. */
  readonly #status = element('div', { class: 'screen-reader-only', role: 'status' });
  #shown: Shown | undefined;
  #step: QuestionStep | undefined;

  constructor(root: HTMLElement) {
    this.#arming = createDecisionGuard((isArmed) => this.#step?.setDecisionsEnabled(isArmed));
    this.#host = connectToExtension<ConsentToPanel, ConsentFromPanel>(messageTypes, (message) =>
      this.#receive(message),
    );
    root.append(this.#header, this.#body, this.#status);
  }

  /** Tells the extension that the page is ready for messages. */
  start(): void {
    listenToShortcuts(() => this.#shortcuts());
    this.#host.send({ type: 'ready' });
  }

  #receive(message: ConsentToPanel): void {
    if (message.type === 'show') return this.#show(message.id, message.view);
    const shown = this.#shown;
    if (shown === undefined || message.id !== shown.id) return;
    switch (message.type) {
      case 'answerText':
        return this.#run(shown).showText(message.text);
      case 'reviewAnswer':
        this.#go(
          createReviewStep(message, {
            onSend: (text) => this.#finish({ type: 'send', id: shown.id, text }),
            onWithhold: () => this.#finish({ type: 'withhold', id: shown.id }),
            onRetry: () => {
              this.#host.send({ type: 'retry', id: shown.id });
              this.#backToRequest(shown);
            },
          }),
        );
        return this.#say('The answer is complete. Review it before it is sent.');
      case 'failure':
        this.#backToRequest(shown);
        return shown.request.showFailure(message.message);
      case 'waiting':
        return shown.header.showWaiting(message.count);
      case 'done':
        return this.#clear('Done.');
    }
  }

  #show(id: number, view: ConsentView): void {
    const request = createRequestStep(view, {
      onApprove: (edits, model, grant) => {
        this.#host.send({ type: 'approve', id, edits, model: model.model, grant });
        shown.modelName = model.modelName;
        this.#run(shown);
        this.#say(`${model.modelName} is answering.`);
      },
      onAnswer: (text) => this.#finish({ type: 'answer', id, text }),
      onDecline: () => this.#finish({ type: 'decline', id }),
      onDidChangeQuestion: () => this.#arming.restartDelay(),
    });
    const header = createQuestionHeader({
      icon: 'comment-discussion-sparkle',
      server: view.server,
      lookAlike: view.lookAlike,
      asksFor: 'asks for a language model',
      cause: view.cause,
      waiting: view.waiting,
    });
    const shown: Shown = { id, request, header, running: undefined, modelName: '' };
    this.#shown = shown;
    this.#header.replaceChildren(...header.elements);
    this.#go(request);
    this.#arming.reset();
    window.scrollTo(0, 0);
    header.focus();
  }

  #run(shown: Shown): RunningStep {
    if (shown.running !== undefined) return shown.running;
    shown.running = createRunningStep(shown.modelName, () => this.#finish({ type: 'withhold', id: shown.id }));
    this.#go(shown.running);
    return shown.running;
  }

  #backToRequest(shown: Shown): void {
    shown.running = undefined;
    this.#go(shown.request);
    shown.header.focus();
  }

  #finish(message: ConsentFromPanel): void {
    this.#host.send(message);
    this.#clear('Done.');
  }

  /** Removes the request. The extension then closes the panel or shows the next request. */
  #clear(status: string): void {
    this.#shown = undefined;
    this.#step = undefined;
    this.#header.replaceChildren();
    this.#body.replaceChildren(element('p', { class: 'hint', text: 'Nothing to decide right now.' }));
    this.#say(status);
  }

  #go(step: QuestionStep): void {
    this.#step = step;
    this.#body.replaceChildren(step.element);
    this.#arming.restartDelay();
    step.element.querySelector<HTMLElement>('h2[tabindex]')?.focus();
    window.scrollTo(0, 0);
  }

  #shortcuts() {
    const step = this.#step;
    if (step === undefined || !this.#arming.hasInteraction) return undefined;
    const accept = (): void => (this.#arming.isEnabled ? step.shortcuts.accept() : undefined);
    return { ...step.shortcuts, accept };
  }

  #say(text: string): void {
    this.#status.textContent = text;
  }
}
