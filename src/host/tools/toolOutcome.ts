import { isCancellation, isPatchbayError, messageOf } from '../../base/errors.ts';
import { type JsonObject, toJsonText } from '../../base/json.ts';
import type { SchemaProblem } from '../../base/schemaCheck.ts';
import { truncateWithCount } from '../../base/truncate.ts';
import type { ResultFindings } from '../../client/toolCalls/ports.ts';
import type { InvalidResultError } from '../../client/toolCalls/sendToolCall.ts';
import { toolDisplayName } from '../../protocol/mcp/displayName.ts';
import { JsonRpcError } from '../../protocol/jsonRpc.ts';
import type { CallToolResult, Tool } from '../../protocol/mcp/tools.ts';
import type { OutcomeView } from '../../shared/toolMessages.ts';
import type { CallAnswer, EndedCall, WholePastCall } from '../calls/callRecord.ts';
import { askModelAction, toolContent } from '../invocation/modelQuestion.ts';
import { describeError } from '../platform/describeError.ts';
import { singleLine } from '../platform/displayText.ts';
import { toolResultToMarkdown } from '../results/contentMarkdown.ts';
import { type ResultDocument, type RunnableAction, textActions, toResultView } from '../results/resultDocument.ts';
import type { ToolPorts } from './toolPorts.ts';

/** How a call ended, as its page shows it. `document` is the result, if there is one. */
export interface ShownOutcome {
  readonly view: OutcomeView;
  readonly document?: ResultDocument;
}

export interface CallTimes {
  readonly at: number;
  /** Absent if nothing was sent. */
  readonly durationMs?: number;
  /** The call is one of the history. */
  readonly isPast?: boolean;
}

/** A call that has just ended, or is one of the history. */
type CallFacts = Pick<EndedCall, 'server' | 'identity' | 'tool' | 'args' | 'at' | 'durationMs'>;

interface FinishedCall {
  readonly call: CallFacts;
  /** Of the tool; absent where the server does not list it now, or another one has its label. */
  readonly definition?: Tool | undefined;
  /** The index among tools of that name. */
  readonly occurrence: number;
  readonly result: CallToolResult;
  /** Sentences on what was not checked, and on what is missing. */
  readonly warnings: readonly string[];
  /** Where the structured content breaks the tool's own schema. */
  readonly differences?: readonly SchemaProblem[];
  readonly exchange?: string | undefined;
  /** Its id in the history, if it is kept there. */
  readonly kept: Promise<string | undefined>;
  /** Another server has the label now: its resources are not those of the result. */
  readonly isReplaced?: boolean;
}

type OutcomePorts = Pick<ToolPorts, 'askModel' | 'apps'>;

const maximumMessage = 4_000;

/** Collects what is to be said of a result. One that breaks the tool's promise is shown all the same (2025-06-18, "Output Schema"). */
export function collectFindings() {
  const warnings: string[] = [];
  const differences: SchemaProblem[] = [];
  return {
    warnings,
    differences,
    onNote: (note: string): void => void warnings.push(note),
    onInvalid: (error: InvalidResultError): void => {
      differences.push(...error.differences);
      // The page shows each difference at its place.
      if (differences.length === 0) warnings.push(...error.problems);
    },
  } satisfies ResultFindings & Pick<FinishedCall, 'warnings' | 'differences'>;
}

export function resultOutcome(document: ResultDocument, times: CallTimes): ShownOutcome {
  return { view: { ...times, kind: 'result', result: toResultView(document) }, document };
}

/** The result of a call, with the buttons above it. */
export function toResultDocument(finished: FinishedCall, ports: OutcomePorts): ResultDocument {
  const { call, definition, result, warnings, differences, exchange, isReplaced = false } = finished;
  const { server, identity, tool, args, durationMs = 0 } = call;
  return {
    key: JSON.stringify(['tool', server, tool]),
    title: titleOf(finished),
    server,
    result: { kind: 'tool', result },
    texts: { identity, kind: 'tool', name: tool },
    call: { args, durationMs },
    notices: warnings,
    ...(differences !== undefined && { differences }),
    ...(exchange !== undefined && { exchange }),
    actions: [
      ...(definition === undefined ? [] : appActions(finished, definition, ports)),
      ...textActions(() => toolResultToMarkdown(result)),
      ...(definition === undefined ? [] : [askAction(finished, ports)]),
    ],
    ...(!isReplaced && { resourcesOf: identity }),
  };
}

function titleOf({ call, definition }: FinishedCall): string {
  return singleLine(definition === undefined ? call.tool : toolDisplayName(definition), 60);
}

