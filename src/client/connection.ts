import { linkAbort } from '../base/abort.ts';
import type { Clock } from '../base/clock.ts';
import type { AsyncDisposable } from '../base/disposable.ts';
import { PatchbayError } from '../base/errors.ts';
import { Emitter, type Event } from '../base/event.ts';
import type { Logger } from '../base/logger.ts';
import type { Timeouts } from '../config/serverDefinition.ts';
import { createPeer, type Peer } from '../protocol/peer.ts';
import { openHandshakeSession } from '../protocol/revisions/handshake/handshakeSession.ts';
import type { ProtocolSession, SessionSetup } from '../protocol/revisions/session.ts';
import type { CloseReason, Transport } from '../transport/transport.ts';

/** A transport with a session on it, from the handshake to the end. */
export interface Connection extends AsyncDisposable {
  readonly session: ProtocolSession;
  readonly handshakeMs: number;
  /** Why it ended by itself, in a sentence a person can read. */
  readonly endedBy: PatchbayError | undefined;
  /** Fires once with `endedBy`, soon for listeners that come too late; not after `dispose`. */
  readonly onDidEnd: Event<PatchbayError>;
}

export interface ConnectionOptions {
  readonly transport: Transport;
  readonly setup: Omit<SessionSetup, 'signal' | 'connectMs'>;
  readonly timeouts: Timeouts;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/**
 * Starts the transport and shakes hands.
 * @throws {PatchbayError} what went wrong, with nothing left behind; or the signal's reason
 */
export async function openConnection(options: ConnectionOptions): Promise<Connection> {
  const { transport, clock, timeouts, logger } = options;
  const end = createEnd();
  const ended = linkAbort(options.signal);
  const peer = createPeer({ channel: transport, clock, logger, ...timeouts });
  transport.onDidClose((reason) => {
    const error = endError(reason);
    peer.close(error);
    ended.abort(error);
    if (reason.kind !== 'requested') end.declare(error);
  });
  const deadline = clock.after(timeouts.connectMs, () => ended.abort(connectTimeout(timeouts.connectMs)));
  try {
    await transport.start(ended.signal);
    const startedAt = clock.now();
    const session = await openHandshakeSession(peer, {
      ...options.setup,
      connectMs: timeouts.connectMs,
      signal: ended.signal,
    });
    return {
      session,
      handshakeMs: clock.now() - startedAt,
      get endedBy() {
        return end.error;
      },
      onDidEnd: end.event,
      dispose: () => close(peer, transport),
    };
  } catch (error) {
    // The reason of the end says more than what the handshake made of it.
    const reason: unknown = ended.signal.aborted ? ended.signal.reason : error;
    await close(peer, transport);
    throw reason;
  } finally {
    deadline.dispose();
    ended.dispose();
  }
}

async function close(peer: Peer, transport: Transport): Promise<void> {
  peer.dispose();
  await transport.dispose();
}

/** An event that happens once and is not missed by whoever asks later. */
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
