import type { ShortcutActions } from './decisionGuard.ts';
import { element, exactText, formatCount, icon } from './dom.ts';

/** The header of a page with a question: which server asks for what, why now, and how many requests wait. */
export interface QuestionHeader {
  readonly elements: readonly HTMLElement[];
  /** @param count requests that wait for this one */
  showWaiting(count: number): void;
  focus(): void;
}

/** What the header shows. */
export interface QuestionHeaderOptions {
  /** The name of a codicon. */
  readonly icon: string;
  /** The server's label. */
  readonly server: string;
  /** How the label could be mistaken for another one, in a few words. */
  readonly lookAlike: string | undefined;
  /** Follows the server's name: "asks for a language model". */
  readonly asksFor: string;
  /** What the person ran, if that led to the question. */
  readonly cause: string | undefined;
  /** Requests that wait for this one. */
  readonly waiting: number;
}

/** Draws the header; all text from the server is shown exactly. */
export function createQuestionHeader(options: QuestionHeaderOptions): QuestionHeader {
  const server = exactText(options.server, 'exact inline');
  const title = element('h1', { tabindex: -1 }, server, ` ${options.asksFor}`);
  const waiting = element('p', { class: 'waiting', role: 'status' });
  const showWaiting = (count: number): void => {
    waiting.textContent = count === 0 ? '' : `${formatCount(count, 'more request')} waiting`;
  };
  showWaiting(options.waiting);
  return {
    elements: [
      element('div', { class: 'title-row' }, icon(options.icon), title, waiting),
      element('p', { class: 'lead' }, ...describeCause(options.cause)),
      ...lookAlikeBanner(options.lookAlike),
    ],
    showWaiting,
    focus: () => title.focus(),
  };
}

function describeCause(cause: string | undefined): (Node | string)[] {
  if (cause === undefined) return ['It came on its own, while nothing you started was running there.'];
  return ['Because you ran ', exactText(cause, 'exact inline strong'), '.'];
}

function lookAlikeBanner(words: string | undefined): HTMLElement[] {
  if (words === undefined) return [];
  const text = element('span', {}, "Take care: this server's label ", exactText(words, 'exact inline'), '.');
  return [element('p', { class: 'banner error' }, icon('warning'), text)];
}

/** One step of a question, for instance the form or the review of the answer. The page shows one step at a time. */
export interface QuestionStep {
  readonly element: HTMLElement;
  readonly shortcuts: ShortcutActions;
  /** Enables or disables the deciding buttons: they are in the same place as those of the step before. */
  setDecisionsEnabled(isArmed: boolean): void;
}
