import { type CancelSignal, delay, linkAbort, delayWhileResponsive } from '../../base/abort.ts';
import { CancelledError, PatchbayError } from '../../base/errors.ts';
import type { Peer } from '../peer.ts';
import { handleEarlyMessages, openHandshakeSession } from './handshake/handshakeSession.ts';
import { isStatelessRevision } from '../session/revision.ts';
import type { ProtocolSession, SessionSetup } from '../session/session.ts';
import { type Probe, probeEra } from './stateless/discover.ts';
import { StatelessSession } from './stateless/statelessSession.ts';

/** `handshake`: the server needs `initialize` (2024-11-05 to 2025-11-25); `stateless`: it does not (2026-07-28). */
export type Era = 'handshake' | 'stateless';

export interface OpenOptions {
  /** Send `server/discover` first; `false`: start with the handshake, because the server is known to need it. */
  readonly isProbed: boolean;
}

export interface OpenedSession {
  readonly era: Era;
  /** `false` where the probe failed, for instance at a gateway whose server restarts: the next probe may succeed. */
  readonly isCertain: boolean;
  readonly session: ProtocolSession;
}

/** Milliseconds without an answer to the probe after which the handshake is tried in parallel. */
const probeTimeoutMs = 3_000;
/** The same on a busy machine, where waiting time counts only in part: maximum milliseconds. */
const maximumProbeTimeoutMs = 30_000;

/**
 * Opens a session in the configured era, or in the one that a probe finds (2026-07-28, Basic / Versioning). Only a valid
 * answer to the probe selects `stateless`; in all other cases the handshake is tried.
 * @throws {PatchbayError} an error of the handshake; an error that also prevents a handshake, such as an unreachable server
 * or a missing sign-in; or the signal's reason
 */
export async function openSession(peer: Peer, setup: SessionSetup, opening: OpenOptions): Promise<OpenedSession> {
  handleEarlyMessages(peer, setup);
  if (isStatelessRevision(setup.revision)) {
    const probe = await probeEra(peer, setup);
    if (probe.era === 'stateless') return openStateless(peer, setup, probe);
    if (probe.failure !== undefined) throw probe.failure;
    throw new PatchbayError(
      'unsupportedRevision',
      `The server does not speak ${setup.revision}, which is set for it: ${probe.because}. Change or remove the option "revision".`,
    );
  }
  if (setup.revision !== undefined || !opening.isProbed) return openHandshake(peer, setup);
  return openProbed(peer, setup);
}

async function openFound(peer: Peer, setup: SessionSetup, probe: Probe): Promise<OpenedSession> {
  if (probe.era === 'stateless') return openStateless(peer, setup, probe);
  setup.logger.debug(() => `The server wants a handshake: ${probe.because}.`);
  return { ...(await openHandshake(peer, setup)), isCertain: probe.failure === undefined };
}

type StatelessProbe = Extract<Probe, { era: 'stateless' }>;

function openStateless(peer: Peer, setup: SessionSetup, { discovered }: StatelessProbe): OpenedSession {
  setup.negotiated(discovered.revision);
  return { era: 'stateless', isCertain: true, session: new StatelessSession(peer, setup, discovered) };
}

async function openHandshake(peer: Peer, setup: SessionSetup, signal?: CancelSignal): Promise<OpenedSession> {
  return { era: 'handshake', isCertain: true, session: await openHandshakeSession(peer, setup, signal) };
}

/**
 * Some servers never answer an unknown request, and slow ones answer late. So after a while the handshake is tried in
 * parallel with the probe, and the first success decides.
 */
async function openProbed(peer: Peer, setup: SessionSetup): Promise<OpenedSession> {
  const { clock, logger } = setup;
  const decided = linkAbort(setup.signal);
  const { signal } = decided;
  const probe = probeEra(peer, { ...setup, signal });
  try {
    const probeTimeout = delayWhileResponsive(clock, probeTimeoutMs, maximumProbeTimeoutMs, signal);
    const early = await Promise.race([probe, probeTimeout]);
    if (early !== undefined) return await openFound(peer, setup, early);
    logger.debug(() => 'The server has not answered server/discover yet; trying the handshake.');
    const handshake = openHandshake(peer, setup, signal);
    // A slow server refuses the handshake about when it answers the probe.
    const refused = handshake.catch((error: unknown) =>
      delay(clock, probeTimeoutMs, signal).then(() => Promise.reject(error as Error)),
    );
    const first = await Promise.race([refused, Promise.any([handshake, onlyStateless(probe)])]);
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
