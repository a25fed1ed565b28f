import type { LaunchPlan } from '../../base/launchPlan.ts';

/** The strategy that worked with a server: no handshake, a handshake, or a handshake over HTTP+SSE. */
export type RememberedStrategy = 'stateless' | 'handshake' | 'sse';

/** Port that stores strategies, so that a server is probed once and not at every start. Neither call fails. */
export interface StrategyMemory {
  /** @param plan holds secrets: store only a digest of `launchIdentity` */
  load(plan: LaunchPlan): RememberedStrategy | undefined;
  save(plan: LaunchPlan, verdict: RememberedStrategy): void;
}
