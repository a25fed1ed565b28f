import { describe, expect, it } from 'vitest';
import { PatchbayError } from '../../../../src/base/errors.ts';
import { Emitter } from '../../../../src/base/event.ts';
import type { LaunchPlan } from '../../../../src/base/launchPlan.ts';
import { tapTransport } from '../../../../src/client/trace/tappedChannel.ts';
import { TextTap } from '../../../../src/client/trace/textTap.ts';
import type { CloseReason, TransportLog } from '../../../../src/transport/transport.ts';
import { countWork } from '../../../fixtures/countWork.ts';
import { createManualClock } from '../../../fixtures/manualClock.ts';

const jsonrpc = '2.0';
const stdio: LaunchPlan = { kind: 'stdio', command: 'x', args: [], cwd: undefined, env: { TOKEN: 'opensesame' } };

function setUp({ plan = stdio, failure }: { plan?: LaunchPlan; failure?: Error } = {}) {
  const clock = createManualClock();
  const onMessage = new Emitter<unknown>();
  const onLog = new Emitter<TransportLog>();
  const onDidClose = new Emitter<CloseReason>();
  const entries: string[] = [];
  const state = { secrets: [] as readonly string[] };
  const channel = tapTransport(
    {
      onMessage: onMessage.event,
      onLog: onLog.event,
      onDidClose: onDidClose.event,
      start: () => Promise.resolve(),
      send: () => (failure === undefined ? Promise.resolve() : Promise.reject(failure)),
      dispose: () => Promise.resolve(),
      secrets: () => state.secrets,
    },
    { label: 'it', plan, open: (connection) => new TextTap(connection, (entry) => entries.push(entry), clock) },
  );
  /** The trace since the last call, without timestamps. */
  const shown = (): string[] => entries.splice(0).map((entry) => entry.replace(/^\d\d:\d\d:\d\d\.\d{3} /, ''));
  return { clock, channel, state, entries, shown, receive: onMessage, log: onLog, close: onDidClose };
}

describe('a traced connection', () => {
  it('shows a request and its answer, with the time between them and their sizes', async () => {
    const { clock, channel, receive, entries, shown } = setUp();
    expect(shown()).toEqual(['• connecting over stdio']);
    const request = { jsonrpc, id: 7, method: 'tools/call', params: { name: 'añadir' } } as const;
    await channel.send(request);
    await clock.advance(17);
    receive.fire({ jsonrpc, id: 7, result: {} });
    expect(entries[0]).toMatch(/^\d\d:\d\d:\d\d\.\d{3} → /);
    expect(shown()).toEqual([
      `→ request tools/call (7), 74 bytes\n${JSON.stringify(request)}`,
      '← result (7) of tools/call after 17 ms, 36 bytes\n{"jsonrpc":"2.0","id":7,"result":{}}',
    ]);
  });

  it('writes no more of a huge message than is shown', () => {
    const { receive, shown } = setUp();
    shown();
    const result = { content: Array.from({ length: 50_000 }, () => ({ type: 'text', text: 'x'.repeat(200) })) };
    let written = 0;
    const stop = countWork(JSON, 'stringify', (_json, _args, text) => (written += String(text).length));
    receive.fire({ jsonrpc, id: 1, result });
    stop();
    expect(written).toBeLessThan(200_000);
    expect(shown()[0]).toMatch(/^← result \(1\), 11 MB\n/);
  });

  it('tells the ids of both sides apart, errors, notifications, batches and what is no message', async () => {
    const { channel, receive, shown } = setUp();
    shown();
    await channel.send({ jsonrpc, id: 1, method: 'ping' });
    receive.fire([
      { jsonrpc, id: 1, method: 'roots/list' },
      { jsonrpc, id: 1, error: { code: -32601, message: 'no' } },
      { jsonrpc, method: 'notifications/message', params: {} },
      'noise',
    ]);
    await channel.send({ jsonrpc, id: 1, result: {} });
    expect(shown().map((entry) => entry.replace(/, \d+ bytes\n.*/s, ''))).toEqual([
      '→ request ping (1)',
      '← request roots/list (1)',
      '← error (1) of ping after 0 ms',
      '← notification notifications/message',
      '← not JSON-RPC (not a JSON object)',
      '→ result (1) of roots/list after 0 ms',
    ]);
  });

  it('notes what the transport says, how sending fails and how it ends, without secrets', async () => {
    const failure = new PatchbayError('unreachable', 'POST https://example.com/?token=hunter2 failed.');
    const { channel, log, close, shown } = setUp({ failure });
    shown();
    await expect(channel.send({ jsonrpc, id: 1, method: 'ping' })).rejects.toBe(failure);
    log.fire({ source: 'note', text: 'POST 200 after 3 ms, opensesame' });
    log.fire({ source: 'noise', text: 'hello\nopensesame' });
    log.fire({ source: 'stderr', text: 'in the log' });
    close.fire({ kind: 'exited', code: 3, signal: null, lastOutput: '' });
    expect(shown().slice(1)).toEqual([
      '• request ping (1) failed: POST https://example.com/?token=•••••••• failed.',
      '• POST 200 after 3 ms, ••••••••',
      '• not a message: hello ••••••••',
      '• closed: exited with code 3',
    ]);
  });

  it('hides what is found out to be secret on the way', () => {
    const { receive, state, shown } = setUp();
    const say = (data: string): void => receive.fire({ jsonrpc, method: 'notifications/message', params: { data } });
    shown();
    say('you are k3y-of-the-day');
    state.secrets = ['k3y-of-the-day'];
    say('you are k3y-of-the-day');
    state.secrets = ['k3y-of-the-day', 'another-key'];
    say('you are another-key, not k3y-of-the-day');
    const said = ['you are k3y-of-the-day', 'you are ••••••••', 'you are ••••••••, not ••••••••'];
    expect(shown().map((entry) => /"data": ?"([^"]*)"/.exec(entry)?.[1])).toEqual(said);
  });

  it('names the origin of an address and nothing else of it', () => {
    const url = new URL('https://me:hunter2@example.com/path?key=hunter2');
    expect(setUp({ plan: { kind: 'http', url, headers: {} } }).shown()).toEqual([
      '• connecting over Streamable HTTP to https://example.com',
    ]);
  });

  it('keeps the name of a method from starting a line or an entry of its own', () => {
    const { receive, shown } = setUp();
    shown();
    receive.fire({ jsonrpc, method: `x\n09:00:00.000 → request\u202e${'y'.repeat(10_000)}opensesame` });
    const [line = ''] = shown()[0]?.split('\n') ?? [];
    expect(line).toContain('← notification x 09:00:00.000 → request\\u202e');
    expect(line.length).toBeLessThan(600);
  });

  it('shows so many a second and counts the rest', async () => {
    const { clock, receive, entries } = setUp();
    for (let count = 0; count < 5_000; count += 1) receive.fire({ jsonrpc, method: 'flood' });
    expect(entries).toHaveLength(200);
    await clock.advance(1_000);
    expect(entries.at(-1)).toContain('… 4801 more left out: at most 200 are shown a second');
    receive.fire({ jsonrpc, method: 'after' });
    expect(entries.at(-1)).toContain('notification after');
  });
});
