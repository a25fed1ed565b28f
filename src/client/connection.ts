import { linkAbort } from '../base/abort.ts';
import type { Clock } from '../base/clock.ts';
import type { AsyncDisposable, Disposable } from '../base/disposable.ts';
import { isPatchbayError, messageOf, PatchbayError } from '../base/errors.ts';
import { Emitter, type Event } from '../base/event.ts';
import type { LaunchPlan } from '../base/launchPlan.ts';
import { createPausableClock, type PausableClock } from '../base/pausableClock.ts';
import type { Logger } from '../base/logger.ts';
import type { Timeouts } from '../config/serverDefinition.ts';
import type { AuthorizationContext } from '../protocol/httpAuthorizer.ts';
import { JsonRpcError } from '../protocol/jsonRpc.ts';
import { createPeer, type Peer } from '../protocol/peer.ts';
import { type Era, openSession } from '../protocol/revisions/openSession.ts';
import type { ProtocolSession, SessionSetup } from '../protocol/revisions/session.ts';
import type { CloseReason, Transport } from '../transport/transport.ts';
import { type Approach, type FailedApproach, firstApproach, isSilence, nextApproach } from './approach.ts';
import type { EraVerdict } from './eraMemory.ts';
import { createHeartbeat, type Heartbeat, type HeartbeatOptions } from './heartbeat.ts';
import { type TraceSink, traceTransport } from './trace/wireTrace.ts';

/** A transport with an open session, from the handshake until it ends or is disposed. */
export interface Connection extends AsyncDisposable {
  readonly session: ProtocolSession;
  readonly approach: Approach;
  readonly era: Era;
  /** See {@link OpenedSession.isCertain}. */
  readonly isEraCertain: boolean;
  /** The account that requests are sent for; `undefined` if the server needs no sign-in. */
  readonly authorizationContext: AuthorizationContext | undefined;
  /** Duration of the handshake in milliseconds. */
  readonly handshakeMs: number;
  /** `undefined` if the server is not pinged. */
  readonly heartbeat: Heartbeat | undefined;
  /** Why it ended by itself, as a sentence for people. */
  readonly endedBy: PatchbayError | undefined;
  /** Fires once with `endedBy`; a listener that is added later is called in a microtask. Does not fire after `dispose`. */
  readonly onDidEnd: Event<PatchbayError>;
}

/** What {@link openConnection} needs. */
export interface ConnectionOptions {
  readonly plan: LaunchPlan;
  /** The strategy that worked before; `undefined` if unknown. */
  readonly remembered: EraVerdict | undefined;
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
  /** Returns the sink that shows messages, if any. Absent if messages are never traced. */
  readonly trace: (() => TraceSink | undefined) | undefined;
  readonly signal: AbortSignal;
}

/**
 * Opens a session with the server: tries strategies one after the other, each with its own transport, until one works.
 * @throws {PatchbayError} the most relevant error, see {@link errorOf}, after everything was released; or the signal's
 * reason
 */
export async function openConnection(options: ConnectionOptions): Promise<Connection> {
  const { plan, logger } = options;
  const { connectMs } = options.timeouts;
  const clock = createPausableClock(options.clock);
  const patience = linkAbort(options.signal);
  const startDeadline = (): Disposable => clock.after(connectMs, () => patience.abort(connectTimeout(connectMs)));
  let deadline = startDeadline();
  const failed: FailedApproach[] = [];
  let approach: Approach | undefined = firstApproach(plan, options.remembered);
  try {
    while (approach !== undefined) {
      const opened = await openApproach(approach, { ...options, signal: patience.signal }, clock);
      if ('session' in opened) return opened;
      patience.signal.throwIfAborted();
      failed.push(opened);
      approach = nextApproach(plan, failed);
      const next = approach;
      if (next !== undefined) logger.info(`${messageOf(opened.error)} Trying ${describe(next)}.`);
      if (isSilence(opened)) {
        deadline.dispose();
        deadline = startDeadline();
      }
    }
    throw errorOf(failed);
  } finally {
    deadline.dispose();
    patience.dispose();
  }
}

/**
 * The error to show: that of the transport that the server has shown to support, otherwise the first one, because it is
 * about the configured transport and the others were fallbacks.
 */
function errorOf(failed: readonly FailedApproach[]): unknown {
  const shown = failed.find(({ isRecognized }) => isRecognized) ?? failed.find((other) => !isSilence(other));
  return (shown ?? failed[0])?.error;
}

/** When HTTP+SSE is a fallback: milliseconds until the server must have sent its `endpoint` event. */
const guessMs = 10_000;

