import type { ElicitationFromPanel, ElicitationToPanel, ElicitationView } from '../../shared/elicitationMessages.ts';
import { connectToExtension } from '../extensionConnection.ts';
import { QuestionPage } from '../questionPage.ts';
import { FormStep } from './formStep.ts';
import { createVisitStep, type VisitStep } from './visitStep.ts';

interface Shown {
  readonly id: number;
  readonly step: FormStep | VisitStep;
}

/** The elicitation panel: shows one question at a time and sends the person's answers to the extension. */
export class ElicitationPage {
  readonly #extension = connectToExtension<ElicitationFromPanel>((message: ElicitationToPanel) =>
    this.#receive(message),
  );
  readonly #page: QuestionPage;
  #shown: Shown | undefined;

  constructor(root: HTMLElement) {
    this.#page = new QuestionPage(root, 'Nothing to answer right now.');
  }

  start(): void {
    this.#extension.send({ type: 'ready' });
  }

  #receive(message: ElicitationToPanel): void {
    if (message.type === 'show') return this.#show(message.id, message.view);
    if (this.#shown === undefined || message.id !== this.#shown.id) return;
    const { step } = this.#shown;
    switch (message.type) {
      case 'opened':
        if ('showOpened' in step) step.showOpened(message.isOpen);
        this.#page.restartDelay();
        return this.#page.say(message.isOpen ? 'The page was opened in your browser.' : 'The page was not opened.');
      case 'checked':
        return step instanceof FormStep ? step.showFindings(message.findings, message.isReturned) : undefined;
      case 'waiting':
        return this.#page.showWaiting(message.count);
      case 'done':
        return this.#clear();
    }
  }

  #show(id: number, view: ElicitationView): void {
    const act = (message: ElicitationFromPanel): void => this.#act(message);
    const isForm = view.kind === 'form';
    const step = isForm ? new FormStep(id, view, act, (text) => this.#page.say(text)) : createVisitStep(id, view, act);
    this.#shown = { id, step };
    const asksFor = isForm ? 'asks you something' : 'asks you to visit a page';
    this.#page.showQuestion(view, isForm ? 'question' : 'link-external', asksFor, step);
  }

  /** Sends what the person wants. The extension checks the values that they send, and returns the form or ends the question. */
  #act(message: ElicitationFromPanel): void {
    this.#extension.send(message);
    if (message.type === 'finish' || message.type === 'decline' || message.type === 'cancel') this.#clear();
  }

  #clear(): void {
    this.#shown = undefined;
    this.#page.clear();
  }
}
