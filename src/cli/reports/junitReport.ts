import { codeOf } from '../../base/visibleText.ts';
import type { CheckResult } from '../../workshop/checks/checkResult.ts';
import { isFailure, summarise, verdictWords } from '../../workshop/checks/summarise.ts';
import { type Report, type Suite, wayBelow } from './report.ts';

/** JUnit XML, as GitHub, GitLab and Jenkins read it: a suite for each server. */
export function junitReport(report: Report): readonly string[] {
  const { suites, isStrict } = report;
  const results = suites.flatMap((suite) => suite.results);
  const inner = suites.flatMap((suite) => suiteLines(suite, report));
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="patchbay" ${countsOf(results, isStrict)}>`,
    ...inner,
    '</testsuites>',
  ];
}

function suiteLines({ name, results }: Suite, report: Report): readonly string[] {
  return [
    `  <testsuite name="${escaped(name)}" ${countsOf(results, report.isStrict)}>`,
    ...results.flatMap((result) => caseLines(name, result, report)),
    '  </testsuite>',
  ];
}

function countsOf(results: readonly CheckResult[], isStrict: boolean): string {
  const { counts } = summarise(results, isStrict);
  const failures = results.filter((result) => isFailure(result, isStrict)).length;
  const seconds = results.reduce((sum, { durationMs = 0 }) => sum + durationMs, 0) / 1_000;
  const skipped = counts.notRun + counts.nothingToCheck;
  return `tests="${results.length}" failures="${failures}" errors="0" skipped="${skipped}" time="${seconds.toFixed(3)}"`;
}

function caseLines(suite: string, result: CheckResult, { isStrict, folder }: Report): readonly string[] {
  const { id, title, subject, durationMs = 0, place } = result;
  const name = subject.name === undefined ? title : `${title} (${subject.kind} ${subject.name})`;
  const path = place && (wayBelow(folder, place.path)?.join('/') ?? place.path);
  const file = path === undefined ? '' : ` file="${escaped(path)}" line="${place?.line}"`;
  const attributes = `classname="${escaped(`${suite}.${id}`)}" name="${escaped(name)}" time="${(durationMs / 1_000).toFixed(3)}"${file}`;
  const inside = outcome(result, isStrict);
  return inside === undefined
    ? [`    <testcase ${attributes}/>`]
    : [`    <testcase ${attributes}>`, `      ${inside}`, '    </testcase>'];
}

function outcome(result: CheckResult, isStrict: boolean): string | undefined {
  const { verdict, title, message = title, references } = result;
  const text = [message, ...references.map((reference) => `${reference.title}: ${reference.url}`)].join('\n');
  if (isFailure(result, isStrict))
    return `<failure type="${verdict}" message="${escaped(firstLine(message))}">${escaped(text)}</failure>`;
  if (verdict === 'warning' || verdict === 'note')
    return `<system-out>${escaped(`${verdictWords[verdict]}: ${text}`)}</system-out>`;
  if (verdict === 'passed') return undefined;
  return `<skipped message="${escaped(`${verdictWords[verdict]}: ${firstLine(message)}`)}"/>`;
}

function firstLine(text: string): string {
  return text.split('\n')[0] ?? '';
}

// Everything else than what XML 1.0 allows (section 2.2), and the controls that a terminal would act on.
const forbidden = /[^\t\n\r\u0020-\u007e\u00a0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;
const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '\n': '&#10;',
  '\r': '&#13;',
  '\t': '&#9;',
};

/** A text for content and attributes; a character that XML cannot have is written as `⟨U+001B⟩`. */
function escaped(text: string): string {
  return text
    .replaceAll(forbidden, (character) => `⟨${codeOf(character)}⟩`)
    .replaceAll(/[&<>"'\n\r\t]/g, (character) => entities[character] ?? '');
}
