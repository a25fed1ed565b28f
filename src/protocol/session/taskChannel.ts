import type { Disposable } from '../../base/disposable.ts';
import { messageOf } from '../../base/errors.ts';
import type { UnknownRecord } from '../../base/json.ts';
import type { Logger } from '../../base/logger.ts';
import type { TaskOutcome, TaskSnapshot } from '../mcp/tasks.ts';
import type { RequestOptions } from '../pendingRequests.ts';

/** The response to a tool call: the raw result, or a task that continues after the request. */
export type CallResponse =
  | { readonly kind: 'result'; readonly result: unknown }
  | {
      readonly kind: 'task';
      readonly task: TaskSnapshot;
      /** Progress of the call is received until this is disposed. */
      readonly progress: Disposable;
    };

/** The answers to one task's input requests, so that none is asked or sent twice. It survives a reconnection. */
export interface TaskInputResponses {
  /** Answers of the user that were not yet sent, by the server's keys. */
  readonly given: Map<string, unknown>;
  /** Keys whose answers the server has received. */
  readonly sent: Set<string>;
}

/** Tasks, 2025-11-25 or of the extension `io.modelcontextprotocol/tasks`. Methods reject like requests. */
export interface TaskChannel {
  /** Sends `tools/call`, as a task where the server and the tool support it. */
  call(params: UnknownRecord, options: RequestOptions): Promise<CallResponse>;
  /** @throws {JsonRpcError} `-32602` when the server does not know the task */
  get(taskId: string, signal: AbortSignal): Promise<TaskSnapshot>;
  /**
   * Does the next step of a task: answers its input requests, or fetches its result. May take as long as the task.
   * @returns the outcome; `undefined` while there is none
   * @throws {PatchbayError} `declined` when an input request is not answered
   */
  advance(task: TaskSnapshot, answers: TaskInputResponses, signal: AbortSignal): Promise<TaskOutcome | undefined>;
  /** Cancels a task; `undefined` where the server does not support that. */
  readonly cancel: ((taskId: string) => Promise<void>) | undefined;
  /** Lists the server's tasks; `undefined` where the server does not support that. */
  readonly list: (() => Promise<readonly TaskSnapshot[]>) | undefined;
}

/** For a call that was given up: cancels the task that it may still become. Failures are logged. */
export function cancelAbandonedTask(
  answer: Promise<CallResponse>,
  cancel: (taskId: string) => Promise<void>,
  logger: Logger,
): void {
  const abandon = async (): Promise<void> => {
    const late = await answer;
    if (late.kind !== 'task') return;
    late.progress.dispose();
    await cancel(late.task.taskId);
  };
  abandon().catch((error: unknown) =>
    logger.debug(() => `A task that is no longer needed could not be cancelled: ${messageOf(error)}`),
  );
}
