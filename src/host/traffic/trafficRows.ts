import { previewJson } from '../../base/jsonPreview.ts';
import type { JsonValue } from '../../base/json.ts';
import { readableText } from '../../base/visibleText.ts';
import { messagesOf, noteText } from '../../client/trace/trafficExport.ts';
import { describeStatus } from '../../client/trace/trafficFilter.ts';
import type { TrafficRow } from '../../client/trace/trafficRow.ts';
import { ErrorCodes } from '../../protocol/jsonRpc.ts';
import type { TrafficAction, TrafficDetail, TrafficRowView } from '../../shared/trafficMessages.ts';

/** Characters of one text in a row. */
const longest = 200;

/** Characters of one message in the pane. */
const shownCharacters = 200_000;

export function toRowView(row: TrafficRow): TrafficRowView {
  const { id, at, source, direction, kind, method, subject, durationMs } = row;
  const redactor = source.redactor();
  const hidden = (text: string): string => readableText(redactor.text(text, longest).replace(/[\u0000-\u001f]+/g, ' '));
  return {
    id,
    at,
    server: hidden(source.label),
    direction,
    isOfApp: source.peer === 'app',
    method: hidden(method),
    // A message is parsed at each access: for a row in the list, none is.
    subject: hidden((kind === 'note' ? noteText(row) : subject) ?? ''),
    status: describeStatus(row),
    tone: toneOf(row),
    ...(durationMs !== undefined && { durationMs }),
    ...(kind !== 'note' && { size: row.size }),
  };
}

const answersOfOlder: readonly (number | undefined)[] = [
  ErrorCodes.methodNotFound,
  ErrorCodes.invalidRequest,
  ErrorCodes.invalidParams,
];

/** The question for a newer revision that a server of an older one answers with an error: nothing is wrong with it. */
function isOlderThanAsked({ source, direction, method, state, code }: TrafficRow): boolean {
  const isAsked = source.peer === 'server' && direction === 'sent' && method === 'server/discover';
  return isAsked && state === 'error' && answersOfOlder.includes(code);
}

function noticesOf(row: TrafficRow): readonly string[] {
  return [
    ...(isOlderThanAsked(row)
      ? [
          'Patchbay asks here whether the server has a newer revision. A server of an older one answers with this error, and nothing is wrong.',
        ]
      : []),
    ...(row.isForgotten ? ['A large message is no longer kept: it took too much memory.'] : []),
  ];
}

function toneOf(row: TrafficRow): TrafficRowView['tone'] {
  const { state, kind } = row;
  if (kind === 'note' || isOlderThanAsked(row)) return 'quiet';
  switch (state) {
    case 'ok':
      return 'good';
    case 'pending':
      return 'open';
    case 'toolError':
    case 'error':
    case 'unanswered':
    case 'unsent':
      return 'bad';
    case 'cancelled':
    case 'none':
      return 'quiet';
  }
}

export function toDetail(row: TrafficRow, actions: readonly TrafficAction[]): TrafficDetail {
  const { request, answer, text } = messagesOf(row, shownCharacters);
  const { at, durationMs } = row;
  const preview = (value: JsonValue | undefined) => value !== undefined && previewJson(value).json;
  const [requestView, answerView] = [preview(request), preview(answer)];
  return {
    row: toRowView(row),
    ...(durationMs !== undefined && row.hasAnswer && { endedAt: at + durationMs }),
    ...(text !== undefined && { text: readableText(text) }),
    ...(requestView !== false && { request: requestView }),
    ...(answerView !== false && { answer: answerView }),
    notices: noticesOf(row),
    actions,
  };
}
