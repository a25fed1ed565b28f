import { delay, linkAbort, raceAbort } from '../../../base/abort.ts';
import { createBackoff } from '../../../base/backoff.ts';
import type { Clock } from '../../../base/clock.ts';
import type { Disposable } from '../../../base/disposable.ts';
import { CancelledError, PatchbayError } from '../../../base/errors.ts';
import { isOptional, isRecord, isString, type UnknownRecord } from '../../../base/json.ts';
import { ErrorCodes, JsonRpcError } from '../../jsonRpc.ts';
import { invalidResult } from '../../mcp/base.ts';
import { givenMembers } from '../../mcp/members.ts';
import type { RequestHandler, RequestHandlerContext } from '../../peer.ts';
import type { InterimStep, StepContext } from './interimResults.ts';

/** The requests that a server may answer with input requests (2026-07-28, Basic / Patterns / Multi Round-Trip Requests, "Supported Requests"). */
const supported = new Set(['tools/call', 'prompts/get', 'resources/read']);

/** Delays before a request is repeated that needs time but no input. The time limit of the call ends this. */
const pace = { initialMs: 250, factor: 1.5, maximumMs: 10_000, limit: Infinity, resetAfterMs: Infinity };

/** Maximum input requests in one result. */
const maximumRequests = 100;

/** Handlers of input requests, by method; a method without a handler was not declared to the server. */
type Answers = ReadonlyMap<string, RequestHandler>;

/**
 * Answers the input requests of a result, then repeats the request (2026-07-28, Basic / Patterns / Multi Round-Trip
 * Requests). All input requests of a round must be answered; a declined elicitation counts as an answer, refused sampling
 * or roots do not. Rounds in which a user took part are not counted: the user can end the call.
 * @param createAnswers called once for each call
 */
export function createInputStep(createAnswers: () => Answers, clock: Clock, random: () => number): () => InterimStep {
  return () => {
    const answers = createAnswers();
    const backoff = createBackoff(pace, random);
    return async (result, { method, resend }, context) => {
      const { inputRequests, requestState } = readRound(method, result);
      const state = requestState === undefined ? {} : { requestState };
      const { signal } = context;
      if (inputRequests === undefined) {
        await delay(clock, backoff.next(0) ?? pace.maximumMs, signal);
        return { result: await resend(state, signal), isCounted: false };
      }
      backoff.reset();
      let isAttended = false;
      const waitForPerson = (): Disposable => {
        isAttended = true;
        return context.waitForPerson();
      };
      const inputResponses = await answerInputs(inputRequests, answers, { signal, waitForPerson });
      return { result: await resend({ inputResponses, ...state }, signal), isCounted: !isAttended };
    };
  };
}

/** @throws {PatchbayError} `invalidMessage` */
function readRound(method: string, result: UnknownRecord) {
  if (!supported.has(method)) throw invalidResult(`${method} asks for input`);
  const { inputRequests, requestState } = givenMembers(result);
  if (!isOptional(inputRequests, isRecord)) throw invalidResult('"inputRequests" is not an object');
  if (!isOptional(requestState, isString)) throw invalidResult('"requestState" is not a string');
  if (inputRequests === undefined && requestState === undefined)
    throw invalidResult('it asks for input, but has neither "inputRequests" nor "requestState"');
  return { inputRequests, requestState };
}

/**
 * Answers several input requests in parallel.
 * @returns the answers, by the keys of the requests
 * @throws {PatchbayError} `invalidMessage` for what was not declared or is malformed, `declined` for a refusal
 */
export async function answerInputs(
  inputRequests: UnknownRecord,
  answers: Answers,
  { signal, waitForPerson }: StepContext,
): Promise<UnknownRecord> {
  const requests = Object.entries(inputRequests).map(([key, request]) => [key, readInput(request, answers)] as const);
  if (requests.length > maximumRequests) throw invalidResult(`it asks for more than ${maximumRequests} inputs at once`);
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

type Answer = (context: RequestHandlerContext) => Promise<object>;

function readInput(request: unknown, answers: Answers): Answer {
  const { method, params = {} } = isRecord(request) ? givenMembers(request) : {};
  if (!isString(method)) throw invalidResult('an input request has no method');
  const handler = answers.get(method);
  if (handler === undefined)
    throw invalidResult(`it asks for ${method.slice(0, 100)}, which Patchbay did not offer this server`);
  if (!isRecord(params)) throw invalidResult(`the params of ${method} are not an object`);
  return (context) => handler(params, context).catch((error: unknown) => Promise.reject(explain(method, error)));
}

/** In this revision errors are not sent back to the server, so the caller gets the reason. */
function explain(method: string, error: unknown): unknown {
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
