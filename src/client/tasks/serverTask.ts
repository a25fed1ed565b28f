import { PatchbayError } from '../../base/errors.ts';
import type { TaskStatus } from '../../protocol/mcp/tasks.ts';

/** Where a task is: what the server says, `paused` while the server is not running, `lost` when it does not know it any more. */
export type TaskState = TaskStatus | 'paused' | 'lost';

/** A tool call that the server goes on with by itself. */
export interface ServerTask {
  /** The server's name for it; whoever knows it may be able to end it, so it is not for showing. */
  readonly id: string;
  readonly tool: string;
  /** Milliseconds since the epoch. */
  readonly since: number;
  readonly state: TaskState;
  /** The server's words, bounded, or ours about a failure. Plain text. */
  readonly message: string | undefined;
  /** The tool has given something, be it an error of its own. */
  readonly hasResult: boolean;
  /** A call waits for the result, and nobody else has to care for it. */
  readonly isAwaited: boolean;
}

export function isOver(state: TaskState): boolean {
  return state !== 'working' && state !== 'input_required' && state !== 'paused';
}

/** @param why a sentence */
export function lostTask(tool: string, why: string, cause?: unknown): PatchbayError {
  return new PatchbayError('taskLost', `The task of the tool "${tool}" is lost: ${why}`, { cause });
}
