import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { limits } from '../../src/base/limits.ts';
import type { LogEntry } from '../../src/base/logger.ts';
import type { HeadlessServer } from '../../src/headless.ts';
import { writeJsonInPieces } from '../../src/base/jsonPreview.ts';
import { toResultView } from '../../src/host/results/resultDocument.ts';
import { countWork } from '../fixtures/countWork.ts';
import { openHeadless } from '../fixtures/headlessServer.ts';

const script = fileURLToPath(new URL('../fixtures/servers/hostileServer.mjs', import.meta.url));

describe('a server that attacks with what it sends', { timeout: 60_000 }, () => {
  const logs: LogEntry[] = [];

  async function start(flag: string): Promise<HeadlessServer> {
    logs.length = 0;
    const server = openHeadless(
      { command: process.execPath, args: [script, flag], patchbay: { timeouts: { requestMs: 30_000 } } },
      { onLog: (entry) => logs.push(entry) },
    );
    await server.start();
    return server;
  }

  it.each([
    ['members', /with more than 500000 members/],
    ['depth', /nested deeper than 10000 levels/],
  ])('has its request fail at once, and nothing of the answer is parsed: %s', async (kind, words) => {
    const server = await start(`--answer=${kind}`);
    let parsed = 0;
    const stop = countWork(JSON, 'parse', (_json, [text]) => (parsed = Math.max(parsed, String(text).length)));
    try {
      const failure = await server.callTool('attack').catch((error: unknown) => error);
      expect(failure).toMatchObject({ code: 'messageTooLarge', message: expect.stringMatching(words) as unknown });
    } finally {
      stop();
    }
    expect(parsed).toBeLessThan(100_000);
    expect(server.state).toBe('running');
  });

  it('has a result of 6,000 levels shown, cut with a note [deep-cut]', async () => {
    const server = await start('--answer=deep');
    const result = await server.callTool('attack');
    expect(JSON.stringify(result.structuredContent)).toContain('"… (left out: nested deeper than 512 levels)"');
    const view = toResultView({
      key: 'k',
      title: 'T',
      server: 'it',
      actions: [],
      result: { kind: 'tool', result },
    });
    expect(view.notices).toEqual([expect.stringContaining('Choose Open Full Content')]);
    expect([...writeJsonInPieces(result)].join('')).toContain('left out: nested deeper');
  });

  it.each(['batch', 'numbers', 'logs', 'noise', 'stderr', 'logBatch', 'ids', 'requests'])(
    'writes no more than so many lines into the log, and is answered after it: %s',
    async (kind) => {
      const server = await start(`--answer=${kind}`);
      const startedAt = Date.now();
      expect(await server.callTool('attack')).toMatchObject({ content: [] });
      const seconds = 2 + Math.ceil((Date.now() - startedAt) / 1_000);
      expect(logs.length).toBeLessThan(seconds * (limits.log.lines + 1));
    },
  );

  it('writes lines of bounded length', async () => {
    const server = await start('--answer=longLog');
    let written = 0;
    const stop = countWork(JSON, 'stringify', (_json, _args, text) => (written += String(text).length));
    try {
      await server.callTool('attack');
    } finally {
      stop();
    }
    expect(written).toBeLessThan(100_000);
    expect(Math.max(...logs.map(({ message }) => message.length))).toBeLessThan(limits.log.characters + 200);
    expect(logs.some(({ message }) => message.startsWith('[info] ["xxx'))).toBe(true);
  });

  it.each([
    ['pages', 100],
    ['names', 1],
    ['cursors', 0],
  ])('has its lists read within limits, which says so: %s', async (kind, least) => {
    const server = await start(`--list=${kind}`);
    expect(server.tools.length).toBeGreaterThanOrEqual(least);
    expect(JSON.stringify(server.tools).length).toBeLessThan(limits.list.characters * 1.1);
    expect(Math.max(0, ...server.tools.map(({ name }) => name.length))).toBeLessThanOrEqual(limits.item.name);
    expect(logs.some(({ message }) => /is too long|was left out/.test(message))).toBe(true);
    expect(logs.length).toBeLessThan(200);
  });
});
