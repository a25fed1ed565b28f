import { describe, expect, it } from 'vitest';
import { JsonRpcError } from '../../../../src/protocol/jsonRpc.ts';
import { failureOf, setUp } from './setUp.ts';

describe('requests', () => {
  it('pairs answers with requests in any order', async () => {
    const { server, peer } = setUp();
    const first = peer.request('first');
    const second = peer.request('second');
    server.say({ jsonrpc: '2.0', id: 2, result: { is: 'second' } });
    server.say({ jsonrpc: '2.0', id: 1, result: { is: 'first' } });
    expect(await first).toEqual({ is: 'first' });
    expect(await second).toEqual({ is: 'second' });
  });

  it('never uses an id twice [id-unique]', async () => {
    const { server, peer } = setUp();
    server.on('again', () => ({}));
    for (let count = 0; count < 50; count += 1) await peer.request('again');
    expect(new Set(server.sent.map(({ id }) => id)).size).toBe(50);
  });

  it('rejects with the code, message and data of an error', async () => {
    const { server, peer } = setUp();
    server.fail('bad', { code: -32602, message: 'no such thing', data: { uri: 'x:y' } });
    const error = await failureOf(peer.request('bad'));
    expect(error).toBeInstanceOf(JsonRpcError);
    expect(error).toMatchObject({ code: -32602, message: 'no such thing', data: { uri: 'x:y' } });
  });

  it('takes answers from a batch [batch-lenient]', async () => {
    const { server, peer } = setUp();
    const both = Promise.all([peer.request('a'), peer.request('b')]);
    server.say([
      { jsonrpc: '2.0', id: 1, result: { n: 1 } },
      { jsonrpc: '2.0', id: 2, result: { n: 2 } },
    ]);
    expect(await both).toEqual([{ n: 1 }, { n: 2 }]);
  });

  it('ignores what is not JSON-RPC, and answers to nothing [notification-no-reply]', async () => {
    const { server, peer } = setUp();
    const answer = peer.request('a');
    for (const noise of [null, 7, 'text', [], {}, { id: 99, result: {} }]) server.say(noise);
    server.say({ jsonrpc: '2.0', id: 1, result: {} });
    expect(await answer).toEqual({});
  });

  describe('an error without an id', () => {
    const error = { code: -32600, message: 'No' };

    it.each([{ id: null }, {}])('is for the only request that is open: %j [error-without-id]', async (id) => {
      const { server, peer } = setUp();
      void peer.request('listen', {}, { isOpenEnded: true });
      const failure = failureOf(peer.request('a'));
      server.say({ jsonrpc: '2.0', ...id, error });
      expect(await failure).toMatchObject(error);
    });

    it('is for none where it may be about another [error-without-id]', async () => {
      const { server, peer } = setUp();
      const answers = Promise.all([peer.request('a'), peer.request('b')]);
      server.say({ jsonrpc: '2.0', id: null, error });
      for (const id of [1, 2]) server.say({ jsonrpc: '2.0', id, result: { id } });
      expect(await answers).toEqual([{ id: 1 }, { id: 2 }]);
    });

    it('is for none while it may be about a notification [error-without-id]', async () => {
      const { server, peer } = setUp();
      await peer.notify('notifications/initialized');
      const answer = peer.request('a');
      server.say({ jsonrpc: '2.0', id: null, error });
      server.say({ jsonrpc: '2.0', id: 1, result: {} });
      expect(await answer).toEqual({});
      const failure = failureOf(peer.request('b'));
      server.say({ jsonrpc: '2.0', id: null, error });
      expect(await failure).toMatchObject(error);
    });
  });
});
