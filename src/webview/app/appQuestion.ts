import type { AppQuestionView } from '../../shared/appMessages.ts';
import { createDecisionGuard } from '../decisionGuard.ts';
import { button, element, exactText, uniqueId } from '../dom.ts';

/** What an app has asked for, between its strip and its frame, where the app can neither draw nor lead the pointer unseen. */
export interface AppQuestion {
  readonly element: HTMLElement;
  /** @param question `undefined` while there is none */
  show(question: AppQuestionView | undefined): void;
}

/** @param onAnswer without a choice, the answer is a no */
export function createAppQuestion(onAnswer: (id: number, choice: string | undefined) => void): AppQuestion {
  const titleId = uniqueId('question');
  const section = element('section', {
    class: 'question',
    role: 'alertdialog',
    'aria-labelledby': titleId,
    hidden: true,
  });
  let buttons: readonly HTMLButtonElement[] = [];
  let shown: AppQuestionView | undefined;
  const guard = createDecisionGuard(
    (isEnabled) => {
      for (const each of buttons) each.disabled = !isEnabled;
    },
    () => section,
  );

  function decide(choice: string | undefined): void {
    if (shown !== undefined && guard.isEnabled && guard.hasInteraction) onAnswer(shown.id, choice);
  }

  section.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || event.repeat || event.isComposing) return;
    event.preventDefault();
    event.stopPropagation();
    decide(undefined);
  });

  return {
    element: section,
    show(question) {
      if (question?.id === shown?.id) return;
      shown = question;
      section.hidden = question === undefined;
      if (question === undefined) return section.replaceChildren();
      const { message, detail, body, safe, actions } = question;
      buttons = [
        button({ label: safe, kind: 'primary', onClick: () => decide(undefined) }),
        ...actions.map((action) => button({ label: action, kind: 'secondary', onClick: () => decide(action) })),
      ];
      section.replaceChildren(
        element('h2', { id: titleId, role: 'alert' }, exactText(message, 'exact inline')),
        ...detail.map((line) => element('p', {}, exactText(line, 'exact inline'))),
        ...(body === undefined ? [] : [exactText(body, 'exact code')]),
        element('div', { class: 'decisions' }, ...buttons),
      );
      guard.reset();
    },
  };
}
