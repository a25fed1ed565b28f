import { isPatchbayError } from '../base/errors.ts';
import type { LaunchPlan } from '../base/launchPlan.ts';
import { HttpError } from '../protocol/httpError.ts';
import type { Era } from '../protocol/revisions/openSession.ts';
import type { EraVerdict } from './eraMemory.ts';

/** One way to try to talk to a server. */
export interface Approach {
  readonly plan: LaunchPlan;
  /** Ask for the era first; else shake hands at once. */
  readonly isProbed: boolean;
}

/** @param remembered what the server was found to want before */
export function firstApproach(plan: LaunchPlan, remembered: EraVerdict | undefined): Approach {
  if (plan.kind === 'sse') return { plan, isProbed: false };
  if (plan.kind === 'http' && remembered === 'sse') return { plan: { ...plan, kind: 'sse' }, isProbed: false };
  return { plan, isProbed: remembered !== 'handshake' };
}

/**
 * What to try after `approach` failed with `error`, if that may help.
 * @param plan as configured
 * @param tried all that was tried before, `approach` included
 */
export function nextApproach(plan: LaunchPlan, tried: readonly Approach[], error: unknown): Approach | undefined {
  const candidates = plan.kind === 'stdio' ? afterLocal(plan, tried, error) : afterRemote(plan, tried, error);
  return candidates.find((candidate) => !tried.some((other) => isSame(candidate, other)));
}

/** Some servers exit on anything but `initialize`. */
function afterLocal(plan: LaunchPlan, tried: readonly Approach[], error: unknown): readonly Approach[] {
  const last = tried.at(-1);
  const hasEnded = isPatchbayError(error, 'crashed', 'connectionClosed');
  if (last?.isProbed === true && hasEnded) return [{ plan, isProbed: false }];
  // What was remembered does not hold any more.
  return isRefusal(error) ? [{ plan, isProbed: true }] : [];
}

/** Where Streamable HTTP is refused, HTTP+SSE may be served (2025-11-25, transports, "Backward Compatibility"). */
function afterRemote(plan: LaunchPlan, tried: readonly Approach[], error: unknown): readonly Approach[] {
  if (plan.kind !== 'http') return [];
  const anew: Approach = { plan, isProbed: true };
  const isOldTransport = error instanceof HttpError && isAboutTheEndpoint(error.status);
  if (isOldTransport) return [{ plan: { ...plan, kind: 'sse' }, isProbed: false }, anew];
  const wasRemembered = tried.length === 1 && tried[0]?.isProbed === false;
  return isRefusal(error) || wasRemembered ? [anew] : [];
}

function isRefusal(error: unknown): boolean {
  return isPatchbayError(error, 'unsupportedRevision', 'connectionClosed', 'invalidMessage');
}

/** 2025-11-25 names 400, 404 and 405; earlier revisions say any 4xx. Sign-in and haste are other matters. */
function isAboutTheEndpoint(status: number): boolean {
  return status >= 400 && status < 500 && ![401, 403, 407, 408, 429].includes(status);
}

function isSame(one: Approach, other: Approach): boolean {
  return one.isProbed === other.isProbed && one.plan.kind === other.plan.kind;
}

/** What is worth remembering of an approach that led to a session of `era`. */
export function verdictOf(approach: Approach, era: Era): EraVerdict {
  return approach.plan.kind === 'sse' ? 'sse' : era;
}
