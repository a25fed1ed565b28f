import { describe, expect, it, vi } from 'vitest';
import type { Disposable } from '../../../src/base/disposable.ts';
import { CancelledError, PatchbayError } from '../../../src/base/errors.ts';
import { Emitter } from '../../../src/base/event.ts';
import { createLogger, createNullLogger } from '../../../src/base/logger.ts';
import { JsonRpcError } from '../../../src/protocol/jsonRpc.ts';
import type { DroppedAnswer } from '../../../src/protocol/messageChannel.ts';
import { createPeer, type Peer } from '../../../src/protocol/peer.ts';
import { createManualClock, settle } from '../../fixtures/manualClock.ts';
import { createScriptedServer, type ScriptedServer } from '../../fixtures/scriptedServer.ts';

function setUp() {
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

function cancelled(server: ScriptedServer): unknown[] {
  return server.sentFor('notifications/cancelled').map(({ params }) => params);
}

/** The rejection of `promise`; a promise that is kept is the test's failure. */
async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    (value) => expect.unreachable(`resolved with ${JSON.stringify(value)}`),
    (error: unknown) => error,
  );
}

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
    server.on('bad', () => {
      throw { code: -32602, message: 'no such thing', data: { uri: 'x:y' } };
    });
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

describe('what goes wrong with one message', () => {
  it.each([
    [
      { sampling: { tools: {} }, elicitation: { url: {}, form: {} }, roots: {} },
      'sampling.tools, elicitation.url, elicitation.form, roots',
    ],
    [{ extensions: { 'io.modelcontextprotocol/tasks': {} } }, 'extensions.io.modelcontextprotocol/tasks'],
    [{ 'a\u202Eb': {}, ['x'.repeat(200)]: true }, `a⟨U+202E⟩b, ${'x'.repeat(100)}`],
    [
      Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`c${index}`, {}])),
      'c0, c1, c2, c3, c4, c5, c6, c7, c8, c9',
    ],
  ])('says which capabilities a server misses: %j [missing-capability]', async (requiredCapabilities, names) => {
    const { server, peer } = setUp();
    server.on('call', () => {
      throw { code: -32021, message: 'Not declared', data: { requiredCapabilities } };
    });
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
      server.on(method, () => {
        throw error;
      });
      await failureOf(peer.request(method));
    }
    expect(logged.slice(0, 2)).toEqual([
      'plain was answered with an error: no (code 1)',
      'more was answered with an error: no (code 2)\n{"line":7}',
    ]);
    expect(logged[2]?.length).toBeLessThan(11_000);
  });

  it.each([{}, { error: 'boom' }, { error: null }])(
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

  it('does not take a structured log line for an answer', async () => {
    const { server, peer } = setUp();
    const answer = peer.request('a');
    server.say({ id: 1, level: 'info' });
    server.say({ jsonrpc: '2.0', id: 1, result: {} });
    expect(await answer).toEqual({});
  });

  it('does not take an answer to "1" for one to 1', async () => {
    const { server, peer } = setUp();
    const answer = peer.request('a');
    server.say({ jsonrpc: '2.0', id: '1', result: { wrong: true } });
    server.say({ jsonrpc: '2.0', id: 1, result: {} });
    expect(await answer).toEqual({});
  });

  it('answers a request whose params are not an object', async () => {
    const { server, peer } = setUp();
    peer.onRequest('ping', () => expect.unreachable('handled'));
    const answer = server.ask('other', undefined, 7);
    server.say({ jsonrpc: '2.0', id: 'x', method: 'ping', params: [1] });
    await answer;
    await settle();
    expect(server.sent).toContainEqual({
      jsonrpc: '2.0',
      id: 'x',
      error: { code: -32600, message: 'Invalid request: params of ping is not an object' },
    });
  });

  it('fails a request that JSON cannot carry, leaving nothing behind', async () => {
    const clock = createManualClock();
    const channel = {
      onMessage: () => ({ dispose: () => {} }),
      send: (message: object): Promise<void> => Promise.resolve(void JSON.stringify(message)),
    };
    const peer = createPeer({ channel, clock, logger: createNullLogger(), requestMs: 1_000, maximumMs: 5_000 });
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
    const peer = createPeer({ channel, clock, logger: createNullLogger(), requestMs: 1_000, maximumMs: 5_000 });
    const failure = failureOf(peer.request('a'));
    const error = new PatchbayError('messageTooLarge', 'The server sent too much.');
    dropped.fire({ id: 2, error });
    dropped.fire({ id: 1, error });
    expect(await failure).toBe(error);
  });

  it('bounds the message of an error', async () => {
    const { server, peer } = setUp();
    server.on('bad', () => {
      throw { code: 1, message: 'x'.repeat(1_000_000) };
    });
    const error = (await failureOf(peer.request('bad'))) as Error;
    expect(error.message.length).toBeLessThan(20_000);
  });
});

