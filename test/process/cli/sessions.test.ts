import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../fixtures/temporaryFolder.ts';
import { fixture, patchbay } from './runPatchbay.ts';

const article = [process.execPath, fixture('articleServer.mjs')];
const file = 'one.mcp-session.jsonl';
const secret = 's3cret-4711-value';

function request(id: number, method: string, params: object = {}): object {
  return { jsonrpc: '2.0', id, method, params };
}

const opening = request(1, 'initialize', {
  protocolVersion: '2025-03-26',
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
});
const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };
const call = (expression: string) => request(2, 'tools/call', { name: 'calculate', arguments: { expression } });

function linesOf(...messages: readonly object[]): string {
  return messages.map((message) => `${JSON.stringify(message)}\n`).join('');
}

describe('a session on the command line', () => {
  let folder: string;
  const run = (args: readonly string[], input = '') => patchbay(args, { cwd: folder, input });
  const record = (name: string, input: string) =>
    run(['record', name, '--env', `API_KEY=${secret}`, '--', ...article], input);

  beforeEach(async () => {
    folder = await temporaryFolder();
  });

  it('is recorded between a client and a server, which see each other as without it, and played again', async () => {
    const input = linesOf(opening, initialized, request(3, 'tools/list'), call('6*7'));
    const recorded = await record(file, input);
    expect(recorded).toMatchObject({ code: 0, err: expect.stringMatching(/^Recorded \d+ lines\.\n$/) });
    const before = await readFile(join(folder, file), 'utf8');
    const alone = await record(file, '');
    expect(await readFile(join(folder, file), 'utf8')).toBe(before);
    expect(alone.err).toMatch(/^Recorded 0 lines\.\nNo message of a client came on standard input\. Use this command/);
    const played = await run(['replay', file], input);
    expect(played.code).toBe(0);
    const byId = (text: string): unknown[] =>
      text
        .trim()
        .split('\n')
        .map((line): unknown => JSON.parse(line));
    expect(byId(played.out)).toEqual(expect.arrayContaining(byId(recorded.out)));
    expect(played.out).toContain('"text":"42"');
    const listed = await run([
      'list',
      '--',
      process.execPath,
      join(fixture('../../../dist/patchbay.mjs')),
      'replay',
      join(folder, file),
    ]);
    expect(listed.out).toContain('Tools (2)');
  });

  it('has no known secret in its file', async () => {
    await record(file, linesOf(opening, initialized, call(secret)));
    const text = await readFile(join(folder, file), 'utf8');
    expect(text).toContain('"from":"client"');
    expect(text).not.toContain(secret);
  });

  it('answers a request that cannot be sent, and a line that is no message ends nothing', async () => {
    const { code, out, err } = await record(file, `no message\n${linesOf(opening)}`);
    expect([code, out]).toEqual([0, expect.stringContaining('"id":1')]);
    expect(err).toContain('A line of the client is not a message.');
  });

  it('is compared with an earlier one: a code says what broke', async () => {
    const other = 'two.mcp-session.jsonl';
    await record(file, linesOf(opening, initialized, request(3, 'tools/list'), call('6*7')));
    const text = await readFile(join(folder, file), 'utf8');
    await writeFile(join(folder, other), text.replaceAll('"name":"get_timestamp"', '"name":"get_time"'));
    const [same, broken, ignored, json] = await Promise.all([
      run(['diff', file, file]),
      run(['diff', file, other]),
      run(['diff', file, other, '--fail-on', 'never']),
      run(['diff', file, other, '--format', 'json']),
    ]);
    expect([same.code, broken.code, ignored.code, json.code]).toEqual([0, 1, 0, 1]);
    expect(same.out).toMatch(/^0 breaking, 0 added, 0 only wording; [1-9]\d* requests compared\n$/);
    expect(broken.out).toMatch(/^breaking: tool get_timestamp: /m);
    expect(JSON.parse(json.out.trim().split('\n').at(-1) ?? '')).toMatchObject({
      type: 'summary',
      counts: { breaking: 1, added: 1 },
    });
  });

  it('is compared with the server as it is now, which is started', async () => {
    const other = 'two.mcp-session.jsonl';
    await record(file, linesOf(opening, initialized, request(3, 'tools/list'), call('6*7')));
    const text = await readFile(join(folder, file), 'utf8');
    await writeFile(join(folder, other), text.replaceAll('"name":"get_timestamp"', '"name":"get_time"'));
    await writeFile(
      join(folder, '.mcp.json'),
      JSON.stringify({ mcpServers: { now: { command: article[0], args: article.slice(1) } } }),
    );
    const [same, broken, named, missing, failing] = await Promise.all([
      run(['diff', file, '--', ...article]),
      run(['diff', other, '--', ...article]),
      run(['diff', file, 'now']),
      run(['diff', file, 'nothing']),
      run(['diff', file, '--', 'no-such-program-of-patchbay']),
    ]);
    expect([same, broken, named, missing, failing].map(({ code }) => code)).toEqual([0, 1, 0, 2, 3]);
    expect(same.out).toBe('0 breaking, 0 added, 0 only wording; of the server, only what it lists is compared\n');
    expect(broken.out).toMatch(/^breaking: tool get_time: It is gone\.$/m);
    expect(missing.err).toContain('There is no server "nothing"');
  });

  it('is recorded by one program at a time', async () => {
    await writeFile(join(folder, `${file}.lock`), String(process.pid));
    const { code, err } = await record(file, linesOf(opening));
    expect([code, err]).toEqual([2, expect.stringMatching(/is being written by another recording/)]);
  });

  it.each<[string, readonly string[], number, RegExp]>([
    ['a file of another name', ['record', 'notes.txt', '--', ...article], 2, /ends with \.mcp-session\.jsonl\.$/m],
    ['a server that does not start', ['record', file, '--', 'no-such-program-of-patchbay'], 3, /no-such-program/],
    ['a recording that is missing', ['replay', file], 2, /does not exist/],
    ['another mode', ['replay', file, '--mode', 'odd'], 2, /"--mode" is lenient or strict\./],
    ['a comparison with nothing', ['diff', file, file], 2, /does not exist\.$/m],
    ['another kind', ['diff', file, file, '--fail-on', 'odd'], 2, /"--fail-on" is one of breaking, added, wording/],
  ])('is refused with a code: %s', async (_, args, code, message) => {
    const ended = await run(args, linesOf(opening));
    expect([ended.code, ended.out, ended.err]).toEqual([code, '', expect.stringMatching(message)]);
  });

  it('is no session where its file is another one', async () => {
    await writeFile(join(folder, file), '{"mcpServers": {}}\n');
    const [replay, diff] = await Promise.all([run(['replay', file]), run(['diff', file, file])]);
    expect([replay.code, diff.code]).toEqual([2, 2]);
    expect(diff.err).toContain('does not begin with the header of a recorded session');
  });
});
