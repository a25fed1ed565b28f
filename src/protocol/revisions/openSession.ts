import { delay, linkAbort } from '../../base/abort.ts';
import { CancelledError, PatchbayError } from '../../base/errors.ts';
import type { Peer } from '../peer.ts';
import { openHandshakeSession } from './handshake/handshakeSession.ts';
import { isStatelessRevision } from './revision.ts';
import type { ProtocolSession, SessionSetup } from './session.ts';
import { type Probe, probeEra } from './stateless/discover.ts';
import { createStatelessSession } from './stateless/statelessSession.ts';

/** Whether a server opens with a handshake or takes every request for itself: a property of the server. */
export type Era = 'handshake' | 'stateless';

export interface OpenedSession {
  readonly era: Era;
  readonly session: ProtocolSession;
}

/** How long a local server gets to answer the probe before the handshake is tried beside it, in milliseconds. */
const probePatienceMs = 3_000;

/**
 * Opens a session in the era that is pinned, or the one a probe finds (2026-07-28, "Versioning").
 * @param isProbed false to go straight to the handshake, where the server is known to want it
 * @throws what is no answer about the era, or what the handshake throws
 */
export async function openSession(peer: Peer, setup: SessionSetup, isProbed: boolean): Promise<OpenedSession> {
  if (isStatelessRevision(setup.revision)) return openPinned(peer, setup);
  if (setup.revision !== undefined || !isProbed) return openHandshake(peer, setup);
  return setup.isHttp ? openProbed(peer, setup, await probeEra(peer, setup)) : openProbedLocal(peer, setup);
}

async function openPinned(peer: Peer, setup: SessionSetup): Promise<OpenedSession> {
  const probe = await probeEra(peer, setup);
  if (probe.era === 'stateless') return openProbed(peer, setup, probe);
  throw new PatchbayError(
    'unsupportedRevision',
    `The server does not speak ${setup.revision}, which is set for it: ${probe.because}. Change or remove the option "revision".`,
  );
}

function openProbed(peer: Peer, setup: SessionSetup, probe: Probe): Promise<OpenedSession> | OpenedSession {
  if (probe.era === 'handshake') {
    setup.logger.debug(() => `The server wants a handshake: ${probe.because}.`);
    return openHandshake(peer, setup);
  }
  setup.negotiated(probe.discovered.revision);
  return { era: 'stateless', session: createStatelessSession(peer, setup, probe.discovered) };
}

async function openHandshake(peer: Peer, setup: SessionSetup): Promise<OpenedSession> {
  return { era: 'handshake', session: await openHandshakeSession(peer, setup) };
}

/**
 * Local servers may never answer what they do not know, and slow ones answer late: after a while the handshake is
 * tried beside the probe, and the first yes counts.
 */
async function openProbedLocal(peer: Peer, setup: SessionSetup): Promise<OpenedSession> {
  const probe = probeEra(peer, setup);
  const decided = linkAbort(setup.signal);
  const patience = (): Promise<void> => delay(setup.clock, probePatienceMs, decided.signal);
  try {
    const early = await Promise.race([probe, patience()]);
    if (early !== undefined) return await openProbed(peer, setup, early);
    setup.logger.debug(() => 'The server has not answered server/discover yet; trying the handshake.');
    const late = stateless(probe);
    const handshake = openHandshake(peer, { ...setup, signal: decided.signal });
    // A slow server refuses the handshake about when it answers the probe.
    const refused = handshake.catch((error: unknown) => patience().then(() => Promise.reject(error as Error)));
    const first = await Promise.race([refused, Promise.any([handshake, late])]);
    return 'session' in first ? first : await openProbed(peer, setup, first);
  } catch (error) {
    throw error instanceof AggregateError ? error.errors[0] : error;
  } finally {
    decided.abort(new CancelledError('The era of the server is known'));
    decided.dispose();
  }
}

/** Rejects unless the probe finds a server without a handshake. */
async function stateless(probe: Promise<Probe>): Promise<Probe> {
  const found = await probe;
  if (found.era === 'stateless') return found;
  throw new PatchbayError('unsupportedRevision', `The server wants a handshake: ${found.because}.`);
}
