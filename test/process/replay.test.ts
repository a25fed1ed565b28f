import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createSystemClock } from '../../src/base/clock.ts';
import { isRecord, type UnknownRecord } from '../../src/base/json.ts';
import type { ReplayMode } from '../../src/base/launchPlan.ts';
import type { ServerDefinition } from '../../src/config/serverDefinition.ts';
import type { HeadlessServer } from '../../src/headless.ts';
import { type RecordedSession, readSession } from '../../src/transport/replay/recordedSession.ts';
import { compareSessions } from '../../src/workshop/sessions/compareSessions.ts';
import { SessionRecorder } from '../../src/workshop/sessions/sessionRecorder.ts';
import { openHeadless } from '../fixtures/headlessServer.ts';
import { createStdioPartner } from '../fixtures/partners.ts';

const revisions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'];
const pause = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'patchbay-replay-'));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
}

/** Uses a server and records it. @returns the recording */
async function record(
  definition: ServerDefinition,
  use: (server: HeadlessServer) => Promise<void>,
): Promise<RecordedSession & { readonly path: string; readonly text: string }> {
  const path = join(folder(), 'it.mcp-session.jsonl');
  const write = (text: string, isStart: boolean): Promise<void> =>
    Promise.resolve(writeFileSync(path, text, { flag: isStart ? 'w' : 'a' }));
  const recorder = new SessionRecorder({ clock: createSystemClock(), writer: '0', write });
  const server = openHeadless(definition, { tap: recorder.open });
  await server.start();
  await use(server);
  await recorder.stop();
  await server.stop();
  const text = readFileSync(path, 'utf8');
  return { ...(await readSession(text, pause)), path, text };
}

async function useAll(server: HeadlessServer): Promise<void> {
  const { tools } = server;
  expect(tools.length).toBeGreaterThan(0);
  await server.callTool('echo', { text: 'one' }).catch(() => {});
  await server.callTool('echo', { text: 'two' }).catch(() => {});
  const [resource] = server.resources;
  if (resource !== undefined) await server.readResource(resource.uri).catch(() => {});
  await server.callTool('missing').catch(() => {});
}

/** What the server said, by the text of it: without what a client chooses. */
function saidByServer({ entries }: RecordedSession): string[] {
  return entries.flatMap((entry) => {
    if (entry.kind !== 'message' || entry.from !== 'server') return [];
    const messages = Array.isArray(entry.message) ? entry.message : [entry.message];
    return messages.filter(isRecord).map((message: UnknownRecord) => JSON.stringify({ ...message, id: 0 }));
  });
}

function replayOf(path: string, replay: ReplayMode): ServerDefinition {
  return { command: path, replay };
}

function sessionFile(messages: readonly object[]): string {
  const path = join(folder(), 'made.mcp-session.jsonl');
  const lines = messages.map((message) => ({ t: 0, from: 'method' in message ? 'client' : 'server', message }));
  const header = { format: 'mcp-session', version: 1, label: 'made', transport: 'stdio', created: '', writer: '0' };
  writeFileSync(path, [header, ...lines].map((line) => `${JSON.stringify(line)}\n`).join(''));
  return path;
}

const handshake = [
  { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25' } },
  {
    jsonrpc: '2.0',
    id: 1,
    result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'made', version: '1' } },
  },
  { jsonrpc: '2.0', method: 'notifications/initialized' },
  { jsonrpc: '2.0', id: 'list', method: 'tools/list' },
  {
    jsonrpc: '2.0',
    id: 'list',
    result: { tools: ['echo', 'count'].map((name) => ({ name, inputSchema: { type: 'object' } })) },
  },
];

