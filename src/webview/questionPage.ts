import type { ConsentView } from '../shared/consentMessages.ts';
import { createDecisionGuard, listenToShortcuts, type ShortcutActions } from './decisionGuard.ts';
import { banner, type Child, countOf, element, fill, icon, inlineText } from './dom.ts';

/** One step of a question, for instance the form or the review of the answer. The page shows one step at a time. */
export interface QuestionStep {
  readonly element: HTMLElement;
  readonly shortcuts: ShortcutActions;
  /** Enables or disables the deciding buttons: they are in the same place as those of the step before. */
  setDecisionsEnabled(isEnabled: boolean): void;
  /** Refusing decides nothing: Escape may refuse before the person is on the page, once the wait is over. */
  readonly isRefusedAsOpened?: boolean;
  /** The person is on the page: from now on all keys decide. */
  onDidInteract?(): void;
}

/** Which server asks, why now, and how many requests wait. `isOwn`: the person asks, not the server. */
type Asked = Pick<ConsentView, 'server' | 'lookAlike' | 'cause' | 'waiting'> & { readonly isOwn?: boolean };

/** The page of a panel that shows one question at a time: a header, the current step, and a status for screen readers. */
export class QuestionPage {
  readonly #guard = createDecisionGuard(
    (isEnabled) => this.#step?.setDecisionsEnabled(isEnabled),
    () => this.#step?.element,
    () => this.#takeKeys(),
  );
  readonly #root: HTMLElement;
  readonly #header = element('header', { class: 'page-header' });
  readonly #body = element('main');
  /** A live region: screen readers read each change. */
  readonly #status = element('div', { class: 'screen-reader-only', role: 'status' });
  readonly #emptyText: string;
  #step: QuestionStep | undefined;

  /** @param emptyText shown while there is no question */
  constructor(root: HTMLElement, emptyText: string) {
    this.#root = root;
    this.#emptyText = emptyText;
    root.append(this.#header, this.#body, this.#status);
    listenToShortcuts(() => this.#shortcuts());
  }

  /**
   * Shows a new question with its first step, in place of the current one. All text from the server is shown exactly.
   * @param asksFor follows the server's name: "wants to use a language model"
   */
  showQuestion(asked: Asked, iconName: string, asksFor: string, step: QuestionStep): void {
    const { server, lookAlike, waiting } = asked;
    const title = element('h1', { tabindex: -1 }, inlineText(server), ` ${asksFor}`);
    const count = element('p', { class: 'waiting', role: 'status', text: waitingWords(waiting) });
    this.show(
      [
        element('div', { class: 'title-row' }, icon(iconName), title, count),
        element('p', { class: 'lead' }, describeCause(asked)),
        lookAlike !== undefined &&
          banner('error', element('span', {}, "Warning: this server's name ", inlineText(lookAlike), '.'), 'warning'),
      ],
      step,
    );
  }

  /** Shows any other question in the same way. @param header its title, a heading that takes the focus, and what stands below it */
  show(header: Child, step: QuestionStep): void {
    fill(this.#header, header);
    this.showStep(step);
    this.#guard.reset();
    this.#root.classList.remove('takes-keys');
    this.focusHeader();
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
    const words = this.#header.querySelector('.waiting');
    if (words !== null) words.textContent = waitingWords(count);
  }

  focusHeader(): void {
    this.#header.querySelector('h1')?.focus();
  }

  /** Removes the question. The extension then closes the panel or shows the next question. */
  clear(): void {
    this.#step = undefined;
    this.#header.replaceChildren();
    this.#body.replaceChildren(element('p', { class: 'hint', text: this.#emptyText }));
    this.say('Done.');
  }

  say(text: string): void {
    this.#status.textContent = text;
  }

  /** The person is on the page: what is said of keys is true from now on, and shown. */
  #takeKeys(): void {
    this.#root.classList.add('takes-keys');
    this.#step?.onDidInteract?.();
  }

  #shortcuts(): ShortcutActions | undefined {
    const step = this.#step;
    if (step === undefined) return undefined;
    const { isEnabled, hasInteraction } = this.#guard;
    if (!hasInteraction && !(step.isRefusedAsOpened === true && isEnabled)) return undefined;
    return { ...step.shortcuts, accept: () => hasInteraction && isEnabled && step.shortcuts.accept() };
  }
}

function describeCause({ cause, isOwn = false }: Asked): (Node | string)[] {
  if (cause === undefined) return ['The server sent this unprompted.'];
  return [isOwn ? 'Because you asked about ' : 'Because you ran ', inlineText(cause, 'strong'), '.'];
}

function waitingWords(count: number): string {
  return count === 0 ? '' : `${countOf(count, 'more request')} waiting`;
}
