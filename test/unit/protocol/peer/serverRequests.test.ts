import { describe, expect, it, vi } from 'vitest';
import { Emitter } from '../../../../src/base/event.ts';
import { createNullLogger } from '../../../../src/base/logger.ts';
import { JsonRpcError } from '../../../../src/protocol/jsonRpc.ts';
import { Peer } from '../../../../src/protocol/peer.ts';
import { createManualClock, settle } from '../../../fixtures/manualClock.ts';
import { setUp } from './setUp.ts';

describe('requests of the server', () => {
  it('refuses unknown methods with -32601 and ignores unknown notifications [unknown-request] [notification-no-reply]', async () => {
    const { server } = setUp();
    server.notify('notifications/never/heard/of');
    expect(await server.ask('never/heard/of')).toMatchObject({ error: { code: -32601 } });
    expect(server.sent).toHaveLength(1);
  });

  it('sends the code of a JsonRpcError, and of any other error nothing but -32603', async () => {
    const { server, peer } = setUp();
    peer.onRequest('no', () => Promise.reject(new JsonRpcError(-1, 'User rejected')));
    peer.onRequest('broken', () => Promise.reject(new Error('secret at line 7')));
    expect(await server.ask('no')).toMatchObject({ error: { code: -1, message: 'User rejected' } });
    expect((await server.ask('broken'))['error']).toEqual({ code: -32603, message: 'Internal error' });
  });

  it.each([
    ['notifications/cancelled', { requestId: 0 }],
    ['$/cancelRequest', { id: 0 }],
  ])('stops a handler on %s and answers nothing [cancel-no-reply]', async (method, params) => {
    const { server, peer } = setUp();
    const stopped = vi.fn();
    peer.onRequest('slow', (_params, { signal }) => {
      return new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          stopped();
          resolve({});
        });
      });
    });
    void server.ask('slow', {}, 0);
    await settle();
    server.notify(method, params);
    await settle();
    expect(stopped).toHaveBeenCalledOnce();
    expect(server.sent).toEqual([]);
  });

  describe('in a batch', () => {
    const batch = [
      { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'x' } },
      { jsonrpc: '2.0', id: 'slow', method: 'slow' },
      { jsonrpc: '2.0', id: 'unknown', method: 'unknown' },
      { jsonrpc: '2.0', id: 'wrong', method: 'slow', params: [] },
      { jsonrpc: '2.0', id: 'cancelled', method: 'wait' },
    ];
    const answers = [
      { jsonrpc: '2.0', id: 'slow', result: { it: 'took a while' } },
      { jsonrpc: '2.0', id: 'unknown', error: { code: -32601, message: 'Method not found: unknown' } },
      {
        jsonrpc: '2.0',
        id: 'wrong',
        error: { code: -32600, message: 'Invalid request: params of slow is not an object' },
      },
    ];

    async function answerBatch({ server, peer }: ReturnType<typeof setUp>): Promise<void> {
      let finish = (): void => {};
      peer.onRequest('slow', () => new Promise((resolve) => (finish = () => resolve({ it: 'took a while' }))));
      peer.onRequest('wait', () => new Promise(() => {}));
      server.say(batch);
      await settle();
      finish();
      await settle();
      server.notify('notifications/cancelled', { requestId: 'cancelled' });
      await settle();
    }

    it('are answered as one when all are, without those that were cancelled [batch-answered]', async () => {
      const context = setUp();
      context.peer.answerBatches();
      await answerBatch(context);
      expect(context.server.sent).toEqual([answers]);
    });

    it('are answered one by one where the revision has no batches [batch-lenient]', async () => {
      const context = setUp();
      await answerBatch(context);
      const [slow, ...rest] = answers;
      expect(context.server.sent).toEqual([...rest, slow]);
    });

    it('get nothing when none is left to be answered', async () => {
      const { server, peer } = setUp();
      peer.answerBatches();
      peer.onRequest('wait', () => new Promise(() => {}));
      server.say([{ jsonrpc: '2.0', id: 1, method: 'wait' }]);
      await settle();
      server.notify('notifications/cancelled', { requestId: 1 });
      await settle();
      expect(server.sent).toEqual([]);
    });
  });

  it('refuses a flood beyond a bound, and goes on afterwards', async () => {
    const { server, peer } = setUp();
    let release = (): void => {};
    const gate = new Promise<object>((resolve) => (release = () => resolve({})));
    peer.onRequest('wait', () => gate);
    const answers = Array.from({ length: 150 }, (_, id) => server.ask('wait', {}, id));
    await settle();
    expect(server.sent.filter((message) => 'error' in message)).toHaveLength(50);
    release();
    expect((await Promise.all(answers)).filter((answer) => 'result' in answer)).toHaveLength(100);
    peer.onRequest('wait', () => Promise.resolve({}));
    expect(await server.ask('wait', {}, 'again')).toHaveProperty('result');
  });
});

describe('a server that asks but does not read', () => {
  it('gets no more than a bounded number of answers', async () => {
    const incoming = new Emitter<unknown>();
    let sent = 0;
    const channel = {
      onMessage: incoming.event,
      send: (): Promise<void> => {
        sent += 1;
        return new Promise(() => {});
      },
    };
    const times = { clock: createManualClock(), requestMs: 1, maximumMs: 1 };
    const peer = new Peer({ channel, logger: createNullLogger(), ...times });
    for (let id = 0; id < 5_000; id += 1) incoming.fire({ jsonrpc: '2.0', id, method: 'x' });
    await settle();
    expect(sent).toBe(1_000);
    peer.dispose();
  });
});
