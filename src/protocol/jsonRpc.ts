import { isRecord, type UnknownRecord } from '../base/json.ts';
import { limits } from '../base/limits.ts';
import { truncateWithEllipsis } from '../base/truncate.ts';

/** A request id. MCP allows strings and integers, not null (2025-11-25, Basic, "Messages"). */
export type RequestId = string | number;

export interface JsonRpcNotification {
  readonly jsonrpc: '2.0';
  readonly method: string;
  readonly params?: object;
}

export interface JsonRpcRequest extends JsonRpcNotification {
  readonly id: RequestId;
}

export interface JsonRpcResult {
  readonly jsonrpc: '2.0';
  readonly id: RequestId;
  readonly result: object;
}

export interface JsonRpcErrorResponse {
  readonly jsonrpc: '2.0';
  /** Absent or null where the peer could not read the request's id. */
  readonly id?: RequestId | null;
  readonly error: JsonRpcErrorBody;
}

export interface JsonRpcErrorBody {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

export type JsonRpcAnswer = JsonRpcResult | JsonRpcErrorResponse;

export type JsonRpcMessage = JsonRpcRequest | JsonRpcNotification | JsonRpcAnswer;

/** One write to a transport: a message, or the answers to a batch (2025-03-26, Basic, "Batching"). */
export type OutgoingMessage = JsonRpcMessage | readonly JsonRpcAnswer[];

export const ErrorCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  /** 2024-11-05 to 2025-11-25, Server Features / Resources, "Error Handling". */
  resourceNotFound: -32002,
  /** 2025-11-25, Client Features / Elicitation: the user must visit a page, then the request is sent again. */
  urlElicitationRequired: -32042,
  /** The headers of a request do not match its body (2026-07-28, Basic, "Error Codes"). */
  headerMismatch: -32020,
  /** The user refused a sampling request (2024-11-05 to 2025-11-25, Client Features / Sampling, "Error Handling"). */
  userRejected: -1,
} as const;

/** A JSON-RPC error: received from the server, or thrown by a handler to be sent to it. */
export class JsonRpcError extends Error {
  override readonly name = 'JsonRpcError';
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** One incoming message, classified. Parameters and results are unchecked: each feature checks its own. */
export type IncomingMessage =
  | { readonly kind: 'request'; readonly id: RequestId; readonly method: string; readonly params: UnknownRecord }
  | { readonly kind: 'notification'; readonly method: string; readonly params: UnknownRecord }
  | { readonly kind: 'result'; readonly id: RequestId; readonly result: unknown }
  | { readonly kind: 'error'; readonly id: RequestId | undefined; readonly error: JsonRpcErrorBody }
  /** `isCall`: it has a method, so the sender may wait for a response; else it may be a bad response. */
  | {
      readonly kind: 'malformed';
      readonly reason: string;
      readonly id: RequestId | undefined;
      readonly isCall: boolean;
    };

const noParams: UnknownRecord = Object.freeze({});

/** Classifies a parsed JSON value. Unknown members are ignored, and a missing `jsonrpc` is accepted. */
export function classifyMessage(value: unknown): IncomingMessage {
  if (!isRecord(value)) return malformed('not a JSON object');
  const given = isRequestId(value['id']) ? value['id'] : undefined;
  const method = value['method'];
  if (typeof method === 'string') return classifyCall(value, method, given);
  const id = ownId(given);
  if (isRecord(value['error'])) return { kind: 'error', id, error: toErrorBody(value['error']) };
  if (typeof value['error'] === 'string' && id !== undefined && value['jsonrpc'] === '2.0')
    return { kind: 'error', id, error: toErrorBody({ message: value['error'] }) };
  if (id === undefined) return malformed('neither a method nor a usable id');
  if ('result' in value) return { kind: 'result', id, result: value['result'] };
  // A line of a structured log may have an id too: only a value with "jsonrpc" counts as a bad response.
  return malformed('neither method, result nor error', value['jsonrpc'] === '2.0' ? id : undefined);
}

/** Limits a batch (2025-03-26, Basic, "Batching"); after that, only responses to pending requests are taken. */
export function limitBatch(
  batch: readonly unknown[],
  isAwaited: (id: RequestId) => boolean,
): { readonly taken: readonly unknown[]; readonly leftOut: number } {
  const { entries: maximum } = limits.batch;
  if (batch.length <= maximum) return { taken: batch, leftOut: 0 };
  const answers = batch
    .slice(maximum)
    .filter((entry) => isRecord(entry) && !('method' in entry) && isRequestId(entry['id']) && isAwaited(entry['id']));
  return { taken: [...batch.slice(0, maximum), ...answers], leftOut: batch.length - maximum - answers.length };
}

function classifyCall(value: UnknownRecord, method: string, id: RequestId | undefined): IncomingMessage {
  const given = value['params'] ?? noParams;
  // PHP writes an empty object as a list.
  const params = Array.isArray(given) && given.length === 0 ? noParams : given;
  if (!isRecord(params)) return malformed(`params of ${method.slice(0, 100)} is not an object`, id, true);
  if (id !== undefined) return { kind: 'request', id, method, params };
  // Some libraries write all members, also those that a notification does not have.
  if ('id' in value && (value['id'] !== null || !method.startsWith('notifications/')))
    return malformed(
      `id of ${method.slice(0, 100)} is neither an integer nor a string of at most ${limits.id.characters} characters`,
    );
  return { kind: 'notification', method, params };
}

function malformed(reason: string, id?: RequestId, isCall = false): IncomingMessage {
  return { kind: 'malformed', reason, id, isCall };
}

/** The id or progress token that this client sent: a number, which some servers send back as a text. Others stay as they are. */
export function ownId<T>(id: T): T | number {
  return typeof id === 'string' && /^[1-9]\d{0,14}$/.test(id) ? Number(id) : id;
}

/** True for an integer, or a string within `limits.id.characters`. */
export function isRequestId(value: unknown): value is RequestId {
  return typeof value === 'string' ? value.length <= limits.id.characters : Number.isInteger(value);
}

/** Reads an error object. Missing members get neutral values; the message is cut to `limits.text.error`. */
export function toErrorBody({ code, message, data }: UnknownRecord): JsonRpcErrorBody {
  return {
    code: typeof code === 'number' ? code : ErrorCodes.internalError,
    message: truncateWithEllipsis(
      typeof message === 'string' ? message : typeof data === 'string' ? data : 'The server gave no error message.',
      limits.text.error,
    ),
    data,
  };
}
