import { getOrMake } from '../../base/memoize.ts';
import type { CheckResult } from '../../workshop/checks/checkResult.ts';
import { byVerdict, summarise, verdictWords } from '../../workshop/checks/summarise.ts';
import { indented, safeName, safeText } from './shownText.ts';
import { type Report, type Suite, wayBelow } from './report.ts';

/** For people: what failed with its reasons, and how many of the rest. `isWhole`: the passed ones too. */
export function textReport(report: Report, isWhole: boolean): readonly string[] {
  const { suites, isStrict } = report;
  const all = suites.flatMap(({ results }) => results);
  const total = suites.length > 1 ? ['', `All: ${summarise(all, isStrict).text}`] : [];
  return [...suites.flatMap((suite) => suiteLines(suite, report, isWhole)), ...total];
}

function suiteLines({ name, results }: Suite, { isStrict, folder }: Report, isWhole: boolean): readonly string[] {
  const shown = byVerdict(results).filter(({ verdict }) => isWhole || !isQuiet(verdict));
  // Checks that did not run for one reason, and many findings of one rule, belong together.
  const groups = new Map<string, CheckResult[]>();
  for (const result of shown) {
    const { id, verdict, message = '' } = result;
    getOrMake(groups, `${verdict} ${verdict === 'notRun' ? message : id}`, () => []).push(result);
  }
  const lines = [...groups.values()].flatMap((group) => groupLines(group, folder, isWhole));
  return [`${safeName(name)}: ${summarise(results, isStrict).text}`, ...lines];
}

/** Findings of one rule that are written in full. */
const maximumAlike = 3;

function groupLines(group: readonly CheckResult[], folder: string, isWhole: boolean): readonly string[] {
  const [first] = group;
  if (first?.verdict === 'notRun' && group.length > 1) {
    const names = isWhole ? group.map(({ title, id }) => `      ${safeText(title)} [${safeName(id)}]`) : [];
    return [`  not run: ${group.length} checks`, indented(safeText(first.message ?? ''), '      '), ...names];
  }
  const lines = group.slice(0, isWhole ? undefined : maximumAlike).flatMap((result) => resultLines(result, folder));
  const others = isWhole ? [] : group.slice(maximumAlike);
  if (first === undefined || others.length === 0) return lines;
  const names = others.map(({ subject }) => safeName(subject.name ?? '')).slice(0, maximumNames);
  const more = others.length > names.length ? ', …' : '';
  return [
    ...lines,
    `  ${verdictWords[first.verdict]}: the same for ${others.length} more [${safeName(first.id)}]`,
    indented(`${names.join(', ')}${more}`, '      '),
  ];
}

const maximumNames = 20;

/** Says nothing that a person could act on. */
function isQuiet(verdict: CheckResult['verdict']): boolean {
  return verdict === 'passed' || verdict === 'nothingToCheck';
}

function resultLines(
  { id, title, verdict, subject, message, references, place }: CheckResult,
  folder: string,
): readonly string[] {
  const about = subject.name === undefined ? '' : ` (${subject.kind} ${safeName(subject.name)})`;
  const at =
    place === undefined ? [] : [`${safeName(wayBelow(folder, place.path)?.join('/') ?? place.path)}:${place.line}`];
  const more = isQuiet(verdict) ? [] : references.map(({ title: source, url }) => `${source}: ${url}`);
  return [
    `  ${verdictWords[verdict]}: ${safeText(title)}${about} [${safeName(id)}]`,
    ...[message, ...more, ...at].flatMap((text) => (text === undefined ? [] : [indented(safeText(text), '      ')])),
  ];
}
