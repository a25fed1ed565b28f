import { delay, linkAbort } from '../../../base/abort.ts';
import { createBackoff } from '../../../base/backoff.ts';
import { isPatchbayError, PatchbayError } from '../../../base/errors.ts';
import type { Peer } from '../../peer.ts';
import type { SessionSetup } from '../session.ts';
import { initialize, type InitializeResult } from './initialize.ts';

/** For sessions that are lost soon after they open, for instance behind a load balancer without sticky sessions. */
const backoffPolicy = { initialMs: 1_000, factor: 2, maximumMs: 30_000, limit: Infinity, resetAfterMs: 60_000 };

/**
 * Creates a function that repeats the handshake within `connectMs`; with a delay if the last session was short.
 * @param revision the revision of the first session, which a new one must have
 * @returns it rejects with an error of {@link initialize}, `timeout`, or `sessionLost` if the server changed the revision
 */
export function createInitializeAgain(
  peer: Peer,
  setup: SessionSetup,
  revision: string,
): () => Promise<InitializeResult> {
  const { clock, random, connectMs, signal } = setup;
  const backoff = createBackoff(backoffPolicy, random);
  let openedAt = -Infinity;
  return async () => {
    if (clock.now() - openedAt >= backoffPolicy.resetAfterMs) backoff.reset();
    else await delay(clock, backoff.next(0) ?? backoffPolicy.maximumMs, signal);
    const patience = linkAbort(signal);
    const timer = clock.after(connectMs, () => patience.abort(notOpened(connectMs)));
    try {
      const result = await initialize(peer, { ...setup, revision, signal: patience.signal });
      openedAt = clock.now();
      return result;
    } catch (error) {
      const isPinned = setup.revision !== undefined;
      throw isPatchbayError(error, 'unsupportedRevision') && !isPinned ? leftBehind(revision, error) : error;
    } finally {
      timer.dispose();
      patience.dispose();
    }
  };
}

function notOpened(milliseconds: number): PatchbayError {
  const seconds = Math.round(milliseconds / 1_000);
  return new PatchbayError(
    'timeout',
    `The server has forgotten the session, and did not open a new one within ${seconds} s. Try again, or restart it.`,
  );
}

function leftBehind(revision: string, cause: PatchbayError): PatchbayError {
  return new PatchbayError(
    'sessionLost',
    `The server has forgotten the session, and opens no other in protocol revision ${revision}. Restart it in Patchbay to agree on a revision anew.`,
    { cause },
  );
}
