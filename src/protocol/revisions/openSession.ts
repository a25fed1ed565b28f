import { delay, linkAbort, undisturbedDelay } from '../../base/abort.ts';
import { CancelledError, PatchbayError } from '../../base/errors.ts';
import type { Peer } from '../peer.ts';
import { answerEarly, openHandshakeSession } from './handshake/handshakeSession.ts';
import { isStatelessRevision } from './revision.ts';
import type { ProtocolSession, SessionSetup } from './session.ts';
import { type Probe, probeEra } from './stateless/discover.ts';
import { createStatelessSession } from './stateless/statelessSession.ts';

/** Whether a server opens with a handshake or takes every request for itself: a property of the server. */
export type Era = 'handshake' | 'stateless';

/** How to find out the era. */
export interface Opening {
  /** Ask for it first; `false` goes straight to the handshake, where the server is known to want it. */
  readonly isProbed: boolean;
  /** Wait as long as there is time, though neither the probe nor the handshake is answered. */
  readonly isPatient: boolean;
}

export interface OpenedSession {
  readonly era: Era;
  /** `false` where the probe only failed, as at a gateway without a server for a moment: it may bring more next time. */
  readonly isCertain: boolean;
  readonly session: ProtocolSession;
}

/** How long a server gets to answer the probe before the handshake is tried beside it, in milliseconds. */
const probePatienceMs = 3_000;
/** The same on a machine that is too busy for the time to count, at most. */
const busyMs = 30_000;
/**
 * How long a server may leave both without an answer, in milliseconds, and at most in which part of the time for
 * connecting: some read no more after a request before `initialize`. Others are only slow to start, and lose this time.
 */
const silenceMs = 15_000;
const silenceShare = 0.5;

/**
 * Opens a session in the era that is pinned, or the one a probe finds (2026-07-28, "Versioning"). The probe decides only
 * for a server without a handshake: whatever else comes of it, the handshake is tried.
 * @throws {PatchbayError} `timeout` for a server that answered neither, unless `isPatient`; else what the handshake
 * throws, or what keeps the probe from being asked at all: nobody listens, sign-in is needed; or the signal's reason
 */
export async function openSession(peer: Peer, setup: SessionSetup, opening: Opening): Promise<OpenedSession> {
  answerEarly(peer, setup);
  if (isStatelessRevision(setup.revision)) return openPinned(peer, setup);
  if (setup.revision !== undefined || !opening.isProbed) return openHandshake(peer, setup);
  return openProbed(peer, setup, opening.isPatient);
}

async function openPinned(peer: Peer, setup: SessionSetup): Promise<OpenedSession> {
  const probe = await probeEra(peer, setup);
  if (probe.era === 'stateless') return openStateless(peer, setup, probe);
  if (probe.failure !== undefined) throw probe.failure;
  throw new PatchbayError(
    'unsupportedRevision',
    `The server does not speak ${setup.revision}, which is set for it: ${probe.because}. Change or remove the option "revision".`,
  );
}

async function openFound(peer: Peer, setup: SessionSetup, probe: Probe): Promise<OpenedSession> {
  if (probe.era === 'stateless') return openStateless(peer, setup, probe);
  setup.logger.debug(() => `The server wants a handshake: ${probe.because}.`);
  return { ...(await openHandshake(peer, setup)), isCertain: probe.failure === undefined };
}

type StatelessProbe = Extract<Probe, { era: 'stateless' }>;

function openStateless(peer: Peer, setup: SessionSetup, { discovered }: StatelessProbe): OpenedSession {
  setup.negotiated(discovered.revision);
  return { era: 'stateless', isCertain: true, session: createStatelessSession(peer, setup, discovered) };
}

async function openHandshake(peer: Peer, setup: SessionSetup, signal?: AbortSignal): Promise<OpenedSession> {
  return { era: 'handshake', isCertain: true, session: await openHandshakeSession(peer, setup, signal) };
}

/**
 * Servers may never answer what they do not know, and slow ones answer late: after a while the handshake is tried beside
 * the probe, and the first yes counts.
 */
async function openProbed(peer: Peer, setup: SessionSetup, isPatient: boolean): Promise<OpenedSession> {
  const { clock, logger } = setup;
  const decided = linkAbort(setup.signal);
  const { signal } = decided;
  const probe = probeEra(peer, { ...setup, signal });
  const silence = isPatient ? [] : [failWhenSilent(probe, { ...setup, signal })];
  try {
    const patience = undisturbedDelay(clock, probePatienceMs, busyMs, signal);
    const early = await Promise.race([probe, patience, ...silence]);
    if (early !== undefined) return await openFound(peer, setup, early);
    logger.debug(() => 'The server has not answered server/discover yet; trying the handshake.');
    const handshake = openHandshake(peer, setup, signal);
    // A slow server refuses the handshake about when it answers the probe.
    const refused = handshake.catch((error: unknown) =>
      delay(clock, probePatienceMs, signal).then(() => Promise.reject(error as Error)),
    );
    const first = await Promise.race([refused, Promise.any([handshake, onlyStateless(probe)]), ...silence]);
    return 'session' in first ? first : openStateless(peer, setup, first);
  } catch (error) {
    throw error instanceof AggregateError ? error.errors[0] : error;
  } finally {
    decided.abort(new CancelledError('The era of the server is known'));
    decided.dispose();
  }
}

/** Rejects unless the probe finds a server without a handshake. */
async function onlyStateless(probe: Promise<Probe>): Promise<StatelessProbe> {
  const found = await probe;
  if (found.era === 'stateless') return found;
  throw new PatchbayError('unsupportedRevision', `The server wants a handshake: ${found.because}.`);
}

/** Rejects once the server has been silent for too long. One that has answered the probe is alive: this never settles. */
async function failWhenSilent(probe: Promise<Probe>, { clock, connectMs, signal }: SessionSetup): Promise<never> {
  const limitMs = Math.min(silenceMs, connectMs * silenceShare);
  const answered = (): boolean => true;
  const isAlive = await Promise.race([probe.then(answered, answered), delay(clock, limitMs, signal)]);
  if (isAlive === true) return new Promise<never>(() => {});
  const seconds = Math.round(limitMs / 100) / 10;
  throw new PatchbayError('timeout', `The server answered neither server/discover nor initialize within ${seconds} s.`);
}