describe('a recorded session', () => {
  describe.each(revisions)('of %s', (revision) => {
    it.each(['strict', 'lenient'] as const)('is played as it was: %s', async (mode) => {
      const sdk = revision === '2026-07-28' ? '2' : '1';
      const partner = createStdioPartner('partnerServer.mjs', [`--sdk=${sdk}`, `--revision=${revision}`], revision);
      onTestFinished(() => partner.close());
      const first = await record(partner.definition, useAll);
      expect(first.problem).toBeUndefined();
      const again = await record(replayOf(first.path, mode), useAll);
      const [was, is] = [saidByServer(first), saidByServer(again)];
      // A replay is asked for its revision first, and may be told so by an error.
      expect(is.filter((line) => !line.includes('"code":-32601')).toSorted()).toEqual(
        was.filter((line) => !line.includes('"code":-32601')).toSorted(),
      );
      expect(compareSessions(first, again)).toMatchObject({ changes: [] });
    });
  });

  it('answers in any order and again when it is lenient, and not when it is strict', async () => {
    const call = (id: number, text: string): object[] => [
      { jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'echo', arguments: { text } } },
      { jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: `said ${text}` }] } },
    ];
    const path = sessionFile([...handshake, ...call(2, 'a'), ...call(3, 'b')]);
    const lenient = openHeadless(replayOf(path, 'lenient'));
    await lenient.start();
    const said = async (text: string): Promise<unknown> => (await lenient.callTool('echo', { text })).content[0];
    expect(await said('b')).toMatchObject({ text: 'said b' });
    expect(await said('a')).toMatchObject({ text: 'said a' });
    expect(await said('b')).toMatchObject({ text: 'said b' });
    await expect(lenient.callTool('ecko')).rejects.toThrow(/does not have tools\/call of "ecko".*"echo" in line 7/s);
    const strict = openHeadless(replayOf(path, 'strict'), {}, 'strict');
    await strict.start();
    await expect(strict.callTool('echo', { text: 'b' })).rejects.toThrow(/Line 7 .*"a" instead of "b"/s);
    expect((await strict.callTool('echo', { text: 'a' })).content[0]).toMatchObject({ text: 'said a' });
  });

  it('of 100,000 messages is played', async () => {
    const calls = Array.from({ length: 50_000 }, (_, index) => [
      { jsonrpc: '2.0', id: index + 2, method: 'tools/call', params: { name: 'count', arguments: { index } } },
      { jsonrpc: '2.0', id: index + 2, result: { content: [{ type: 'text', text: String(index) }] } },
    ]);
    const server = openHeadless(replayOf(sessionFile([...handshake, ...calls.flat()]), 'lenient'));
    await server.start();
    for (const index of [49_999, 0, 25_000])
      expect((await server.callTool('count', { index })).content[0]).toMatchObject({ text: String(index) });
  });

  it('holds no secret of its server', async () => {
    const secret = 'tok-4f9Qz81LmWx7';
    const partner = createStdioPartner('partnerServer.mjs', ['--sdk=1', '--revision=2025-11-25'], '2025-11-25');
    onTestFinished(() => partner.close());
    const definition = { ...partner.definition, env: { API_TOKEN: secret } } as ServerDefinition;
    const { text } = await record(definition, async (server) => {
      await server.callTool('echo', { text: `it is ${secret}`, password: 'hunter2-hunter2' }).catch(() => {});
    });
    expect(text).toContain('tools/call');
    expect(text).not.toContain(secret);
    expect(text).not.toContain('hunter2-hunter2');
    expect(text).not.toContain(process.execPath);
  });

  it.each([
    ['{}', /does not begin with the header/],
    ['{"format":"mcp-session","version":9}', /newer Patchbay/],
    ['{"format":"mcp-session","version":1}', /has no requests/],
    [`{"format":"mcp-session","version":1}\n{"t":0,"from":"client","message":${'['.repeat(5_000)}`, /no requests/],
  ])('that is none, or hostile, is refused with words: %#', async (text, words) => {
    const path = join(folder(), 'bad.mcp-session.jsonl');
    writeFileSync(path, text);
    await expect(openHeadless(replayOf(path, 'strict')).start()).rejects.toThrow(words);
  });
});
