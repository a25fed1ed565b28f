import type { LaunchPlan } from '../base/launchPlan.ts';

/** The strategy that worked with a server: no handshake, a handshake, or a handshake over HTTP+SSE. */
export type EraVerdict = 'stateless' | 'handshake' | 'sse';

/** Port that stores strategies, so that a server is probed once and not at every start. Neither call fails. */
export interface EraMemory {
  /** @param plan holds secrets: store only a digest of {@link eraIdentity} */
  load(plan: LaunchPlan): EraVerdict | undefined;
  save(plan: LaunchPlan, verdict: EraVerdict): void;
}

/** The command or address of a plan, as text: when it changes, the server is probed again. May hold secrets. */
export function eraIdentity(plan: LaunchPlan): string {
  return JSON.stringify(plan.kind === 'stdio' ? [plan.command, plan.args, plan.cwd ?? null] : [plan.url.href]);
}
