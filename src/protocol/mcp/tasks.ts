import { isRecord, isString, type UnknownRecord } from '../../base/json.ts';
import { JsonRpcError, toErrorBody } from '../jsonRpc.ts';
import { invalidResult } from './base.ts';

const statuses = ['working', 'input_required', 'completed', 'failed', 'cancelled'] as const;

export type TaskStatus = (typeof statuses)[number];

/** How a task ended. `result` is what the tool's call would have returned, unchecked. */
export type TaskOutcome =
  | { readonly kind: 'result'; readonly result: unknown }
  | { readonly kind: 'error'; readonly error: JsonRpcError }
  | { readonly kind: 'cancelled' };

/** Where a task stood when the server last said so. */
export interface TaskSnapshot {
  readonly taskId: string;
  readonly status: TaskStatus;
  /** The server's words about it, bounded. */
  readonly message: string | undefined;
  /** Milliseconds from its creation on for which the server keeps it; `undefined` for no limit. */
  readonly ttlMs: number | undefined;
  /** Milliseconds to wait before asking again, bounded; `undefined` where the server does not say. */
  readonly pollMs: number | undefined;
  /** What the server wants to know, by its keys (tasks extension). */
  readonly inputRequests: UnknownRecord | undefined;
  /** Where the server says it along with the status (tasks extension). */
  readonly outcome: TaskOutcome | undefined;
}

/** A task that a person would not wait for is no reason to keep a server busy, or to forget it. */
const pollBounds = { shortest: 100, longest: 60_000 };
const maximumMessageLength = 1_000;
/** Ids go into headers and into the window's memory. */
const maximumIdLength = 1_000;

/**
 * Reads a task in either form: 2025-11-25 says `ttl` and `pollInterval`, the extension of 2026 `ttlMs` and `pollIntervalMs`
 * with the outcome inline.
 * @throws {PatchbayError} `invalidMessage`
 */
export function readTask(value: unknown): TaskSnapshot {
  if (!isRecord(value)) throw invalidResult('a task is not an object');
  const { taskId, statusMessage, ttl, ttlMs = ttl, pollInterval, pollIntervalMs = pollInterval, inputRequests } = value;
  if (!isString(taskId) || taskId === '' || taskId.length > maximumIdLength)
    throw invalidResult(`a task has no id, or one longer than ${maximumIdLength} characters`);
  const status = statuses.find((known) => known === value['status']);
  if (status === undefined) throw invalidResult('a task has no status that is known');
  return {
    taskId,
    status,
    message: isString(statusMessage) && statusMessage !== '' ? cut(statusMessage) : undefined,
    ttlMs: isAmount(ttlMs) ? ttlMs : undefined,
    pollMs: isAmount(pollIntervalMs)
      ? Math.min(pollBounds.longest, Math.max(pollBounds.shortest, pollIntervalMs))
      : undefined,
    inputRequests: status === 'input_required' && isRecord(inputRequests) ? inputRequests : undefined,
    outcome: readOutcome(status, value),
  };
}

/** True when nothing about a task can change any more. */
export function hasEnded(status: TaskStatus): boolean {
  return status !== 'working' && status !== 'input_required';
}

function readOutcome(status: TaskStatus, { result, error }: UnknownRecord): TaskOutcome | undefined {
  if (status === 'cancelled') return { kind: 'cancelled' };
  if (status === 'completed' && isRecord(result)) return { kind: 'result', result };
  if (status !== 'failed' || !isRecord(error)) return undefined;
  const { code, message, data } = toErrorBody(error);
  return { kind: 'error', error: new JsonRpcError(code, message, data) };
}

function isAmount(value: unknown): value is number {
  return typeof value === 'number' && value >= 0;
}

function cut(text: string): string {
  return text.length <= maximumMessageLength ? text : `${text.slice(0, maximumMessageLength)}…`;
}
