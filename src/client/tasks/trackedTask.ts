import type { LinkedAbort } from '../../base/abort.ts';
import { Emitter } from '../../base/event.ts';
import type { CallToolResult } from '../../protocol/mcp/tools.ts';
import type { TaskInputResponses } from '../../protocol/session/taskChannel.ts';
import {
  hasTaskEnded,
  type RememberedTask,
  type RememberedTasks,
  type ServerTask,
  type TaskState,
} from './serverTask.ts';

/** One task of a {@link TaskManager}, with its result and what waits for it. */
export class TrackedTask implements ServerTask {
  readonly id: string;
  readonly tool: string;
  readonly since: number;
  readonly server: string;
  /** The account that it was created for: see {@link RememberedTasks.account}. */
  readonly account: string | undefined;
  readonly answers: TaskInputResponses;
  readonly onPollRequested = new Emitter<void>();
  /** Settles when the task has ended. */
  readonly result: Promise<CallToolResult>;
  state: TaskState = 'paused';
  message: string | undefined;
  hasResult = false;
  /** Ends the polling; `undefined` while the task is not polled. */
  polling: AbortController | undefined;
  /** Rejects the call that waits for the task; `undefined` if none waits. */
  waiting: LinkedAbort | undefined;
  #settle: { readonly resolve: (result: CallToolResult) => void; readonly reject: (error: Error) => void } | undefined;

  constructor(
    { id, tool, since, answered }: RememberedTask,
    { server, account }: Pick<RememberedTasks, 'server' | 'account'>,
  ) {
    this.id = id;
    this.tool = tool;
    this.since = since;
    this.server = server;
    this.account = account;
    this.answers = { given: new Map(), sent: new Set(answered) };
    this.result = new Promise((resolve, reject) => (this.#settle = { resolve, reject }));
    // The result may never be requested.
    this.result.catch(() => {});
  }

  get remembered(): RememberedTask {
    const { id, tool, since, answers } = this;
    return { id, tool, since, ...(answers.sent.size > 0 && { answered: [...answers.sent] }) };
  }

  get isAwaited(): boolean {
    return this.waiting !== undefined;
  }

  get isOver(): boolean {
    return hasTaskEnded(this.state);
  }

  succeed(result: CallToolResult): void {
    this.hasResult = true;
    this.#end(result.isError ? 'failed' : 'completed');
    this.#settle?.resolve(result);
  }

  fail(state: 'failed' | 'cancelled' | 'lost', error: Error): void {
    this.message = error.message;
    this.#end(state);
    this.#settle?.reject(error);
  }

  /** Stops the polling and rejects the waiting call; the task continues on the server. */
  pause(reason: Error): void {
    this.#end('paused');
    this.rejectWaiter(reason);
  }

  /** Rejects the waiting call with `reason`; the task continues. */
  rejectWaiter(reason: Error): void {
    this.waiting?.abort(reason);
    this.waiting = undefined;
  }

  #end(state: TaskState): void {
    this.state = state;
    this.polling?.abort();
    this.polling = undefined;
  }
}
