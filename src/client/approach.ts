import { isPatchbayError } from '../base/errors.ts';
import type { LaunchPlan } from '../base/launchPlan.ts';
import { HttpError } from '../protocol/httpError.ts';
import type { Era, Opening } from '../protocol/revisions/openSession.ts';
import type { EraVerdict } from './eraMemory.ts';

/** One way to open a session: the transport, and whether to probe the server or to begin with the handshake. */
export interface Approach extends Opening {
  readonly plan: LaunchPlan;
}

/** A strategy that did not lead to a session. */
export interface FailedApproach {
  readonly approach: Approach;
  readonly error: unknown;
  /** The server has shown that it supports this transport: see {@link Transport.isRecognized}. */
  readonly isRecognized: boolean;
}

/**
 * The strategy to try first.
 * @param plan as configured
 * @param remembered what worked with this server before; `undefined` if unknown
 */
export function firstApproach(plan: LaunchPlan, remembered: EraVerdict | undefined): Approach {
  if (plan.kind === 'sse') return shakeHands(plan);
  if (plan.kind === 'http' && remembered === 'sse') return shakeHands(olderTransport(plan));
  if (remembered === 'handshake') return shakeHands(plan);
  // Over HTTP no process is started, and a server that accepts a probe does not stop answering because of it.
  return { plan, isProbed: true, isPatient: plan.kind === 'http' || remembered === 'stateless' };
}

/**
 * The strategy to try after the last one failed.
 * @param plan as configured
 * @param failed all previous attempts, in order
 * @returns `undefined` if no other strategy can help
 */
export function nextApproach(plan: LaunchPlan, failed: readonly FailedApproach[]): Approach | undefined {
  const last = failed.at(-1);
  if (last === undefined) return undefined;
  const candidates = plan.kind === 'stdio' ? afterLocal(plan, last) : afterRemote(plan, last, failed.length === 1);
  const isTried = (candidate: Approach): boolean =>
    failed.some((other) => isSame(candidate, other.approach) && !isSilence(other));
  return candidates.find((candidate) => !isTried(candidate));
}

/** True for a local server that did not answer the probe: the result is unknown, and the time spent does not count. */
export function isSilence({ approach, error }: FailedApproach): boolean {
  return approach.isProbed && !approach.isPatient && isPatchbayError(error, 'timeout');
}

/** Some servers exit, or stop reading, when the first message is not `initialize`. */
function afterLocal(plan: LaunchPlan, last: FailedApproach): readonly Approach[] {
  const { approach, error } = last;
  const hasEnded = isPatchbayError(error, 'crashed', 'connectionClosed');
  if (approach.isProbed && (hasEnded || isSilence(last))) return [shakeHands(plan)];
  // The remembered strategy is out of date, or a slow server was taken for one that requires a handshake.
  return isRefusal(error) ? [probe(plan)] : [];
}

/** A server that refuses Streamable HTTP may offer HTTP+SSE (2025-03-26, Basic / Transports, "Backwards Compatibility"). */
function afterRemote(plan: LaunchPlan, { error }: FailedApproach, wasFirst: boolean): readonly Approach[] {
  if (plan.kind !== 'http' || isPatchbayError(error, 'needsSignIn', 'needsIssuer')) return [];
  if (isClientError(error)) return [probe(plan), shakeHands(olderTransport(plan))];
  // Only a remembered strategy can be the first one and have no probe.
  return wasFirst || isRefusal(error) ? [probe(plan)] : [];
}

function isRefusal(error: unknown): boolean {
  return isPatchbayError(error, 'unsupportedRevision', 'connectionClosed', 'invalidMessage');
}

/** A 4xx response, with or without a JSON-RPC error, that does not ask for authorization. */
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

/** What to remember of a strategy that led to a session of `era`. */
export function verdictOf(approach: Approach, era: Era): EraVerdict {
  return approach.plan.kind === 'sse' ? 'sse' : era;
}
