import { delay, linkAbort } from '../../base/abort.ts';
import { type Backoff, createBackoff } from '../../base/backoff.ts';
import type { Clock } from '../../base/clock.ts';
import { CancelledError, isPatchbayError, messageOf, PatchbayError } from '../../base/errors.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { Event } from '../../base/event.ts';
import { ErrorCodes, JsonRpcError } from '../../protocol/jsonRpc.ts';
import { hasEnded, type TaskOutcome, type TaskSnapshot } from '../../protocol/mcp/tasks.ts';
import type { TaskAnswers, TaskChannel } from '../../protocol/revisions/taskChannel.ts';
import { lostTask } from './serverTask.ts';

export interface FollowOptions {
  readonly id: string;
  readonly tool: string;
  /** Milliseconds since the epoch. */
  readonly since: number;
  /** What the server said when it made the task; `undefined` for a task from before. */
  readonly first: TaskSnapshot | undefined;
  /** Goes on from these. */
  readonly answers: TaskAnswers;
  /** Called when `answers` may have changed. */
  readonly keep: () => void;
  /** Waits until the server runs. @throws the signal's reason; `taskLost` where the server has no tasks any more */
  readonly channel: (signal: AbortSignal) => Promise<TaskChannel>;
  /** Fires when it may be worth asking before the time has come. */
  readonly onHint: Event<void>;
  readonly report: (task: TaskSnapshot) => void;
  readonly clock: Clock;
  readonly random: () => number;
  /** Ends the following, not the task. */
  readonly signal: AbortSignal;
}

/** However often a server hints, it is asked no more often. */
const shortestPollMs = 100;
/** Without advice from the server: soon at first, then less often. */
const defaultPoll = { initialMs: 1_000, factor: 1.5, maximumMs: 15_000 };
/** A server that cannot be asked for a while: about four minutes, or until the task's time has run out. */
const retryPolicy = { initialMs: 1_000, factor: 2, maximumMs: 30_000, limit: 12, resetAfterMs: 1 };

/**
 * Stays with a task until it has ended, through lost connections and restarts of its server.
 * @throws {PatchbayError} `taskLost` when the server does not know it, or cannot be asked for too long; `declined` when a
 * question of the server got no answer; the signal's reason
 */
export async function followTask(options: FollowOptions): Promise<TaskOutcome> {
  const { channel, clock, random, signal, since } = options;
  const backoff = createBackoff(retryPolicy, random);
  const life: { ttlMs: number | undefined } = { ttlMs: options.first?.ttlMs };
  let { first } = options;
  for (;;) {
    try {
      const open = await channel(signal);
      return await pollTask(open, options, { backoff, life, first });
    } catch (error) {
      signal.throwIfAborted();
      if (isPatchbayError(error, 'taskLost', 'declined', 'invalidMessage')) throw error;
      if (isUnknown(error)) throw lostTask(options.tool, messageOf(error), error);
      const isOverdue = life.ttlMs !== undefined && clock.now() > since + life.ttlMs;
      const waitMs = isOverdue ? undefined : backoff.next(0);
      if (waitMs === undefined) throw lostTask(options.tool, messageOf(error), error);
      await delay(clock, waitMs, signal);
    }
    first = undefined;
  }
}

interface Following {
  readonly backoff: Backoff;
  readonly life: { ttlMs: number | undefined };
  readonly first: TaskSnapshot | undefined;
}

/** Asks again and again over one connection. */
async function pollTask(
  channel: TaskChannel,
  options: FollowOptions,
  { backoff, life, first }: Following,
): Promise<TaskOutcome> {
  const { id, answers, keep, report, signal } = options;
  const together = linkAbort(signal);
  const pace = createPace(options, together.signal);
  let attending: Promise<TaskOutcome | undefined> | undefined;
  const attend = (task: TaskSnapshot): Promise<TaskOutcome | undefined> => {
    attending ??= channel.attend(task, answers, together.signal).then((outcome) => {
      keep();
      if (outcome === undefined) attending = undefined;
      return outcome;
    });
    return attending;
  };
  try {
    for (let task = first ?? (await channel.get(id, signal)); ; task = await channel.get(id, signal)) {
      // A result that is said to be there, and never comes, is not waited for over and over.
      if (!hasEnded(task.status)) backoff.reset();
      life.ttlMs = task.ttlMs;
      report(task);
      if (task.outcome !== undefined) return task.outcome;
      const attended = task.status === 'working' ? attending : attend(task);
      // The failure may come while the server is being asked.
      attended?.catch(() => {});
      if (hasEnded(task.status)) return await lastOutcome(await attended, () => attend(task), options);
      const waited = pace.wait(task.pollMs).then(() => undefined);
      const early = await Promise.race([waited, attended?.then((outcome) => outcome ?? waited) ?? waited]);
      if (early !== undefined) return early;
    }
  } finally {
    together.abort(new CancelledError('The task does not wait for this any more'));
    together.dispose();
    pace.dispose();
  }
}

/** What the server was asked while the task ran need not have waited for its end. */
async function lastOutcome(
  outcome: TaskOutcome | undefined,
  attend: () => Promise<TaskOutcome | undefined>,
  { tool }: FollowOptions,
): Promise<TaskOutcome> {
  const last = outcome ?? (await attend());
  if (last !== undefined) return last;
  throw new PatchbayError('invalidMessage', `The server ended the task of the tool "${tool}" without a result.`);
}

interface Pace extends Disposable {
  /** @param pollMs what the server advises */
  wait(pollMs: number | undefined): Promise<void>;
}

function createPace({ clock, onHint }: FollowOptions, signal: AbortSignal): Pace {
  let unadvisedMs = defaultPoll.initialMs;
  let isHinted = false;
  let wake = (): void => {};
  const subscription = onHint(() => {
    isHinted = true;
    wake();
  });

  async function waitForHint(milliseconds: number): Promise<void> {
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
    async wait(pollMs = unadvisedMs) {
      unadvisedMs = Math.min(defaultPoll.maximumMs, unadvisedMs * defaultPoll.factor);
      await delay(clock, shortestPollMs, signal);
      if (!isHinted && pollMs > shortestPollMs) await waitForHint(pollMs - shortestPollMs);
      isHinted = false;
    },
    dispose: () => subscription.dispose(),
  };
}

/** Servers say so in one way or another once a task is gone, or when they have no tasks at all. */
function isUnknown(error: unknown): boolean {
  return (
    error instanceof JsonRpcError &&
    (error.code === ErrorCodes.invalidParams || error.code === ErrorCodes.methodNotFound)
  );
}
