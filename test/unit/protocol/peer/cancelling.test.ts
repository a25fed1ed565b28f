import { describe, expect, it } from 'vitest';
import { CancelledError, PatchbayError } from '../../../../src/base/errors.ts';
import { settle } from '../../../fixtures/manualClock.ts';
import { cancelled, failureOf, setUp } from './setUp.ts';

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
    const requests = Array.from({ length: 101 }, () => peer.request('slow', {}, { onLateResult: onLate }));
    server.say({ jsonrpc: '2.0', id: 101, result: { n: 101 } });
    expect(await requests.pop()).toEqual({ n: 101 });
    const failures = [...requests, peer.request('slow', {}, { onLateResult: onLate })].map(failureOf);
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
