import { linkAbort, raceAbort } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import { CancelledError, isPatchbayError, messageOf, PatchbayError } from '../../base/errors.ts';
import { Emitter } from '../../base/event.ts';
import type { Logger } from '../../base/logger.ts';
import { ErrorCodes, JsonRpcError } from '../../protocol/jsonRpc.ts';
import type { TaskSnapshot } from '../../protocol/mcp/tasks.ts';
import type { CallToolResult } from '../../protocol/mcp/tools.ts';
import type { CallResponse, TaskChannel } from '../../protocol/session/taskChannel.ts';
import type { Activity } from '../useDispatcher.ts';
import { TaskPoll } from './pollTask.ts';
import { lostTask, type TaskState } from './serverTask.ts';
import { type TaskList, TrackedTask } from './taskList.ts';

interface TaskConnection {
  /** `undefined` if the server does not support tasks. */
  readonly channel: TaskChannel | undefined;
  /** The identity of the server, see `ServerIdentities`. */
  readonly server: string;
  /** See {@link AuthorizationContext.account}. */
  readonly account: string;
}

/**
 * Polls the tasks of one configured server, through any number of its starts. Created with the first start: until then they
 * are paused.
 */
export class TaskManager {
  readonly list: TaskList;
  readonly #activity: Activity;
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #logger: Logger;
  readonly #onDidConnect = new Emitter<TaskChannel>();
  /** The latest one, while the server runs or restarts by itself. */
  #connection: TaskConnection | undefined;
  /** While the server runs. */
  #channel: TaskChannel | undefined;

  constructor(list: TaskList, activity: Activity, clock: Clock, random: () => number, logger: Logger) {
    this.list = list;
    this.#activity = activity;
    this.#clock = clock;
    this.#random = random;
    this.#logger = logger;
  }

