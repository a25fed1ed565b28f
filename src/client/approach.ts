import { isPatchbayError } from '../base/errors.ts';
import type { LaunchPlan } from '../base/launchPlan.ts';
import { HttpError } from '../protocol/httpError.ts';
import type { Era, Opening } from '../protocol/revisions/openSession.ts';
import type { EraVerdict } from './eraMemory.ts';

/** One way to try to talk to a server. */
export interface Approach extends Opening {
  readonly plan: LaunchPlan;
}

/** An approach that did not lead to a session. */
export interface FailedApproach {
  readonly approach: Approach;
  readonly error: unknown;
  /** The server showed that it speaks this transport: see {@link Transport.isRecognized}. */
  readonly isRecognized: boolean;
}

/** @param remembered what the server was found to want before */
export function firstApproach(plan: LaunchPlan, remembered: EraVerdict | undefined): Approach {
  if (plan.kind === 'sse') return shakeHands(plan);
  if (plan.kind === 'http' && remembered === 'sse') return shakeHands(olderTransport(plan));
  if (remembered === 'handshake') return shakeHands(plan);
  // Over HTTP nothing is started, and one that takes a probe does not fall silent at it.
  return { plan, isProbed: true, isPatient: plan.kind === 'http' || remembered === 'stateless' };
}

/**
 * What to try after the last approach failed, if that may help.
 * @param plan as configured
 * @param failed all that was tried before, in order
 */
export function nextApproach(plan: LaunchPlan, failed: readonly FailedApproach[]): Approach | undefined {
  const last = failed.at(-1);
  if (last === undefined) return undefined;
  const candidates = plan.kind === 'stdio' ? afterLocal(plan, last) : afterRemote(plan, last, failed.length === 1);
  const isTried = (candidate: Approach): boolean =>
    failed.some((other) => isSame(candidate, other.approach) && !isSilence(other));
  return candidates.find((candidate) => !isTried(candidate));
}

/** True for a local server that answered nothing: nothing was found out, and the time spent on it does not count. */
export function isSilence({ approach, error }: FailedApproach): boolean {
  return approach.isProbed && !approach.isPatient && isPatchbayError(error, 'timeout');
}

/** Some servers exit on anything but `initialize`, or read no more. */
function afterLocal(plan: LaunchPlan, last: FailedApproach): readonly Approach[] {
  const { approach, error } = last;
  const hasEnded = isPatchbayError(error, 'crashed', 'connectionClosed');
  if (approach.isProbed && (hasEnded || isSilence(last))) return [shakeHands(plan)];
  // What was remembered does not hold any more, or a slow server was only taken for one that wants a handshake.
  return isRefusal(error) ? [probe(plan)] : [];
}

/** Where Streamable HTTP is refused, HTTP+SSE may be served (2025-03-26 and later, transports, "Backward Compatibility"). */
function afterRemote(plan: LaunchPlan, { error }: FailedApproach, wasFirst: boolean): readonly Approach[] {
  if (plan.kind !== 'http' || isPatchbayError(error, 'needsSignIn', 'needsIssuer')) return [];
  if (isClientError(error)) return [probe(plan), shakeHands(olderTransport(plan))];
  // Only what was remembered can have come first without a probe.
  return wasFirst || isRefusal(error) ? [probe(plan)] : [];
}

function isRefusal(error: unknown): boolean {
  return isPatchbayError(error, 'unsupportedRevision', 'connectionClosed', 'invalidMessage');
}

/** A 4xx, with or without an error of JSON-RPC, that is not about who asks. */
function isClientError(error: unknown): boolean {
  const refusal = error instanceof Error && error.cause instanceof HttpError ? error.cause : error;
  return refusal instanceof HttpError && refusal.status >= 400 && refusal.status < 500 && !refusal.hasChallenge;
}

function shakeHands(plan: LaunchPlan): Approach {
  return { plan, isProbed: false, isPatient: true };
}

function probe(plan: LaunchPlan): Approach {
  return { plan, isProbed: true, isPatient: true };
}

function olderTransport(plan: LaunchPlan & { readonly kind: 'http' | 'sse' }): LaunchPlan {
  return { ...plan, kind: 'sse' };
}

function isSame(one: Approach, other: Approach): boolean {
  return one.isProbed === other.isProbed && one.plan.kind === other.plan.kind;
}

/** What is worth remembering of an approach that led to a session of `era`. */
export function verdictOf(approach: Approach, era: Era): EraVerdict {
  return approach.plan.kind === 'sse' ? 'sse' : era;
}
