import { abortWith, type CancelSignal, CancelSource, linkAbort } from '../../base/abort.ts';
import { type Clock, PausableClock } from '../../base/clock.ts';
import type { AsyncDisposable } from '../../base/disposable.ts';
import { isPatchbayError, messageOf, PatchbayError } from '../../base/errors.ts';
import type { LaunchPlan } from '../../base/launchPlan.ts';
import type { Logger } from '../../base/logger.ts';
import { capitalized } from '../../base/truncate.ts';
import type { Timeouts } from '../../config/serverDefinition.ts';
import type { AuthorizationContext } from '../../protocol/httpAuthorizer.ts';
import { JsonRpcError } from '../../protocol/jsonRpc.ts';
import { Peer } from '../../protocol/peer.ts';
import { type OpenedSession, openSession } from '../../protocol/revisions/openSession.ts';
import type { SessionSetup } from '../../protocol/session/session.ts';
import type { CloseReason, Transport } from '../../transport/transport.ts';
import { type TapOptions, tapTransport } from '../trace/tappedChannel.ts';
import {
  type ConnectionStrategy,
  type FailedAttempt,
  initialStrategy,
  isUnanswered,
  nextStrategy,
  type RememberedStrategy,
} from './connectionStrategy.ts';
import { Heartbeat, type HeartbeatOptions } from './heartbeat.ts';
import { maximumStartMs, StartDeadline } from './startDeadline.ts';

export interface ConnectionOptions {
  readonly plan: LaunchPlan;
  /** The strategy that worked before; `undefined` if unknown. */
  readonly remembered: RememberedStrategy | undefined;
  readonly createTransport: (plan: LaunchPlan) => Promise<Transport>;
  readonly setup: Omit<
    SessionSetup,
    'signal' | 'connectMs' | 'maximumMs' | 'isHttp' | 'negotiated' | 'clock' | 'logger'
  >;
  readonly timeouts: Timeouts;
  /** `isBusy`: the server is in use, even if no request is open right now. Absent: no heartbeat. */
  readonly liveness?: Pick<HeartbeatOptions, 'isBusy' | 'isRestartWanted'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** What follows the messages; `undefined` if nothing does. */
  readonly tap: Omit<TapOptions, 'plan'> | undefined;
  readonly signal: CancelSignal;
}

/**
 * Opens a session with the server: tries strategies one after the other, each with its own transport, until one works.
 * @throws {PatchbayError} the most relevant error, see {@link mostRelevantError}, after everything was released; or the signal's
 * reason
 */
export async function openConnection(options: ConnectionOptions): Promise<Connection> {
  const { plan, logger } = options;
  const { connectMs } = options.timeouts;
  const clock = new PausableClock(options.clock);
  const starting = linkAbort(options.signal);
  const failed: FailedAttempt[] = [];
  let strategy: ConnectionStrategy | undefined = initialStrategy(plan, options.remembered);
  let attempt = linkAbort(starting.signal);
  const deadline = new StartDeadline(clock, connectMs, plan, (reason) => {
    // Some servers stop reading after a request before `initialize`: they are started again.
    (strategy?.startsAgain === true && !deadline.hasAnswered ? attempt : starting).abort(reason);
  });
  deadline.start();
  try {
    while (strategy !== undefined) {
      attempt.dispose();
      attempt = linkAbort(starting.signal);
      const opened = await tryStrategy(strategy, { ...options, signal: attempt.signal }, clock, deadline);
      if ('session' in opened) return opened;
      starting.signal.throwIfAborted();
      failed.push(opened);
      strategy = nextStrategy(plan, failed);
      const next = strategy;
      if (next !== undefined) logger.info(`${messageOf(opened.error)} Trying ${describeStrategy(next)}.`);
      if (isUnanswered(opened)) deadline.start();
    }
    throw mostRelevantError(failed);
  } finally {
    deadline.dispose();
    attempt.dispose();
    starting.dispose();
  }
}

/**
 * The error to show: that of the transport that the server has shown to support, otherwise the first one, because it is
 * about the configured transport and the others were fallbacks.
 */
function mostRelevantError(failed: readonly FailedAttempt[]): unknown {
  const shown = failed.find(({ isRecognized }) => isRecognized) ?? failed.find((other) => !isUnanswered(other));
  return (shown ?? failed[0])?.error;
}

/** Milliseconds for HTTP+SSE to open where Streamable HTTP was configured and refused. */
const fallbackTimeoutMs = 10_000;

