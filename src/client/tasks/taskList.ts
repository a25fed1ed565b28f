import type { LinkedAbort } from '../../base/abort.ts';
import type { Disposable } from '../../base/disposable.ts';
import { CancelledError, PatchbayError } from '../../base/errors.ts';
import { Emitter } from '../../base/event.ts';
import type { CallToolResult } from '../../protocol/mcp/tools.ts';
import type { TaskInputResponses } from '../../protocol/session/taskChannel.ts';
import type { AuditLog } from '../auditLog.ts';
import {
  hasTaskEnded,
  type RememberedTask,
  type RememberedTasks,
  type ServerTask,
  type TaskMemory,
  type TaskState,
} from './serverTask.ts';

/** Ended tasks that stay in the list; older ones are removed. */
const maximumEndedTasks = 50;

/**
 * The tasks of one configured server, through any number of its starts and with those that an earlier window has stored.
 * They are paused until a {@link TaskManager} polls them.
 */
export class TaskList implements Disposable {
  readonly label: string;
  readonly #memory: TaskMemory;
  readonly #audit: AuditLog;
  readonly #tasks = new Map<string, TrackedTask>();
  readonly #onDidChange = new Emitter<ServerTask>();
  /** A key of what was stored last. */
  #saved: string | undefined;

  readonly onDidChange = this.#onDidChange.event;

  constructor(label: string, memory: TaskMemory, audit: AuditLog) {
    this.label = label;
    this.#memory = memory;
    this.#audit = audit;
    const remembered = memory.load(label);
    for (const task of remembered?.tasks ?? [])
      this.#tasks.set(task.id, new TrackedTask(task, remembered ?? { server: '' }));
  }

  get all(): readonly ServerTask[] {
    return [...this.#tasks.values()];
  }

  get open(): readonly TrackedTask[] {
    return [...this.#tasks.values()].filter(({ isOver }) => !isOver);
  }

  get(id: string): TrackedTask | undefined {
    return this.#tasks.get(id);
  }

  /** @throws {PatchbayError} `notFound` */
  find(id: string): TrackedTask {
    const task = this.#tasks.get(id);
    if (task !== undefined) return task;
    throw new PatchbayError('notFound', `The server "${this.label}" no longer has this task.`);
  }

  /** Adds a task without reporting it: call {@link changed} when its state is set. */
  add(task: TrackedTask): void {
    this.#tasks.set(task.id, task);
    this.record(task, 'started');
  }

  changed(task: TrackedTask): void {
    this.save();
    this.#onDidChange.fire(task);
  }

  /** Stores the open tasks if they, or the answers that were sent for them, have changed. */
  save(): void {
    const { open } = this;
    const [first] = open;
    const key = open.map(({ id, answers }) => `${answers.sent.size} ${id}`).join('\n');
    if (key === this.#saved) return;
    this.#saved = key;
    const tasks = open.map(({ remembered }) => remembered);
    this.#memory.save(this.label, { server: first?.server ?? '', account: first?.account, tasks });
  }

  /** A task has ended: keeps its result unless a call waits for it. */
  ended(task: TrackedTask): void {
    this.record(task, task.state);
    // A waiting call gets the result; otherwise it is kept for later.
    if (task.isAwaited) this.#tasks.delete(task.id);
    const over = [...this.#tasks.values()].filter(({ isOver }) => isOver);
    for (const { id } of over.slice(0, -maximumEndedTasks)) this.#tasks.delete(id);
    this.changed(task);
  }

  /** Waits for the result of a task. @throws {PatchbayError} `notFound`; what the tool's call would throw */
  async result(id: string): Promise<CallToolResult> {
    return this.find(id).result;
  }

  /** Removes an ended task. @throws {PatchbayError} `notFound`; `notRunning` for an open one */
  cancelWhileStopped(id: string): void {
    if (!this.find(id).isOver)
      throw new PatchbayError('notRunning', `The server "${this.label}" is not running. Start it to cancel its task.`);
    this.forget(id);
  }

  /** Removes a task from the list; an open task is no longer polled, but not cancelled. */
  forget(id: string): void {
    const task = this.#tasks.get(id);
    if (task !== undefined) this.drop(task, new CancelledError('The task is no longer followed'));
  }

  drop(task: TrackedTask, reason: Error): void {
    this.#tasks.delete(task.id);
    task.fail('cancelled', reason);
    task.rejectWaiter(reason);
    this.changed(task);
  }

  record({ tool }: TrackedTask, outcome: string): void {
    this.#audit.record({ server: this.label, action: 'task', outcome, detail: { tool } });
  }

  dispose(): void {
    const reason = new PatchbayError('disposed', 'The server is no longer configured.');
    for (const task of this.open) task.pause(reason);
    this.#onDidChange.dispose();
  }
}

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
