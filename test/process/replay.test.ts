import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ServerDefinition } from '../../src/config/serverDefinition.ts';
import type { HeadlessServer } from '../../src/headless.ts';
import { openHeadless } from '../fixtures/headlessServer.ts';
import { createStdioPartner } from '../fixtures/partners.ts';
import { record, replayOf, sessionFile, sessionFolder } from '../fixtures/recordedSessions.ts';

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
    // Never the answer of another call.
    await expect(said('bc')).rejects.toThrow(/The nearest is tools\/call of "echo" in line 9: .*"b" instead of "bc"/s);
    const strict = openHeadless(replayOf(path, 'strict'), {}, 'strict');
    await strict.start();
    await expect(strict.callTool('echo', { text: 'b' })).rejects.toThrow(/Line 7 .*"a" instead of "b"/s);
    expect((await strict.callTool('echo', { text: 'a' })).content[0]).toMatchObject({ text: 'said a' });
  });

  it('that is strict takes requests that were open at the same time in any order, and answers them as it was', async () => {
    const call = (id: number, text: string) => {
      const params = { name: 'echo', arguments: { text }, _meta: { progressToken: `p${id}` } };
      return { jsonrpc: '2.0', id, method: 'tools/call', params };
    };
    const progress = (id: number) => ({
      from: 'server',
      jsonrpc: '2.0',
      method: 'notifications/progress',
      params: { progressToken: `p${id}`, progress: 1 },
    });
    const answer = (id: number, text: string) => ({
      jsonrpc: '2.0',
      id,
      result: { content: [{ type: 'text', text }] },
    });
    const messages = [
      call(2, 'a'),
      call(3, 'b'),
      progress(3),
      answer(3, 'b'),
      answer(2, 'a'),
      call(4, 'c'),
      answer(4, 'c'),
    ];
    const path = sessionFile([...handshake, ...messages]);
    const open = async (name: string) => {
      const server = openHeadless(replayOf(path, 'strict'), {}, name);
      await server.start();
      return server;
    };
    const told: string[] = [];
    const ask = (server: HeadlessServer, text: string): Promise<unknown> =>
      server
        .callTool('echo', { text }, { onProgress: () => told.push(`progress of ${text}`) })
        .then(() => told.push(text));
    for (const order of [
      ['a', 'b'],
      ['b', 'a'],
    ]) {
      const server = await open(order.join());
      await Promise.all(order.map((text) => ask(server, text)));
      await ask(server, 'c');
      expect(told.splice(0)).toEqual(['progress of b', 'b', 'a', 'c']);
    }
    const inTurn = await open('in turn');
    for (const text of ['b', 'a', 'c']) await ask(inTurn, text);
    expect(told.splice(0)).toEqual(['progress of b', 'b', 'a', 'c']);
    const early = await open('early');
    await expect(ask(early, 'c')).rejects.toThrow(/Line 7 .*"a" instead of "c"/s);
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

  it('has the log of its server, without secrets, and plays it at its place', async () => {
    const secret = 'tok-4f9Qz81LmWx7';
    const code = `
      process.stderr.write('begins with ' + process.env.API_TOKEN + '\\n');
      require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
        const { id, method } = JSON.parse(line);
        if (id === undefined) return;
        if (method === 'tools/call') process.stderr.write('called\\n');
        const tools = [{ name: 'echo', inputSchema: { type: 'object' } }];
        const result = {
          initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'a', version: '1' } },
          'tools/list': { tools },
          'tools/call': { content: [] },
        }[method];
        const error = { code: -32601, message: 'no' };
        setTimeout(() => console.log(JSON.stringify({ jsonrpc: '2.0', id, ...(result ? { result } : { error }) })), 50);
      });`;
    const use = async (server: HeadlessServer): Promise<void> => void (await server.callTool('echo'));
    const definition = { command: process.execPath, args: ['-e', code], env: { API_TOKEN: secret } };
    const { text, path } = await record(definition, use);
    expect(text).toMatch(/"log":"begins with •+"/);
    expect(text).not.toContain(secret);
    const again = await record(replayOf(path, 'strict'), use);
    const logged = (each: string): readonly string[] =>
      each.split('\n').filter((line) => /"log"|"tools\/call"|"content"/.test(line));
    const texts = (each: string) =>
      logged(each).map((line) => line.replace(/"t":\d+,|"id":\d+|"_meta":\{[^}]*\},?/g, ''));
    expect(texts(again.text)).toEqual(texts(text));
    expect(logged(text)).toHaveLength(4);
  });

  it('of 200 MB is refused before it is read', async () => {
    const path = join(sessionFolder(), 'big.mcp-session.jsonl');
    writeFileSync(path, '');
    truncateSync(path, 200 * 1024 ** 2);
    await expect(openHeadless(replayOf(path, 'strict')).start()).rejects.toThrow(/is larger than 131072 KB/);
  });

  it.each([
    ['{}', /does not begin with the header/],
    ['{"format":"mcp-session","version":9}', /newer Patchbay/],
    ['{"format":"mcp-session","version":1}', /has no requests/],
    [`{"format":"mcp-session","version":1}\n{"t":0,"from":"client","message":${'['.repeat(5_000)}`, /no requests/],
  ])('that is none, or hostile, is refused with words: %#', async (text, words) => {
    const path = join(sessionFolder(), 'bad.mcp-session.jsonl');
    writeFileSync(path, text);
    await expect(openHeadless(replayOf(path, 'strict')).start()).rejects.toThrow(words);
  });
});
