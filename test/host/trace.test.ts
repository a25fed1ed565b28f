import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { commands, workspace } from 'vscode';
import type { ServerHandle } from '../../src/host/api.ts';
import { CommandIds } from '../../src/host/commandIds.ts';
import { startServer, until } from './patchbay.ts';

/** The text of the output panel. */
function output(): string {
  const shown = workspace.textDocuments.filter(({ uri }) => uri.scheme === 'output');
  return shown.map((document) => document.getText()).join('\n');
}

describe('tracing messages', () => {
  let server: ServerHandle;
  before(async () => {
    server = await startServer('demo');
  });
  after(async () => {
    await commands.executeCommand('workbench.action.closePanel');
    await server.stop();
  });

  it('starts and stops while the server runs', async () => {
    await commands.executeCommand(CommandIds.traceMessages, 'demo');
    await server.callTool('add', { a: 20_001, b: 1 });
    await until(() => output().includes('20002'));
    const traced = output();
    assert.match(traced, /^\S+ → request tools\/call \(\d+\), \d+ bytes$/m);
    assert.match(traced, /^\S+ ← result \(\d+\) of tools\/call after \d+ ms, \d+ bytes$/m);

    await commands.executeCommand(CommandIds.stopTracingMessages, 'demo');
    await server.callTool('add', { a: 30_001, b: 1 });
    await commands.executeCommand(CommandIds.traceMessages, 'demo');
    await server.callTool('add', { a: 40_001, b: 1 });
    await until(() => output().includes('40002'));
    assert.doesNotMatch(output(), /30001|30002/);
    await commands.executeCommand(CommandIds.stopTracingMessages, 'demo');
  });
});
