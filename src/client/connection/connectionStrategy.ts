import { isPatchbayError } from '../../base/errors.ts';
import type { LaunchPlan, RemoteLaunchPlan } from '../../base/launchPlan.ts';
import { HttpError } from '../../protocol/httpError.ts';
import type { OpenOptions } from '../../protocol/revisions/openSession.ts';

/** The strategy that worked with a server: no handshake, a handshake, or a handshake over HTTP+SSE. */
export type RememberedStrategy = 'stateless' | 'handshake' | 'sse';

/** Port that stores strategies, so that a server is probed once and not at every start. Neither call fails. */
export interface StrategyMemory {
  /** @param plan holds secrets: store only a digest of `launchIdentity` */
  load(plan: LaunchPlan): RememberedStrategy | undefined;
  save(plan: LaunchPlan, verdict: RememberedStrategy): void;
}

/** One way to open a session: the transport, and whether to probe the server or to begin with the handshake. */
export interface ConnectionStrategy extends OpenOptions {
  readonly plan: LaunchPlan;
  /** A server that answers nothing is started again, without the probe: some stop reading after one. */
  readonly startsAgain: boolean;
}

export interface FailedAttempt {
  readonly strategy: ConnectionStrategy;
  readonly error: unknown;
  /** The server has shown that it supports this transport: see {@link Transport.isRecognized}. */
  readonly isRecognized: boolean;
}

/**
 * The strategy to try first.
 * @param plan as configured
 * @param remembered what worked with this server before; `undefined` if unknown
 */
export function initialStrategy(plan: LaunchPlan, remembered: RememberedStrategy | undefined): ConnectionStrategy {
  const isSse = plan.kind === 'sse' ? remembered === undefined || remembered === 'sse' : remembered === 'sse';
  if (plan.kind !== 'stdio' && isSse) return withHandshake({ ...plan, kind: 'sse' });
  const target = plan.kind === 'stdio' ? plan : { ...plan, kind: 'http' as const };
  if (remembered === 'handshake') return withHandshake(target);
  // Over HTTP no process is started, and a server that accepts a probe does not stop answering because of it.
  return { plan: target, isProbed: true, startsAgain: target.kind === 'stdio' && remembered !== 'stateless' };
}

/**
 * The strategy to try after the last one failed.
 * @param plan as configured
 * @param failed all previous attempts, in order
 * @returns `undefined` if no other strategy can help
 */
export function nextStrategy(plan: LaunchPlan, failed: readonly FailedAttempt[]): ConnectionStrategy | undefined {
  const last = failed.at(-1);
  if (last === undefined) return undefined;
  const candidates = plan.kind === 'stdio' ? afterStdio(plan, last) : afterRemote(plan, last, failed.length === 1);
  const isTried = (candidate: ConnectionStrategy): boolean =>
    failed.some((other) => isSameStrategy(candidate, other.strategy) && !isUnanswered(other));
  return candidates.find((candidate) => !isTried(candidate));
}

/** True for a local server that did not answer the probe: the result is unknown, and the time spent does not count. */
export function isUnanswered({ strategy, error }: FailedAttempt): boolean {
  return strategy.startsAgain && isPatchbayError(error, 'timeout');
}

/** Some servers exit, or stop reading, when the first message is not `initialize`. */
function afterStdio(plan: LaunchPlan, last: FailedAttempt): readonly ConnectionStrategy[] {
  const { strategy, error } = last;
  const hasEnded = isPatchbayError(error, 'crashed', 'connectionClosed');
  if (strategy.isProbed && (hasEnded || isUnanswered(last))) return [withHandshake(plan)];
  // The remembered strategy is out of date, or a slow server was taken for one that requires a handshake.
  return isRefusal(error) ? [withProbe(plan)] : [];
}

/**
 * A server that refuses Streamable HTTP may offer HTTP+SSE (2025-03-26, Basic / Transports, "Backwards Compatibility"), and
 * one that is configured as `sse` may have moved on since.
 */
function afterRemote(plan: RemoteLaunchPlan, last: FailedAttempt, wasFirst: boolean): readonly ConnectionStrategy[] {
  const { strategy, error } = last;
  if (isPatchbayError(error, 'needsSignIn', 'needsIssuer')) return [];
  const probe = withProbe({ ...plan, kind: 'http' });
  if (isClientError(error)) return [probe, withHandshake({ ...plan, kind: 'sse' })];
  if (strategy.plan.kind === 'sse') return hasNoStream(error) ? [probe] : [];
  // Only a remembered strategy can be the first one and have no probe.
  return wasFirst || isRefusal(error) ? [probe] : [];
}

function isRefusal(error: unknown): boolean {
  return isPatchbayError(error, 'unsupportedRevision', 'connectionClosed', 'invalidMessage');
}

/** A 4xx response, with or without a JSON-RPC error, that does not ask for authorization. */
export function isClientError(error: unknown): boolean {
  const refusal = httpErrorOf(error);
  return refusal !== undefined && refusal.status >= 400 && refusal.status < 500 && !refusal.hasChallenge;
}

/** What came in place of the stream of HTTP+SSE is another answer, or a stream that names no address. */
function hasNoStream(error: unknown): boolean {
  return isRefusal(error) || isPatchbayError(error, 'timeout') || (httpErrorOf(error)?.status ?? 500) < 400;
}

function httpErrorOf(error: unknown): HttpError | undefined {
  const refusal = error instanceof Error && error.cause instanceof HttpError ? error.cause : error;
  return refusal instanceof HttpError ? refusal : undefined;
}

function withHandshake(plan: LaunchPlan): ConnectionStrategy {
  return { plan, isProbed: false, startsAgain: false };
}

function withProbe(plan: LaunchPlan): ConnectionStrategy {
  return { plan, isProbed: true, startsAgain: false };
}

function isSameStrategy(one: ConnectionStrategy, other: ConnectionStrategy): boolean {
  return one.isProbed === other.isProbed && one.plan.kind === other.plan.kind;
}
