import { delay, linkAbort } from '../../base/abort.ts';
import { Backoff } from '../../base/backoff.ts';
import type { Clock } from '../../base/clock.ts';
import { CancelledError, isPatchbayError, messageOf, PatchbayError } from '../../base/errors.ts';
import { ErrorCodes, JsonRpcError } from '../../protocol/jsonRpc.ts';
import { hasEnded, type TaskOutcome, type TaskSnapshot } from '../../protocol/mcp/tasks.ts';
import { type CallToolResult, readCallToolResult } from '../../protocol/mcp/tools.ts';
import type { TaskChannel } from '../../protocol/session/taskChannel.ts';
import { lostTask } from './serverTask.ts';
import type { TrackedTask } from './taskList.ts';

interface TaskPolling {
  /** The task as the server created it; `undefined` for a task from an earlier run. */
  readonly first: TaskSnapshot | undefined;
  /** Waits until the server runs. @throws the signal's reason; `taskLost` if the server no longer supports tasks */
  readonly channel: (signal: AbortSignal) => Promise<TaskChannel>;
  readonly report: (task: TaskSnapshot) => void;
  /** Called when the answers that were sent for the task may have changed. */
  readonly saveAnswers: () => void;
  readonly clock: Clock;
  readonly random: () => number;
  /** Ends the polling, not the task. */
  readonly signal: AbortSignal;
}

/** Minimum milliseconds between two polls, however many notifications the server sends. */
const minimumPollMs = 100;
/** The interval if the server gives no `pollInterval`: short at first, then longer. */
const defaultPoll = { initialMs: 1_000, factor: 1.5, maximumMs: 15_000 };
/** Retries while the server cannot be polled: for about four minutes, or until the task's `ttl` has passed. */
const retryPolicy = { initialMs: 1_000, factor: 2, maximumMs: 30_000, limit: 12, resetAfterMs: 1 };

/** Polls a task until it has ended, also after lost connections and restarts of its server. */
export class TaskPoll {
  readonly #task: TrackedTask;
  readonly #polling: TaskPolling;
  readonly #backoff: Backoff;
  #latest: TaskSnapshot | undefined;

  constructor(task: TrackedTask, polling: TaskPolling) {
    this.#task = task;
    this.#polling = polling;
    this.#backoff = new Backoff(retryPolicy, polling.random);
    this.#latest = polling.first;
  }

  /**
   * @returns the result of the tool
   * @throws {PatchbayError} `taskLost` if the server does not know the task, or cannot be polled for too long; `declined` if
   * a question of the server got no answer; `taskCancelled` if the server cancelled it; `invalidMessage`
   * @throws the error that the server reports as the outcome; the signal's reason
   */
  async run(): Promise<CallToolResult> {
    const outcome = await this.#untilEnded();
    if (outcome.kind === 'result') return readCallToolResult(outcome.result);
    if (outcome.kind === 'error') throw outcome.error;
    const message = this.#latest?.message;
    const reason = message === undefined ? '.' : `: ${message}`;
    throw new PatchbayError('taskCancelled', `The server cancelled the task of the tool "${this.#task.tool}"${reason}`);
  }

  async #untilEnded(): Promise<TaskOutcome> {
    const { channel, clock, signal } = this.#polling;
    const { since, tool } = this.#task;
    let { first } = this.#polling;
    for (;;) {
      try {
        return await this.#pollConnection(await channel(signal), first);
      } catch (error) {
        signal.throwIfAborted();
        if (isPatchbayError(error, 'taskLost', 'declined', 'invalidMessage')) throw error;
        if (isUnknownTask(error)) throw lostTask(tool, messageOf(error), error);
        const ttlMs = this.#latest?.ttlMs;
        const isOverdue = ttlMs !== undefined && clock.now() > since + ttlMs;
        const waitMs = isOverdue ? undefined : this.#backoff.next(0);
        if (waitMs === undefined) throw lostTask(tool, messageOf(error), error);
        await delay(clock, waitMs, signal);
      }
      first = undefined;
    }
  }

  async #pollConnection(channel: TaskChannel, first: TaskSnapshot | undefined): Promise<TaskOutcome> {
    const { id, answers } = this.#task;
    const { report, saveAnswers, signal } = this.#polling;
    const linked = linkAbort(signal);
    const timer = createPollTimer(this.#task, this.#polling.clock, linked.signal);
    let answering: Promise<TaskOutcome | undefined> | undefined;
    const answerInput = (task: TaskSnapshot): Promise<TaskOutcome | undefined> => {
      answering ??= channel.advance(task, answers, linked.signal).then((outcome) => {
        saveAnswers();
        if (outcome === undefined) answering = undefined;
        return outcome;
      });
      return answering;
    };
    try {
      for (let task = first ?? (await channel.get(id, signal)); ; task = await channel.get(id, signal)) {
        // After the task has ended, failing requests for its result must use up the retries.
        if (!hasEnded(task.status)) this.#backoff.reset();
        this.#latest = task;
        report(task);
        if (task.outcome !== undefined) return task.outcome;
        const answered = task.status === 'working' ? answering : answerInput(task);
        // It may reject while a poll is open.
        answered?.catch(() => {});
        // The result is requested if the last input request did not return it.
        if (hasEnded(task.status)) return (await answered) ?? (await answerInput(task)) ?? this.#withoutResult();
        const waited = timer.wait(task.pollMs).then(() => undefined);
        const early = await Promise.race([waited, answered?.then((outcome) => outcome ?? waited) ?? waited]);
        if (early !== undefined) return early;
      }
    } finally {
      linked.abort(new CancelledError('The task no longer waits for this'));
      linked.dispose();
      timer.dispose();
    }
  }

  #withoutResult(): never {
    const message = `The server ended the task of the tool "${this.#task.tool}" without a result.`;
    throw new PatchbayError('invalidMessage', message);
  }
}

function createPollTimer({ onPollRequested }: TrackedTask, clock: Clock, signal: AbortSignal) {
  let unadvisedMs = defaultPoll.initialMs;
  let isRequested = false;
  let wake = (): void => {};
  const subscription = onPollRequested.event(() => {
    isRequested = true;
    wake();
  });

  async function waitForRequest(milliseconds: number): Promise<void> {
    const early = linkAbort(signal);
    wake = () => early.abort();
    try {
      await delay(clock, milliseconds, early.signal);
    } catch {
      signal.throwIfAborted();
    } finally {
      early.dispose();
    }
  }

  return {
    /** Resolves when the next poll is due. @param pollMs the interval that the server gives, in milliseconds */
    async wait(pollMs: number = unadvisedMs): Promise<void> {
      unadvisedMs = Math.min(defaultPoll.maximumMs, unadvisedMs * defaultPoll.factor);
      await delay(clock, minimumPollMs, signal);
      if (!isRequested && pollMs > minimumPollMs) await waitForRequest(pollMs - minimumPollMs);
      isRequested = false;
    },
    dispose: (): void => subscription.dispose(),
  };
}

/** Servers use one of these codes when a task no longer exists, or when they do not support tasks. */
function isUnknownTask(error: unknown): boolean {
  return (
    error instanceof JsonRpcError &&
    (error.code === ErrorCodes.invalidParams || error.code === ErrorCodes.methodNotFound)
  );
}