async function tryStrategy(
  strategy: ConnectionStrategy,
  options: ConnectionOptions,
  clock: PausableClock,
  deadline: StartDeadline,
): Promise<Connection | FailedAttempt> {
  const { timeouts, logger, tap } = options;
  const { plan } = strategy;
  const transport = await options.createTransport(plan);
  deadline.follow(transport, strategy.startsAgain);
  const end = new CancelSource();
  const ended = new CancelSource();
  const link = abortWith(ended, options.signal);
  const channel = tap === undefined ? transport : tapTransport(transport, { ...tap, plan });
  const { requestMs, maximumMs } = timeouts;
  const peer = new Peer({ channel, clock, logger, requestMs, maximumMs });
  const release = (reason?: Error): Promise<void> => {
    peer.dispose(reason);
    return transport.dispose();
  };
  // Timeouts pause during sign-in.
  transport.onDidPauseTimeouts?.((isWaiting) => (isWaiting ? clock.pause() : clock.resume()));
  transport.onDidClose((reason) => {
    const error = endError(reason);
    peer.close(error);
    ended.abort(error);
    if (reason.kind !== 'requested') end.abort(error);
  });
  const isFallback = plan.kind === 'sse' && options.plan.kind !== 'sse';
  const giveUp = (): void => (transport.isRecognized === true ? undefined : ended.abort(noFallback()));
  const fallbackTimer = isFallback ? clock.after(fallbackTimeoutMs, giveUp) : undefined;
  try {
    await transport.start(ended);
    fallbackTimer?.dispose();
    const startedAt = clock.now();
    const opened = await openSession(peer, setupFor(transport, strategy, options, clock, ended), strategy);
    const { session } = opened;
    // A session may be lost while no request is open; the server's notifications are missed until it is renewed.
    transport.onDidLoseSession?.(() => {
      session.renew?.().catch((error: unknown) => logger.warn(`No new session could be opened: ${messageOf(error)}`));
    });
    const handshakeMs = clock.now() - startedAt;
    const heartbeat = startHeartbeat(options, strategy, opened, peer, clock, (error) => end.abort(error));
    const dispose = (reason?: Error): Promise<void> => {
      heartbeat?.dispose();
      return release(reason);
    };
    const { authorizationContext } = transport;
    return { ...opened, strategy, handshakeMs, heartbeat, authorizationContext, ended: end, dispose };
  } catch (error) {
    const failed = { strategy, error: failureReason(error, ended), isRecognized: transport.isRecognized === true };
    await release();
    return failed;
  } finally {
    fallbackTimer?.dispose();
    link.dispose();
  }
}

function setupFor(
  transport: Transport,
  { plan }: ConnectionStrategy,
  { setup, timeouts, logger }: ConnectionOptions,
  clock: Clock,
  signal: CancelSignal,
): SessionSetup {
  const { onDidChangeAuthorization, authorizationContext } = transport;
  const { maximumMs } = timeouts;
  // A local server may install for longer: its start has a deadline of its own.
  const connectMs = plan.kind === 'stdio' ? Math.max(timeouts.connectMs, maximumStartMs) : timeouts.connectMs;
  const negotiated = (revision: string): void => transport.negotiated?.(revision);
  const known = { isHttp: plan.kind !== 'stdio', negotiated, onDidChangeAuthorization, authorizationContext };
  return { ...setup, ...known, clock, logger, connectMs, maximumMs, signal };
}

/** The reason why the connection ended says more than the handshake's error, except for an error that the server sent. */
function failureReason(error: unknown, ended: CancelSignal): unknown {
  const isRefusal = isPatchbayError(error) && error.cause instanceof JsonRpcError;
  return ended.aborted && !isRefusal ? ended.reason : error;
}

/** Over HTTP without sessions, no state exists between requests that could hang: no heartbeat. */
function startHeartbeat(
  { timeouts, liveness, logger }: ConnectionOptions,
  { plan }: ConnectionStrategy,
  { session, era }: OpenedSession,
  peer: Peer,
  clock: Clock,
  onUnresponsive: (error: PatchbayError) => void,
): Heartbeat | undefined {
  const { pingMs: everyMs, requestMs } = timeouts;
  const mayHang = era === 'handshake' || plan.kind === 'stdio';
  if (liveness === undefined || everyMs === 0 || !mayHang) return undefined;
  const isBusy = (): boolean => peer.isBusy || liveness.isBusy();
  const { isRestartWanted } = liveness;
  return new Heartbeat({ session, clock, logger, everyMs, requestMs, isBusy, isRestartWanted, onUnresponsive });
}

function describeStrategy({ plan, isProbed }: ConnectionStrategy): string {
  if (plan.kind === 'sse') return 'HTTP+SSE';
  return isProbed ? 'to find out its revision' : 'a handshake at once';
}

/** A transport with an open session, from the handshake until it ends or is disposed. */
export interface Connection extends OpenedSession, AsyncDisposable {
  readonly strategy: ConnectionStrategy;
  readonly handshakeMs: number;
  readonly heartbeat: Heartbeat | undefined;
  /** The account that requests are sent for; `undefined` if the server needs no sign-in. */
  readonly authorizationContext: AuthorizationContext | undefined;
  /** Aborts when the connection ends by itself, with a PatchbayError for people as its reason; not by `dispose`. */
  readonly ended: CancelSignal;
  /** @param reason what open requests reject with */
  dispose(reason?: Error): Promise<void>;
}

function noFallback(): PatchbayError {
  const problem = `The server did not open HTTP+SSE within ${fallbackTimeoutMs / 1_000} s.`;
  return new PatchbayError('timeout', `${problem} Check the address: the one for HTTP+SSE often ends with /sse.`);
}

function endError(reason: CloseReason): PatchbayError {
  switch (reason.kind) {
    case 'requested':
      return new PatchbayError('connectionClosed', 'The server was stopped.');
    case 'failed':
      return reason.error;
    case 'exited': {
      const how = reason.signal === null ? `exit code ${reason.code}` : `ended by ${reason.signal}`;
      const output = reason.lastOutput.trim();
      const said = output === '' ? '' : ` It said:${output.includes('\n') ? '\n' : ' '}${output}`;
      const detail = output === '' ? capitalized(how) : output;
      return new PatchbayError('crashed', `The server stopped unexpectedly (${how}).${said}`, { detail });
    }
  }
}
