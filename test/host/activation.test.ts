import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { commands, extensions } from 'vscode';
import { CommandIds } from '../../src/host/commandIds.ts';

describe('activation', () => {
  const extension = extensions.getExtension<{ apiVersion: number }>('patchbay.patchbay');

  it('finds the extension and activates it', async () => {
    assert.ok(extension, 'the extension patchbay.patchbay is not installed');
    await extension.activate();
    assert.equal(extension.isActive, true);
  });

  it('returns the first version of the API', () => {
    assert.equal(extension?.exports.apiVersion, 1);
  });

  it('registers every command it declares', async () => {
    const registered = new Set(await commands.getCommands(true));
    assert.deepEqual(
      Object.values(CommandIds).filter((id) => !registered.has(id)),
      [],
    );
  });

  it('contributes the view of servers', async () => {
    await commands.executeCommand('patchbay.servers.focus');
  });
});
