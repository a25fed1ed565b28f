import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { LogEntry } from '../../src/base/logger.ts';
import { createHeadlessHost, type HeadlessOptions, type HeadlessServer } from '../../src/headless.ts';
import type { ServerDefinition } from '../../src/config/serverDefinition.ts';
import { buildDemoServer } from '../fixtures/demoServer.ts';
import { openHeadless } from '../fixtures/headlessServer.ts';
import { problem } from '../fixtures/problem.ts';
import { processesWith } from './processMarks.ts';

function fixture(name: string): string {
  return fileURLToPath(new URL(`../fixtures/servers/${name}`, import.meta.url));
}

describe('a host without an editor', () => {
  const mark = randomUUID();
  const logs: LogEntry[] = [];

  /** A host with one server, `it`. */
  function open(
    script: string,
    flags: readonly string[] = [],
    options: Partial<HeadlessOptions> = {},
    timeouts = {},
  ): HeadlessServer {
    logs.length = 0;
    const args = [fixture(script), ...flags];
    const definition = { command: process.execPath, args, env: { PATCHBAY_TEST_MARK: mark }, patchbay: { timeouts } };
    return openHeadless(definition, { onLog: (entry) => logs.push(entry), ...options });
  }

  // After the host has closed: the last one is called first.
  beforeEach(() => onTestFinished(() => expect(processesWith(mark)).toEqual([])));

  it('runs a server written as in an article with wrong codes and no cancellation', async () => {
    const server = open('articleServer.mjs');
    await server.start();
    expect(server.protocolVersion).toBe('2025-03-26');
    expect(server.tools.map(({ name }) => name)).toEqual(['calculate', 'get_timestamp']);
    const result = await server.callTool('calculate', { expression: '6*7' });
    expect(result).toEqual({ content: [{ type: 'text', text: '42' }], isError: false });
    await expect(server.callTool('missing')).rejects.toMatchObject({ code: -32002 });
    await expect(server.readResource('no:where')).rejects.toMatchObject({ code: -32001 });
    expect((await server.readResource('server://info')).contents).toHaveLength(1);
  });

  it('says what is wrong with a URL without repeating what may be a secret in it', async () => {
    const server = openHeadless({ url: 'https://ann:secret@host:99999/mcp' });
    await expect(server.start()).rejects.toThrow(/^The "url" of "it" must be an address that starts with "https:/);
    expect(server.error).not.toContain('secret');
  });

  // On Linux alone the test finds the processes of a server.
  it.runIf(process.platform === 'linux')(
    'starts a server again that has stopped answering [ping-periodic]',
    async () => {
      const server = open('articleServer.mjs', [], {}, { pingMs: 100, requestMs: 300 });
      await server.start();
      const restarted = new Promise<void>((resolve) => {
        let hasEnded = false;
        server.onDidChange(() => {
          hasEnded ||= server.state === 'waiting';
          if (hasEnded && server.state === 'running') resolve();
        });
      });
      for (const pid of processesWith(mark)) process.kill(pid, 'SIGSTOP');
      await restarted;
      expect(logs.map(({ message }) => message)).toContain('The server does not answer a ping.');
      expect((await server.callTool('calculate', { expression: '6*7' })).isError).toBe(false);
    },
  );

  it.each([
    ['splits characters over chunks', ['--split']],
    ['prints banners on stdout', ['--banner']],
    ['floods notifications', ['--flood=100000']],
  ])('works with a server that %s', async (_, flags) => {
    const server = open('scriptedServer.mjs', flags);
    await server.start();
    expect(JSON.stringify(await server.callTool('echo', { text: 'grüße 🧵' }))).toContain('grüße 🧵');
    await server.stop();
    expect(server.state).toBe('stopped');
  });

  it('says in one sentence what a server said that exits during its start', async () => {
    const server = open('scriptedServer.mjs', ['--stderr=no licence found', '--exit=3']);
    await expect(server.start()).rejects.toThrow(/exit code 3.*no licence found/s);
    expect(server.state).toBe('failed');
    expect(server.error).toContain('no licence found');
  });

  it('gives up on a server that never answers', async () => {
    const server = open('scriptedServer.mjs', ['--silent'], {}, { connectMs: 300 });
    await expect(server.start()).rejects.toMatchObject({ code: 'timeout' });
    expect(server.state).toBe('failed');
    expect(processesWith(mark)).toEqual([]);
  });

  it.runIf(process.platform === 'linux')(
    'leaves nothing of a server that ignores SIGTERM and has children [stdio-shutdown]',
    async () => {
      const server = open('scriptedServer.mjs', ['--ignore-sigterm', '--ignore-stdin-end', '--children']);
      await server.start();
      expect(processesWith(mark).length).toBeGreaterThanOrEqual(3);
      await server.stop();
      expect(processesWith(mark)).toEqual([]);
    },
  );

  it('names a command that is not there, and what to do', async () => {
    const server = openHeadless({ command: 'no-such-command-anywhere' });
    await expect(server.start()).rejects.toEqual(problem('spawnFailed', 'no-such-command-anywhere'));
  });

  it('writes out what a terminal would act on, or would hide, in the lines of a server', async () => {
    const text = '\u001b]0;owned\u0007\u001b[2J\u001b]52;c;ZXZpbA==\u0007\u009b31m\u202Eabc\rdef\r\nfake [info] line';
    const server = open('scriptedServer.mjs', [`--stderr=${text}`]);
    await server.start();
    const written = (): string => logs.map(({ message }) => message).join('\n');
    await expect.poll(written).toContain('fake [info] line');
    expect(written()).toContain('⟨U+001B⟩]52;c;ZXZpbA==⟨U+0007⟩⟨U+009B⟩31m⟨U+202E⟩abc⟨U+000D⟩def');
    expect(written()).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/);
  });

  it('shows every message of a server that is to be traced, both ways, and of no other', async () => {
    const entries: LogEntry[] = [];
    const definition = (trace: boolean): ServerDefinition => ({
      command: process.execPath,
      args: [fixture('scriptedServer.mjs'), '--banner'],
      env: { PATCHBAY_TEST_MARK: mark, API_TOKEN: 'opensesame' },
      patchbay: { trace },
    });
    const host = createHeadlessHost({
      servers: { it: definition(true), other: definition(false) },
      onLog: (entry) => entries.push(entry),
    });
    onTestFinished(() => host.dispose());
    for (const label of ['it', 'other']) {
      const server = host.getServer(label);
      await server?.start();
      await server?.callTool('echo', { text: 'It is opensesame.', city: 'Þórshöfn' });
      await server?.stop();
    }
    const traced = entries.filter(({ level }) => level === 'trace');
    expect(new Set(traced.map(({ server }) => server))).toEqual(new Set(['it']));
    const text = traced.map(({ message }) => message).join('\n');
    for (const line of [
      /^\S+ → request initialize \(\d+\), \d+ bytes$/m,
      /^\S+ ← result \(\d+\) of initialize after \d+ ms, \d+ bytes$/m,
      /^\S+ → notification notifications\/initialized, \d+ bytes$/m,
      /^\S+ → request tools\/call \(\d+\), \d+ bytes$/m,
      /^\S+ ← result \(\d+\) of tools\/call after \d+ ms, \d+ bytes$/m,
      /^\S+ • not a message: Welcome to the scripted server!$/m,
      /^\S+ • closed: stopped$/m,
    ])
      expect(text).toMatch(line);
    // Sent and echoed.
    expect(text.match(/Þórshöfn/g)).toHaveLength(2);
    expect(text).not.toContain('opensesame');
  });

  it('lends roots, and tells when they change', async () => {
    const demo = await buildDemoServer();
    const options = { command: process.execPath, args: [demo.path], env: { PATCHBAY_TEST_MARK: mark } };
    const host = createHeadlessHost({ servers: { it: options }, roots: [{ uri: 'file:///first', name: 'one' }] });
    onTestFinished(() => host.dispose());
    const server = host.getServer('it') ?? expect.unreachable('no server');
    await server.start();
    expect(JSON.stringify(await server.callTool('list_roots'))).toContain('file:///first');
    host.setRoots([{ uri: 'file:///second' }]);
    expect(JSON.stringify(await server.callTool('list_roots'))).toContain('file:///second');
    // No model is available here, so sampling is not offered.
    expect(JSON.stringify(await server.callTool('summarize', { text: 'x' }))).toMatch(/sampling/i);
    demo.remove();
  });

  it.each(['a block', 'a list'])('takes a sampling answer whose content is %s', async (form) => {
    const demo = await buildDemoServer();
    const block = { type: 'text', text: 'in short' } as const;
    const content = form === 'a block' ? block : [block];
    const server = openHeadless(
      { command: process.execPath, args: [demo.path], env: { PATCHBAY_TEST_MARK: mark } },
      { onSampling: () => Promise.resolve({ role: 'assistant', content, model: 'test' }) },
    );
    await server.start();
    expect(JSON.stringify(await server.callTool('summarize', { text: 'x' }))).toContain('in short');
    demo.remove();
  });
});
