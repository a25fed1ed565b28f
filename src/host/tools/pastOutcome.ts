import type { JsonObject } from '../../base/json.ts';
import { JsonRpcError } from '../../protocol/jsonRpc.ts';
import type { CallToolResult } from '../../protocol/mcp/tools.ts';
import type { AskModel } from '../invocation/modelQuestion.ts';
import { singleLine } from '../platform/displayText.ts';
import { textActions } from '../results/resultActions.ts';
import type { ResultDocument } from '../results/resultDocument.ts';
import type { ServerRegistry } from '../servers/serverRegistry.ts';
import type { CallAnswer, EndedCall, WholePastCall } from '../calls/callRecord.ts';
import { actionsOfResult, toResultDocument } from './finishedCall.ts';
import { type CallTimes, errorOutcome, failureKind, resultOutcome, type ShownOutcome } from './toolOutcome.ts';
import type { AppPresenter } from '../apps/presentApp.ts';
import { toolResultToMarkdown } from '../results/contentMarkdown.ts';

/** A call that has just ended, as the history takes it. */
export interface JustEnded extends CallTimes {
  readonly server: string;
  readonly identity: string;
  readonly tool: string;
  readonly args: JsonObject;
}

/** A call that gave a result, for the history. */
export function endedWithResult(call: JustEnded, result: CallToolResult): EndedCall {
  return { ...call, outcome: result.isError ? 'toolError' : 'done', answer: { kind: 'result', result } };
}

/** A call that failed, for the history. @param isCancelled the person pressed *Cancel* */
export function endedWithError(call: JustEnded, error: unknown, isCancelled = false): EndedCall {
  const outcome = failureKind(error, isCancelled, call);
  return { ...call, outcome, ...(outcome === 'error' && { answer: answerOf(error) }) };
}

function answerOf(error: unknown): CallAnswer {
  const message = error instanceof Error ? error.message : String(error);
  if (!(error instanceof JsonRpcError)) return { kind: 'error', error: { message } };
  const { code, data } = error;
  return { kind: 'error', error: { message, code, data: data as JsonObject | undefined } };
}

/** What the result of a past call can still do. */
interface PastCallPorts {
  readonly registry: Pick<ServerRegistry, 'get'>;
  readonly askModel: AskModel;
  readonly apps: AppPresenter;
}

/** A call of the history, as its page shows it. */
export function pastOutcome(call: WholePastCall, options: PastCallPorts): ShownOutcome {
  const { at, durationMs, outcome, answer } = call;
  const times: CallTimes & { readonly isPast: true } = {
    at,
    ...(durationMs !== undefined && { durationMs }),
    isPast: true,
  };
  if (answer?.kind === 'result') return resultOutcome(pastDocument(call, answer.result, options), times);
  if (answer?.kind === 'error') {
    const { message, code, data } = answer.error;
    const error = code === undefined ? new Error(message) : new JsonRpcError(code, message, data);
    return errorOutcome(error, false, times);
  }
  if (outcome === 'cancelled') return { view: { ...times, kind: 'cancelled' } };
  if (outcome === 'declined')
    return { view: { ...times, kind: 'declined', message: 'The call was not allowed. Nothing was sent.' } };
  return { view: { ...times, kind: 'notKept', message: call.omitted.join(' ') || 'The result was not kept.' } };
}

function pastDocument(
  call: WholePastCall,
  result: CallToolResult,
  { registry, ...ports }: PastCallPorts,
): ResultDocument {
  const { args = {}, durationMs = 0, omitted, identity } = call;
  const host = registry.get(call.server);
  const tool = host?.server.contents.tools.find(({ name }) => name === call.tool);
  if (host?.server.identity === identity && tool !== undefined) {
    const kept = Promise.resolve(call.id);
    const finished = { host, identity, tool, args, result, durationMs, kept, warnings: omitted, differences: [] };
    return toResultDocument(finished, actionsOfResult(finished, ports));
  }
  return {
    key: JSON.stringify(['tool', call.server, call.tool]),
    title: singleLine(call.tool, 60),
    server: call.server,
    result: { kind: 'tool', result },
    texts: { identity, kind: 'tool', name: call.tool },
    call: { args, durationMs },
    notices: omitted,
    actions: textActions(() => toolResultToMarkdown(result)),
    ...(host?.server.identity === identity && { resourcesOf: identity }),
  };
}
