import { preciseTime } from '../../base/relativeTime.ts';
import { describeStatus } from './trafficFilter.ts';
import { traceJson } from './traceJson.ts';
import { forgotten } from './trafficMessage.ts';
import type { TrafficRow } from './trafficRow.ts';

/** Rows of one text, and characters of all of them. */
const bounds = { rows: 500, characters: 2_000_000 };

/**
 * The messages of one server as text: each request with its answer, secrets hidden.
 * @returns `undefined` if there are none
 */
export function trafficText(rows: Iterable<TrafficRow>, server: string): string | undefined {
  const entries: string[] = [];
  let characters = 0;
  let left = 0;
  for (const row of rows) {
    if (row.source.label !== server) continue;
    if (entries.length >= bounds.rows || characters > bounds.characters) {
      left += 1;
      continue;
    }
    const entry = describeRow(row);
    characters += entry.length;
    entries.push(entry);
  }
  if (entries.length === 0) return undefined;
  return [...entries, ...(left === 0 ? [] : [`… ${left} more left out`]), ''].join('\n');
}

function describeRow(row: TrafficRow): string {
  const { at, source, kind, direction, method, request, answer, durationMs = 0 } = row;
  const arrows = source.peer === 'app' ? ['⇢', '⇠'] : ['→', '←'];
  const [there, back] = direction === 'sent' ? arrows : arrows.toReversed();
  const line = (text: string, limit = 500): string =>
    source
      .redactor()
      .text(text, limit)
      .replace(/[\u0000-\u001f]+/g, ' ');
  if (kind === 'note') return `${preciseTime(at)} • ${line(String(request))}`;
  const first = `${preciseTime(at)} ${there} ${line(`${kind} ${method}`)}`;
  const parts = [`${first}\n${bodyOf(row, request)}`];
  if (kind === 'request') {
    const failure = row.failure === undefined ? '' : `: ${line(row.failure)}`;
    parts.push(`${preciseTime(at + durationMs)} ${back} ${describeStatus(row)} after ${durationMs} ms${failure}`);
    if (answer !== undefined) parts.push(bodyOf(row, answer));
  }
  return parts.join('\n');
}

function bodyOf({ source }: TrafficRow, message: unknown): string {
  return message === forgotten ? '(no longer kept)' : traceJson(message, source.redactor());
}
