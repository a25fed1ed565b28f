import { describe, expect, it, vi } from 'vitest';
import { PatchbayError } from '../../../../src/base/errors.ts';
import { parseExactly, stringifyExactly } from '../../../../src/base/exactIntegers.ts';
import { Emitter } from '../../../../src/base/event.ts';
import { createNullLogger } from '../../../../src/base/logger.ts';
import { JsonRpcError } from '../../../../src/protocol/jsonRpc.ts';
import type { DroppedAnswer } from '../../../../src/protocol/messageChannel.ts';
import { Peer } from '../../../../src/protocol/peer.ts';
import { createManualClock, settle } from '../../../fixtures/manualClock.ts';
import { failureOf, setUp } from './setUp.ts';

describe('requests of the server', () => {
  it('refuses unknown methods with -32601 and ignores unknown notifications [unknown-request] [notification-no-reply]', async () => {
    const { server } = setUp();
    server.notify('notifications/never/heard/of');
    expect(await server.ask('never/heard/of')).toMatchObject({ error: { code: -32601 } });
    expect(server.sent).toHaveLength(1);
  });

  it('takes an empty list for no parameters, and a notification with an id that is null for one', async () => {
    const { server, peer } = setUp();
    const got: string[] = [];
    peer.onNotification((method) => got.push(method) > 0);
    peer.onRequest('plain', (params) => Promise.resolve({ got: params }));
    server.say({ jsonrpc: '2.0', id: 1, method: 'plain', params: [] });
    server.say({ jsonrpc: '2.0', id: null, method: 'notifications/x', params: [] });
    await settle();
    expect(server.sent).toEqual([{ jsonrpc: '2.0', id: 1, result: { got: {} } }]);
    expect(got).toEqual(['notifications/x']);
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
      { jsonrpc: '2.0', id: 'wrong', method: 'slow', params: [1] },
      { jsonrpc: '2.0', id: 'cancelled', method: 'wait' },
    ];
    const wrong = { code: -32600, message: 'Invalid request: params of slow is not an object' };
    const answers = [
      { jsonrpc: '2.0', id: 'slow', result: { it: 'took a while' } },
      { jsonrpc: '2.0', id: 'unknown', error: { code: -32601, message: 'Method not found: unknown' } },
      { jsonrpc: '2.0', id: 'wrong', error: wrong },
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

it('requests are answered with their id as it was written, however long', async () => {
  const incoming = new Emitter<unknown>();
  const sent: string[] = [];
  const send = async (message: unknown): Promise<void> => void sent.push(stringifyExactly(message));
  const times = { clock: createManualClock(), requestMs: 1, maximumMs: 1 };
  const peer = new Peer({ channel: { onMessage: incoming.event, send }, logger: createNullLogger(), ...times });
  peer.onRequest('plain', () => Promise.resolve({}));
  for (const [id, method] of [
    ['9007199254740993', 'plain'],
    ['725653563933458432', 'other'],
  ])
    for (const text of [`{"jsonrpc":"2.0","id":${id},"method":"${method}"}`, `[{"id":${id},"method":"${method}"}]`])
      incoming.fire(parseExactly(text));
  await settle();
  const ids = sent.map((text) => /"id":(\d+)/.exec(text)?.[1]);
  expect(new Set(ids)).toEqual(new Set(['725653563933458432', '9007199254740993']));
  expect(ids).toHaveLength(4);
  peer.dispose();
});

it('a server that asks but does not read gets no more than a bounded number of answers', async () => {
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

describe('what goes wrong with one message', () => {
  it.each([
    [{ elicitation: { url: {}, form: {} }, roots: {} }, 'elicitation.url, elicitation.form, roots'],
    [{ extensions: { 'io.modelcontextprotocol/tasks': {} } }, 'extensions.io.modelcontextprotocol/tasks'],
    [{ 'a\u202Eb': {}, ['x'.repeat(200)]: true }, `a⟨U+202E⟩b, ${'x'.repeat(100)}`],
    [
      Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`c${index}`, {}])),
      'c0, c1, c2, c3, c4, c5, c6, c7, c8, c9',
    ],
  ])('says which capabilities a server misses: %j [missing-capability]', async (requiredCapabilities, names) => {
    const { server, peer } = setUp();
    server.fail('call', { code: -32021, message: 'Not declared', data: { requiredCapabilities } });
    expect(await failureOf(peer.request('call'))).toMatchObject({
      code: -32021,
      message: `Not declared. Patchbay did not declare what it needs: ${names}`,
      data: { requiredCapabilities },
    });
  });

  it('is logged with what the server sent along, cut where it is long [error-data]', async () => {
    const { server, peer, logged } = setUp();
    const errors: Record<string, object> = {
      plain: { code: 1, message: 'no' },
      more: { code: 2, message: 'no', data: { line: 7 } },
      long: { code: 3, message: 'no', data: ['x'.repeat(1_000_000)] },
    };
    for (const [method, error] of Object.entries(errors)) {
      server.fail(method, error);
      await failureOf(peer.request(method));
    }
    expect(logged.slice(0, 2)).toEqual([
      'plain was answered with an error: no (code 1)',
      'more was answered with an error: no (code 2)\n{"line":7}',
    ]);
    expect(logged[2]?.length).toBeLessThan(11_000);
  });

  it.each([{}, { error: 7 }, { error: null }])(
    'fails a request answered with %j at once [answer-malformed]',
    async (answer) => {
      const { clock, server, peer } = setUp();
      const failure = failureOf(peer.request('a'));
      server.say({ jsonrpc: '2.0', id: 1, ...answer });
      expect(await failure).toMatchObject({ code: 'invalidMessage' });
      await clock.advance(1_000);
      expect(clock.waiting).toBe(0);
    },
  );

  it.each([{ error: 'boom' }, { error: { code: 1, data: 'boom' } }])(
    'tells the words of an error that is not as it should be: %j',
    async (answer) => {
      const { server, peer } = setUp();
      const failure = failureOf(peer.request('a'));
      server.say({ jsonrpc: '2.0', id: 1, ...answer });
      expect(await failure).toMatchObject({ message: 'boom' });
    },
  );

  it('does not take a log line with an error for an answer', async () => {
    const { server, peer } = setUp();
    const answer = peer.request('a');
    server.say({ id: 1, level: 'error', error: 'boom' });
    server.say({ jsonrpc: '2.0', id: 1, result: {} });
    expect(await answer).toEqual({});
  });

  it('does not take a structured log line for an answer', async () => {
    const { server, peer } = setUp();
    const answer = peer.request('a');
    server.say({ id: 1, level: 'info' });
    server.say({ jsonrpc: '2.0', id: 1, result: {} });
    expect(await answer).toEqual({});
  });

  it('takes an answer to "1" for one to 1, but not one to "01"', async () => {
    const { server, peer } = setUp();
    const answer = peer.request('a');
    server.say({ jsonrpc: '2.0', id: '01', result: { wrong: true } });
    server.say({ jsonrpc: '2.0', id: '1', result: {} });
    expect(await answer).toEqual({});
  });

  it('answers a request whose params are not an object', async () => {
    const { server, peer } = setUp();
    peer.onRequest('ping', () => expect.unreachable('handled'));
    const answer = server.ask('other', undefined, 7);
    server.say({ jsonrpc: '2.0', id: 'x', method: 'ping', params: [1] });
    await answer;
    await settle();
    const error = { code: -32600, message: 'Invalid request: params of ping is not an object' };
    expect(server.sent).toContainEqual({ jsonrpc: '2.0', id: 'x', error });
  });

  it('fails a request that JSON cannot carry, leaving nothing behind', async () => {
    const clock = createManualClock();
    const channel = {
      onMessage: () => ({ dispose: () => {} }),
      send: (message: object): Promise<void> => Promise.resolve(void JSON.stringify(message)),
    };
    const peer = new Peer({ channel, clock, logger: createNullLogger(), requestMs: 1_000, maximumMs: 5_000 });
    expect(await failureOf(peer.request('a', { big: 1n }))).toBeInstanceOf(TypeError);
    await clock.advance(1_000);
    expect(clock.waiting).toBe(0);
  });

  it('fails a request whose answer was too large to be read', async () => {
    const dropped = new Emitter<DroppedAnswer>();
    const channel = {
      onMessage: () => ({ dispose: () => {} }),
      onDidDropAnswer: dropped.event,
      send: (): Promise<void> => Promise.resolve(),
    };
    const clock = createManualClock();
    const peer = new Peer({ channel, clock, logger: createNullLogger(), requestMs: 1_000, maximumMs: 5_000 });
    const failure = failureOf(peer.request('a'));
    const error = new PatchbayError('messageTooLarge', 'The server sent too much.');
    dropped.fire({ id: 2, error });
    dropped.fire({ id: 1, error });
    expect(await failure).toBe(error);
  });

  it('bounds the message of an error', async () => {
    const { server, peer } = setUp();
    server.fail('bad', { code: 1, message: 'x'.repeat(1_000_000) });
    const error = (await failureOf(peer.request('bad'))) as Error;
    expect(error.message.length).toBeLessThan(20_000);
  });
});
