import { describe, expect, it } from 'vitest';
import { PatchbayError } from '../../../../src/base/errors.ts';
import type { LaunchPlan } from '../../../../src/base/launchPlan.ts';
import { describeStatus } from '../../../../src/client/trace/trafficFilter.ts';
import { TrafficLog } from '../../../../src/client/trace/trafficLog.ts';
import { forgotten } from '../../../../src/client/trace/trafficMessage.ts';
import type { TrafficRow } from '../../../../src/client/trace/trafficRow.ts';
import { createRedactor } from '../../../../src/secrets/redactor.ts';
import { createManualClock } from '../../../fixtures/manualClock.ts';

const jsonrpc = '2.0';
const plan: LaunchPlan = { kind: 'stdio', command: 'x', args: [], cwd: undefined, env: {} };
const redactor = createRedactor([]);

function setUp(bounds?: ConstructorParameters<typeof TrafficLog>[1]) {
  const clock = createManualClock();
  const log = new TrafficLog(clock, bounds);
  const tap = log.tap({ label: 'it', plan, redactor: () => redactor });
  const rows = (): readonly TrafficRow[] => [...log.from(log.firstId)].filter(({ kind }) => kind !== 'note');
  const told = (): readonly string[] =>
    rows().map((row) => `${row.direction} ${row.method || row.kind}: ${describeStatus(row)}`);
  const notes = (): readonly unknown[] =>
    [...log.from(log.firstId)].flatMap(({ kind, request }) => (kind === 'note' ? [request] : []));
  return { clock, log, tap, rows, told, notes };
}

const bounds = { bytes: 100_000, rows: 1_000, message: 50_000, large: 2_000 };

