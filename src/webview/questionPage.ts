import { createDecisionGuard, listenToShortcuts, type ShortcutActions } from './decisionGuard.ts';
import { element, exactText, countOf, icon } from './dom.ts';

/** One step of a question, for instance the form or the review of the answer. The page shows one step at a time. */
export interface QuestionStep {
  readonly element: HTMLElement;
  readonly shortcuts: ShortcutActions;
  /** Enables or disables the deciding buttons: they are in the same place as those of the step before. */
  setDecisionsEnabled(isEnabled: boolean): void;
}

/** What the header of a question shows: which server asks for what, why now, and how many requests wait. */
export interface QuestionHeaderOptions {
  /** The name of a codicon. */
  readonly icon: string;
  /** The server's label. */
  readonly server: string;
  /** How the label could be mistaken for another one, in a few words. */
  readonly lookAlike: string | undefined;
  /** Follows the server's name: "asks for a language model". */
  readonly asksFor: string;
  /** What the person ran, if that led to the question; what they ask about, if the question is their own. */
  readonly cause: string | undefined;
  /** The person asks, not the server. */
  readonly isOwn?: boolean;
  /** Requests that wait for this one. */
  readonly waiting: number;
}

/** The page of a panel that shows one question at a time: a header, the current step, and a status for screen readers. */
export class QuestionPage {
  readonly #guard = createDecisionGuard(
    (isEnabled) => this.#step?.setDecisionsEnabled(isEnabled),
    () => this.#step?.element,
  );
  readonly #headerElement = element('header', { class: 'page-header' });
  readonly #body = element('main');
  /** A live region: screen readers read each change. */
  readonly #status = element('div', { class: 'screen-reader-only', role: 'status' });
  readonly #emptyText: string;
  #header: QuestionHeader | undefined;
  #step: QuestionStep | undefined;

  /** @param emptyText shown while there is no question */
  constructor(root: HTMLElement, emptyText: string) {
    this.#emptyText = emptyText;
    root.append(this.#headerElement, this.#body, this.#status);
    listenToShortcuts(() => this.#shortcuts());
  }

  /** Shows a new question with its first step, in place of the current one. */
  showQuestion(options: QuestionHeaderOptions, step: QuestionStep): void {
    this.#header = createQuestionHeader(options);
    this.#headerElement.replaceChildren(...this.#header.elements);
    this.showStep(step);
    this.#guard.reset();
    this.#header.focus();
  }

  /** Shows another step of the current question, and moves the focus to its heading if it has one. */
  showStep(step: QuestionStep): void {
    this.#step = step;
    this.#body.replaceChildren(step.element);
    this.#guard.restartDelay();
    step.element.querySelector<HTMLElement>('h2[tabindex]')?.focus();
    window.scrollTo(0, 0);
  }

  /** Disables the deciding buttons for a moment, because they have changed. */
  restartDelay(): void {
    this.#guard.restartDelay();
  }

  /** @param count requests that wait for the current one */
  showWaiting(count: number): void {
    this.#header?.showWaiting(count);
  }

  focusHeader(): void {
    this.#header?.focus();
  }

  /** Removes the question. The extension then closes the panel or shows the next question. */
  clear(): void {
    this.#header = undefined;
    this.#step = undefined;
    this.#headerElement.replaceChildren();
    this.#body.replaceChildren(element('p', { class: 'hint', text: this.#emptyText }));
    this.say('Done.');
  }

  /** Lets screen readers read `text`. */
  say(text: string): void {
    this.#status.textContent = text;
  }

  #shortcuts(): ShortcutActions | undefined {
    const step = this.#step;
    if (step === undefined || !this.#guard.hasInteraction) return undefined;
    const accept = (): void => (this.#guard.isEnabled ? step.shortcuts.accept() : undefined);
    return { ...step.shortcuts, accept };
  }
}

interface QuestionHeader {
  readonly elements: readonly HTMLElement[];
  /** @param count requests that wait for this one */
  showWaiting(count: number): void;
  focus(): void;
}

/** Draws the header; all text from the server is shown exactly. */
function createQuestionHeader(options: QuestionHeaderOptions): QuestionHeader {
  const server = exactText(options.server, 'exact inline');
  const title = element('h1', { tabindex: -1 }, server, ` ${options.asksFor}`);
  const waiting = element('p', { class: 'waiting', role: 'status' });
  const showWaiting = (count: number): void => {
    waiting.textContent = count === 0 ? '' : `${countOf(count, 'more request')} waiting`;
  };
  showWaiting(options.waiting);
  return {
    elements: [
      element('div', { class: 'title-row' }, icon(options.icon), title, waiting),
      element('p', { class: 'lead' }, ...describeCause(options)),
      ...lookAlikeBanner(options.lookAlike),
    ],
    showWaiting,
    focus: () => title.focus(),
  };
}

function describeCause({ cause, isOwn = false }: QuestionHeaderOptions): (Node | string)[] {
  if (cause === undefined) return ['The server sent this unprompted.'];
  return [isOwn ? 'Because you asked about ' : 'Because you ran ', exactText(cause, 'exact inline strong'), '.'];
}

function lookAlikeBanner(words: string | undefined): HTMLElement[] {
  if (words === undefined) return [];
  const text = element('span', {}, "Take care: this server's label ", exactText(words, 'exact inline'), '.');
  return [element('p', { class: 'banner error' }, icon('warning'), text)];
}
