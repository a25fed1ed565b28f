import { type QuickPickItem, window } from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { modelLimits } from '../../base/modelLimits.ts';
import { formatCount } from '../../base/truncate.ts';
import type { RuleBook } from '../../client/sampling/ruleBook.ts';
import type { RuleTerms, SamplingRule } from '../../client/sampling/samplingRules.ts';
import { countOf, escapeIcons } from '../platform/displayText.ts';
import { endOf, ruleTitle } from './ruleText.ts';

const { rule: ruleBounds } = modelLimits;

interface Bounds {
  readonly minimum: number;
  readonly maximum: number;
}

/** A term of a rule that a person can change. `change` returns `undefined` if the person changes nothing. */
interface Term {
  readonly label: string;
  readonly description: string;
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
      await window.showInformationMessage('This rule has ended and cannot be edited.');
      return;
    }
    const change = await chooseTerm(rule, clock);
    if (change === undefined) return;
    const terms = await change();
    if (terms !== undefined) await rules.edit(id, terms);
  }
}

/** The terms with their present values. A rule ends as many minutes from now as are entered. */
function termsOf(rule: SamplingRule, clock: Clock): readonly Term[] {
  const { requestsPerHour: requests, tokensPerHour: tokens, expiresAt, reviewsAnswer, isKept } = rule;
  const now = clock.now();
  const minutes = Math.max(1, Math.round((expiresAt - now) / 60_000));
  const number = (
    [label, description]: readonly [string, string],
    ask: () => Promise<number | undefined>,
    toTerms: (amount: number) => Partial<RuleTerms>,
  ): Term => {
    const change = async (): Promise<Partial<RuleTerms> | undefined> => {
      const amount = await ask();
      return amount === undefined ? undefined : toTerms(amount);
    };
    return { label, description, change };
  };
  return [
    number(
      ['Requests an hour', formatCount(requests)],
      () => enter('Requests an Hour', requests, ruleBounds.requestsPerHour),
      (amount) => ({ requestsPerHour: amount }),
    ),
    number(
      ['Tokens an hour', formatCount(tokens)],
      () => enter('Tokens an Hour, of Requests and Answers Together', tokens, ruleBounds.tokensPerHour),
      (amount) => ({ tokensPerHour: amount }),
    ),
    number(
      ['Until', endOf(expiresAt, now)],
      () => enter('Minutes From Now Until It Ends', minutes, ruleBounds.minutes),
      (amount) => ({ expiresAt: clock.now() + amount * 60_000 }),
    ),
    {
      label: 'Review of each answer',
      description: reviewsAnswer ? 'by you' : 'none',
      change: async () => ({ reviewsAnswer: !reviewsAnswer }),
    },
    {
      label: 'Kept',
      description: isKept ? 'until it ends' : 'until the server stops',
      change: async () => ({ isKept: !isKept }),
    },
  ];
}

async function chooseTerm(rule: SamplingRule, clock: Clock): Promise<Term['change'] | undefined> {
  const { characters, maxTokens } = rule.seen;
  const seen = `Text of at most ${countOf(characters, 'character')}, ${countOf(maxTokens, 'token')} asked for, the same system prompt`;
  const rows: readonly (QuickPickItem & Partial<Term>)[] = [
    ...termsOf(rule, clock),
    {
      label: '$(lock) The request you saw when you made the rule',
      description: 'cannot be edited',
      detail: `${seen}. You are asked about other requests, and can make a rule for them there.`,
    },
  ];
  const picked = await window.showQuickPick(rows, {
    title: `Edit Rule ${escapeIcons(ruleTitle(rule))}`,
    placeHolder: 'Select what to change; press Escape when you are done',
  });
  return picked?.change;
}

async function enter(title: string, value: number, bounds: Bounds): Promise<number | undefined> {
  const prompt = `A whole number from ${formatCount(bounds.minimum)} to ${formatCount(bounds.maximum)}`;
  const validateInput = (typed: string): string | undefined =>
    readAmount(typed, bounds) === undefined ? prompt : undefined;
  const text = await window.showInputBox({ title, value: String(value), prompt, validateInput });
  // VS Code gives no text that the validation refuses; what counts is checked here nevertheless.
  return text === undefined ? undefined : readAmount(text, bounds);
}

/** @returns a whole number within the bounds, written with or without separators of thousands; `undefined` for all else */
export function readAmount(text: string, { minimum, maximum }: Bounds): number | undefined {
  const trimmed = text.trim();
  if (!/^(\d{1,12}|\d{1,3}([,\u00a0\u202f ]\d{3}){1,3})$/.test(trimmed)) return undefined;
  const value = Number(trimmed.replace(/\D/g, ''));
  return value >= minimum && value <= maximum ? value : undefined;
}
