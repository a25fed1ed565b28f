import { expect } from 'vitest';
import { createLogger } from '../../../../src/base/logger.ts';
import { createPeer } from '../../../../src/protocol/peer.ts';
import { createManualClock } from '../../../fixtures/manualClock.ts';
import { createScriptedServer, type ScriptedServer } from '../../../fixtures/scriptedServer.ts';

/** A peer that talks to a scripted server, on a clock that the test moves: 1 s for a request, 5 s at most. */
export function setUp() {
  const clock = createManualClock();
  const server = createScriptedServer({ isBare: true });
  const logged: string[] = [];
  const peer = createPeer({
    channel: server.transport,
    clock,
    logger: createLogger(
      (_level, line) => logged.push(line),
      () => 'debug',
    ),
    requestMs: 1_000,
    maximumMs: 5_000,
  });
  return { clock, server, peer, logged };
}

/** What the server has been sent to cancel requests. */
export function cancelled(server: ScriptedServer): unknown[] {
  return server.sentFor('notifications/cancelled').map(({ params }) => params);
}

/** The rejection of `promise`; a promise that is kept is the test's failure. */
export async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    (value) => expect.unreachable(`resolved with ${JSON.stringify(value)}`),
    (error: unknown) => error,
  );
}
