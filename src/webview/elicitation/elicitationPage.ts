import type { FormContent } from '../../base/formField.ts';
import type { ElicitationFromPanel, ElicitationToPanel, ElicitationView } from '../../shared/elicitationMessages.ts';
import { createDecisionGuard, type DecisionGuard, listenToShortcuts } from '../decisionGuard.ts';
import { element } from '../dom.ts';
import { connectToExtension, type ExtensionConnection } from '../extensionConnection.ts';
import { createQuestionHeader, type QuestionHeader, type QuestionStep } from '../questionPage.ts';
import { createAfterPointerUp } from './fieldRow.ts';
import { createFormStep, type FormStep, hasPattern } from './formStep.ts';
import { createVisitStep, type VisitStep } from './visitStep.ts';

const messageTypes = ['show', 'opened', 'checked', 'waiting', 'done'] as const;

/** The question on the page. */
interface Shown {
  readonly id: number;
  readonly header: QuestionHeader;
  readonly step: QuestionStep;
  readonly form: FormStep | undefined;
  readonly visit: VisitStep | undefined;
}

/** The elicitation panel: shows one question at a time and sends the person's answers to the extension. */
export class ElicitationPage {
  readonly #host: ExtensionConnection<ElicitationFromPanel>;
  readonly #arming: DecisionGuard;
  readonly #afterPress = createAfterPointerUp();
  readonly #header = element('header', { class: 'page-header' });
  readonly #body = element('main');
  /** A live region: screen readers read each change. */
  readonly #status = element('div', { class: 'screen-reader-only', role: 'status' });
  #shown: Shown | undefined;

  constructor(root: HTMLElement) {
    this.#arming = createDecisionGuard((isArmed) => this.#shown?.step.setDecisionsEnabled(isArmed));
    this.#host = connectToExtension(messageTypes, (message: ElicitationToPanel) => this.#receive(message));
    root.append(this.#header, this.#body, this.#status);
  }

  /** Tells the extension that the page is ready for messages. */
  start(): void {
    listenToShortcuts(() => this.#shortcuts());
    this.#host.send({ type: 'ready' });
  }

  #receive(message: ElicitationToPanel): void {
    if (message.type === 'show') return this.#show(message.id, message.view);
    const shown = this.#shown;
    if (shown === undefined || message.id !== shown.id) return;
    switch (message.type) {
      case 'opened':
        shown.visit?.showOpened(message.isOpen);
        this.#arming.restartDelay();
        return this.#say(message.isOpen ? 'The page was opened in your browser.' : 'The page was not opened.');
      case 'checked':
        return shown.form?.showFindings(message.findings, message.isReturned);
      case 'waiting':
        return shown.header.showWaiting(message.count);
      case 'done':
        return this.#clear();
    }
  }

  #show(id: number, view: ElicitationView): void {
    const header = createQuestionHeader({
      icon: view.kind === 'form' ? 'question' : 'link-external',
      server: view.server,
      lookAlike: view.lookAlike,
      asksFor: view.kind === 'form' ? 'asks you something' : 'asks you to visit a page',
      cause: view.cause,
      waiting: view.waiting,
    });
    const onDecline = (): void => this.#finish({ type: 'decline', id });
    const onCancel = (): void => this.#finish({ type: 'cancel', id });
    const visit =
      view.kind === 'visit'
        ? createVisitStep(view, {
            onOpen: () => this.#host.send({ type: 'open', id }),
            onFinish: () => this.#finish({ type: 'finish', id }),
            onDecline,
            onCancel,
          })
        : undefined;
    const onCheck = (content: FormContent): void => this.#host.send({ type: 'check', id, content });
    const onSend = (content: FormContent): void => {
      const message = { type: 'send', id, content } as const;
      // The extension checks patterns, and returns the form if a value does not match.
      if (view.kind === 'form' && hasPattern(view.fields)) this.#host.send(message);
      else this.#finish(message);
    };
    const actions = { onCheck, onSend, onDecline, onCancel };
    const form = view.kind === 'form' ? createFormStep(view, actions, this.#afterPress) : undefined;
    const step = form ?? visit;
    if (step === undefined) return;
    this.#shown = { id, header, step, form, visit };
    this.#header.replaceChildren(...header.elements);
    this.#body.replaceChildren(step.element);
    this.#arming.reset();
    window.scrollTo(0, 0);
    header.focus();
  }

  #finish(message: ElicitationFromPanel): void {
    this.#host.send(message);
    this.#clear();
  }

  /** Removes the question. The extension then closes the panel or shows the next question. */
  #clear(): void {
    this.#shown = undefined;
    this.#header.replaceChildren();
    this.#body.replaceChildren(element('p', { class: 'hint', text: 'Nothing to answer right now.' }));
    this.#say('Done.');
  }

  #shortcuts() {
    const step = this.#shown?.step;
    if (step === undefined || !this.#arming.hasInteraction) return undefined;
    const accept = (): void => (this.#arming.isEnabled ? step.shortcuts.accept() : undefined);
    return { ...step.shortcuts, accept };
  }

  #say(text: string): void {
    this.#status.textContent = text;
  }
}
