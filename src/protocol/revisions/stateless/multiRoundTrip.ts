import { type CancelSignal, delay, linkAbort, raceAbort } from '../../../base/abort.ts';
import { Backoff } from '../../../base/backoff.ts';
import { type Clock, PausableClock } from '../../../base/clock.ts';
import { type Disposable, toDisposable } from '../../../base/disposable.ts';
import { CancelledError, PatchbayError } from '../../../base/errors.ts';
import { isOptional, isRecord, isString, type UnknownRecord } from '../../../base/json.ts';
import { ErrorCodes, JsonRpcError } from '../../jsonRpc.ts';
import { invalidResult } from '../../mcp/base.ts';
import { withoutNulls } from '../../mcp/readers.ts';
import type { RequestHandler, RequestHandlerContext } from '../../incomingRequests.ts';

/** A request with an interim result so far. */
export interface InterimCall {
  readonly method: string;
  /** Sends the request again with `more` added to its parameters. @returns the raw result */
  readonly resend: (more: UnknownRecord, signal: AbortSignal) => Promise<unknown>;
}

/** The limits of a call, and what its waits need. */
export interface CallLimits {
  readonly signals: readonly (CancelSignal | undefined)[];
  /** Maximum milliseconds after the first interim result, without the time in which a user is asked. */
  readonly maximumMs: number;
  readonly clock: Clock;
  readonly random: () => number;
}

/** Methods with a task as result; examples of the tasks extension show it for `tasks/get` too. */
const taskMethods = new Set(['tools/call', 'tasks/get']);

/** Maximum counted rounds; a server with more will probably never complete the call. */
const maximumRounds = 100;

/**
 * True for a final result; for a call that became a task, that is the task. Servers of older drafts have no `resultType`
 * (2026-07-28, Basic, "Result Type").
 */
export function isComplete(method: string, result: unknown): boolean {
  if (!isRecord(result)) return true;
  const type = result['resultType'];
  return type === undefined || type === 'complete' || (type === 'task' && taskMethods.has(method));
}

/**
 * Continues a call until its result is complete: answers the input requests of an interim result, then repeats the request
 * (2026-07-28, Basic / Patterns / Multi Round-Trip Requests). All input requests of a round must be answered; a declined
 * elicitation counts as an answer, refused sampling or roots do not. Rounds in which a user took part are not counted: the user
 * can end the call.
 * @throws {PatchbayError} `invalidMessage` for an unknown result type or too many rounds, `timeout`; or what
 *   {@link answerInputRequests} throws
 */
export async function completeCall(
  first: unknown,
  { method, resend }: InterimCall,
  handlers: InputHandlers,
  { signals, maximumMs, clock, random }: CallLimits,
): Promise<unknown> {
  const linked = linkAbort(...signals);
  const { signal } = linked;
  const time = new PausableClock(clock);
  const timer = time.after(maximumMs, () => linked.abort(callTimeoutError(method, maximumMs)));
  const backoff = new Backoff(retryPolicy, random);
  let users = 0;
  let hasUser = false;
  const waitForPerson = (): Disposable => {
    hasUser = true;
    users += 1;
    time.pause();
    return toDisposable(() => {
      users -= 1;
      if (users === 0) time.resume();
    });
  };
  try {
    let result = first;
    for (let counted = 0; isRecord(result) && !isComplete(method, result);) {
      const { inputRequests, ...state } = readInputRequired(method, result);
      if (counted === maximumRounds) throw invalidResult(`${method} is not complete after ${maximumRounds} rounds`);
      if (inputRequests === undefined) {
        await delay(clock, backoff.next(0) ?? retryPolicy.maximumMs, signal);
        result = await resend(state, signal);
        continue;
      }
      backoff.reset();
      hasUser = false;
      const inputResponses = await answerInputRequests(inputRequests, handlers, { signal, waitForPerson });
      result = await resend({ inputResponses, ...state }, signal);
      if (!hasUser) counted += 1;
    }
    return result;
  } finally {
    timer.dispose();
    linked.dispose();
  }
}

