import { describe, expect, it, vi } from 'vitest';
import type { KnownSecret } from '../../../src/secrets/knownValues.ts';
import { createRedactor } from '../../../src/secrets/redactor.ts';
import { SessionRecorder } from '../../../src/workshop/sessions/sessionRecorder.ts';
import { createManualClock } from '../../fixtures/manualClock.ts';

const plan = { kind: 'stdio', command: 'x', args: [], cwd: undefined, env: {} } as const;
const opening = { jsonrpc: '2.0', id: 1, method: 'initialize' };
const listing = { jsonrpc: '2.0', id: 2, method: 'tools/list' };
const said = (text: string): object => ({ jsonrpc: '2.0', method: 'notifications/message', params: { data: text } });

/** A recording of one connection, in which the last of `secrets` are known. */
function setUp() {
  const clock = createManualClock();
  const written: string[] = [];
  const problems: (string | undefined)[] = [];
  const secrets: KnownSecret[] = [];
  const recorder = new SessionRecorder({
    clock,
    writer: '0',
    write: async (text) => void written.push(text),
    onEnd: (problem) => problems.push(problem),
  });
  const open = () => {
    const tap = recorder.open({ label: 'it', plan, redactor: () => createRedactor(secrets) });
    if (tap === undefined) throw new Error('Nothing is recorded.');
    return tap;
  };
  const stop = async (): Promise<number> => {
    const stopped = recorder.stop();
    for (let turn = 0; turn < 200; turn += 1) await clock.advance(25);
    return await stopped;
  };
  return { clock, written, problems, secrets, open, stop, lines: () => written.join('').trimEnd().split('\n') };
}

describe('the recorder of a session', () => {
  it('makes no text while messages come, but not for long', async () => {
    const { clock, written, open, stop, lines } = setUp();
    const tap = open();
    const before: number[] = [];
    for (let turn = 0; turn < 30; turn += 1) {
      tap.message('sent', turn === 0 ? opening : said(`${turn}`));
      before.push(written.length);
      await clock.advance(10);
    }
    expect(before.slice(0, 25)).toEqual(Array.from({ length: 25 }, () => 0));
    expect(before.at(-1)).toBeGreaterThan(0);
    await stop();
    expect(lines()).toHaveLength(32);
  });

  it('hides a secret that became known after the message, also in equal texts', async () => {
    const { written, secrets, open, stop } = setUp();
    const tap = open();
    tap.message('sent', listing);
    tap.message('received', said('a-later-secret'));
    tap.message('received', said('a-later-secret'), JSON.stringify(said('a-later-secret'), undefined, 2));
    secrets.push({ value: 'a-later-secret', kind: 'secretInput', what: 'it' });
    await stop();
    expect(written.join('')).not.toContain('a-later-secret');
    expect(written.join('').match(/••••••••/g)).toHaveLength(2);
  });

  it('searches a large message in many turns, and writes it like the others', async () => {
    const { clock, secrets, open, stop, lines } = setUp();
    secrets.push({ value: 'a-known-secret', kind: 'secretInput', what: 'it' });
    const tap = open();
    const text = `a-known-secret ${'%61%2d%6b'.repeat(50_000)} a-known-secret`;
    tap.message('sent', listing);
    tap.message('received', said(text));
    tap.message('received', said('after'));
    const pauses = vi.spyOn(clock, 'after');
    await stop();
    expect(pauses.mock.calls.filter(([milliseconds]) => milliseconds === 0).length).toBeGreaterThan(5);
    const { message } = JSON.parse(lines()[2] ?? '') as { message: { params: { data: string } } };
    expect(message.params.data).toBe(text.replaceAll('a-known-secret', '••••••••'));
    expect(lines()).toHaveLength(5);
  });

  it('loses nothing of a flood when it is stopped, or the server ends', async () => {
    for (const end of ['stop', 'exit'] as const) {
      const { open, stop, lines, problems } = setUp();
      const tap = open();
      tap.message('sent', listing);
      for (let index = 0; index < 1_000; index += 1) tap.message('received', said(`text ${index}`));
      if (end === 'exit') tap.end({ kind: 'exited', code: 3, signal: null, lastOutput: '' });
      expect(await stop()).toBe(1_002);
      expect(lines()).toHaveLength(1_003);
      expect(lines()[1_001]).toContain('"text 999"');
      expect(lines().at(-1)).toContain(end === 'exit' ? 'exited with code 3' : 'was stopped');
      expect(problems).toEqual([undefined]);
    }
  });

  it('replaces an attempt to connect, also while it is made text', async () => {
    const { clock, open, stop, lines } = setUp();
    const first = open();
    for (let index = 0; index < 120; index += 1) first.message('received', said('first'));
    await clock.advance(50);
    const second = open();
    second.message('sent', listing);
    first.message('received', said('first'));
    expect(await stop()).toBe(2);
    expect(lines().slice(-3).join('\n')).not.toContain('first');
  });

  it('ends when too much waits', async () => {
    const { open, stop, problems, lines } = setUp();
    const tap = open();
    tap.message('sent', listing);
    const large = said('x'.repeat(9_000_000));
    for (let count = 0; count < 9; count += 1) tap.message('received', large);
    expect(problems).toEqual(['The disk is too slow for the messages of this server.']);
    await stop();
    expect(lines().at(-1)?.slice(0, 20)).toContain('"cut"');
  });
});
