import { expect } from 'vitest';
import { createLogger } from '../../../../src/base/logger.ts';
import { Peer } from '../../../../src/protocol/peer.ts';
import { createManualClock } from '../../../fixtures/manualClock.ts';
import { createScriptedServer, type ScriptedServer } from '../../../fixtures/scriptedServer.ts';

/** A peer connected to a scripted server, with a manual clock. Requests time out after 1 s, with progress after 5 s. */
export function setUp() {
  const clock = createManualClock();
  const server = createScriptedServer({ isBare: true });
  const logged: string[] = [];
  const peer = new Peer({
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

/** The parameters of every `notifications/cancelled` that the server has received. */
export function cancelled(server: ScriptedServer): unknown[] {
  return server.sentFor('notifications/cancelled').map(({ params }) => params);
}

/** The rejection of `promise`; the test fails when the promise is fulfilled. */
export async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    (value) => expect.unreachable(`resolved with ${JSON.stringify(value)}`),
    (error: unknown) => error,
  );
}