function callTimeoutError(method: string, milliseconds: number): PatchbayError {
  const seconds = Math.round(milliseconds / 1_000);
  return new PatchbayError(
    'timeout',
    `${method} was not complete within ${seconds} s, what the server asked for included.`,
  );
}

/**
 * The requests that a server may answer with input requests (2026-07-28, Basic / Patterns / Multi Round-Trip Requests,
 * "Supported Requests").
 */
const methodsWithInput = new Set(['tools/call', 'prompts/get', 'resources/read']);

/** Delays before a request is repeated that needs time but no input. The time limit of the call ends this. */
const retryPolicy = { initialMs: 250, factor: 1.5, maximumMs: 10_000, limit: Infinity, resetAfterMs: Infinity };

/** Maximum input requests in one result. */
const maximumInputRequests = 100;

/** Handlers of input requests, by method; a method without a handler was not declared to the server. */
type InputHandlers = ReadonlyMap<string, RequestHandler>;

/** @throws {PatchbayError} `invalidMessage` */
function readInputRequired(method: string, result: UnknownRecord) {
  const type = result['resultType'];
  if (type !== 'input_required') throw invalidResult(`its type ${JSON.stringify(type).slice(0, 60)} is not known`);
  if (!methodsWithInput.has(method)) throw invalidResult(`${method} asks for input`);
  const { inputRequests, requestState } = withoutNulls(result);
  if (!isOptional(inputRequests, isRecord)) throw invalidResult('"inputRequests" is not an object');
  if (!isOptional(requestState, isString)) throw invalidResult('"requestState" is not a string');
  if (inputRequests === undefined && requestState === undefined)
    throw invalidResult('it asks for input, but has neither "inputRequests" nor "requestState"');
  return { inputRequests, ...(requestState !== undefined && { requestState }) };
}

/**
 * Answers several input requests in parallel.
 * @returns the answers, by the keys of the requests
 * @throws {PatchbayError} `invalidMessage` for what was not declared or is malformed, `declined` for a refusal
 */
export async function answerInputRequests(
  inputRequests: UnknownRecord,
  handlers: InputHandlers,
  { signal, waitForPerson }: Pick<RequestHandlerContext, 'signal' | 'waitForPerson'>,
): Promise<UnknownRecord> {
  const requests = Object.entries(inputRequests).map(
    ([key, request]) => [key, readInputRequest(request, handlers)] as const,
  );
  if (requests.length > maximumInputRequests)
    throw invalidResult(`it asks for more than ${maximumInputRequests} inputs at once`);
  // After one refusal the other requests are cancelled.
  const together = linkAbort(signal);
  const context: RequestHandlerContext = { signal: together.signal, reportProgress: () => {}, waitForPerson };
  try {
    const answered = requests.map(async ([key, answer]) => [key, await answer(context)] as const);
    return Object.fromEntries(await raceAbort(Promise.all(answered), signal));
  } catch (error) {
    together.abort(new CancelledError('The call the server asked for ended'));
    throw error;
  } finally {
    together.dispose();
  }
}

type InputHandler = (context: RequestHandlerContext) => Promise<object>;

function readInputRequest(request: unknown, handlers: InputHandlers): InputHandler {
  const { method, params = {} } = isRecord(request) ? withoutNulls(request) : {};
  if (!isString(method)) throw invalidResult('an input request has no method');
  const handler = handlers.get(method);
  if (handler === undefined)
    throw invalidResult(`it asks for ${method.slice(0, 100)}, which Patchbay did not offer this server`);
  if (!isRecord(params)) throw invalidResult(`the params of ${method} are not an object`);
  return (context) => handler(params, context).catch((error: unknown) => Promise.reject(toCallError(method, error)));
}

/** In this revision errors are not sent back to the server, so the caller gets the reason. */
function toCallError(method: string, error: unknown): unknown {
  if (!(error instanceof JsonRpcError)) return error;
  const isMalformed = error.code === ErrorCodes.invalidParams;
  return isMalformed
    ? new PatchbayError('invalidMessage', `The server asked for input it may not ask for: ${error.message}.`, {
        cause: error,
      })
    : new PatchbayError('declined', `The server needed ${method} to go on, and did not get it: ${error.message}.`, {
        cause: error,
      });
}