describe('the log of all traffic', () => {
  it('makes one row of a request and its answer, both ways, with the time between them', async () => {
    const { clock, tap, rows, told } = setUp();
    tap.message('sent', { jsonrpc, id: 1, method: 'tools/call', params: { name: 'add' } });
    tap.message('received', { jsonrpc, id: 1, method: 'roots/list' });
    await clock.advance(17);
    tap.message('sent', { jsonrpc, id: 1, result: { roots: [] } });
    tap.message('received', { jsonrpc, id: '1', result: { content: [], isError: true } });
    expect(told()).toEqual(['sent tools/call: tool error', 'received roots/list: ok']);
    expect(rows().map(({ durationMs, subject }) => [durationMs, subject])).toEqual([
      [17, 'add'],
      [17, undefined],
    ]);
  });

  it('tells notifications, batches, errors, answers that nobody waits for, and what is no message', () => {
    const { tap, told, notes } = setUp();
    tap.message('sent', { jsonrpc, id: 1, method: 'ping' });
    tap.message('received', [
      { jsonrpc, id: 1, error: { code: -32601, message: 'no' } },
      { jsonrpc, method: 'notifications/message' },
      { jsonrpc, id: 9, result: {} },
      'noise',
      { level: 3 },
    ]);
    tap.note('GET 405');
    tap.end({ kind: 'exited', code: 3, signal: null, lastOutput: '' });
    expect(told()).toEqual([
      'sent ping: error -32601',
      'received notifications/message: notification',
      'received stray: stray answer',
      'received malformed: not a message',
      'received malformed: not a message',
    ]);
    expect(notes()).toEqual(['connecting over stdio', 'GET 405', 'closed: exited with code 3']);
  });

  it('says what had no answer: cancelled, failed to be sent, too large, cut off, the id used again', () => {
    const { tap, told, rows } = setUp();
    const request = (id: number) => ({ jsonrpc, id, method: `m${id}` }) as const;
    for (const id of [1, 2, 3, 4, 4]) tap.message('sent', request(id));
    tap.message('sent', { jsonrpc, method: 'notifications/cancelled', params: { requestId: 1 } });
    const lost = { jsonrpc, id: 5, method: 'm5' } as const;
    tap.message('sent', lost);
    tap.failed(lost, new PatchbayError('unreachable', 'POST failed.'));
    tap.dropped?.({ id: 2, error: new PatchbayError('invalidMessage', 'Too large.') });
    // After all: it is shown, and the request stays cancelled.
    tap.message('received', { jsonrpc, id: 1, result: {} });
    tap.end({ kind: 'requested' });
    expect(told()).toEqual([
      'sent m1: cancelled',
      'sent m2: failed',
      'sent m3: no answer',
      'sent m4: no answer',
      'sent m4: no answer',
      'sent notifications/cancelled: notification',
      'sent m5: failed',
    ]);
    expect(rows()[0]?.answer).toEqual({ jsonrpc, id: 1, result: {} });
    expect(rows().map(({ failure }) => failure)).toEqual([
      undefined,
      'Too large.',
      undefined,
      undefined,
      undefined,
      undefined,
      'POST failed.',
    ]);
  });

  it('bounds its memory under a flood, with names that are never the same, and forgets large messages first', () => {
    const { log, tap, rows } = setUp(bounds);
    tap.message('sent', { jsonrpc, id: 'large', method: 'large', params: { text: 'x'.repeat(20_000) } });
    tap.message('sent', { jsonrpc, id: 'huge', method: 'huge', params: { text: 'x'.repeat(60_000) } });
    tap.message('sent', { jsonrpc, id: 'small', method: 'small' });
    expect(rows().map(({ isForgotten }) => isForgotten)).toEqual([false, true, false]);
    for (let count = 0; count < 250; count += 1) tap.message('received', { jsonrpc, method: `name ${count}` });
    // What the list shows of it stays.
    expect(rows()[0]).toMatchObject({ method: 'large', request: forgotten, size: expect.any(Number) as number });
    expect(rows()[0]?.size).toBeGreaterThan(20_000);
    for (let count = 0; count < 100_000; count += 1) {
      tap.message('received', { jsonrpc, method: `name ${count}`, params: { count } });
      if (count % 100 === 0) tap.message('sent', { jsonrpc, id: count, method: 'tools/call', params: {} });
    }
    expect(log.weight).toBeLessThanOrEqual(bounds.bytes);
    expect(log.nextId - log.firstId).toBeLessThanOrEqual(bounds.rows);
    expect(log.isCut).toBe(true);
    expect(rows().at(-1)?.method).toBe('name 99999');
    // An answer to a row that is gone is one that nobody waits for.
    tap.message('received', { jsonrpc, id: 100, result: {} });
    expect(rows().at(-1)?.kind).toBe('stray');
    log.clear();
    expect([rows(), log.weight, log.isCut]).toEqual([[], 0, false]);
  });

  it('makes the same rows of texts as of values, and keeps a large message as its value', () => {
    const [values, texts] = [setUp(), setUp()];
    const lost = { jsonrpc, method: 'notifications/lost', params: { token: 1 } } as const;
    const messages = [
      ['sent', { jsonrpc, id: 1, method: 'tools/call', params: { name: 'add' } }],
      ['received', { jsonrpc, id: 1, error: { code: -32602, message: 'no' } }],
      ['sent', { jsonrpc, id: 2, method: 'resources/read', params: { uri: 'a://\u00e9\u{1F600}' } }],
      [
        'received',
        [
          { jsonrpc, id: 2, result: { isError: true } },
          { jsonrpc, method: 'notifications/message' },
        ],
      ],
      ['received', { jsonrpc, id: 7, result: {} }],
      ['sent', lost],
    ] as const;
    for (const [direction, value] of messages) {
      values.tap.message(direction, value);
      texts.tap.message(direction, value, JSON.stringify(value));
    }
    for (const { tap } of [values, texts]) tap.failed({ ...lost }, new PatchbayError('unreachable', 'POST failed.'));
    expect(texts.told()).toEqual(values.told().with(-1, 'sent notifications/lost: failed'));
    expect(texts.rows().map(({ request, answer, subject }) => [request, answer, subject])).toEqual(
      values.rows().map(({ request, answer, subject }) => [request, answer, subject]),
    );
    const { tap, log, rows } = setUp(bounds);
    const large = { jsonrpc, id: 1, method: 'large', params: { name: 'big', text: 'x'.repeat(20_000) } };
    tap.message('sent', large, JSON.stringify(large));
    expect(rows()[0]?.request).toBe(large);
    for (let count = 0; count < 140; count += 1)
      tap.message('received', {}, JSON.stringify({ jsonrpc, method: 'x'.repeat(300) }));
    expect(rows()[0]).toMatchObject({ request: forgotten, subject: 'big', isForgotten: true });
    log.clear();
    expect(log.weight).toBe(0);
  });

  it('tells once that there is something to read, and has the rows since a position', () => {
    const { log, tap } = setUp();
    log.read();
    let told = 0;
    log.onDidReceive(() => (told += 1));
    tap.message('received', { jsonrpc, method: 'one' });
    const { position } = log;
    for (const method of ['two', 'three'])
      tap.message('received', { jsonrpc, method }, JSON.stringify({ jsonrpc, method }));
    expect([told, log.nextId]).toEqual([1, 2]);
    expect([log.read(1), log.nextId, told]).toEqual([true, 3, 1]);
    expect([...log.since(position)].map(({ method }) => method)).toEqual(['two', 'three']);
    tap.message('received', { jsonrpc, method: 'four' });
    expect(told).toBe(2);
  });

  it('keeps apps and their messages apart from those of the server', () => {
    const { log, tap } = setUp();
    const app = log.tapApp({ label: 'it', plan, redactor: () => redactor });
    tap.message('sent', { jsonrpc, id: 1, method: 'ping' });
    app.message('received', { jsonrpc, id: 1, method: 'tools/call', params: { name: 'add' } });
    app.message('sent', { jsonrpc, id: 1, result: {} });
    const shown = [...log.from(log.firstId)].map(({ source, method, state }) => [source.peer, method, state]);
    expect(shown.slice(1)).toEqual([
      ['server', 'ping', 'pending'],
      ['app', 'tools/call', 'ok'],
    ]);
  });
});
