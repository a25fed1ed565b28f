import type {
  ElicitationFromPanel,
  ElicitationToPanel,
  ElicitationView,
  FormView,
  VisitView,
} from '../../shared/elicitationMessages.ts';
import { connectToExtension, type ExtensionConnection } from '../extensionConnection.ts';
import { QuestionPage } from '../questionPage.ts';
import { createFormStep, type FormActions, type FormStep } from './formStep.ts';
import { createVisitStep, type VisitStep } from './visitStep.ts';

const messageTypes = ['show', 'opened', 'checked', 'waiting', 'done'] as const;

/** The question on the page. */
interface Shown {
  readonly id: number;
  readonly form: FormStep | undefined;
  readonly visit: VisitStep | undefined;
}

/** The elicitation panel: shows one question at a time and sends the person's answers to the extension. */
export class ElicitationPage {
  readonly #extension: ExtensionConnection<ElicitationFromPanel>;
  readonly #page: QuestionPage;
  #shown: Shown | undefined;

  constructor(root: HTMLElement) {
    this.#page = new QuestionPage(root, 'Nothing to answer right now.');
    this.#extension = connectToExtension(messageTypes, (message: ElicitationToPanel) => this.#receive(message));
  }

  /** Tells the extension that the page is ready for messages. */
  start(): void {
    this.#extension.send({ type: 'ready' });
  }

  #receive(message: ElicitationToPanel): void {
    if (message.type === 'show') return this.#show(message.id, message.view);
    const shown = this.#shown;
    if (shown === undefined || message.id !== shown.id) return;
    switch (message.type) {
      case 'opened':
        shown.visit?.showOpened(message.isOpen);
        this.#page.restartDelay();
        return this.#page.say(message.isOpen ? 'The page was opened in your browser.' : 'The page was not opened.');
      case 'checked':
        return shown.form?.showFindings(message.findings, message.isReturned);
      case 'waiting':
        return this.#page.showWaiting(message.count);
      case 'done':
        return this.#clear();
    }
  }

  #show(id: number, view: ElicitationView): void {
    if (view.kind === 'form') {
      const form = this.#createForm(id, view);
      this.#shown = { id, form, visit: undefined };
      this.#page.showQuestion({ ...view, icon: 'question', asksFor: 'asks you something' }, form);
    } else {
      const visit = this.#createVisit(id, view);
      this.#shown = { id, form: undefined, visit };
      this.#page.showQuestion({ ...view, icon: 'link-external', asksFor: 'asks you to visit a page' }, visit);
    }
  }

  #createForm(id: number, view: FormView): FormStep {
    const actions: FormActions = {
      onCheck: (content) => this.#extension.send({ type: 'check', id, content }),
      // The extension checks the values, and returns the form or says that the question is done.
      onSend: (content) => this.#extension.send({ type: 'send', id, content }),
      say: (text) => this.#page.say(text),
      ...this.#refusals(id),
    };
    return createFormStep(view, actions);
  }

  #createVisit(id: number, view: VisitView): VisitStep {
    return createVisitStep(view, {
      onOpen: () => this.#extension.send({ type: 'open', id }),
      onFinish: () => this.#finish({ type: 'finish', id }),
      ...this.#refusals(id),
    });
  }

  #refusals(id: number): { readonly onDecline: () => void; readonly onCancel: () => void } {
    return {
      onDecline: () => this.#finish({ type: 'decline', id }),
      onCancel: () => this.#finish({ type: 'cancel', id }),
    };
  }

  #finish(message: ElicitationFromPanel): void {
    this.#extension.send(message);
    this.#clear();
  }

  #clear(): void {
    this.#shown = undefined;
    this.#page.clear();
  }
}
