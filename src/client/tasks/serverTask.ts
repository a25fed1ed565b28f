import { PatchbayError } from '../../base/errors.ts';
import type { TaskStatus } from '../../protocol/mcp/tasks.ts';

/** The server's status of a task, `paused` while the server does not run, or `lost` if the server no longer knows it. */
export type TaskState = TaskStatus | 'paused' | 'lost';

/** A tool call that the server continues as a task. */
export interface ServerTask {
  /** The server's id. Not shown: it may be enough to read or cancel the task. */
  readonly id: string;
  readonly tool: string;
  readonly since: number;
  readonly state: TaskState;
  /** The server's status message, limited in length, or an error message of Patchbay. Plain text. */
  readonly message: string | undefined;
  /** The tool has returned a result, which may be an error of the tool. */
  readonly hasResult: boolean;
  /** A call waits for the result and handles it. */
  readonly isAwaited: boolean;
}

export function hasTaskEnded(state: TaskState): boolean {
  return state !== 'working' && state !== 'input_required' && state !== 'paused';
}

export function lostTask(tool: string, why: string, cause?: unknown): PatchbayError {
  return new PatchbayError('taskLost', `The task of the tool "${tool}" is lost: ${why}`, { cause });
}

/** What is stored of an open task: neither its arguments nor its result. */
export interface RememberedTask {
  readonly id: string;
  readonly tool: string;
  /** When it was created, in milliseconds since the epoch. */
  readonly since: number;
  /** The server's keys of the input requests that were answered. */
  readonly answered?: readonly string[];
}

export interface RememberedTasks {
  /** The identity of the server, see `ServerIdentities`: the ids are valid for it only. */
  readonly server: string;
  /** The signed-in account, see {@link AuthorizationContext.account}; absent in data of earlier versions. */
  readonly account?: string | undefined;
  readonly tasks: readonly RememberedTask[];
}

/** Port that stores open tasks, so that the next window continues to poll them. Never fails. */
export interface TaskMemory {
  load(label: string): RememberedTasks | undefined;
  save(label: string, remembered: RememberedTasks): void;
}
