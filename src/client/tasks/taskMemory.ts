import type { LaunchPlan } from '../../base/launchPlan.ts';

/** What is kept of an open task: nothing of what the tool was given or gives. */
export interface RememberedTask {
  readonly id: string;
  readonly tool: string;
  /** Milliseconds since the epoch. */
  readonly since: number;
  /** The server's keys of the questions whose answers it has. */
  readonly answered?: readonly string[];
}

/** The open tasks of one server. */
export interface RememberedTasks {
  /** From {@link TaskMemory.identify}: ids mean nothing to any other server. */
  readonly server: string;
  /** The account that was signed in, as its authorization context names it; unknown of tasks an earlier version kept. */
  readonly account?: string | undefined;
  readonly tasks: readonly RememberedTask[];
}

/** Port to where open tasks are kept, so that they are taken up again in the next window. Never fails. */
export interface TaskMemory {
  load(label: string): RememberedTasks | undefined;
  save(label: string, remembered: RememberedTasks): void;
  /** A text that changes when `plan` leads to another server, and tells nothing of its secrets. */
  identify(plan: LaunchPlan): string;
}
