import { delay, within } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import type { ProcessTree, StopSignal } from './processTree.ts';

/** A server to be stopped. */
export interface LadderTarget {
  readonly tree: ProcessTree;
  /** Ends its standard input, which asks it to exit. */
  closeInput(): void;
  /** Resolves when the process itself, not its children, has exited. */
  readonly exited: Promise<unknown>;
  /** Told before a signal is sent. */
  onSignal(signal: StopSignal, pids: readonly number[]): void;
}

const longestPollMs = 200;
/** A killed process is gone as soon as the machine finds time for it; under load that takes a while. */
const killPatienceMs = 10_000;

/**
 * Stops a server and all it started: end of input, then SIGTERM, then SIGKILL, with `graceMs` to react to each of the
 * first two (spec 2025-11-25, basic/lifecycle, "Shutdown"; 2026-07-28, stdio, "Shutdown"). Where the server has exited
 * by itself, what it left behind gets the signals all the same.
 *
 * @returns ids of the processes that could not be ended: normally none, else those of another user or stuck in the kernel
 */
export async function shutDown(target: LadderTarget, clock: Clock, graceMs: number): Promise<readonly number[]> {
  // While the parents still live: later nothing may tell whose children they were.
  await target.tree.alive();
  target.closeInput();
  await within(target.exited, clock, graceMs);
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    const alive = await target.tree.alive();
    if (alive.length === 0) return [];
    target.onSignal(signal, alive);
    await signalUntilGone(target.tree, signal, clock, signal === 'SIGKILL' ? killPatienceMs : graceMs);
  }
  return target.tree.alive();
}

async function signalUntilGone(tree: ProcessTree, signal: StopSignal, clock: Clock, patienceMs: number): Promise<void> {
  const deadline = clock.now() + patienceMs;
  await tree.signal(signal);
  for (let pollMs = 10; clock.now() < deadline; pollMs = Math.min(pollMs * 2, longestPollMs)) {
    if ((await tree.alive()).length === 0) return;
    await delay(clock, pollMs);
    // A process may have been started between the listing and the signal. SIGTERM once is enough: it may be saving.
    if (signal === 'SIGKILL') await tree.signal(signal);
  }
}
