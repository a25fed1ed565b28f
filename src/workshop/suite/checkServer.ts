import type { CancelSignal } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import type { LaunchPlan } from '../../base/launchPlan.ts';
import type { Logger } from '../../base/logger.ts';
import type { Transport } from '../../transport/transport.ts';
import type { CheckResult } from '../checks/checkResult.ts';

/** The server that is checked. Each check may start a process, or open a session, of its own. */
export interface CheckTarget {
  readonly label: string;
  /** What is started; the person has agreed to it. */
  readonly plan: LaunchPlan;
  /** As `createTransports` returns it: with the person's sign-in, where the server needs one. */
  readonly createTransport: (plan: LaunchPlan) => Promise<Transport>;
}

/** The official suite on this machine. */
export interface SuiteProgram {
  /** Path of a Node of at least version 22. */
  readonly node: string;
  /** Path of the suite's `dist/index.js`. */
  readonly script: string;
}

export interface CheckOptions {
  readonly clock: Clock;
  readonly random: () => number;
  readonly logger: Logger;
  readonly signal: CancelSignal;
  /** Which families to run; by default both. */
  readonly families?: readonly CheckFamily[];
  /** Absent: the checks of the suite are reported as `notRun`, with this reason. */
  readonly suite: SuiteProgram | { readonly missing: string };
}

export type CheckFamily = 'own' | 'suite';

/**
 * Runs Patchbay's own checks and those of the official suite, in each era that the server speaks, and yields each result as soon
 * as it is known. Calls no tool that the server lists. A server that does not start is one failed result, `own/start`.
 * Ids end with `@2026-07-28` in that era: `own/ping`, `own/ping@2026-07-28`, `suite/tools-list/tools-list@2026-07-28`.
 * Breaking the loop, and the signal, end the processes that were started.
 */
// eslint-disable-next-line require-yield
export async function* checkServer(target: CheckTarget, options: CheckOptions): AsyncGenerator<CheckResult, void> {
  options.signal.throwIfAborted();
  throw new Error(`Not built yet: ${target.label}`);
}
