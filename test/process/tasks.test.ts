import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { HeadlessOptions, HeadlessServer } from '../../src/headless.ts';
import { closeLater } from '../fixtures/closeLater.ts';
import { openHeadless } from '../fixtures/headlessServer.ts';
import { createHttpPartner, createStdioPartner, type Partner } from '../fixtures/partners.ts';
import { serveTasksOverHttp } from '../fixtures/servers/partner/tasks.mjs';
import { temporaryFolder } from '../fixtures/temporaryFolder.ts';

let partner: Partner;

function text(value: string): object {
  return { content: [{ type: 'text', text: value }], isError: false };
}

/** Resolves once the server has a task. */
async function untilWorking(server: HeadlessServer): Promise<void> {
  if (server.tasks.some(({ state: now }) => now === 'working')) return;
  await new Promise<void>((resolve) => {
    const subscription = server.onDidChange(() => {
      if (!server.tasks.some(({ state: now }) => now === 'working')) return;
      subscription.dispose();
      resolve();
    });
  });
}

async function start(revision: string, transport: 'stdio' | 'http', options: Partial<HeadlessOptions> = {}) {
  const state = join(await temporaryFolder(), 'tasks');
  partner = closeLater(
    transport === 'stdio'
      ? createStdioPartner('taskServer.mjs', [`--revision=${revision}`, `--state=${state}`], revision)
      : createHttpPartner(await serveTasksOverHttp(revision, state)),
  );
  const server = openHeadless(partner.definition, options);
  await server.start();
  expect(server.protocolVersion).toBe(revision);
  return server;
}

describe.each([
  ['2025-11-25', 'stdio'],
  ['2025-11-25', 'http'],
  ['2026-07-28', 'stdio'],
  ['2026-07-28', 'http'],
] as const)('tasks of %s over %s', (revision, transport) => {
  it('are taken up by a server that was stopped meanwhile [task-survives]', async () => {
    const server = await start(revision, transport);
    const call = server.callTool('work');
    const left = expect(call).rejects.toMatchObject({ code: 'connectionClosed' });
    await untilWorking(server);
    await server.stop();
    await left;
    expect(server.tasks).toMatchObject([{ tool: 'work', state: 'paused', isAwaited: false }]);
    await server.start();
    await server.callTool('finish');
    const [task] = server.tasks;
    expect(await server.taskResult(task?.id ?? '')).toMatchObject(text('The work is done.'));
  });
});

describe.each(['stdio', 'http'] as const)('tasks of 2026-07-28 over %s', (transport) => {
  it('get the answers they wait for [task-input] [task-name]', async () => {
    const server = await start('2026-07-28', transport, {
      onElicitation: () => Promise.resolve({ action: 'accept', content: { name: 'Ada' } }),
    });
    expect(await server.callTool('ask')).toMatchObject(text('Hello, Ada!'));
    expect(partner.received().filter(({ method }) => method === 'tasks/update')).toHaveLength(1);
  });
});

describe('the reference server "everything"', () => {
  const script = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/dist/index.js');

  it('asks in the middle of a task, and is answered [task-related] [task-result]', async () => {
    const heard = new Set<string | undefined>();
    const server = openHeadless(
      { command: process.execPath, args: [script, 'stdio'] },
      { onElicitation: () => Promise.resolve({ action: 'accept', content: { interpretation: 'snake' } }) },
    );
    await server.start();
    const result = await server.callTool(
      'simulate-research-query',
      { topic: 'Python', ambiguous: true },
      { onProgress: ({ message }) => heard.add(message) },
    );
    expect(JSON.stringify(result)).toContain('Research Report: Python (snake)');
    expect([...heard]).toContain('Gathering sources...');
  });
});
