import type { Disposable } from '../../base/disposable.ts';
import type { UnknownRecord } from '../../base/json.ts';
import type { TaskOutcome, TaskSnapshot } from '../mcp/tasks.ts';
import type { RequestOptions } from '../peer.ts';

/** What a server makes of a tool call: the raw result, or a task that outlives the request. */
export type CallAnswer =
  | { readonly kind: 'result'; readonly result: unknown }
  | {
      readonly kind: 'task';
      readonly task: TaskSnapshot;
      /** The call's progress is heard until this is disposed. */
      readonly progress: Disposable;
    };

/** What one task was told, so that no question is asked or answered twice. Belongs to the task, not to a connection. */
export interface TaskAnswers {
  /** By the server's keys. */
  readonly given: Map<string, unknown>;
  readonly sent: Set<string>;
}

/**
 * Tasks of a running server, whichever way its revision says it (2025-11-25, "Tasks"; the extension
 * `io.modelcontextprotocol/tasks` of 2026-07-28). Everything rejects as requests do.
 */
export interface TaskChannel {
  /**
   * Calls a tool, as a task where the server and the tool are for it.
   * @param params of `tools/call`
   */
  call(params: UnknownRecord, options: RequestOptions): Promise<CallAnswer>;
  /** @throws {JsonRpcError} `-32602` when the server does not know the task */
  get(taskId: string, signal: AbortSignal): Promise<TaskSnapshot>;
  /**
   * Does what a task waits for: lets its questions be answered, fetches its outcome. May take as long as the task.
   * @returns the outcome; `undefined` while there is none
   * @throws {PatchbayError} `declined` when a question stays without an answer
   */
  attend(task: TaskSnapshot, answers: TaskAnswers, signal: AbortSignal): Promise<TaskOutcome | undefined>;
  /** Missing where the server has no word for it. */
  readonly cancel: ((taskId: string) => Promise<void>) | undefined;
  /** The server's tasks, as far as it tells. Missing where the server has no word for it. */
  readonly list: (() => Promise<readonly TaskSnapshot[]>) | undefined;
}
