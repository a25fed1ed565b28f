import type { Disposable } from '../../base/disposable.ts';
import { CancelledError, PatchbayError } from '../../base/errors.ts';
import { Emitter } from '../../base/event.ts';
import type { CallToolResult } from '../../protocol/mcp/tools.ts';
import type { AuditLog } from '../auditLog.ts';
import type { ServerTask, TaskMemory } from './serverTask.ts';
import { TrackedTask } from './trackedTask.ts';

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
    throw new PatchbayError('notFound', `The server "${this.label}" has no such task any more.`);
  }

  /** Adds a task without reporting it: call {@link changed} when its state is set. */
  add(task: TrackedTask): void {
    this.#tasks.set(task.id, task);
    this.record(task, 'started');
  }

  /** Stores the open tasks, and reports the change. */
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
    if (task !== undefined) this.drop(task, new CancelledError('The task is not followed any more'));
  }

  /** Removes a task, and rejects its result with `reason`. */
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
    const reason = new PatchbayError('disposed', 'The server is not configured any more.');
    for (const task of this.open) task.pause(reason);
    this.#onDidChange.dispose();
  }
}
