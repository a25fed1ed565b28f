import { type QuickPickItem, window } from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { formatCount } from '../../base/truncate.ts';
import type { RuleTerms } from '../../client/sampling/ports.ts';
import type { RuleBook } from '../../client/sampling/ruleBook.ts';
import { ruleBounds, type SamplingRule } from '../../client/sampling/samplingRules.ts';
import { countOf, escapeIcons } from '../platform/displayText.ts';
import { endOf, ruleTitle } from './ruleText.ts';

/** The least and the most that may be entered. */
interface Bounds {
  readonly minimum: number;
  readonly maximum: number;
}

/** A term of a rule that a person can change. */
interface Term {
  readonly label: string;
  readonly value: string;
  /** @returns `undefined` if the person changes nothing */
  readonly change: () => Promise<Partial<RuleTerms> | undefined>;
}

/**
 * *Edit Rule…*: changes one term after the other, each at once, until the person is done. What was seen when the rule was
 * made stays its limit.
 */
export async function editRule(id: string, rules: RuleBook, clock: Clock): Promise<void> {
  for (;;) {
    const rule = rules.rules.find((one) => one.id === id);
    if (rule === undefined) {
      await window.showInformationMessage('This rule has ended: there is nothing to edit.');
      return;
    }
    const term = await chooseTerm(rule, clock);
    if (term === undefined) return;
    const terms = await term.change();
    if (terms !== undefined) await rules.edit(id, terms);
  }
}

/** The terms with their present values. A rule ends as many minutes from now as are entered. */
function termsOf(rule: SamplingRule, clock: Clock): readonly Term[] {
  const { requestsPerHour, tokensPerHour, expiresAt, reviewsAnswer, isKept } = rule;
  const now = clock.now();
  const minutes = Math.max(1, Math.round((expiresAt - now) / 60_000));
  return [
    {
      label: 'Requests an hour',
      value: formatCount(requestsPerHour),
      change: () =>
        enter('Requests an Hour', requestsPerHour, ruleBounds.requestsPerHour, (amount) => ({
          requestsPerHour: amount,
        })),
    },
    {
      label: 'Tokens an hour',
      value: formatCount(tokensPerHour),
      change: () =>
        enter(
          'Tokens an Hour, of Requests and Answers Together',
          tokensPerHour,
          ruleBounds.tokensPerHour,
          (amount) => ({
            tokensPerHour: amount,
          }),
        ),
    },
    {
      label: 'Until',
      value: endOf(expiresAt, now),
      change: () =>
        enter('Minutes From Now Until It Ends', minutes, ruleBounds.minutes, (amount) => ({
          expiresAt: clock.now() + amount * 60_000,
        })),
    },
    {
      label: 'Review of each answer',
      value: reviewsAnswer ? 'by you' : 'none',
      change: async () => ({ reviewsAnswer: !reviewsAnswer }),
    },
    {
      label: 'Kept',
      value: isKept ? 'until it ends' : 'until the server stops',
      change: async () => ({ isKept: !isKept }),
    },
  ];
}

async function chooseTerm(rule: SamplingRule, clock: Clock): Promise<Term | undefined> {
  const { characters, maxTokens } = rule.seen;
  const seen = `Text of at most ${countOf(characters, 'character')}, ${countOf(maxTokens, 'token')} asked for, the same system prompt`;
  const rows: readonly (QuickPickItem & { readonly term?: Term })[] = [
    ...termsOf(rule, clock).map((term) => ({ label: term.label, description: term.value, term })),
    {
      label: '$(lock) What you saw when you made it',
      description: 'cannot be edited',
      detail: `${seen}. Other requests ask you: make a new rule there.`,
    },
  ];
  const picked = await window.showQuickPick(rows, {
    title: `Edit Rule ${escapeIcons(ruleTitle(rule))}`,
    placeHolder: 'Choose what to change; Escape when you are done',
  });
  return picked?.term;
}

async function enter(
  title: string,
  value: number,
  bounds: Bounds,
  toTerms: (amount: number) => Partial<RuleTerms>,
): Promise<Partial<RuleTerms> | undefined> {
  const prompt = `A whole number from ${formatCount(bounds.minimum)} to ${formatCount(bounds.maximum)}`;
  const text = await window.showInputBox({
    title,
    value: String(value),
    prompt,
    validateInput: (typed) => (readAmount(typed, bounds) === undefined ? prompt : undefined),
  });
  // VS Code gives no text that the validation refuses; what counts is checked here nevertheless.
  const amount = text === undefined ? undefined : readAmount(text, bounds);
  return amount === undefined ? undefined : toTerms(amount);
}

/** @returns a whole number within the bounds, written with or without separators of thousands; `undefined` for all else */
export function readAmount(text: string, { minimum, maximum }: Bounds): number | undefined {
  const trimmed = text.trim();
  if (!/^(\d{1,12}|\d{1,3}([,\u00a0\u202f ]\d{3}){1,3})$/.test(trimmed)) return undefined;
  const value = Number(trimmed.replace(/\D/g, ''));
  return value >= minimum && value <= maximum ? value : undefined;
}
