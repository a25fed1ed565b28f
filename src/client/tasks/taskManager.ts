import { linkAbort, raceAbort } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { CancelledError, isPatchbayError, messageOf, PatchbayError } from '../../base/errors.ts';
import { Emitter, type Event } from '../../base/event.ts';
import type { Logger } from '../../base/logger.ts';
import { ErrorCodes, JsonRpcError } from '../../protocol/jsonRpc.ts';
import type { TaskOutcome, TaskSnapshot } from '../../protocol/mcp/tasks.ts';
import type { CallToolResult } from '../../protocol/mcp/tools.ts';
import type { CallResponse, TaskChannel } from '../../protocol/session/taskChannel.ts';
import type { Activity } from '../activity.ts';
import type { AuditLog } from '../auditLog.ts';
import type { ClientRequests } from '../server/clientRequests.ts';
import { lostTask, type ServerTask, type TaskMemory, type TaskState } from './serverTask.ts';
import { TrackedTask } from './trackedTask.ts';

/** What the tasks of one server need of it and of the host. */
export interface TaskManagerOptions {
  readonly label: string;
  readonly memory: TaskMemory;
  readonly activity: Activity;
  readonly audit: AuditLog;
  readonly clock: Clock;
  readonly random: () => number;
  readonly logger: Logger;
}

/** A call that has become a task. */
export interface TrackedCall {
  readonly answer: Extract<CallResponse, { kind: 'task' }>;
  readonly tool: string;
  /** Called with each status that the server reports. */
  readonly report: (task: TaskSnapshot) => void;
  readonly signal: AbortSignal | undefined;
}

/** What the tasks need of a running server. */
export interface TaskConnection {
  /** `undefined` if the server does not support tasks. */
  readonly channel: TaskChannel | undefined;
  /** See {@link TaskMemory.identify}. */
  readonly server: string;
  /** See {@link AuthorizationContext.account}. */
  readonly account: string;
  readonly requests: Pick<ClientRequests, 'followTask' | 'readToolResult'>;
}

/** The tasks of one configured server, through any number of its starts. */
export interface TaskManager extends Disposable {
  readonly tasks: readonly ServerTask[];
  /** A task was added, changed or removed. */
  readonly onDidChange: Event<ServerTask>;
  /**
   * Adds the task of a call, and waits for its result.
   * @throws what the call would have thrown; {@link PatchbayError} `taskLost`, `taskCancelled`, or `connectionClosed` if the
   * server is stopped first; the signal's reason, after which the task is cancelled
   */
  track(call: TrackedCall): Promise<CallToolResult>;
  /**
   * The server runs, or another account is signed in: polls open tasks again if server and account are the same, otherwise
   * marks them as lost.
   */
  connected(connection: TaskConnection): void;
  /** The server does not run. @param isPassing it restarts by itself, so that calls continue to wait */
  disconnected(isPassing: boolean): void;
  /** Polls a task now, because the server has sent a notification about it. */
  poll(id: string): void;
  /** Cancels a task. @throws {PatchbayError} `notFound`, `notRunning`, `capabilityMissing`; the server's error */
  cancel(id: string): Promise<void>;
  /** Waits for the result of a task. @throws {PatchbayError} `notFound`; what the tool's call would throw */
  result(id: string): Promise<CallToolResult>;
  /** Removes a task from the list; an open task is no longer polled, but not cancelled. */
  forget(id: string): void;
}

/** Ended tasks that stay in the list; older ones are removed. */
const maximumEndedTasks = 50;

/** Creates the manager of one server's tasks. Stored tasks are paused until {@link TaskManager.connected} is called. */
export function createTaskManager(options: TaskManagerOptions): TaskManager {
  return new ServerTaskManager(options);
}

class ServerTaskManager implements TaskManager {
  readonly #options: TaskManagerOptions;
  readonly #entries = new Map<string, TrackedTask>();
  readonly #onDidChange = new Emitter<ServerTask>();
  readonly #onDidConnect = new Emitter<TaskChannel>();
  /** The latest one, while the server runs or restarts by itself. */
  #connection: TaskConnection | undefined;
  /** While the server runs. */
  #channel: TaskChannel | undefined;
  /** A key of what was stored last. */
  #saved: string | undefined;

  readonly onDidChange = this.#onDidChange.event;

  constructor(options: TaskManagerOptions) {
    this.#options = options;
    const remembered = options.memory.load(options.label);
    for (const task of remembered?.tasks ?? [])
      this.#entries.set(task.id, new TrackedTask(task, remembered ?? { server: '' }));
  }

