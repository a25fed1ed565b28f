import { describe, expect, it } from 'vitest';
import type { SamplingResult } from '../../../../src/protocol/mcp/sampling.ts';
import { settle } from '../../../fixtures/manualClock.ts';
import { type ServerSetUp, setUpServer, statelessSetUp, withTools } from '../../../fixtures/scriptedManagedServer.ts';

const pingMs = 60_000;
const noticeMs = 10_000;
const requestMs = 30_000;

/** A running server with the tool `add` that is pinged, and answers pings. */
async function start(setUp: ServerSetUp = {}) {
  const { script = () => {}, options, ...rest } = setUp;
  const started = setUpServer({
    ...withTools,
    ...rest,
    options: { ...options, timeouts: { pingMs, requestMs, ...options?.timeouts } },
    script(scripted, launch) {
      withTools.script(scripted);
      scripted.on('ping', () => ({}));
      script(scripted, launch);
    },
  });
  const seen: boolean[] = [];
  const { server } = started;
  server.onDidChangeResponsiveness(() => seen.push(server.isResponsive));
  await server.start();
  return { ...started, seen };
}

describe('a running server', () => {
  it('is asked from time to time whether it answers [ping-periodic]', async () => {
    const { clock, server, latest, seen } = await start();
    await clock.advance(pingMs - 1);
    expect(latest().sentFor('ping')).toEqual([]);
    await clock.advance(1);
    expect(latest().sentFor('ping')).toHaveLength(1);
    await clock.advance(pingMs);
    expect(latest().sentFor('ping')).toHaveLength(2);
    expect(server.isResponsive).toBe(true);
    expect(seen).toEqual([]);
    await server.stop();
    expect(clock.waiting).toBe(0);
  });

  it.each([[{ pingMs: 5_000 }, 5_000] as const, [{ pingMs: 0 }, undefined] as const])(
    'is asked as often as is set: %j [ping-periodic]',
    async (timeouts, everyMs) => {
      const { clock, latest } = await start({ options: { timeouts } });
      await clock.advance(20_000);
      expect(latest().sentFor('ping')).toHaveLength(everyMs === undefined ? 0 : 20_000 / everyMs);
    },
  );

  it('is not asked while it has calls in flight [ping-periodic]', async () => {
    const { clock, server, latest } = await start({
      options: { timeouts: { requestMs: 10 * pingMs } },
      script: (scripted) => scripted.silence('tools/call'),
    });
    const called = server.callTool('add');
    await settle();
    await clock.advance(5 * pingMs);
    expect(latest().sentFor('ping')).toEqual([]);
    latest().reply('tools/call', { content: [] });
    await called;
    await clock.advance(pingMs);
    expect(latest().sentFor('ping')).toHaveLength(1);
  });

  it('is not asked while it waits for an answer of ours', async () => {
    let answer: (result: SamplingResult) => void = () => {};
    const { clock, latest } = await start({
      answerers: { sampling: () => new Promise((resolve) => (answer = resolve)) },
    });
    const messages = [{ role: 'user', content: { type: 'text', text: 'Hello' } }];
    const asked = latest().ask('sampling/createMessage', { messages, maxTokens: 1 });
    await clock.advance(5 * pingMs);
    expect(latest().sentFor('ping')).toEqual([]);
    answer({ role: 'assistant', content: [{ type: 'text', text: 'Hi' }], model: 'm' });
    await asked;
    await settle();
    await clock.advance(pingMs);
    expect(latest().sentFor('ping')).toHaveLength(1);
  });

  it('that does not answer is shown as such, and as answering once it does', async () => {
    const { clock, server, latest, seen, warnings } = await start();
    latest().silence('ping');
    await clock.advance(pingMs + noticeMs - 1);
    expect(server.isResponsive).toBe(true);
    await clock.advance(1);
    expect(server.isResponsive).toBe(false);
    expect(server.state.kind).toBe('running');
    expect(warnings).toContain('The server does not answer a ping.');
    latest().reply('ping', {});
    await settle();
    expect(seen).toEqual([false, true]);
  });

  it('that has stopped answering is started again [ping-periodic]', async () => {
    const { clock, server, latest, launches } = await start();
    latest().silence('ping', 'tools/list');
    await clock.advance(pingMs + requestMs + requestMs);
    expect(launches[0]?.isDisposed).toBe(true);
    expect(server.state).toMatchObject({ kind: 'waiting', error: { code: 'timeout' } });
    expect(server.isResponsive).toBe(true);
    await clock.advance(1_000);
    expect(server.state.kind).toBe('running');
    expect(launches).toHaveLength(2);
  });

  it('that has stopped answering is left alone, and asked again, where autoRestart is off', async () => {
    const { clock, server, latest, launches, seen } = await start({ options: { autoRestart: false } });
    latest().silence('ping', 'tools/list');
    await clock.advance(10 * pingMs);
    expect(launches).toHaveLength(1);
    expect(server).toMatchObject({ state: { kind: 'running' }, isResponsive: false });
    latest().on('ping', () => ({}));
    await clock.advance(3 * pingMs);
    expect(seen).toEqual([false, true]);
  });

  it('that does not know pings, but answers what it knows, is never started again', async () => {
    const { clock, server, launches, latest } = await start({ script: (scripted) => scripted.silence('ping') });
    await clock.advance(10 * pingMs);
    expect(launches).toHaveLength(1);
    expect(server).toMatchObject({ state: { kind: 'running' }, isResponsive: true });
    // One ping was enough.
    expect(latest().sentFor('ping')).toHaveLength(1);
  });

  it('that refuses pings answers', async () => {
    const refusal = { code: -32601, message: 'Method not found' };
    const { clock, server, seen } = await start({ script: (scripted) => scripted.fail('ping', refusal) });
    await clock.advance(3 * pingMs);
    expect(server.isResponsive).toBe(true);
    expect(seen).toEqual([]);
  });

  it('that is given a call while a ping is open is left to the call', async () => {
    const { clock, server, latest, launches } = await start();
    latest().silence('ping', 'tools/list', 'tools/call');
    await clock.advance(pingMs + noticeMs - 1);
    const called = server.callTool('add');
    called.catch(() => {});
    await settle();
    await clock.advance(requestMs - noticeMs + 1);
    expect(server.isResponsive).toBe(true);
    expect(latest().sentFor('tools/list')).toHaveLength(1);
    expect(launches).toHaveLength(1);
  });

  it('of 2026-07-28 is asked to discover over stdio, and not at all over HTTP [no-removed-methods]', async () => {
    const supportedVersions = ['2026-07-28'];
    const local = await start({ verdict: 'unknown', supportedVersions });
    await local.clock.advance(pingMs);
    expect(local.latest().sentFor('server/discover')).toHaveLength(2);
    expect(local.latest().sentFor('ping')).toEqual([]);
    const remote = await start(statelessSetUp);
    await remote.clock.advance(10 * pingMs);
    expect(remote.latest().sentFor('server/discover')).toHaveLength(1);
  });

  it('is asked without asking a person to sign in', async () => {
    const { clock, latest } = await start();
    await clock.advance(pingMs);
    expect(latest().hintsFor('ping')).toMatchObject([{ isUnattended: true }]);
  });
});