function appActions(
  { call: { server, identity, args }, occurrence, result, kept }: FinishedCall,
  tool: Tool,
  { apps }: OutcomePorts,
): readonly RunnableAction[] {
  const call = { server, identity, occurrence, tool, args };
  const run = (): Promise<void> => apps.show(call, result, kept);
  return apps.canShow(tool) ? [{ id: 'app', label: 'Open App', icon: 'window', run }] : [];
}

function askAction(finished: FinishedCall, { askModel }: OutcomePorts): RunnableAction {
  const { call, result } = finished;
  return askModelAction(askModel, () => ({
    server: call.server,
    title: titleOf(finished),
    about: `result of the tool ${call.tool}`,
    messages: toolContent(result),
    needsQuestion: true,
  }));
}

/** How a call failed: a call that was cancelled before it was sent was not allowed. */
function failureKind(
  error: unknown,
  isCancelled: boolean,
  times: Pick<CallFacts, 'durationMs'>,
): 'cancelled' | 'declined' | 'error' {
  if (isCancellation(error)) return isCancelled || times.durationMs !== undefined ? 'cancelled' : 'declined';
  return isPatchbayError(error) && error.code === 'declined' ? 'declined' : 'error';
}

/**
 * The outcome of a call that failed.
 * @param isCancelled the person pressed *Cancel*
 */
export function errorOutcome(error: unknown, isCancelled: boolean, times: CallTimes): ShownOutcome {
  switch (failureKind(error, isCancelled, times)) {
    case 'cancelled':
      return { view: { ...times, kind: 'cancelled' } };
    case 'declined': {
      const message = isCancellation(error) ? 'You did not allow the call. Nothing was sent.' : messageOf(error);
      return { view: { ...times, kind: 'declined', message } };
    }
    case 'error': {
      const message = truncateWithCount(describeError(error).message, maximumMessage);
      return { view: { ...times, kind: 'error', message, ...wordsOf(error) } };
    }
  }
}

function wordsOf(error: unknown): { readonly title: string; readonly detail?: string } {
  if (error instanceof JsonRpcError) {
    const { code, message, data } = error;
    const detail = { code, message, ...(data !== undefined && { data }) };
    return { title: `The server answered with error ${code}`, detail: toJsonText(detail, maximumMessage) };
  }
  if (isPatchbayError(error) && error.code === 'invalidArguments') return { title: 'The tool was not called' };
  return { title: 'The call failed' };
}

export function endedWithResult(call: CallFacts, result: CallToolResult): EndedCall {
  return { ...call, outcome: result.isError ? 'toolError' : 'done', answer: { kind: 'result', result } };
}

/** A call that failed, for the history. @param isCancelled the person pressed *Cancel* */
export function endedWithError(call: CallFacts, error: unknown, isCancelled = false): EndedCall {
  const outcome = failureKind(error, isCancelled, call);
  return { ...call, outcome, ...(outcome === 'error' && { answer: answerOf(error) }) };
}

function answerOf(error: unknown): CallAnswer {
  const message = error instanceof Error ? error.message : String(error);
  if (!(error instanceof JsonRpcError)) return { kind: 'error', error: { message } };
  const { code, data } = error;
  return { kind: 'error', error: { message, code, data: data as JsonObject | undefined } };
}

/**
 * A call of the history, as its page shows it.
 * @param now who has the label of the server, and the definition of its tool, as far as there are any
 */
export function pastOutcome(
  call: WholePastCall,
  now: {
    /** Its label, which may be another one than at the time of the call. */
    readonly server: string;
    readonly identity: string | undefined;
    readonly tool: Tool | undefined;
    readonly occurrence: number;
  },
  ports: OutcomePorts,
): ShownOutcome {
  const { at, durationMs, outcome, answer, args = {}, omitted } = call;
  const times = { at, ...(durationMs !== undefined && { durationMs }), isPast: true };
  if (answer?.kind === 'error') {
    const { message, code, data } = answer.error;
    const error = code === undefined ? new Error(message) : new JsonRpcError(code, message, data);
    return errorOutcome(error, false, times);
  }
  if (outcome === 'cancelled') return { view: { ...times, kind: 'cancelled' } };
  if (outcome === 'declined')
    return { view: { ...times, kind: 'declined', message: 'The call was not allowed. Nothing was sent.' } };
  if (answer === undefined)
    return { view: { ...times, kind: 'notKept', message: omitted.join(' ') || 'The result was not kept.' } };
  const isReplaced = now.identity !== call.identity;
  const shown = {
    call: { ...call, args, ...(!isReplaced && { server: now.server }) },
    definition: isReplaced ? undefined : now.tool,
    occurrence: now.occurrence,
    result: answer.result,
    kept: Promise.resolve(call.id),
    warnings: omitted,
    isReplaced,
  };
  return resultOutcome(toResultDocument(shown, ports), times);
}
