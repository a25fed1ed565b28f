import { toJsonText } from '../../base/json.ts';
import { escapeHidden } from '../../base/visibleText.ts';
import { summarise } from '../../workshop/checks/summarise.ts';
import type { Report } from './report.ts';

/** One line of JSON: what a terminal would act on is escaped, and the value is the same. */
export function jsonLine(value: unknown): string {
  return escapeHidden(toJsonText(value));
}

/** A line for each result, with `"type": "result"` and its server, and one with `"type": "summary"` at the end. */
export function jsonReport({ suites, isStrict, version }: Report): readonly string[] {
  const lines = suites.flatMap(({ name, results }) =>
    results.map(({ id, title, verdict, subject, message, references, durationMs, place }) =>
      jsonLine({ type: 'result', server: name, id, title, verdict, subject, message, references, durationMs, place }),
    ),
  );
  const { counts, hasFailed } = summarise(
    suites.flatMap(({ results }) => results),
    isStrict,
  );
  return [...lines, jsonLine({ type: 'summary', version, counts, hasFailed })];
}