  /**
   * Adds the task of a call, and waits for its result.
   * @throws what the call would have thrown; {@link PatchbayError} `taskLost`, `taskCancelled`, or `connectionClosed` if the
   * server is stopped first; the signal's reason, after which the task is cancelled
   * @param report called with each status that the server reports
   */
  async track(
    answer: Extract<CallResponse, { kind: 'task' }>,
    tool: string,
    report: (task: TaskSnapshot) => void,
    signal: AbortSignal | undefined,
  ): Promise<CallToolResult> {
    const connection = this.#connection;
    const since = this.#clock.now();
    const task = new TrackedTask({ id: answer.task.taskId, tool, since }, connection ?? { server: '' });
    this.list.add(task);
    const waiting = linkAbort(signal);
    task.waiting = waiting;
    if (connection === undefined) task.pause(this.#stopped());
    else this.#poll(task, answer.task, report);
    this.list.changed(task);
    try {
      return await raceAbort(task.result, waiting.signal);
    } catch (error) {
      if (signal?.aborted) void this.#abandon(task, signal.reason as Error);
      throw error;
    } finally {
      answer.progress.dispose();
      waiting.dispose();
    }
  }

  /**
   * The server runs, or another account is signed in: polls open tasks again if server and account are the same, otherwise
   * marks them as lost.
   */
  connected(connection: TaskConnection): void {
    const { channel, server, account } = connection;
    this.#connection = connection;
    this.#channel = channel;
    const why =
      channel === undefined ? 'the server no longer supports tasks.' : 'the definition of the server has changed.';
    for (const task of this.list.open)
      if (channel === undefined || task.server !== server) this.#fail(task, lostTask(task.tool, why));
      else if (belongsToAnotherAccount(task, account)) this.#fail(task, lostTask(task.tool, anotherAccount));
    if (channel === undefined) return;
    this.#onDidConnect.fire(channel);
    void this.#resume(channel);
  }

  /** @param isPassing the server restarts by itself, so that calls continue to wait */
  disconnected(isPassing: boolean): void {
    this.#channel = undefined;
    if (isPassing) return;
    this.#connection = undefined;
    for (const task of this.list.open) {
      task.pause(this.#stopped());
      this.list.changed(task);
    }
  }

  /** Polls a task now, because the server has sent a notification about it. */
  poll(id: string): void {
    this.list.get(id)?.onPollRequested.fire();
  }

  /** Cancels a task. @throws {PatchbayError} `notFound`, `notRunning`, `capabilityMissing`; the server's error */
  async cancel(id: string): Promise<void> {
    const task = this.list.find(id);
    if (task.isOver || this.#channel === undefined) return this.list.cancelWhileStopped(id);
    if (this.#channel.cancel === undefined) {
      const message = `The server "${this.list.label}" cannot cancel tasks. The task runs to its end.`;
      throw new PatchbayError('capabilityMissing', message);
    }
    try {
      await this.#channel.cancel(id);
    } catch (error) {
      // The task may have ended already: a poll shows it.
      if (!(error instanceof JsonRpcError) || error.code !== ErrorCodes.invalidParams) throw error;
      return this.poll(id);
    }
    this.list.record(task, 'cancelled');
    this.list.drop(task, new CancelledError('The task was cancelled'));
  }

  /** Uses `tasks/list` if the server supports it: one request for all tasks. */
  async #resume(channel: TaskChannel): Promise<void> {
    const paused = (): readonly TrackedTask[] => this.list.open.filter(({ polling }) => polling === undefined);
    // Without a list, each task is requested separately.
    const listed = paused().length > 1 ? ((await channel.list?.().catch(() => undefined)) ?? []) : [];
    if (this.#channel !== channel) return;
    for (const task of paused()) {
      const first = listed.find(({ taskId }) => taskId === task.id);
      this.list.record(task, 'resumed');
      this.#poll(task, first, () => {});
    }
  }

  #poll(task: TrackedTask, first: TaskSnapshot | undefined, report: (task: TaskSnapshot) => void): void {
    const polling = new AbortController();
    task.polling = polling;
    task.state = openState(first);
    // A waiting call has its own entry in the activity.
    const entry = task.isAwaited ? undefined : this.#activity.begin(`tool ${task.tool}`);
    const poll = new TaskPoll(task, {
      first,
      channel: (signal) => this.#whenConnected(signal),
      report: (snapshot) => {
        report(snapshot);
        this.#report(task, snapshot);
      },
      saveAnswers: () => this.list.save(),
      clock: this.#clock,
      random: this.#random,
      signal: polling.signal,
    });
    const ended = poll.run().then(
      (value) => {
        task.succeed(value);
        this.list.ended(task);
      },
      (error: unknown) => {
        if (!polling.signal.aborted) this.#fail(task, error);
      },
    );
    void ended.finally(() => entry?.dispose());
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

  #report(task: TrackedTask, snapshot: TaskSnapshot): void {
    const { message } = snapshot;
    const state = openState(snapshot);
    if (task.isOver || (task.state === state && task.message === message)) return;
    task.state = state;
    task.message = message;
    this.list.changed(task);
  }

  #fail(task: TrackedTask, error: unknown): void {
    // A task whose input request was not answered would never end.
    if (isPatchbayError(error, 'declined', 'invalidMessage'))
      this.#channel?.cancel?.(task.id).catch((failure: unknown) => this.#logger.debug(() => messageOf(failure)));
    const state = isPatchbayError(error, 'taskLost')
      ? 'lost'
      : isPatchbayError(error, 'taskCancelled')
        ? 'cancelled'
        : 'failed';
    task.fail(state, error instanceof Error ? error : new Error(messageOf(error)));
    this.list.ended(task);
  }

  async #abandon(task: TrackedTask, reason: Error): Promise<void> {
    task.waiting = undefined;
    try {
      await this.cancel(task.id);
    } catch (error) {
      this.#logger.warn(`The task of the tool ${task.tool} was not cancelled: ${messageOf(error)}`);
      if (isPatchbayError(error, 'capabilityMissing')) this.list.drop(task, reason);
      else this.list.changed(task);
    }
  }

  #stopped(): PatchbayError {
    const message = `The server "${this.list.label}" was stopped before the tool finished. Start it again to resume the task.`;
    return new PatchbayError('connectionClosed', message);
  }
}

const anotherAccount =
  'it belongs to the account that was signed in before. The server may continue it, and reports only to that account.';

/** A task that was created before any sign-in may belong to any account: only the server knows. */
function belongsToAnotherAccount(task: TrackedTask, account: string): boolean {
  return account !== '' && task.account !== undefined && task.account !== '' && task.account !== account;
}

/** The state while a task has no result yet: how it ended is known only with its result. */
function openState(task: TaskSnapshot | undefined): TaskState {
  return task?.status === 'input_required' ? 'input_required' : 'working';
}
