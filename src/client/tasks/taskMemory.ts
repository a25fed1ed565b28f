import type { LaunchPlan } from '../../base/launchPlan.ts';

/** What is stored of an open task: neither its arguments nor its result. */
export interface RememberedTask {
  readonly id: string;
  readonly tool: string;
  /** When it was created, in milliseconds since the epoch. */
  readonly since: number;
  /** The server's keys of the input requests that were answered. */
  readonly answered?: readonly string[];
}

/** The stored tasks of one server. */
export interface RememberedTasks {
  /** From {@link TaskMemory.identify}: the ids are valid for this server only. */
  readonly server: string;
  /** The signed-in account, see {@link AuthorizationContext.account}; absent in data of earlier versions. */
  readonly account?: string | undefined;
  readonly tasks: readonly RememberedTask[];
}

/** Port that stores open tasks, so that the next window continues to poll them. Never fails. */
export interface TaskMemory {
  load(label: string): RememberedTasks | undefined;
  save(label: string, remembered: RememberedTasks): void;
  /** @returns a text that changes when `plan` leads to another server, and that reveals no secrets */
  identify(plan: LaunchPlan): string;
}
