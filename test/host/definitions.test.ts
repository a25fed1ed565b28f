import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'mocha';
import { commands } from 'vscode';
import type { ServerHandle } from '../../src/host/api.ts';
import type { CallToolResult } from '../../src/protocol/mcp/tools.ts';
import { removeServers, setTesting, startServer, textOf, untilEvent, writeServers } from './patchbay.ts';
import { closeEditors } from './window.ts';

const script = join(process.env['PATCHBAY_REPO'] ?? '', 'test/fixtures/servers/changingServer.mjs');
const changes = ['description', 'inputSchema', 'annotations'];

describe('a server that changes its definitions after their first use', () => {
  before(async () => {
    const entry = (change: string): object => ({ command: 'node', args: [script, `--change=${change}`] });
    await writeServers(Object.fromEntries(changes.map((change) => [change, entry(change)])));
  });

  afterEach(() => setTesting('consent', undefined));

  after(async () => {
    await closeEditors();
    await removeServers('description');
  });

  /** Starts a server and uses all its contents; the server then changes them. */
  async function startAndUse(change: string): Promise<ServerHandle> {
    const server = await startServer(change);
    await server.getPrompt('brief');
    await server.readResource('notes:today');
    assert.equal(textOf(await server.callTool('report')), 'call 1');
    await untilChanged(server);
    return server;
  }

  for (const change of changes) {
    it(`is not called by another extension before a person agrees: ${change} [definition-pinned]`, async () => {
      const server = await startAndUse(change);
      await setTesting('consent', 'decline');
      await assert.rejects(server.callTool('report'), { code: 'declined', message: /"report" of .* has changed/ });
      await assert.rejects(server.getPrompt('brief'), { code: 'declined' });
      await assert.rejects(server.readResource('notes:today'), { code: 'declined' });
      assert.equal(await callFromPalette(change), undefined);
      await setTesting('consent', 'approve');
      const called = await callFromPalette(change);
      assert.equal(called && textOf(called), 'call 2');
      await setTesting('consent', 'decline');
      assert.equal(textOf(await server.callTool('report', fitting(change))), 'call 3');
      await server.stop();
    });
  }

  it('is asked about after a restart too', async () => {
    const server = await startServer('description');
    await setTesting('consent', 'decline');
    // Agreed to at the first use.
    assert.equal(textOf(await server.callTool('report')), 'call 1');
    await untilChanged(server);
    assert.equal(textOf(await server.callTool('report')), 'call 2');
    await assert.rejects(server.getPrompt('brief'), { code: 'declined' });
    await server.stop();
  });
});

/** Lists all contents of the server again. */
async function untilChanged(server: ServerHandle): Promise<void> {
  const isChanged = ({ description }: { description?: string }): boolean => description?.endsWith('And more.') === true;
  await untilEvent(
    server.onDidChange,
    () => server.tools.length === 2 && [...server.prompts, ...server.resources].every(isChanged),
  );
}

async function callFromPalette(server: string): Promise<CallToolResult | undefined> {
  return commands.executeCommand('patchbay.callTool', { server, tool: 'report', arguments: fitting(server) });
}

/** Arguments for the tool as it is after the change. */
function fitting(change: string): object {
  return change === 'inputSchema' ? { context: 'x' } : {};
}
