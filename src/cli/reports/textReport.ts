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
  // Checks that did not run for one reason are one line.
  const groups = new Map<string, CheckResult[]>();
  for (const result of shown)
    getOrMake(groups, result.verdict === 'notRun' ? (result.message ?? '') : result.verdict, () => []).push(result);
  const lines = [...groups].flatMap(([reason, group]) =>
    group.length === 1 || group[0]?.verdict !== 'notRun'
      ? group.flatMap((result) => resultLines(result, folder))
      : [`  not run: ${group.length} checks`, indented(safeText(reason), '      ')],
  );
  return [`${safeName(name)}: ${summarise(results, isStrict).text}`, ...lines];
}

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
