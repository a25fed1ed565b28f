import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { commands } from 'vscode';
import type { ServerHandle } from '../../src/host/api.ts';
import type { ServerTask } from '../../src/client/tasks/serverTask.ts';
import { CommandIds } from '../../src/host/commandIds.ts';
import type { CallToolResult } from '../../src/protocol/mcp/tools.ts';
import { removeServers, startServer, textOf, untilEvent, writeServers } from './patchbay.ts';
import { closeEditors, untilActiveTab } from './window.ts';

const script = join(process.env['PATCHBAY_REPO'] ?? '', 'test/fixtures/servers/taskServer.mjs');
const revisions = ['2025-11-25', '2026-07-28'];

async function untilTask(server: ServerHandle, accept: (task: ServerTask) => boolean): Promise<ServerTask> {
  await untilEvent(server.onDidChange, () => server.tasks.some(accept));
  return server.tasks.find(accept) ?? assert.fail('the task is gone again');
}

describe('tool calls that become tasks', () => {
  let state: string;

  before(async () => {
    state = await mkdtemp(join(tmpdir(), 'patchbay-tasks-'));
    const entry = (revision: string): object => ({
      command: 'node',
      args: [script, `--revision=${revision}`, `--state=${join(state, revision)}`],
    });
    await writeServers(Object.fromEntries(revisions.map((revision) => [`tasks-${revision}`, entry(revision)])));
  });

  after(async () => {
    await closeEditors();
    await removeServers('tasks-2025-11-25');
    await rm(state, { recursive: true });
  });

  for (const revision of revisions) {
    it(`are taken up by a new start of the server, and their results shown: ${revision}`, async () => {
      const label = `tasks-${revision}`;
      const server = await startServer(label);
      assert.equal(server.protocolVersion, revision);
      const left = assert.rejects(server.callTool('work'), /was stopped before the tool finished/);
      const { id } = await untilTask(server, ({ state: now }) => now === 'working');
      await server.stop();
      await left;
      assert.deepEqual(
        server.tasks.map(({ state: now, tool }) => [now, tool]),
        [['paused', 'work']],
      );
      await server.start();
      await untilTask(server, ({ state: now }) => now === 'working');
      await server.callTool('finish');
      const argument = { server: label, task: id };
      const result = await commands.executeCommand<CallToolResult>(CommandIds.showTaskResult, argument);
      assert.equal(textOf(result), 'The work is done.');
      await untilActiveTab(({ label: title }) => title === 'work');
      await commands.executeCommand(CommandIds.dismissTask, argument);
      assert.deepEqual(server.tasks, []);
      await server.stop();
    });

    it(`are cancelled by a command: ${revision}`, async () => {
      const label = `tasks-${revision}`;
      const server = await startServer(label);
      const left = assert.rejects(server.callTool('work'), { name: 'AbortError' });
      const { id } = await untilTask(server, ({ state: now }) => now === 'working');
      await commands.executeCommand(CommandIds.cancelTask, { server: label, task: id });
      await left;
      assert.deepEqual(server.tasks, []);
      await server.stop();
    });
  }
});
