import type { Tool } from '../../protocol/mcp/tools.ts';
import { getOrMake } from '../../base/memoize.ts';
import type { CheckResult } from '../checks/checkResult.ts';
import type { LintFacts } from './lintFacts.ts';
import { found, type LintFinding, lintRules, resultsOf } from './lintRules.ts';
import { toolTokens } from './modelView.ts';
import { serverRules } from './serverRules.ts';
import { type LintedTool, lintedTool, ruleSubjects, toolRules } from './toolRules.ts';

/** What the lint says of a server, and what its tools cost. */
export interface LintReport {
  /** In the order of the rules. */
  readonly results: readonly CheckResult[];
  /** Of each tool, in the order of the list: about as o200k counts them. */
  readonly tokens: readonly number[];
}

/**
 * What other hosts would do with a server. Pure: the same facts give the same results, in the order of the rules.
 * `failed`: the host refuses or drops it. `warning`: worth a change. A rule without a finding has `passed`, or had `nothingToCheck`.
 */
export function lintServer(facts: LintFacts): readonly CheckResult[] {
  const steps = lintSteps(facts);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value.results;
  }
}

/** The same in steps of one tool, for hosts that have other things to do in between. */
export function* lintSteps(facts: LintFacts): Generator<undefined, LintReport> {
  const findings = new Map<string, LintFinding[]>();
  const tokens: number[] = [];
  /** Rules that have found nothing that they are about. */
  const idle = new Map(Object.entries(ruleSubjects));
  for (const tool of facts.tools) {
    const linted = lintedTool(tool, facts.label);
    for (const { id, finding } of toolFindings(linted)) getOrMake(findings, id, () => []).push(finding);
    for (const [id, isAbout] of idle) if (isAbout(linted)) idle.delete(id);
    tokens.push(toolTokens(tool));
    yield;
  }
  const total = tokens.reduce((sum, each) => sum + each, 0);
  const findingsOf = (id: string): readonly LintFinding[] | undefined => {
    const rule = serverRules[id];
    if (rule !== undefined) return rule(facts, total);
    return facts.tools.length === 0 || idle.has(id) ? undefined : (findings.get(id) ?? []);
  };
  return { results: lintRules.flatMap((rule) => resultsOf(rule, findingsOf(rule.id))), tokens };
}

/** What the rules about one tool find at it. */
export function lintTool(tool: Tool, label: string): readonly CheckResult[] {
  const findings = toolFindings(lintedTool(tool, label));
  return lintRules.flatMap((rule) =>
    findings.filter(({ id }) => id === rule.id).map(({ finding }) => found(rule, finding)),
  );
}

function toolFindings(linted: LintedTool): readonly { readonly id: string; readonly finding: LintFinding }[] {
  const { tool } = linted;
  return Object.entries(toolRules).flatMap(([id, rule]) => {
    const detail = rule(linted);
    return detail === undefined ? [] : [{ id, finding: { subject: { kind: 'tool', name: tool.name }, detail } }];
  });
}
