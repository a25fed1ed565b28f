import { isRecord, isString, type UnknownRecord } from '../../base/json.ts';
import { truncateWithEllipsis } from '../../base/truncate.ts';
import { JsonRpcError, toErrorBody } from '../jsonRpc.ts';
import { invalidResult } from './base.ts';

const statuses = ['working', 'input_required', 'completed', 'failed', 'cancelled'] as const;

export type TaskStatus = (typeof statuses)[number];

/** The end of a task. `result` is the unchecked result of the tool call. */
export type TaskOutcome =
  | { readonly kind: 'result'; readonly result: unknown }
  | { readonly kind: 'error'; readonly error: JsonRpcError }
  | { readonly kind: 'cancelled' };

export interface TaskSnapshot {
  readonly taskId: string;
  readonly status: TaskStatus;
  readonly message: string | undefined;
  /** Milliseconds after its creation for which the server keeps the task; `undefined`: no limit. */
  readonly ttlMs: number | undefined;
  /** Milliseconds between polls, within limits; `undefined` where the server does not say. */
  readonly pollMs: number | undefined;
  /** The server's input requests, by its keys (tasks extension). */
  readonly inputRequests: UnknownRecord | undefined;
  /** The outcome, where the server sends it with the status (tasks extension). */
  readonly outcome: TaskOutcome | undefined;
}

const pollLimits = { minimumMs: 100, maximumMs: 60_000 };
const maximumMessageLength = 1_000;
/** Ids are sent as headers and stored. */
const maximumIdLength = 1_000;

/** Reads `ttl` and `pollInterval` of 2025-11-25 too. @throws {PatchbayError} `invalidMessage` */
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
    message:
      isString(statusMessage) && statusMessage !== ''
        ? truncateWithEllipsis(statusMessage, maximumMessageLength)
        : undefined,
    ttlMs: isAmount(ttlMs) ? ttlMs : undefined,
    pollMs: isAmount(pollIntervalMs)
      ? Math.min(pollLimits.maximumMs, Math.max(pollLimits.minimumMs, pollIntervalMs))
      : undefined,
    inputRequests: status === 'input_required' && isRecord(inputRequests) ? inputRequests : undefined,
    outcome: readOutcome(status, value),
  };
}

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
