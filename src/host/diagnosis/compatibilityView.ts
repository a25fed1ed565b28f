import { getOrMake } from '../../base/memoize.ts';
import { formatCount } from '../../base/truncate.ts';
import type { FactsAction, FactsPart, FactsSection, FactsView } from '../../shared/factsMessages.ts';
import type { CheckResult } from '../../workshop/checks/checkResult.ts';
import type { LintFacts } from '../../workshop/lint/lintFacts.ts';
import type { LintReport } from '../../workshop/lint/lintServer.ts';
import type { ModelApi } from '../../workshop/lint/modelView.ts';
import { countOf, singleLine } from '../platform/displayText.ts';

/** What the buttons show; their ids are the names of the APIs. */
export const modelViewIds: Readonly<Record<ModelApi, string>> = {
  anthropic: 'Show What a Model Gets',
  openai: 'The Same for OpenAI',
};

/** Findings of one rule, and tools with their tokens, that are shown. */
const maximumShown = 100;

/** What other hosts would do with a server, as a page: what they refuse first. */
export function compatibilityView({ label, tools }: LintFacts, { results, tokens }: LintReport): FactsView {
  const of = (wanted: CheckResult['verdict']): readonly CheckResult[] =>
    results.filter(({ verdict }) => verdict === wanted);
  const [failed, warnings] = [of('failed'), [...of('warning'), ...of('note')]];
  const actions = Object.entries(modelViewIds).map(([id, text]): FactsAction => ({ id, label: text, icon: 'json' }));
  return {
    title: `Compatibility of ${singleLine(label, 200)}`,
    lead: 'What other hosts would do with this server: from what it lists, and from the calls that the traffic still has. Nothing was called for it.',
    summary: {
      kind: failed.length > 0 ? 'error' : 'info',
      text: summaryOf(failed.length, warnings.length),
      actions: [],
    },
    actions: tools.length === 0 ? [] : actions,
    sections: [
      ...byRule(failed).map((found) => ruleSection(found, 'problem')),
      ...byRule(warnings).map((found) => ruleSection(found, 'notice')),
      ...tokenSection(tools, tokens),
      ...restSection('Fulfilled', 'fine', of('passed')),
      ...restSection('Nothing to check', 'skipped', of('nothingToCheck')),
    ],
  };
}

function summaryOf(failed: number, warnings: number): string {
  if (failed + warnings === 0) return 'Nothing was found.';
  const refused =
    failed === 0 ? 'Nothing is refused.' : `${countOf(failed, 'finding')}: a host refuses or drops something.`;
  return warnings === 0 ? refused : `${refused} ${countOf(warnings, 'finding')} worth a look.`;
}

function byRule(results: readonly CheckResult[]): readonly (readonly CheckResult[])[] {
  const groups = new Map<string, CheckResult[]>();
  for (const result of results) getOrMake(groups, result.id, () => []).push(result);
  return [...groups.values()];
}

function ruleSection(found: readonly CheckResult[], outcome: 'problem' | 'notice'): FactsSection {
  const [first] = found;
  const items = found.slice(0, maximumShown).map(({ subject, message = '' }) => {
    const name = subject.name === undefined ? '' : `${singleLine(subject.name, 100)}: `;
    return `${name}${singleLine(message, 1_000)}`;
  });
  const facts = (first?.references ?? []).map(({ title, url, date }) => ({
    name: date === undefined ? title : `${title} (source read on ${date})`,
    text: url,
    isLink: true,
  }));
  return {
    title: first?.title,
    outcome,
    parts: [
      { kind: 'list', items },
      { kind: 'facts', facts },
    ],
  };
}

function tokenSection(tools: LintFacts['tools'], tokens: readonly number[]): readonly FactsSection[] {
  if (tools.length === 0) return [];
  const rows = tools.map(({ name }, index) => ({ name, count: tokens[index] ?? 0 }));
  const items = rows
    .toSorted((one, other) => other.count - one.count)
    .slice(0, maximumShown)
    .map(({ name, count }) => `${formatCount(count)}: ${singleLine(name, 100)}`);
  const total = tokens.reduce((sum, each) => sum + each, 0);
  const more = tools.length > maximumShown ? ` The ${maximumShown} longest are listed.` : '';
  const text = `The list of ${countOf(tools.length, 'tool')} takes about ${formatCount(total)} tokens.${more}`;
  return [{ title: 'Tokens', parts: [{ kind: 'text', text }, listPart('Each tool, the longest first', items)] }];
}

function restSection(
  title: string,
  outcome: 'fine' | 'skipped',
  results: readonly CheckResult[],
): readonly FactsSection[] {
  if (results.length === 0) return [];
  const items = results.map((result) => result.title);
  return [{ title, outcome, parts: [listPart(countOf(items.length, 'rule'), items)] }];
}

function listPart(title: string, items: readonly string[]): FactsPart {
  return { kind: 'folded', title, items };
}
