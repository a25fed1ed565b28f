import { type QuickPickItem, window } from 'vscode';
import type { Clock } from '../../base/clock.ts';
import type { RuleTerms } from '../../client/sampling/ports.ts';
import type { SamplingRule } from '../../client/sampling/samplingRules.ts';
import { escapeIcons } from '../platform/displayText.ts';
import type { AuditedRules } from './ruleAudit.ts';
import {
  describeBounds,
  describeFixed,
  editableTerms,
  type EditableTerm,
  enteredTerm,
  readAmount,
  toggledTerm,
} from './ruleEdits.ts';
import { ruleTitle } from './ruleText.ts';

/** The rules that are edited. */
export type EditedRules = Pick<AuditedRules, 'rules' | 'edit'>;

/**
 * *Edit Rule…*: changes one term after the other, each at once, until the person is done. What was seen when the rule was
 * made stays its limit.
 */
export async function editRule(id: string, rules: EditedRules, clock: Clock): Promise<void> {
  for (;;) {
    const rule = rules.rules.find((one) => one.id === id);
    if (rule === undefined) {
      await window.showInformationMessage('This rule has ended: there is nothing to edit.');
      return;
    }
    const term = await chooseTerm(rule, clock.now());
    if (term === undefined) return;
    const terms = await askFor(rule, term.id, clock);
    if (terms !== undefined) await rules.edit(id, terms);
  }
}

async function chooseTerm(rule: SamplingRule, now: number): Promise<EditableTerm | undefined> {
  const rows: readonly (QuickPickItem & { readonly term?: EditableTerm })[] = [
    ...editableTerms(rule, now).map((term) => ({ label: term.label, description: term.value, term })),
    {
      label: '$(lock) What you saw when you made it',
      description: 'cannot be edited',
      detail: `${describeFixed(rule)}. Other requests ask you: make a new rule there.`,
    },
  ];
  const picked = await window.showQuickPick(rows, {
    title: `Edit Rule ${escapeIcons(ruleTitle(rule))}`,
    placeHolder: 'Choose what to change; Escape when you are done',
  });
  return picked?.term;
}

async function askFor(
  rule: SamplingRule,
  id: EditableTerm['id'],
  clock: Clock,
): Promise<Partial<RuleTerms> | undefined> {
  if (id === 'review' || id === 'kept') return toggledTerm(rule, id);
  const entered = enteredTerm(rule, id, clock.now());
  const { title, bounds, value } = entered;
  const text = await window.showInputBox({
    title,
    value: String(value),
    prompt: describeBounds(bounds),
    validateInput: (typed) => (readAmount(typed, bounds) === undefined ? describeBounds(bounds) : undefined),
  });
  // VS Code gives no text that the validation refuses; what counts is checked here nevertheless.
  const amount = text === undefined ? undefined : readAmount(text, bounds);
  return amount === undefined ? undefined : entered.toTerms(amount, clock.now());
}
