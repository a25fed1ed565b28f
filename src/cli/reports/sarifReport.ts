import { pathToFileURL } from 'node:url';
import { readableText } from '../../base/visibleText.ts';
import { type CheckResult, isFound } from '../../workshop/checks/checkResult.ts';
import { isFailure } from '../../workshop/checks/summarise.ts';
import { jsonLine } from './jsonReport.ts';
import { type Report, type Suite, wayBelow } from './report.ts';

/** SARIF 2.1.0: what failed, warnings, and notes. Code scanning shows every result as an alert, so the others are left out. */
export function sarifReport(report: Report): readonly string[] {
  const { suites, version, folder } = report;
  const found = suites.flatMap((suite) =>
    suite.results.filter(({ verdict }) => isFound(verdict)).map((result) => ({ suite, result })),
  );
  const rules = new Map(found.map(({ result }) => [result.id, result]));
  const indexes = new Map([...rules.keys()].map((id, index) => [id, index]));
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: { name: 'Patchbay', semanticVersion: version, rules: [...rules.values()].map(ruleOf) },
        },
        originalUriBaseIds: { SRCROOT: { uri: `${pathToFileURL(folder).toString().replace(/\/$/, '')}/` } },
        columnKind: 'utf16CodeUnits',
        results: found.map(({ suite, result }) => resultOf(suite, result, indexes.get(result.id) ?? 0, report)),
      },
    ],
  };
  return [jsonLine(log)];
}

function ruleOf({ id, title, references }: CheckResult) {
  const [first] = references;
  return {
    id: readableText(id),
    shortDescription: { text: readableText(title) },
    ...(first !== undefined && URL.canParse(first.url) && { helpUri: first.url }),
  };
}

function resultOf(suite: Suite, result: CheckResult, ruleIndex: number, { folder, isStrict }: Report) {
  const { id, title, message = title, subject, references } = result;
  const place = result.place ?? suite.place;
  const sources = references.map((reference) => `${reference.title}: ${reference.url}`);
  const about = subject.name === undefined ? suite.name : `${suite.name}: ${subject.kind} ${subject.name}`;
  return {
    ruleId: readableText(id),
    ruleIndex,
    level: isFailure(result, isStrict) ? 'error' : result.verdict === 'note' ? 'note' : 'warning',
    message: { text: readableText([`${about}. ${message}`, ...sources].join('\n')) },
    locations: [
      {
        ...(place !== undefined && {
          physicalLocation: { artifactLocation: artifact(place.path, folder), region: { startLine: place.line } },
        }),
        logicalLocations: [{ fullyQualifiedName: readableText(about), kind: 'member' }],
      },
    ],
    partialFingerprints: { 'patchbay/v1': readableText(`${suite.name}/${id}/${subject.kind}/${subject.name ?? ''}`) },
  };
}

function artifact(path: string, folder: string) {
  const way = wayBelow(folder, path);
  if (way === undefined) return { uri: pathToFileURL(path).toString() };
  return { uri: way.map(encodeURIComponent).join('/'), uriBaseId: 'SRCROOT' };
}
