import { linkAbort, raceAbort } from '../../../base/abort.ts';
import { CancelledError, PatchbayError } from '../../../base/errors.ts';
import { isOptional, isRecord, isString, type UnknownRecord } from '../../../base/json.ts';
import { ErrorCodes, JsonRpcError } from '../../jsonRpc.ts';
import { invalidResult } from '../../mcp/base.ts';
import { withoutNulls } from '../../mcp/readers.ts';
import type { RequestHandler, RequestHandlerContext } from '../../incomingRequests.ts';

/** Methods with a task as result; examples of the tasks extension show it for `tasks/get` too. */
const taskMethods = new Set(['tools/call', 'tasks/get']);

/** A task is final too. Older drafts have no `resultType` (2026-07-28, Basic, "Result Type"). */
export function isComplete(method: string, result: unknown): boolean {
  if (!isRecord(result)) return true;
  const type = result['resultType'];
  return type === undefined || type === 'complete' || (type === 'task' && taskMethods.has(method));
}

/** 2026-07-28, Basic / Patterns / Multi Round-Trip Requests, "Supported Requests". */
const methodsWithInput = new Set(['tools/call', 'prompts/get', 'resources/read']);

const maximumInputRequests = 100;

/** Handlers of input requests, by method; a method without a handler was not declared to the server. */
type InputHandlers = ReadonlyMap<string, RequestHandler>;

/** Reads an interim result. @throws {PatchbayError} `invalidMessage` */
export function readInputRequired(method: string, result: UnknownRecord) {
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
  const { code, message } = error;
  const malformed = `The server asked for input it may not ask for: ${message}.`;
  if (code === ErrorCodes.invalidParams) return new PatchbayError('invalidMessage', malformed, { cause: error });
  const declined = `The server needed ${method} to continue and did not get it: ${message}.`;
  return new PatchbayError('declined', declined, { cause: error });
}
