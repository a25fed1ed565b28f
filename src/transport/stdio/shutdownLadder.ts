import { delay, within } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import type { ProcessTree, StopSignal } from './processTree.ts';

/** A server process to stop. */
export interface LadderTarget {
  readonly tree: ProcessTree;
  /** Closes its standard input, which asks it to exit. */
  closeInput(): void;
  /** Resolves when the process has exited; its children may still run. */
  readonly exited: Promise<unknown>;
  /** Called before a signal is sent. */
  onSignal(signal: StopSignal, pids: readonly number[]): void;
}

const longestPollMs = 200;
/** Milliseconds for killed processes to disappear, which may take long under load. */
const killPatienceMs = 10_000;

/**
 * Stops a server and all its descendants: closes its input, then sends SIGTERM, then SIGKILL, with `graceMs` milliseconds
 * after each of the first two (2025-11-25, Basic / Lifecycle, "Shutdown"; 2026-07-28, Basic / Transports / stdio, "Shutdown").
 * If the server has already exited, its remaining descendants get the signals.
 *
 * @returns ids of the processes that could not be ended: normally none, else those of another user or stuck in the kernel
 */
export async function shutDown(target: LadderTarget, clock: Clock, graceMs: number): Promise<readonly number[]> {
  // Finds the descendants while their parents still run.
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
    // A process may have started after the listing. SIGTERM is sent only once: a process may be saving data.
    if (signal === 'SIGKILL') await tree.signal(signal);
  }
}
