import { isRecord, isString } from '../../base/json.ts';
import { JsonScan } from '../../base/jsonScan.ts';
import { limits } from '../../base/limits.ts';
import type { PatchbayError } from '../../base/errors.ts';
import { ErrorCodes, type JsonRpcErrorBody, type RequestId } from '../../protocol/jsonRpc.ts';
import { parseJson, statusProblem } from './httpProblems.ts';
import { readText } from './readBody.ts';
import type { Wire } from './wire.ts';

/** An answer with a status that means no. */
export interface Refusal {
  readonly status: number;
  /** Its body, where that is a JSON-RPC error. */
  readonly message: ErrorMessage | undefined;
  readonly problem: PatchbayError;
}

interface ErrorMessage {
  readonly id?: unknown;
  readonly error: JsonRpcErrorBody;
}

const maximumRefusalBytes = 64 * 1024;

/**
 * Reads an answer that refuses a request, its body as far as that is worth it. Never rejects.
 * @param secrets masked where the body repeats them: it is shown to people
 */
export async function readRefusal(
  response: Response,
  { address, secrets = () => [] }: Pick<Wire, 'address' | 'secrets'>,
): Promise<Refusal> {
  // What was read before a connection broke would not help: the status is what counts.
  const body = await readText(response, maximumRefusalBytes).catch(() => '');
  const text = secrets().reduce((rest, secret) => rest.replaceAll(secret, '…'), body);
  // It may be any page; only what could be a message is worth parsing.
  const scan = new JsonScan({ ...limits.message, depth: limits.message.keptDepth });
  const value = scan.scan(new TextEncoder().encode(text)) === undefined ? parseJson(text) : undefined;
  const message = isErrorMessage(value) ? value : undefined;
  return {
    status: response.status,
    message,
    problem: statusProblem(response, address, text, message?.error),
  };
}

function isErrorMessage(value: unknown): value is ErrorMessage {
  // Gateways have errors of a similar shape of their own.
  if (!isRecord(value) || value['jsonrpc'] !== '2.0' || !isRecord(value['error'])) return false;
  return Number.isInteger(value['error']['code']) && isString(value['error']['message']);
}

/** True for the id of an error that names the request `id`, or none: then it can only be meant for that (2026-07-28, "Errors"). */
export function isFor(errorId: unknown, id: RequestId): boolean {
  return errorId === undefined || errorId === null || errorId === id;
}

/**
 * True when the error in the body is the answer to the request `id`, so that it is not for the transport to judge.
 * @param isOpening to `initialize` every 4xx, whatever its body, may mean that the server is one of HTTP+SSE: the status
 * counts (2025-03-26 and later, transports, "Backward Compatibility")
 */
export function isAnswer({ status, message }: Refusal, id: RequestId, isOpening: boolean): boolean {
  if (message === undefined || status === 401) return false;
  if (isOpening && status >= 400 && status < 500) return false;
  return isFor(message.id, id);
}

/** What is said of a request that was looked at, so that its session is known. */
const aboutRequest: readonly number[] = [
  ErrorCodes.methodNotFound,
  ErrorCodes.invalidParams,
  ErrorCodes.resourceNotFound,
];

/**
 * True when the answer to a request with a session id says that the server knows no such session.
 * @param id of the request, where it had one
 */
export function isSessionLoss({ status, message }: Refusal, id?: RequestId): boolean {
  // Servers that also speak 2026-07-28 may have its status 404 for unknown methods in older revisions too.
  if (status === 404) return id === undefined || message?.id !== id || !aboutRequest.includes(message.error.code);
  // Servers written after the SDK's examples say 400 after a restart, to no request in particular.
  const isAboutNoRequest = message !== undefined && (message.id ?? null) === null;
  return status === 400 && isAboutNoRequest && /session|not initialized/i.test(message.error.message);
}