describe('timeouts', () => {
  it('holds the hard maximum where the limit of a request is above it [timeouts]', async () => {
    const { clock, peer } = setUp();
    const failure = failureOf(peer.request('slow', {}, { timeoutMs: 60_000 }));
    await clock.advance(5_000);
    expect(await failure).toMatchObject({ code: 'timeout' });
  });

  it('gives up after the limit, tells the server, and drops the late answer [timeouts] [cancel-late-answer]', async () => {
    const { clock, server, peer } = setUp();
    const failure = failureOf(peer.request('slow'));
    await clock.advance(1_000);
    expect(await failure).toMatchObject({ code: 'timeout' });
    expect(cancelled(server)).toEqual([{ requestId: 1, reason: 'Timed out' }]);
    server.say({ jsonrpc: '2.0', id: 1, result: {} });
    await settle();
    expect(clock.waiting).toBe(0);
  });

  it('take one timer for all requests', async () => {
    const { clock, peer } = setUp();
    const failures = Array.from({ length: 500 }, () => failureOf(peer.request('slow')));
    expect(clock.waiting).toBe(1);
    peer.dispose();
    await Promise.all(failures);
    expect(clock.waiting).toBe(0);
  });

  it('hold for each request by itself', async () => {
    const { clock, peer } = setUp();
    const first = failureOf(peer.request('first'));
    await clock.advance(400);
    const ended: string[] = [];
    const short = failureOf(peer.request('short', {}, { timeoutMs: 200 })).then(() => ended.push('short'));
    const last = failureOf(peer.request('last')).then(() => ended.push('last'));
    await clock.advance(200);
    expect(ended).toEqual(['short']);
    await clock.advance(400);
    expect(await first).toMatchObject({ code: 'timeout', message: expect.stringContaining('first within 1 s') });
    expect(ended).toEqual(['short']);
    await clock.advance(400);
    await Promise.all([short, last]);
    expect(ended).toEqual(['short', 'last']);
  });

  it('starts the limit anew at each progress, up to the hard maximum [timeout-progress]', async () => {
    const { clock, server, peer } = setUp();
    const seen: number[] = [];
    const failure = failureOf(peer.request('long', {}, { onProgress: ({ progress }) => seen.push(progress) }));
    for (let step = 1; step <= 7; step += 1) {
      server.notify('notifications/progress', { progressToken: 1, progress: step });
      await settle();
      await clock.advance(900);
    }
    expect(await failure).toMatchObject({ code: 'timeout', message: expect.stringContaining('5 s') });
    expect(seen).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('stand still while the server waits for an answer of ours, but for the hard maximum', async () => {
    const { clock, server, peer } = setUp();
    let decide = (): void => {};
    peer.onRequest('ask', () => new Promise((resolve) => (decide = () => resolve({}))));
    const answered = peer.request('call');
    const late = failureOf(peer.request('call'));
    const asked = server.ask('ask');
    await settle();
    await clock.advance(1_900);
    decide();
    await asked;
    await clock.advance(900);
    server.say({ jsonrpc: '2.0', id: 1, result: {} });
    await answered;
    await clock.advance(100);
    expect(await late).toMatchObject({ code: 'timeout', message: expect.stringContaining('within 1 s') });

    void server.ask('ask');
    await settle();
    const endless = failureOf(peer.request('call'));
    await clock.advance(5_000);
    expect(await endless).toMatchObject({ code: 'timeout', message: expect.stringContaining('within 5 s') });
    expect(clock.waiting).toBe(0);
  });

  it('stand still for what is open while a person is at it, the hard maximum too [elicit-visit-patience]', async () => {
    const { clock, server, peer } = setUp();
    const visits: Disposable[] = [];
    peer.onRequest('ask', (_params, { waitForPerson }) => {
      visits.push(waitForPerson());
      return Promise.resolve({});
    });
    const ended: string[] = [];
    const end = (name: string) => () => void ended.push(name);
    const call = failureOf(peer.request('call')).finally(end('call'));
    await clock.advance(900);
    await server.ask('ask');
    await server.ask('ask');
    const later = failureOf(peer.request('later')).finally(end('later'));
    await clock.advance(60_000);
    expect(await later).toMatchObject({ code: 'timeout', message: expect.stringContaining('within 1 s') });
    visits[1]?.dispose();
    visits[1]?.dispose();
    await clock.advance(60_000);
    expect(ended).toEqual(['later']);
    visits[0]?.dispose();
    await clock.advance(99);
    expect(ended).toEqual(['later']);
    await clock.advance(1);
    expect(await call).toMatchObject({ code: 'timeout', message: expect.stringContaining('within 1 s') });
    expect(clock.waiting).toBe(0);
  });

  it('reports only progress that grows [progress-grows]', async () => {
    const { server, peer } = setUp();
    const seen: number[] = [];
    const answer = peer.request(
      'long',
      { _meta: { own: true } },
      { onProgress: ({ progress }) => seen.push(progress) },
    );
    expect(server.sent[0]).toMatchObject({ params: { _meta: { own: true, progressToken: 1 } } });
    for (const progress of [1, 1, 0.5, 2]) server.notify('notifications/progress', { progressToken: 1, progress });
    server.notify('notifications/progress', { progressToken: 'unknown', progress: 9 });
    server.say({ jsonrpc: '2.0', id: 1, result: {} });
    await answer;
    expect(seen).toEqual([1, 2]);
  });
});

describe('cancelling', () => {
  it('rejects with the reason, tells the server once, and leaves nothing behind [cancel-sends]', async () => {
    const { clock, server, peer } = setUp();
    const controller = new AbortController();
    const failure = failureOf(peer.request('slow', {}, { signal: controller.signal }));
    const reason = new CancelledError();
    controller.abort(reason);
    controller.abort(reason);
    expect(await failure).toBe(reason);
    await clock.advance(1_000);
    expect(cancelled(server)).toEqual([{ requestId: 1, reason: 'Cancelled by the user' }]);
    expect(clock.waiting).toBe(0);
  });

  it.each([
    ['an error with any code', { error: { code: -32800, message: 'Request cancelled' } }],
    ['a result', { result: {} }],
  ])('takes %s after a cancel in silence [cancel-late-answer]', async (_, answer) => {
    const { server, peer } = setUp();
    const controller = new AbortController();
    const failure = failureOf(peer.request('slow', {}, { signal: controller.signal }));
    controller.abort(new CancelledError());
    server.say({ jsonrpc: '2.0', id: 1, ...answer });
    expect(await failure).toBeInstanceOf(CancelledError);
    await settle();
  });

  it('lets a late result be heard by who wants it, once, and the latest hundred', async () => {
    const { clock, server, peer } = setUp();
    const heard: unknown[] = [];
    const onLate = (result: unknown): void => void heard.push(result);
    const requests = Array.from({ length: 101 }, () => peer.request('slow', {}, { onLate }));
    server.say({ jsonrpc: '2.0', id: 101, result: { n: 101 } });
    expect(await requests.pop()).toEqual({ n: 101 });
    const failures = [...requests, peer.request('slow', {}, { onLate })].map(failureOf);
    await clock.advance(1_000);
    await Promise.all(failures);
    for (const id of [1, 2, 2, 101, 102]) server.say({ jsonrpc: '2.0', id, result: { n: id } });
    await settle();
    expect(heard).toEqual([{ n: 2 }, { n: 102 }]);
  });

  it('of a request of ours by the server ends an open-ended one, and no other', async () => {
    const { server, peer } = setUp();
    peer.refuseRequests();
    const usual = peer.request('usual');
    const ended = failureOf(peer.request('open', {}, { isOpenEnded: true }));
    for (const requestId of [1, 2]) server.notify('notifications/cancelled', { requestId });
    expect(await ended).toMatchObject({ code: 'answerLost' });
    server.say({ jsonrpc: '2.0', id: 1, result: {} });
    expect(await usual).toEqual({});
    expect(cancelled(server)).toEqual([]);
  });

  it('of what the server asks for is possible where it can be only one request', async () => {
    const { server, peer } = setUp();
    const causes: (boolean | (() => void))[] = [];
    peer.onRequest('ask', (_params, { cancelCause }) => {
      causes.push(cancelCause ?? false);
      return Promise.resolve({});
    });
    await server.ask('ask');
    void failureOf(peer.request('open', {}, { isOpenEnded: true }));
    void failureOf(peer.request('must not', {}, { isCancellable: false }));
    const only = failureOf(peer.request('call'));
    await server.ask('ask');
    const second = failureOf(peer.request('call'));
    await server.ask('ask');
    const [none, cancelCause, several] = causes;
    expect([none, several]).toEqual([false, false]);
    if (typeof cancelCause === 'function') for (let times = 0; times < 2; times += 1) cancelCause();
    expect(await only).toBeInstanceOf(CancelledError);
    expect(cancelled(server)).toMatchObject([{ requestId: 3 }]);
    peer.dispose();
    await second;
  });

  it('never cancels a request that must not be [initialize-not-cancelled]', async () => {
    const { clock, server, peer } = setUp();
    const failure = failureOf(peer.request('initialize', {}, { isCancellable: false }));
    await clock.advance(1_000);
    expect(await failure).toMatchObject({ code: 'timeout' });
    expect(cancelled(server)).toEqual([]);
  });

  it('says when it is disposed what nobody waits for any more, and not when the other side is gone [cancel-on-close]', async () => {
    const { server, peer } = setUp();
    const open = [
      failureOf(peer.request('call')),
      failureOf(peer.request('initialize', {}, { isCancellable: false })),
      failureOf(peer.request('subscriptions/listen', {}, { isOpenEnded: true })),
    ];
    peer.dispose();
    for (const failure of open) expect(await failure).toMatchObject({ code: 'connectionClosed' });
    expect(cancelled(server)).toEqual([
      { requestId: 1, reason: 'The client closes the connection' },
      { requestId: 3, reason: 'The client closes the connection' },
    ]);
    const gone = setUp();
    const failure = failureOf(gone.peer.request('call'));
    gone.peer.close(new PatchbayError('crashed', 'gone'));
    gone.peer.dispose();
    await failure;
    expect(cancelled(gone.server)).toEqual([]);
  });

  it.each([
    [{ reason: 'the file was closed' }, 'The server cancelled its request slow: the file was closed'],
    [{ reason: 'x'.repeat(10_000) }, `The server cancelled its request slow: ${'x'.repeat(1_000)}`],
    [{ reason: 7 }, 'The server cancelled its request slow, and gave no reason.'],
    [{}, 'The server cancelled its request slow, and gave no reason.'],
  ])('by the server is logged with its reason: %j [cancel-logged]', async (given, line) => {
    const { server, peer, logged } = setUp();
    peer.onRequest('slow', () => new Promise(() => {}));
    void server.ask('slow', {}, 5);
    await settle();
    server.notify('notifications/cancelled', { requestId: 5, ...given });
    await settle();
    expect(logged).toEqual([line]);
  });

  it('is logged with our reason too, and so is the end of a subscription by the server [cancel-logged]', async () => {
    const { clock, server, peer, logged } = setUp();
    const controller = new AbortController();
    const failures = [
      failureOf(peer.request('call', {}, { signal: controller.signal })),
      failureOf(peer.request('call')),
      failureOf(peer.request('subscriptions/listen', {}, { isOpenEnded: true })),
    ];
    controller.abort(new CancelledError());
    await clock.advance(1_000);
    peer.refuseRequests();
    server.notify('notifications/cancelled', { requestId: 3, reason: 'shutting down' });
    await Promise.all(failures);
    expect(logged).toEqual([
      'Cancelled call (1): Cancelled by the user.',
      'Cancelled call (2): Timed out.',
      'The server ended subscriptions/listen: shutting down',
    ]);
  });

  it('sends nothing for a signal that is already aborted', async () => {
    const { server, peer } = setUp();
    const signal = AbortSignal.abort(new CancelledError());
    expect(await failureOf(peer.request('slow', {}, { signal }))).toBeInstanceOf(CancelledError);
    expect(server.sent).toEqual([]);
  });
});

describe('requests of the server', () => {
  it('answers with the result of the handler', async () => {
    const { server, peer } = setUp();
    peer.onRequest('roots/list', () => Promise.resolve({ roots: [] }));
    expect(await server.ask('roots/list', {}, 0)).toEqual({ jsonrpc: '2.0', id: 0, result: { roots: [] } });
  });

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
    createPeer({ channel, clock: createManualClock(), logger: createNullLogger(), requestMs: 1, maximumMs: 1 });
    for (let id = 0; id < 5_000; id += 1) incoming.fire({ jsonrpc: '2.0', id, method: 'x' });
    await settle();
    expect(sent).toBe(1_000);
  });
});

describe('the end', () => {
  it('leaves the rest of a batch unread', async () => {
    const { server, peer } = setUp();
    peer.onNotification('last', () => peer.dispose());
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
