import { stringifyExactly } from '../../base/exactIntegers.ts';
import type { JsonValue } from '../../base/json.ts';
import { originOf } from '../../base/serverAddress.ts';
import { escapeHidden } from '../../base/visibleText.ts';
import type { Redactor } from '../../secrets/redactor.ts';
import { redactedCopy } from './traceJson.ts';
import { describeStatus } from './trafficFilter.ts';
import { forgotten } from './trafficMessage.ts';
import type { TrafficRow } from './trafficRow.ts';

/** Characters of one message in a file; the rest is left out, and says so. */
const maximumCharacters = 1_000_000;

/** One row as a line of JSON, with secrets hidden. */
export function toTrafficLine(row: TrafficRow): string {
  const { at, durationMs, method, source, direction, kind } = row;
  const line = {
    time: new Date(at).toISOString(),
    server: hidden(source.redactor(), source.label),
    peer: source.peer,
    direction,
    kind,
    method: hidden(source.redactor(), method),
    status: describeStatus(row),
    durationMs,
    ...messagesOf(row),
  };
  return `${escapeHidden(stringifyExactly(line))}\n`;
}

/** What the messages of a row are in a file and on a page: secrets hidden, `undefined` for one that is not there. */
export function messagesOf(
  row: TrafficRow,
  characters = maximumCharacters,
): {
  readonly request?: JsonValue | undefined;
  readonly answer?: JsonValue | undefined;
  readonly text?: string | undefined;
} {
  const redactor = row.source.redactor();
  const { kind, request, answer } = row;
  const text = kind === 'note' ? noteText(row) : row.failure;
  const copy = (message: unknown): JsonValue | undefined =>
    message === undefined || message === forgotten ? undefined : redactedCopy(message, redactor, characters);
  return {
    request: kind === 'note' ? undefined : copy(request),
    answer: copy(answer),
    text: text === undefined ? undefined : hidden(redactor, text),
  };
}

/** What a note says; `undefined` for one that is no longer kept. */
export function noteText({ kind, request }: TrafficRow): string | undefined {
  return kind === 'note' && request !== forgotten ? String(request) : undefined;
}

function hidden(redactor: Redactor, text: string): string {
  return redactor.text(text, 10_000);
}

/** Rows as HTTP Archive 1.2, in pieces: each request with its answer is an entry, also those that did not go over HTTP. */
export function* toHar(rows: Iterable<TrafficRow>, creator: { readonly name: string; readonly version: string }) {
  yield `{"log":{"version":"1.2","creator":${JSON.stringify(creator)},"entries":[`;
  let isFirst = true;
  for (const row of rows) {
    if (row.kind === 'note' || row.kind === 'malformed') continue;
    yield `${isFirst ? '' : ','}\n${escapeHidden(stringifyExactly(harEntry(row)))}`;
    isFirst = false;
  }
  yield ']}}\n';
}

/** Sizes that are not known, and no headers: they are not part of the messages. */
const unknown = { httpVersion: 'unknown', cookies: [], headers: [], headersSize: -1 } as const;

function harEntry(row: TrafficRow): object {
  const { source, at, durationMs = 0, method, hasAnswer, direction } = row;
  const { request, answer: shown, text } = messagesOf(row);
  const body = request === undefined ? '' : stringifyExactly(request);
  const answerBody = shown === undefined ? '' : stringifyExactly(shown);
  const address = addressOf(row);
  return {
    startedDateTime: new Date(at).toISOString(),
    time: durationMs,
    request: {
      ...unknown,
      method: 'POST',
      url: `${address}#${encodedName(hidden(source.redactor(), method))}`,
      queryString: [],
      postData: { mimeType: 'application/json', text: body },
      bodySize: bytesOf(body),
    },
    response: {
      ...unknown,
      // What a JSON-RPC error is: the transport has delivered it.
      status: !hasAnswer && row.kind === 'request' ? 0 : 200,
      statusText: describeStatus(row),
      content: { size: bytesOf(answerBody), mimeType: 'application/json', text: answerBody },
      redirectURL: '',
      bodySize: hasAnswer ? bytesOf(answerBody) : -1,
    },
    cache: {},
    timings: { send: 0, wait: durationMs, receive: 0 },
    comment: [`${direction} (${source.peer})`, text].filter(Boolean).join(': '),
  };
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}

function addressOf({ source }: TrafficRow): string {
  const { plan, label } = source;
  if (plan.kind !== 'stdio') return `${originOf(plan)}/`;
  return `stdio://${encodedName(hidden(source.redactor(), label))}/`;
}

/** Also of a text with half a surrogate pair, for which there is no encoding. */
function encodedName(text: string): string {
  return encodeURIComponent(text.replaceAll(/\p{Cs}/gu, '\u{FFFD}'));
}
