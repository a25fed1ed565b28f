import { counted, element, icon } from './dom.ts';
import { exactText } from './exactText.ts';

/** The head of a page with a question: who asks for what, why now, and how many others wait. */
export interface QuestionHeader {
  readonly elements: readonly HTMLElement[];
  showWaiting(count: number): void;
  focus(): void;
}

export interface QuestionHeaderOptions {
  readonly icon: string;
  readonly server: string;
  readonly lookAlike: string | undefined;
  /** Follows the server's name: "asks for a language model". */
  readonly asksFor: string;
  readonly cause: string | undefined;
  readonly waiting: number;
}

export function createQuestionHeader(options: QuestionHeaderOptions): QuestionHeader {
  const server = exactText(options.server, 'exact inline');
  const title = element('h1', { tabindex: -1 }, server, ` ${options.asksFor}`);
  const waiting = element('p', { class: 'waiting', role: 'status' });
  const showWaiting = (count: number): void => {
    waiting.textContent = count === 0 ? '' : `${counted(count, 'more request')} waiting`;
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
