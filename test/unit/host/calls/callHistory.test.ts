import type * as FileSystem from 'node:fs/promises';
import { mkdir, readdir, readFile, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createLogger } from '../../../../src/base/logger.ts';
import { CallHistory } from '../../../../src/host/calls/callHistory.ts';
import type { CallAnswer, EndedCall } from '../../../../src/host/calls/callRecord.ts';
import { createCallRows } from '../../../../src/host/calls/callRows.ts';
import { readCallToolResult } from '../../../../src/protocol/mcp/tools.ts';
import { temporaryFolder } from '../../../fixtures/temporaryFolder.ts';

/** How often the file system was asked what is there. */
const reads = vi.hoisted(() => ({ readdir: 0, lstat: 0 }));
vi.mock('node:fs/promises', async (load) => {
  const actual = await load<typeof FileSystem>();
  return {
    ...actual,
    readdir: (...given: Parameters<typeof actual.readdir>) => ((reads.readdir += 1), actual.readdir(...given)),
    lstat: (...given: Parameters<typeof actual.lstat>) => ((reads.lstat += 1), actual.lstat(...given)),
  };
});

const settings = vi.hoisted(() => ({ enabled: true, results: true }));
vi.mock('../../../../src/host/platform/settings.ts', () => ({
  personalSetting: (name: string) => settings[name === 'history.enabled' ? 'enabled' : 'results'],
}));

let parent = '';
let folder = '';
let logged: string[] = [];
let now = 0;

beforeEach(async () => {
  parent = await temporaryFolder();
  folder = join(parent, 'calls');
  logged = [];
  now = 1_800_000_000_000;
  Object.assign(settings, { enabled: true, results: true });
});

interface Opened {
  readonly now?: () => number;
  readonly hasSecret?: (text: string) => boolean;
  readonly bounds?: ConstructorParameters<typeof CallHistory>[4];
}

function open({ now: nextNow = () => (now += 1), hasSecret = () => false, bounds }: Opened = {}): CallHistory {
  const logger = createLogger((_level, line) => void logged.push(line));
  return new CallHistory(folder, hasSecret, { now: nextNow }, logger, bounds);
}

/** Gives the folder a time that it did not have: the clock of a file system can be too coarse to tell two writes apart. */
const passTime = (): Promise<void> => utimes(folder, new Date(now), new Date((now += 1_000)));

const answer = (text: string): CallAnswer => ({
  kind: 'result',
  result: { content: [{ type: 'text', text }], isError: false },
});

function call(args: EndedCall['args'], more: Partial<EndedCall> = {}): EndedCall {
  return {
    server: 'demo',
    identity: 'demo',
    tool: 'add',
    at: 1_700_000_000_000,
    durationMs: 12.5,
    outcome: 'done',
    args,
    ...more,
  };
}

const argumentsOf = async (history: CallHistory, tool = 'add', identity = 'demo'): Promise<unknown[]> =>
  (await history.list(identity, tool, 100)).calls.map(({ args }) => args);

