import { describe, expect, it } from 'vitest';
import { PatchbayError } from '../../../../src/base/errors.ts';
import type { Peer } from '../../../../src/protocol/peer.ts';
import { settle } from '../../../fixtures/manualClock.ts';
import type { ScriptedServer } from '../../../fixtures/scriptedServer.ts';
import { failureOf, setUp } from './setUp.ts';

describe('the end', () => {
  it('leaves the rest of a batch unread', async () => {
    const { server, peer } = setUp();
    peer.onNotification((method) => {
      expect(method).toBe('last');
      peer.dispose();
      return true;
    });
    peer.onRequest('late', () => expect.unreachable('served'));
    server.say([
      { jsonrpc: '2.0', method: 'last' },
      { jsonrpc: '2.0', id: 1, method: 'late' },
    ]);
    await settle();
    expect(server.sent).toEqual([]);
  });

  it('fails what is open and what comes later with the reason, and stops handlers', async () => {
    const { clock, server, peer } = setUp();
    const reason = new PatchbayError('crashed', 'gone');
    const handlerSignal = await openHandler(server, peer);
    const open = failureOf(peer.request('slow'));
    peer.close(reason);
    expect(await open).toBe(reason);
    expect(await failureOf(peer.request('later'))).toBe(reason);
    expect(handlerSignal.aborted).toBe(true);
    expect(clock.waiting).toBe(0);
  });

  it('fails a request whose sending fails', async () => {
    const { server, peer } = setUp();
    server.close({ kind: 'requested' });
    expect(await failureOf(peer.request('x'))).toMatchObject({ message: 'closed' });
  });
});

async function openHandler(server: ScriptedServer, peer: Peer): Promise<AbortSignal> {
  let seen: AbortSignal | undefined;
  peer.onRequest('hold', (_params, { signal }) => {
    seen = signal;
    return new Promise(() => {});
  });
  void server.ask('hold');
  await settle();
  return seen ?? expect.unreachable('the handler did not run');
}
