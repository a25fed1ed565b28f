import type { HttpResponse } from '../../base/httpClient.ts';
import { isRecord, isString, parseJson } from '../../base/json.ts';
import { JsonScanner } from '../../base/jsonScanner.ts';
import { limits } from '../../base/limits.ts';
import { ErrorCodes, type JsonRpcErrorBody, ownId, type RequestId } from '../../protocol/jsonRpc.ts';
import { saySessionLost } from '../../protocol/session/lostWords.ts';
import type { Transport } from '../transport.ts';
import { excerpt, statusError } from './httpProblems.ts';
import { readText } from './readBody.ts';

export type ErrorResponse = Awaited<ReturnType<typeof readErrorResponse>>;

interface ErrorMessage {
  readonly id?: unknown;
  readonly error: JsonRpcErrorBody;
}

const maximumErrorBytes = 64 * 1024;

/** Reads the start of its body, in which `secrets` are masked, since it is shown. Never rejects. */
export async function readErrorResponse(
  response: HttpResponse,
  { address, secrets }: Pick<Transport, 'secrets'> & { readonly address: string },
) {
  // Without a complete body the status is enough.
  const body = await readText(response, maximumErrorBytes).catch(() => '');
  const text = withoutSecrets(body, secrets);
  // It may be any page: only parse what is within the limits of a message.
  const scan = new JsonScanner({ ...limits.message, depth: limits.message.keptDepth });
  const value = scan.scan(new TextEncoder().encode(text)) === undefined ? parseJson(text) : undefined;
  const message = isErrorMessage(value) ? value : undefined;
  const words = excerpt(message?.error.message ?? text);
  return {
    status: response.status,
    /** What the server said, in short; may be empty. */
    words,
    /** Its body, if that is a JSON-RPC error. */
    message,
    problem: statusError(response, address, words, message?.error),
  };
}

/** What a server says may be shown, and it may say what was sent to it. */
export function withoutSecrets(text: string, secrets: Transport['secrets'] = () => []): string {
  return secrets().reduce((rest, secret) => rest.replaceAll(secret, '…'), text);
}

function isErrorMessage(value: unknown): value is ErrorMessage {
  // Gateways have errors of a similar shape.
  if (!isRecord(value) || value['jsonrpc'] !== '2.0' || !isRecord(value['error'])) return false;
  return Number.isInteger(value['error']['code']) && isString(value['error']['message']);
}

/** True for an error with the id of the request, or without an id (2026-07-28, Basic, "Errors"). */
export function isErrorFor(errorId: unknown, id: RequestId): boolean {
  return errorId === undefined || errorId === null || ownId(errorId) === id;
}

/**
 * True when the error in the body is the JSON-RPC response to the request `id`, which the transport delivers.
 * @param isOpening true for `initialize`: then every 4xx may mean that the server uses HTTP+SSE, so only the status counts
 * (2025-03-26 and later, Basic / Transports, "Backwards Compatibility")
 */
export function isAnswerTo({ status, message }: ErrorResponse, id: RequestId, isOpening: boolean): boolean {
  if (message === undefined || status === 401) return false;
  if (isOpening && status >= 400 && status < 500) return false;
  return isErrorFor(message.id, id);
}

/** Error codes of requests that the server processed, so it knows their session. */
const requestErrorCodes: readonly number[] = [
  ErrorCodes.methodNotFound,
  ErrorCodes.invalidParams,
  ErrorCodes.resourceNotFound,
];

/**
 * True when the server does not know the session: also where it says so with another status after a restart, in whatever words.
 * @param id that of the request; absent where the stream was refused
 * @param mayGuess whether any 400 that is not about the request counts, and words about the session in other answers: requests in this
 * session were answered before
 */
export function meansSessionLost({ status, message, words }: ErrorResponse, id?: RequestId, mayGuess = false): boolean {
  const isNamed = message !== undefined && id !== undefined && ownId(message.id) === id;
  const isAboutRequest = isNamed && requestErrorCodes.includes(message.error.code);
  // In 2026-07-28 unknown methods have the status 404; servers may use it in older revisions too.
  if (status === 404 || status === 410) return !isAboutRequest || saySessionLost(words);
  if (status !== 400) return mayGuess && !isNamed && saySessionLost(words);
  if (isAboutRequest) return mayGuess && saySessionLost(words);
  return mayGuess || (isNamed ? saySessionLost(words) : /session|not initialized/i.test(words));
}
