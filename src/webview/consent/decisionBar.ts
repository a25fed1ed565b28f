import type { ConsentView } from '../../shared/consentMessages.ts';
import { acceptKeys } from '../decisionGuard.ts';
import { button, countOf, element, icon } from '../dom.ts';

/** The form that a button opens in place of the bar. */
export type RequestForm = 'rule' | 'manualAnswer';

/** What the buttons do. */
export interface DecisionActions {
  readonly onApprove: () => void;
  readonly onDecline: () => void;
  readonly onOpen: (form: RequestForm) => void;
}

/** What the person asks themselves needs no rule, and nobody waits for an answer that they would write. */
export function createDecisionBar(
  { noRuleBecause, isOwn }: Pick<ConsentView, 'noRuleBecause' | 'isOwn'>,
  actions: DecisionActions,
) {
  const problem = element('p', { class: 'problem', role: 'alert' });
  const unmasked = element('p', { class: 'unmasked', role: 'status' });
  const approve = button({
    label: 'Approve',
    icon: 'check',
    kind: 'primary',
    title: acceptKeys(),
    onClick: actions.onApprove,
  });
  const decline = button({ label: 'Decline', title: 'Escape', onClick: actions.onDecline });
  const rule = button({ label: 'Allow Without Asking…', kind: 'quiet', onClick: () => actions.onOpen('rule') });
  const manualAnswer = button({
    label: 'Write the Answer Myself…',
    kind: 'quiet',
    onClick: () => actions.onOpen('manualAnswer'),
  });
  const keys = element('span', { class: 'keys' });
  const buttons = element('div', { class: 'buttons' });
  const noRule = element('p', { class: 'hint no-rule', text: noRuleBecause ?? '' });
  return {
    element: element('div', { class: 'decision-bar' }, problem, unmasked, buttons, noRule),
    approve,
    decline,
    /** The button that opens a form. */
    opener: (form: RequestForm) => (form === 'rule' ? rule : manualAnswer),
    /** Without a model, or if the request cannot be reviewed, the person can only decline or write the answer. */
    setCanApprove(canApprove: boolean) {
      const hasRule = canApprove && noRuleBecause === undefined;
      noRule.hidden = !canApprove || isOwn;
      buttons.replaceChildren(
        ...(canApprove ? [approve] : []),
        decline,
        ...(hasRule ? [rule] : []),
        ...(isOwn ? [] : [manualAnswer]),
        keys,
      );
      keys.textContent = canApprove ? `${acceptKeys()} approves, Esc declines` : 'Esc declines';
    },
    /** @param count of the places that may be secret and are not masked */
    showUnmasked(count: number) {
      const text =
        count === 0 ? '' : `${countOf(count, 'place')} may be secret and ${count === 1 ? 'is' : 'are'} not masked`;
      // A screen reader reads each change.
      if (unmasked.textContent === text) return;
      unmasked.replaceChildren(...(count === 0 ? [] : [icon('warning'), element('span', { text })]));
    },
    /** @param text empty if there is none */
    showProblem: (text: string) => (problem.textContent = text),
  };
}

export type DecisionBar = ReturnType<typeof createDecisionBar>;
