import { getOrMake } from '../../base/memoize.ts';
import { truncateWithEllipsis } from '../../base/truncate.ts';
import { visibleText } from '../../base/visibleText.ts';
import type { CheckReference, CheckResult, CheckSubject } from '../checks/checkResult.ts';
import table from './rules.json' with { type: 'json' };

/**
 * `refused`: a host refuses or drops what breaks the rule. `advice`: it may go wrong. `note`: of low weight, one result for all
 * tools together.
 */
export type RuleWeight = 'refused' | 'advice' | 'note';

export interface LintRule {
  readonly id: string;
  /** What it looks at: one tool at a time, the icons of everything, or the server as a whole. */
  readonly of: string;
  readonly weight: RuleWeight;
  /** For whom it matters, as a list in a sentence. */
  readonly hosts: string;
  /** The condition in words: the title where nothing was found. */
  readonly title: string;
  /** What is so where it is broken: the title of a finding. */
  readonly fault: string;
  /** Sentences: what the hosts do, and what to change. */
  readonly fix: string;
  readonly sources: readonly CheckReference[];
}

export const lintRules = table as readonly LintRule[];

/** Something that breaks a rule. */
export interface LintFinding {
  readonly subject: CheckSubject;
  /** A sentence, fit to be shown. */
  readonly detail: string;
}

const verdicts = { refused: 'failed', advice: 'warning', note: 'note' } as const;

/** What is told of the findings of one rule of low weight. */
const shownDetails = 3;

/** Results of one rule that stand for themselves. */
const maximumResults = 100;

/** @param findings `undefined` where there was nothing that the rule is about */
export function resultsOf(rule: LintRule, findings: readonly LintFinding[] | undefined): readonly CheckResult[] {
  if (findings === undefined || findings.length === 0) {
    const verdict = findings === undefined ? 'nothingToCheck' : 'passed';
    return [{ ...baseOf(rule), verdict, subject: { kind: 'server' } }];
  }
  if (rule.weight === 'note') return [found(rule, { subject: { kind: 'server' }, detail: summaryOf(findings) })];
  const results = findings.slice(0, maximumResults).map((finding) => found(rule, finding));
  const more = findings.length - results.length;
  const detail = `The same is found ${more} more times.`;
  return more === 0 ? results : [...results, found(rule, { subject: { kind: 'server' }, detail })];
}

/** The result of a rule for one finding. */
export function found(rule: LintRule, { subject, detail }: LintFinding): CheckResult {
  const message = `${detail} Affected: ${rule.hosts}. ${rule.fix}`;
  return { ...baseOf(rule), title: rule.fault, verdict: verdicts[rule.weight], subject, message };
}

/** A name of a server in the middle of a sentence: short, with hidden characters written out. */
export function shownName(name: string): string {
  return `“${visibleText(truncateWithEllipsis(name, 60))}”`;
}

/** @param names of any number @returns the first of them in words */
export function shownNames(names: readonly string[]): string {
  const shown = names.slice(0, 3).map(shownName).join(', ');
  return names.length > 3 ? `${shown} and ${names.length - 3} more` : shown;
}

function baseOf({ id, title, sources }: LintRule) {
  return { id: `lint/${id}`, title, references: sources } as const;
}

/** Findings with the same words are told once. */
function summaryOf(findings: readonly LintFinding[]): string {
  const groups = new Map<string, string[]>();
  for (const { subject, detail } of findings) getOrMake(groups, detail, () => []).push(subject.name ?? '');
  const shown = [...groups].slice(0, shownDetails);
  const words = shown.map(([detail, names]) => {
    const about = names.some((name) => name !== '') ? `${shownNames(names)}: ` : '';
    return `${about}${truncateWithEllipsis(detail, 300)}`;
  });
  const more = shown.reduce((left, [, names]) => left - names.length, findings.length);
  const others = `Something like it is found at ${more} more ${more === 1 ? 'tool' : 'tools'}.`;
  return (more === 0 ? words : [...words, others]).join(' ');
}

/** True for the address of a source of a rule, which is Patchbay's own text. */
export function isSource(url: string): boolean {
  return lintRules.some(({ sources }) => sources.some((source) => source.url === url));
}