async function openApproach(
  approach: Approach,
  options: ConnectionOptions,
  clock: PausableClock,
): Promise<Connection | FailedApproach> {
  const { timeouts, logger, trace } = options;
  const { plan } = approach;
  const transport = await options.createTransport(plan);
  const end = createEnd();
  const ended = linkAbort(options.signal);
  // Not the pausable clock: a trace shows the time of day, also after a long sign-in.
  const seen = trace && { sink: trace, plan, clock: options.clock };
  const channel = seen === undefined ? transport : traceTransport(transport, seen);
  const peer = createPeer({ channel, clock, logger, ...timeouts });
  // Timeouts pause during sign-in.
  transport.onDidWait?.((isWaiting) => (isWaiting ? clock.pause() : clock.resume()));
  transport.onDidClose((reason) => {
    const error = endError(reason);
    peer.close(error);
    ended.abort(error);
    if (reason.kind !== 'requested') end.declare(error);
  });
  const guess = isGuessed(approach, options) ? clock.after(guessMs, () => ended.abort(noOlderTransport())) : undefined;
  try {
    await transport.start(ended.signal);
    guess?.dispose();
    const startedAt = clock.now();
    const setup = { ...setupFor(plan, transport, options), clock, signal: ended.signal };
    const { session, era, isCertain } = await openSession(peer, setup, approach);
    renewWhenLost(transport, session, logger);
    const onHung = (error: PatchbayError): void => end.declare(error);
    const heartbeat = startHeartbeat({ ...options, peer, session, era, plan, clock, onHung });
    return {
      session,
      era,
      isEraCertain: isCertain,
      approach,
      authorizationContext: transport.authorizationContext,
      heartbeat,
      handshakeMs: clock.now() - startedAt,
      get endedBy() {
        return end.error;
      },
      onDidEnd: end.event,
      dispose() {
        heartbeat?.dispose();
        return close(peer, transport);
      },
    };
  } catch (error) {
    const failed = { approach, error: reasonOf(error, ended.signal), isRecognized: transport.isRecognized === true };
    await close(peer, transport);
    return failed;
  } finally {
    guess?.dispose();
    ended.dispose();
  }
}

function isGuessed({ plan }: Approach, options: Pick<ConnectionOptions, 'plan'>): boolean {
  return plan.kind === 'sse' && options.plan.kind !== 'sse';
}

/** The reason why the connection ended says more than the handshake's error, except for an error that the server sent. */
function reasonOf(error: unknown, ended: AbortSignal): unknown {
  const isRefusal = isPatchbayError(error) && error.cause instanceof JsonRpcError;
  return ended.aborted && !isRefusal ? ended.reason : error;
}

function setupFor(
  plan: LaunchPlan,
  transport: Transport,
  { setup, timeouts, logger }: ConnectionOptions,
): Omit<SessionSetup, 'clock' | 'signal'> {
  return {
    ...setup,
    isHttp: plan.kind !== 'stdio',
    negotiated: (revision) => transport.negotiated?.(revision),
    onDidChangeAuthorization: transport.onDidChangeAuthorization,
    authorizationContext: transport.authorizationContext,
    logger,
    connectMs: timeouts.connectMs,
    maximumMs: timeouts.maximumMs,
  };
}

interface Listened extends Pick<ConnectionOptions, 'plan' | 'timeouts' | 'liveness' | 'clock' | 'logger'> {
  readonly peer: Peer;
  readonly session: ProtocolSession;
  readonly era: Era;
  readonly onHung: (error: PatchbayError) => void;
}

/** Over HTTP without sessions, no state exists between requests that could hang: no heartbeat. */
function startHeartbeat({ plan, timeouts, liveness, peer, era, ...rest }: Listened): Heartbeat | undefined {
  const { pingMs: everyMs, requestMs } = timeouts;
  const mayHang = era === 'handshake' || plan.kind === 'stdio';
  if (liveness === undefined || everyMs === 0 || !mayHang) return undefined;
  const isBusy = (): boolean => peer.isBusy || liveness.isBusy();
  return createHeartbeat({ ...rest, ...liveness, everyMs, requestMs, isBusy });
}

/** A session may be lost while no request is open; the server's notifications are missed until it is renewed. */
function renewWhenLost(transport: Transport, session: ProtocolSession, logger: Logger): void {
  transport.onDidLoseSession?.(() => {
    session.renew?.().catch((error: unknown) => logger.warn(`No new session could be opened: ${messageOf(error)}`));
  });
}

function describe({ plan, isProbed }: Approach): string {
  if (plan.kind === 'sse') return 'HTTP+SSE';
  return isProbed ? 'to find out its revision' : 'a handshake at once';
}

function noOlderTransport(): PatchbayError {
  const seconds = guessMs / 1_000;
  return new PatchbayError(
    'timeout',
    `The server did not name an address for messages of HTTP+SSE within ${seconds} s.`,
  );
}

async function close(peer: Peer, transport: Transport): Promise<void> {
  peer.dispose();
  await transport.dispose();
}

/** An event that fires once; listeners that are added later get it too. */
function createEnd() {
  const emitter = new Emitter<PatchbayError>();
  let error: PatchbayError | undefined;
  const event: Event<PatchbayError> = (listener) => {
    const happened = error;
    if (happened !== undefined) queueMicrotask(() => listener(happened));
    return emitter.event(listener);
  };
  return {
    event,
    get error() {
      return error;
    },
    declare(reason: PatchbayError): void {
      error ??= reason;
      emitter.fire(error);
    },
  };
}

function connectTimeout(milliseconds: number): PatchbayError {
  const seconds = Math.round(milliseconds / 1000);
  return new PatchbayError(
    'timeout',
    `The server did not finish its handshake within ${seconds} s. See its log; a slow start needs a higher "timeouts.connectMs".`,
  );
}

function endError(reason: CloseReason): PatchbayError {
  switch (reason.kind) {
    case 'requested':
      return new PatchbayError('connectionClosed', 'The server was stopped.');
    case 'failed':
      return reason.error;
    case 'exited': {
      const how = reason.signal === null ? `exited with code ${reason.code}` : `was ended by ${reason.signal}`;
      const output = reason.lastOutput.trim();
      return new PatchbayError('crashed', `The server process ${how}.${output === '' ? '' : ` It said: ${output}`}`);
    }
  }
}
