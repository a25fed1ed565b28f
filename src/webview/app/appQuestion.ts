import type { AppQuestionView } from '../../shared/appMessages.ts';
import { createDecisionGuard, decisionDelayMs } from '../decisionGuard.ts';
import { button, element, exactText, fill, inlineText, uniqueId } from '../dom.ts';

/**
 * What an app has asked for, between its strip and its frame, where the app can neither draw nor lead the pointer unseen.
 * @param onAnswer without a choice, the answer is a no
 */
export function createAppQuestion(onAnswer: (id: number, choice: string | undefined) => void) {
  const titleId = uniqueId('question');
  const attributes = { class: 'question', role: 'alertdialog', 'aria-labelledby': titleId, hidden: true, onkeydown };
  const section = element('section', attributes);
  let buttons: readonly HTMLButtonElement[] = [];
  let shown: AppQuestionView | undefined;
  let heading: HTMLElement | undefined;
  const guard = createDecisionGuard(
    (isEnabled) => {
      for (const each of buttons) each.disabled = !isEnabled;
    },
    () => section,
  );

  function decide(choice: string | undefined): void {
    if (shown !== undefined && guard.isEnabled && guard.hasInteraction) onAnswer(shown.id, choice);
  }

  function onkeydown(event: KeyboardEvent): void {
    if (event.key !== 'Escape' || event.repeat || event.isComposing) return;
    event.preventDefault();
    event.stopPropagation();
    decide(undefined);
  }

  ignoreKeysAfterEntry(section);
  return {
    element: section,
    /** Can have the focus, and does nothing; `undefined` while there is no question. */
    get heading(): HTMLElement | undefined {
      return heading;
    },
    show(question: AppQuestionView | undefined): void {
      if (question?.id === shown?.id) return;
      shown = question;
      section.hidden = question === undefined;
      heading = undefined;
      if (question === undefined) return section.replaceChildren();
      const { message, detail, body, safe, actions } = question;
      buttons = [
        button({ label: safe, kind: 'primary', onClick: () => decide(undefined) }),
        ...actions.map((action) => button({ label: action, kind: 'secondary', onClick: () => decide(action) })),
      ];
      heading = element('h2', { id: titleId, role: 'alert', tabindex: -1 }, inlineText(message));
      fill(
        section,
        heading,
        detail.map((line) => element('p', {}, inlineText(line))),
        body !== undefined && exactText(body, 'exact code'),
        element('div', { class: 'decisions' }, buttons),
      );
      guard.reset();
    },
  };
}

/** Shift+Tab leads from the app to the last button: what is typed on within a second was meant for the app. */
function ignoreKeysAfterEntry(section: HTMLElement): void {
  let enteredAt = -Infinity;
  section.addEventListener('focusin', ({ relatedTarget }) => {
    if (relatedTarget === null || relatedTarget instanceof HTMLIFrameElement) enteredAt = performance.now();
  });
  const stop = (event: MouseEvent): void => {
    // Keys make clicks without a number.
    if (event.detail === 0 && performance.now() - enteredAt < decisionDelayMs) event.stopPropagation();
  };
  section.addEventListener('click', stop, { capture: true });
}