  get tasks(): readonly ServerTask[] {
    return [...this.#entries.values()];
  }

  async track({ answer, tool, report, signal }: TrackedCall): Promise<CallToolResult> {
    const connection = this.#connection;
    const since = this.#options.clock.now();
    const entry = new TrackedTask({ id: answer.task.taskId, tool, since }, connection ?? { server: '' });
    this.#entries.set(entry.id, entry);
    this.#record(entry, 'started');
    const waiting = linkAbort(signal);
    entry.waiting = waiting;
    if (connection === undefined) entry.pause(this.#stopped());
    else this.#follow(connection, entry, answer.task, report);
    this.#changed(entry);
    try {
      return await raceAbort(entry.result, waiting.signal);
    } catch (error) {
      if (signal?.aborted) void this.#abandon(entry, signal.reason as Error);
      throw error;
    } finally {
      answer.progress.dispose();
      waiting.dispose();
    }
  }

  connected(connection: TaskConnection): void {
    const { channel, server, account } = connection;
    this.#connection = connection;
    this.#channel = channel;
    const open = this.#open();
    const why =
      channel === undefined ? 'the server has no tasks any more.' : 'the definition of the server has changed.';
    for (const entry of open)
      if (channel === undefined || entry.server !== server) this.#fail(entry, lostTask(entry.tool, why));
      else if (belongsToAnotherAccount(entry, account)) this.#fail(entry, lostTask(entry.tool, anotherAccount));
    if (channel === undefined) return;
    this.#onDidConnect.fire(channel);
    void this.#resume(connection, channel);
  }

  disconnected(isPassing: boolean): void {
    this.#channel = undefined;
    if (isPassing) return;
    this.#connection = undefined;
    for (const entry of this.#open()) {
      entry.pause(this.#stopped());
      this.#changed(entry);
    }
  }

  poll(id: string): void {
    this.#entries.get(id)?.onPollRequested.fire();
  }

  async cancel(id: string): Promise<void> {
    const entry = this.#find(id);
    const { label } = this.#options;
    if (entry.isOver) return this.forget(id);
    if (this.#channel === undefined)
      throw new PatchbayError('notRunning', `The server "${label}" is not running. Start it to cancel its task.`);
    if (this.#channel.cancel === undefined) {
      const message = `The server "${label}" cannot cancel tasks. This one goes on to its end.`;
      throw new PatchbayError('capabilityMissing', message);
    }
    try {
      await this.#channel.cancel(id);
    } catch (error) {
      // The task may have ended already: a poll shows it.
      if (!(error instanceof JsonRpcError) || error.code !== ErrorCodes.invalidParams) throw error;
      return this.poll(id);
    }
    this.#record(entry, 'cancelled');
    this.#drop(entry, new CancelledError('The task was cancelled'));
  }

  async result(id: string): Promise<CallToolResult> {
    return this.#find(id).result;
  }

  forget(id: string): void {
    const entry = this.#entries.get(id);
    if (entry !== undefined) this.#drop(entry, new CancelledError('The task is not followed any more'));
  }

  dispose(): void {
    const reason = new PatchbayError('disposed', 'The server is not configured any more.');
    for (const entry of this.#open()) entry.pause(reason);
    this.#onDidChange.dispose();
    this.#onDidConnect.dispose();
  }

  /** Uses `tasks/list` if the server supports it: one request for all tasks. */
  async #resume(connection: TaskConnection, channel: TaskChannel): Promise<void> {
    const paused = (): readonly TrackedTask[] =>
      this.#open().filter(({ polling: following }) => following === undefined);
    // Without a list, each task is requested separately.
    const listed = paused().length > 1 ? ((await channel.list?.().catch(() => undefined)) ?? []) : [];
    if (this.#channel !== channel) return;
    for (const entry of paused()) {
      const first = listed.find(({ taskId }) => taskId === entry.id);
      this.#record(entry, 'resumed');
      this.#follow(connection, entry, first, () => {});
    }
  }

  #follow(
    { requests: uses }: TaskConnection,
    entry: TrackedTask,
    first: TaskSnapshot | undefined,
    report: TrackedCall['report'],
  ) {
    const { clock, random, activity } = this.#options;
    const following = new AbortController();
    entry.polling = following;
    entry.state = openState(first);
    // A waiting call has its own entry in the activity.
    const doing = entry.isAwaited ? undefined : activity.begin(`tool ${entry.tool}`);
    const followed = uses.followTask({
      id: entry.id,
      tool: entry.tool,
      since: entry.since,
      first,
      answers: entry.answers,
      saveAnswers: () => this.#keep(),
      channel: (signal) => this.#whenConnected(signal),
      onPollRequested: entry.onPollRequested.event,
      report: (task) => {
        report(task);
        this.#report(entry, task);
      },
      clock,
      random,
      signal: following.signal,
    });
    const ended = followed.then(
      (outcome) => this.#finish(entry, outcome, uses),
      (error: unknown) => {
        if (!following.signal.aborted) this.#fail(entry, error);
      },
    );
    void ended.finally(() => doing?.dispose());
  }

  #whenConnected(signal: AbortSignal): Promise<TaskChannel> {
    if (this.#channel !== undefined) return Promise.resolve(this.#channel);
    const connected = new Promise<TaskChannel>((resolve) => {
      const subscription = this.#onDidConnect.event((channel) => {
        subscription.dispose();
        resolve(channel);
      });
      signal.addEventListener('abort', () => subscription.dispose(), { once: true });
    });
    return raceAbort(connected, signal);
  }

  #report(entry: TrackedTask, task: TaskSnapshot): void {
    const { message } = task;
    if (entry.isOver || (entry.state === openState(task) && entry.message === message)) return;
    entry.state = openState(task);
    entry.message = message;
    this.#changed(entry);
  }

  #finish(entry: TrackedTask, outcome: TaskOutcome, uses: TaskConnection['requests']): void {
    switch (outcome.kind) {
      case 'result':
        try {
          entry.succeed(uses.readToolResult(outcome.result));
        } catch (error) {
          return this.#fail(entry, error);
        }
        return this.#ended(entry);
      case 'error':
        return this.#fail(entry, outcome.error);
      case 'cancelled':
        return this.#fail(entry, cancelledByServer(entry));
    }
  }

