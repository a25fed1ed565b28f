import type { LaunchPlan } from '../base/launchPlan.ts';

/** What a server was found to want: no handshake, a handshake, or a handshake over HTTP+SSE. */
export type EraVerdict = 'stateless' | 'handshake' | 'sse';

/** Port to where verdicts are kept, so that a server is probed once and not at every start. Neither call fails. */
export interface EraMemory {
  /** @param plan holds secrets: of it, nothing but a digest of {@link eraIdentity} may be kept */
  load(plan: LaunchPlan): EraVerdict | undefined;
  save(plan: LaunchPlan, verdict: EraVerdict): void;
}

/** What decides who answers, as text: a changed command or address is probed anew. May hold secrets. */
export function eraIdentity(plan: LaunchPlan): string {
  return JSON.stringify(plan.kind === 'stdio' ? [plan.command, plan.args, plan.cwd ?? null] : [plan.url.href]);
}
