import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { workspace } from 'vscode';
import { askUntil, startServer, textOf } from './patchbay.ts';

describe('the roots a server is lent', () => {
  it('are those the user chose, at once', async () => {
    const server = await startServer('demo');
    const settings = workspace.getConfiguration('patchbay');
    const roots = async (): Promise<string> => textOf(await server.callTool('list_roots'));
    assert.match(await roots(), /host-second/);
    await settings.update('serverOptions', { demo: { roots: ['host'] } }, true);
    await askUntil(roots, (text) => !text.includes('host-second') && text.includes('/host'));
    await settings.update('serverOptions', { demo: { roots: 'none' } }, true);
    await askUntil(roots, (text) => !text.includes('file:'));
    await settings.update('serverOptions', undefined, true);
    await askUntil(roots, (text) => text.includes('host-second'));
    await server.stop();
  });
});