  #fail(entry: TrackedTask, error: unknown): void {
    if (isPatchbayError(error, 'declined', 'invalidMessage')) this.#cancelUnanswered(entry);
    const state = isPatchbayError(error, 'taskLost')
      ? 'lost'
      : isPatchbayError(error, 'taskCancelled')
        ? 'cancelled'
        : 'failed';
    entry.fail(state, error instanceof Error ? error : new Error(messageOf(error)));
    this.#ended(entry);
  }

  /** A task whose input request was not answered would never end. */
  #cancelUnanswered({ id }: TrackedTask): void {
    const { logger } = this.#options;
    this.#channel?.cancel?.(id).catch((error: unknown) => logger.debug(() => messageOf(error)));
  }

  #ended(entry: TrackedTask): void {
    this.#record(entry, entry.state);
    // A waiting call gets the result; otherwise it is kept for later.
    if (entry.isAwaited) this.#entries.delete(entry.id);
    const over = [...this.#entries.values()].filter(({ isOver }) => isOver);
    for (const { id } of over.slice(0, -maximumEndedTasks)) this.#entries.delete(id);
    this.#changed(entry);
  }

  async #abandon(entry: TrackedTask, reason: Error): Promise<void> {
    entry.waiting = undefined;
    try {
      await this.cancel(entry.id);
    } catch (error) {
      this.#options.logger.warn(`The task of the tool ${entry.tool} was not cancelled: ${messageOf(error)}`);
      if (isPatchbayError(error, 'capabilityMissing')) this.#drop(entry, reason);
      else this.#changed(entry);
    }
  }

  #drop(entry: TrackedTask, reason: Error): void {
    this.#entries.delete(entry.id);
    entry.fail('cancelled', reason);
    entry.rejectWaiter(reason);
    this.#changed(entry);
  }

  #changed(entry: TrackedTask): void {
    this.#keep();
    this.#onDidChange.fire(entry);
  }

  #keep(): void {
    const { label, memory } = this.#options;
    const open = this.#open();
    const [first] = open;
    const kept = open.map(({ id, answers }) => `${answers.sent.size} ${id}`).join('\n');
    if (kept === this.#saved) return;
    this.#saved = kept;
    const tasks = open.map(({ remembered }) => remembered);
    memory.save(label, { server: first?.server ?? '', account: first?.account, tasks });
  }

  #open(): readonly TrackedTask[] {
    return [...this.#entries.values()].filter(({ isOver }) => !isOver);
  }

  /** @throws {PatchbayError} `notFound` */
  #find(id: string): TrackedTask {
    const entry = this.#entries.get(id);
    if (entry !== undefined) return entry;
    throw new PatchbayError('notFound', `The server "${this.#options.label}" has no such task any more.`);
  }

  #record({ tool }: TrackedTask, outcome: string): void {
    this.#options.audit.record({ server: this.#options.label, action: 'task', outcome, detail: { tool } });
  }

  #stopped(): PatchbayError {
    const { label } = this.#options;
    const message = `The server "${label}" was stopped before the tool was done. Start it again to take the task up.`;
    return new PatchbayError('connectionClosed', message);
  }
}

const anotherAccount =
  'it belongs to the account that was signed in before. The server may go on with it, and tells only that account.';

/** A task that was created before any sign-in may belong to any account: only the server knows. */
function belongsToAnotherAccount(entry: TrackedTask, account: string): boolean {
  return account !== '' && entry.account !== undefined && entry.account !== '' && entry.account !== account;
}

/** The state while a task has no result yet: how it ended is known only with its result. */
function openState(task: TaskSnapshot | undefined): TaskState {
  return task?.status === 'input_required' ? 'input_required' : 'working';
}

function cancelledByServer({ tool, message }: TrackedTask): PatchbayError {
  const words = message === undefined ? '.' : `: ${message}`;
  return new PatchbayError('taskCancelled', `The server cancelled the task of the tool "${tool}"${words}`);
}
