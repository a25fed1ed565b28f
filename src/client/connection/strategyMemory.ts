import type { LaunchPlan } from '../../base/launchPlan.ts';

/** The strategy that worked with a server: no handshake, a handshake, or a handshake over HTTP+SSE. */
export type RememberedStrategy = 'stateless' | 'handshake' | 'sse';

/** Port that stores strategies, so that a server is probed once and not at every start. Neither call fails. */
export interface StrategyMemory {
  /** @param plan holds secrets: store only a digest of {@link launchIdentity} */
  load(plan: LaunchPlan): RememberedStrategy | undefined;
  save(plan: LaunchPlan, verdict: RememberedStrategy): void;
}

/** The command or address of a plan, as text: when it changes, the server is probed again. May hold secrets. */
export function launchIdentity(plan: LaunchPlan): string {
  if (plan.kind === 'stdio') return JSON.stringify([plan.command, plan.args, plan.cwd ?? null]);
  const { url, socketPath } = plan;
  return JSON.stringify(socketPath === undefined ? [url.href] : [url.href, socketPath]);
}
