import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { commands, extensions } from 'vscode';
import { CommandIds } from '../../src/host/commandIds.ts';
import { askUntil } from './patchbay.ts';

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
    // Those of the approvals come once the configuration has been read.
    const ids = await askUntil(
      async () => await commands.getCommands(true),
      (known) => known.includes(CommandIds.revokeApproval),
    );
    const registered = new Set(ids);
    assert.deepEqual(
      Object.values(CommandIds).filter((id) => !registered.has(id)),
      [],
    );
  });

  it('contributes the view of servers', async () => {
    await commands.executeCommand('patchbay.servers.focus');
  });
});