describe('the history of calls', () => {
  it('gives back what was kept, the newest first, also to another window', async () => {
    const history = open();
    const first = await history.record(call({ a: 1 }, { answer: answer('1') }));
    await history.record(call({ a: 2 }));
    await history.record(call({ a: 3 }, { tool: 'sub' }));
    const other = open();
    expect(await argumentsOf(other)).toEqual([{ a: 2 }, { a: 1 }]);
    expect(await other.list('demo', 'add', 1)).toMatchObject({ calls: [{ args: { a: 2 } }], more: 1 });
    expect(await other.get(first ?? '')).toEqual({
      id: first,
      ...call({ a: 1 }),
      omitted: [],
      answer: answer('1'),
    });
    expect(await other.lastArguments('demo', 'add')).toEqual({ a: 2 });
    expect(await other.lastArguments('demo', 'other')).toBeUndefined();
  });

  it('has nothing for another server with the label, and has it again for the first one', async () => {
    const history = open();
    const id = await history.record(call({ salary: 1 }, { identity: 'a', answer: answer('1') }));
    expect(await history.list('b', 'add', 10)).toEqual({ calls: [], more: 0 });
    expect(await history.lastArguments('b', 'add')).toBeUndefined();
    expect(await history.recentValues('b', 'add', ['salary'])).toEqual([]);
    expect(await history.forgetAll('b')).toBe(0);
    expect(await history.get(id ?? '')).toMatchObject({ server: 'demo', identity: 'a' });
    expect(await history.recentValues('a', 'add', ['salary'])).toEqual([1]);
  });

  it('drops calls of an earlier version, which name no identity', async () => {
    const history = open();
    const id = await history.record(call({ a: 1 }));
    const path = join(folder, `${id}.json`);
    const { identity: _identity, ...head } = JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>;
    await writeFile(path, JSON.stringify(head));
    const next = open();
    expect([await argumentsOf(next), await next.get(id ?? '')]).toEqual([[], undefined]);
    expect(await next.forgetAll()).toBe(1);
  });

  it('keeps names of any form apart, and arguments with any key', async () => {
    const history = open();
    const args = JSON.parse('{"__proto__": {"x": null}, "": [[]], "a/b": "\\ud800"}') as EndedCall['args'];
    for (const tool of ['../../up', 'a'.repeat(2_000), '']) await history.record(call(args, { tool, identity: 'a/b' }));
    expect(await argumentsOf(history, '../../up', 'a/b')).toEqual([args]);
    expect(await readdir(parent)).toEqual(['calls']);
  });

  it('keeps errors, and content of an unknown type as the server sent it', async () => {
    const history = open();
    const error = { message: 'No.', code: -32602, data: { why: [1] } };
    const failed = await history.record(call({}, { outcome: 'error', answer: { kind: 'error', error } }));
    const result = readCallToolResult({ content: [{ type: 'hologram', depth: 3 }], structuredContent: { a: 1 } });
    const strange = await history.record(call({}, { answer: { kind: 'result', result } }));
    expect((await history.get(failed ?? ''))?.answer).toEqual({ kind: 'error', error });
    expect((await history.get(strange ?? ''))?.answer).toEqual({ kind: 'result', result });
  });

  it('writes nothing when it is off, and can still forget', async () => {
    const history = open();
    await history.record(call({ a: 1 }));
    settings.enabled = false;
    expect(await history.record(call({ a: 2 }))).toBeUndefined();
    expect(await argumentsOf(history)).toEqual([{ a: 1 }]);
    expect(await history.forgetAll()).toBe(1);
    expect(await readdir(folder)).toEqual([]);
  });

  it('makes no folder before the first call', async () => {
    settings.enabled = false;
    const history = open();
    await history.record(call({}));
    expect(await history.list('demo', 'add', 10)).toEqual({ calls: [], more: 0 });
    expect(await readdir(parent)).toEqual([]);
    expect(logged).toEqual([]);
  });

  it.each([
    ['results are off', { results: false }, answer('x'), 'the setting "patchbay.history.results" is off'],
    ['a result is too long', {}, answer('x'.repeat(1024 * 1024)), 'too large'],
    [
      'a result holds a secret',
      { hasSecret: (text: string) => text.includes('hush') },
      answer('hush'),
      'a known secret',
    ],
  ])(
    'keeps the call without its result where %s, and says so',
    async (_what, set: Opened & { results?: boolean }, given, reason) => {
      settings.results = set.results ?? true;
      const history = open(set);
      const id = await history.record(call({ a: 1 }, { answer: given }));
      const kept = await history.get(id ?? '');
      expect(kept).toMatchObject({ args: { a: 1 }, answer: undefined });
      expect(kept?.omitted).toEqual([expect.stringContaining(`The result was not kept: ${reason}`)]);
      expect((await readdir(folder)).some((name) => name.endsWith('.result'))).toBe(false);
    },
  );

  it('keeps the messages of a call, and forgets them with it', async () => {
    const history = open();
    const sent = [{ log: 'a', position: 3, id: 7 }];
    const id = await history.record(call({ a: 1 }, { answer: answer('1'), exchange: '→ tools/call\n', sent }));
    expect(await open().get(id ?? '')).toMatchObject({ sent, exchange: '→ tools/call\n', answer: answer('1') });
    await history.forget(id ?? '');
    expect(await readdir(folder)).toEqual([]);
  });

  it.each([
    ['results are off', { results: false }, 'the setting "patchbay.history.results" is off'],
    ['they hold a secret', { hasSecret: (text: string) => text.includes('hush') }, 'a known secret'],
  ])('keeps no messages where %s, and says so', async (_what, set: Opened & { results?: boolean }, reason) => {
    settings.results = set.results ?? true;
    const history = open(set);
    // Beyond what is kept, too: half of a secret may stand before it.
    const exchange = `${'x\n'.repeat(1_000_000)}hush`;
    const kept = await history.get((await history.record(call({ a: 1 }, { exchange }))) ?? '');
    expect(kept?.omittedExchange).toContain(`The messages of this call were not kept: ${reason}`);
    expect(kept).not.toHaveProperty('exchange');
    expect((await readdir(folder)).filter((name) => name.endsWith('.exchange'))).toEqual([]);
  });

  it('cuts an exchange of 10 MB at the end of a line, and says so', async () => {
    const history = open();
    const exchange = `${'→ ping\n'.repeat(100_000)}${'x'.repeat(10_000_000)}`;
    const kept = await history.get((await history.record(call({ a: 1 }, { exchange }))) ?? '');
    expect(kept?.exchange).toMatch(/→ ping\n… [\d,]+ more characters were not kept\n$/);
    expect(kept?.exchange?.length).toBeLessThan(300_000);
  });

  it('lists the calls of all servers and tools, each under the one that was called', async () => {
    const history = open();
    await history.record(call({ a: 1 }));
    await history.record(call({ a: 2 }, { identity: 'other', tool: 'sub' }));
    await history.record(call({ a: 3 }));
    const { calls, more } = await history.list(undefined, undefined, 2);
    expect([calls.map(({ identity, tool }) => [identity, tool]), more]).toEqual([
      [
        ['demo', 'add'],
        ['other', 'sub'],
      ],
      1,
    ]);
  });

  it('takes no file for a call of another server or tool than its name says', async () => {
    const history = open();
    const id = await history.record(call({ a: 1 }));
    const path = join(folder, `${id}.json`);
    const head = JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>;
    for (const forged of [{ identity: 'bank' }, { tool: 'pay' }]) {
      await writeFile(path, JSON.stringify({ ...head, ...forged }));
      const next = open();
      expect(await next.list(undefined, undefined, 10)).toMatchObject({ calls: [] });
      expect(await next.get(id ?? '')).toBeUndefined();
    }
  });

  it('keeps neither long arguments nor such with a known secret', async () => {
    const history = open({ hasSecret: (text) => text.includes('hush') });
    await history.record(call({ text: 'x'.repeat(300_000) }));
    await history.record(call({ key: 'hush-hush' }, { answer: answer('fine') }));
    const { calls } = await history.list('demo', 'add', 10);
    expect(calls.map(({ args }) => args)).toEqual([undefined, undefined]);
    expect(createCallRows()(calls).map(({ words }) => words[0]?.text)).toEqual([
      'The arguments were not kept: a known secret was found.',
      'The arguments were not kept: too large.',
    ]);
    for (const name of await readdir(folder)) expect(await readFile(join(folder, name), 'utf8')).not.toContain('hush');
  });

  it('is bounded for each tool, in number and in bytes', async () => {
    const history = open({ bounds: { perTool: 3, all: 5, bytes: 1_000_000 } });
    for (let index = 0; index < 5; index += 1) await history.record(call({ index }));
    expect(await argumentsOf(history)).toEqual([{ index: 4 }, { index: 3 }, { index: 2 }]);
    for (let index = 0; index < 3; index += 1) await history.record(call({ index }, { tool: 'b' }));
    expect(await argumentsOf(history)).toEqual([{ index: 4 }, { index: 3 }]);
    const small = open({ bounds: { perTool: 50, all: 50, bytes: 3_000 } });
    await small.record(call({}, { tool: 'c', answer: answer('x'.repeat(2_500)) }));
    expect(await argumentsOf(small)).toEqual([]);
    expect(await argumentsOf(small, 'c')).toEqual([{}]);
  });

  it('reads the folder no more often for a call once it is full than before, and again after another window has written', async () => {
    const bounds = { perTool: 5, all: 8, bytes: 1_000_000 };
    const [history, other] = [open({ bounds }), open({ bounds })];
    const keep = async (index: number, tool: string): Promise<typeof reads> => {
      const before = { ...reads };
      await history.record(call({ index }, { tool, answer: answer('1') }));
      return { readdir: reads.readdir - before.readdir, lstat: reads.lstat - before.lstat };
    };
    await keep(0, 'a');
    const filling = await keep(1, 'b');
    for (let index = 2; index < 20; index += 1) await keep(index, `tool ${index}`);
    expect(filling).toEqual({ readdir: 0, lstat: 2 });
    expect(await keep(20, 'c')).toEqual(filling);
    expect(await readdir(folder)).toHaveLength(16);
    await other.record(call({ index: 21 }));
    await passTime();
    expect((await keep(22, 'd')).readdir).toBe(1);
    expect(await argumentsOf(history)).toEqual([{ index: 21 }]);
    expect(await keep(23, 'e')).toEqual(filling);
    expect(await readdir(folder)).toHaveLength(15);
  });

  it('forgets one call, those of a tool, those of a server', async () => {
    const history = open();
    const changed: unknown[] = [];
    history.onDidChange((which) => changed.push(which));
    const id = await history.record(call({ a: 1 }, { answer: answer('1') }));
    await history.record(call({ a: 2 }));
    await history.record(call({ a: 3 }, { tool: 'sub' }));
    await history.record(call({ a: 4 }, { identity: 'other' }));
    changed.length = 0;
    await history.forget(id ?? '');
    expect(await history.get(id ?? '')).toBeUndefined();
    expect(await argumentsOf(history)).toEqual([{ a: 2 }]);
    expect(await history.forgetAll('demo', 'add')).toBe(1);
    expect(await history.forgetAll('demo')).toBe(1);
    expect(await argumentsOf(history, 'add', 'other')).toEqual([{ a: 4 }]);
    expect(await readdir(folder)).toHaveLength(1);
    expect(changed).toEqual([
      { identity: 'demo', tool: 'add' },
      { identity: 'demo', tool: 'add' },
      { identity: 'demo' },
    ]);
  });

  it('takes no id for a path', async () => {
    const outside = join(parent, 'secret.json');
    await writeFile(outside, '{}');
    const history = open();
    await history.record(call({}));
    for (const id of ['../secret', 'secret', '', '__proto__', join(parent, 'secret')]) {
      expect(await history.get(id)).toBeUndefined();
      await history.forget(id);
    }
    expect(await readFile(outside, 'utf8')).toBe('{}');
  });

  it('passes over files that are cut, strange, links or much too large', async () => {
    const history = open();
    const id = (await history.record(call({ a: 1 }))) ?? '';
    const name = (random: string): string => join(folder, `${id.slice(0, -8)}${random}`);
    await writeFile(`${name('aaaaaaa1')}.json`, '{"server":"demo","tool":"add","at":1,"outc');
    await writeFile(`${name('aaaaaaa2')}.json`, '[]');
    await writeFile(`${name('aaaaaaa3')}.json`, '{"server":"demo","tool":"add","at":-1,"outcome":"done"}');
    await writeFile(`${name('aaaaaaa4')}.json`, `"${'x'.repeat(3 * 1024 * 1024)}"`);
    await writeFile(join(parent, 'elsewhere'), '{"server":"demo","tool":"add","at":1,"outcome":"done","args":{"b":1}}');
    await symlink(join(parent, 'elsewhere'), `${name('aaaaaaa5')}.json`);
    await mkdir(`${name('aaaaaaa6')}.json`);
    await writeFile(join(folder, `${id}.result`), 'not JSON');
    await writeFile(join(folder, 'notes.txt'), 'mine');
    expect(await argumentsOf(open())).toEqual([{ a: 1 }]);
    expect(await open().get(id)).toMatchObject({ args: { a: 1 }, answer: undefined });
  });

  it('goes on where the folder cannot be used, and says so once', async () => {
    await writeFile(folder, 'in the way');
    const history = open();
    expect(await history.record(call({}))).toBeUndefined();
    expect(await history.record(call({}))).toBeUndefined();
    expect(await history.list('demo', 'add', 10)).toEqual({ calls: [], more: 0 });
    expect(await history.forgetAll()).toBe(0);
    expect(logged).toEqual([expect.stringContaining('The history of calls in')]);
  });

  it('offers each value of a place once, the latest first, for every item of a list', async () => {
    const history = open();
    await history.record(call({ path: 'a', list: [{ x: 1 }, { x: 2 }] }));
    await history.record(call({ path: 'b', list: [{ x: 2 }, { x: { y: 3 } }] }));
    await history.record(call({ path: 'a', long: 'x'.repeat(3_000) }));
    expect(await history.recentValues('demo', 'add', ['path'])).toEqual(['a', 'b']);
    expect(await history.recentValues('demo', 'add', ['list', 0, 'x'])).toEqual([2, { y: 3 }, 1]);
    expect(await history.recentValues('demo', 'add', ['long'])).toEqual([]);
    expect(await history.recentValues('demo', 'add', ['toString'])).toEqual([]);
  });

  it('keeps calls of one millisecond in order, and files private', async () => {
    const history = open({ now: () => 1_800_000_000_000 });
    await Promise.all([1, 2, 3].map((a) => history.record(call({ a }))));
    expect(await argumentsOf(history)).toEqual([{ a: 3 }, { a: 2 }, { a: 1 }]);
    const [name = ''] = await readdir(folder);
    if (process.platform !== 'win32') expect((await stat(join(folder, name))).mode & 0o077).toBe(0);
  });

  it('removes what a window that was killed left half written', async () => {
    const history = open();
    await history.record(call({ a: 1 }));
    const left = join(folder, 'x.json.new');
    await writeFile(left, '{');
    await passTime();
    await utimes(left, new Date(now - 3_600_000), new Date(now - 3_600_000));
    await history.record(call({ a: 2 }));
    expect((await readdir(folder)).filter((name) => name.endsWith('.new'))).toEqual([]);
  });

  it('shares its folder with another window without losing a call', async () => {
    // What is half written is told from what was abandoned by the time of its file.
    const real = { now: () => Date.now() };
    const [one, other] = [open(real), open(real)];
    await Promise.all(Array.from({ length: 20 }, (_, a) => (a % 2 === 0 ? one : other).record(call({ a }))));
    expect(await argumentsOf(open())).toHaveLength(20);
  });
});
