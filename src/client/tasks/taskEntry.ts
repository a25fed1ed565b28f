import type { LinkedAbort } from '../../base/abort.ts';
import { Emitter } from '../../base/event.ts';
import type { CallToolResult } from '../../protocol/mcp/tools.ts';
import type { TaskAnswers } from '../../protocol/revisions/taskChannel.ts';
import { isOver, type ServerTask, type TaskState } from './serverTask.ts';
import type { RememberedTask, RememberedTasks } from './taskMemory.ts';

/** One task, as its book keeps it. */
export class TaskEntry implements ServerTask {
  readonly id: string;
  readonly tool: string;
  readonly since: number;
  /** Whose task it is: see {@link TaskMemory.identify}. */
  readonly server: string;
  /** On whose behalf it was made: see {@link RememberedTasks.account}. */
  readonly account: string | undefined;
  readonly answers: TaskAnswers;
  readonly onHint = new Emitter<void>();
  /** Settled when the task is over. */
  readonly result: Promise<CallToolResult>;
  state: TaskState = 'paused';
  message: string | undefined;
  hasResult = false;
  /** Ends the following of the task; `undefined` while nobody follows it. */
  following: AbortController | undefined;
  /** Sends the call away that waits for the task, with a reason. */
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
    // Nobody may ask for it.
    this.result.catch(() => {});
  }

  /** What the next window has to know. */
  get remembered(): RememberedTask {
    const { id, tool, since, answers } = this;
    return { id, tool, since, ...(answers.sent.size > 0 && { answered: [...answers.sent] }) };
  }

  get isAwaited(): boolean {
    return this.waiting !== undefined;
  }

  get isOver(): boolean {
    return isOver(this.state);
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

  /** Nobody follows the task for now, or waits for it; it goes on by itself. */
  pause(reason: Error): void {
    this.#end('paused');
    this.sendAway(reason);
  }

  /** The call that waits gets `reason`; the task is not touched. */
  sendAway(reason: Error): void {
    this.waiting?.abort(reason);
    this.waiting = undefined;
  }

  #end(state: TaskState): void {
    this.state = state;
    this.following?.abort();
    this.following = undefined;
  }
}
