import { describe, expect, it } from 'vitest';
import type { Disposable } from '../../../../src/base/disposable.ts';
import { settle } from '../../../fixtures/manualClock.ts';
import { cancelled, failureOf, setUp } from './setUp.ts';

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
