import { describe, expect, it } from 'vitest';
import type { Disposable } from '../../../../src/base/disposable.ts';
import { PatchbayError } from '../../../../src/base/errors.ts';
import { JsonRpcError } from '../../../../src/protocol/jsonRpc.ts';
import type { PendingRequest } from '../../../../src/protocol/pendingRequests.ts';
import { RequestTimeouts } from '../../../../src/protocol/requestTimeouts.ts';
import { createManualClock, settle } from '../../../fixtures/manualClock.ts';
import { cancelled, failureOf, setUp } from './setUp.ts';

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
    let handlerSignal: AbortSignal | undefined;
    peer.onRequest('hold', (_params, { signal }) => {
      handlerSignal = signal;
      return new Promise(() => {});
    });
    void server.ask('hold');
    await settle();
    const open = failureOf(peer.request('slow'));
    peer.close(reason);
    expect(await open).toBe(reason);
    expect(await failureOf(peer.request('later'))).toBe(reason);
    expect(handlerSignal?.aborted).toBe(true);
    expect(clock.waiting).toBe(0);
  });

  it('fails a request whose sending fails', async () => {
    const { server, peer } = setUp();
    server.close({ kind: 'requested' });
    expect(await failureOf(peer.request('x'))).toMatchObject({ message: 'closed' });
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

  it('goes on waiting while the server says how far it is, though that does not grow or is a text', async () => {
    const { clock, server, peer } = setUp();
    const seen: number[] = [];
    const answer = peer.request('a', {}, { onProgress: ({ progress }) => seen.push(progress) });
    for (const progress of ['0', 0, '2.5', 2]) {
      await clock.advance(900);
      server.notify('notifications/progress', { progressToken: 1, progress });
      await settle();
    }
    server.say({ jsonrpc: '2.0', id: 1, result: {} });
    expect(await answer).toEqual({});
    expect(seen).toEqual([0, 2.5]);
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

it('gives a request that is paused its whole limit, where the server waited for an answer before', async () => {
  const clock = createManualClock();
  const expired: unknown[] = [];
  const now = clock.now();
  const request = { startedAt: now, lastActivityAt: now, idleMs: 60, pauses: 0, pausedSince: 0 } as PendingRequest;
  const timeouts = new RequestTimeouts(clock, 1_000, new Map([[1, request]]), (id) => expired.push(id));
  timeouts.start(request);
  const suspension = timeouts.suspend();
  await clock.advance(70);
  const pause = timeouts.pause();
  await clock.advance(20);
  suspension.dispose();
  pause.dispose();
  await clock.advance(59);
  expect(expired).toEqual([]);
  await clock.advance(1);
  expect(expired).toEqual([1]);
});
