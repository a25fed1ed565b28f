import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { commands, window } from 'vscode';
import type { ServerHandle } from '../../src/host/api.ts';
import type { GetPromptResult } from '../../src/protocol/mcp/prompts.ts';
import { askUntil, startServer } from './patchbay.ts';
import { closeEditors, drivingQuickPick, untilActiveTab } from './window.ts';

describe('prompts as commands', () => {
  let server: ServerHandle;
  before(async () => {
    server = await startServer('demo');
  });
  after(async () => {
    await closeEditors();
    await server.stop();
  });

  it('has a command for each prompt, and keeps it while the server is stopped', async () => {
    const expected = server.prompts.map(({ name }) => `patchbay.prompt.demo.${name}`);
    assert.ok(expected.length > 3);
    const missing = async (): Promise<string[]> => {
      const registered = new Set(await commands.getCommands(true));
      return expected.filter((id) => !registered.has(id));
    };
    await askUntil(missing, (ids) => ids.length === 0);
    await server.stop();
    assert.deepEqual(await missing(), []);
  });

  it('starts its server, asks for nothing that is given, and opens the messages in an editor', async () => {
    await server.stop();
    await commands.executeCommand('patchbay.prompt.demo.greet', {
      arguments: { name: 'Ada', language: 'French' },
      then: 'editor',
    });
    assert.equal(server.state, 'running');
    await askUntil(
      () => Promise.resolve(window.activeTextEditor?.document),
      (document) => document?.languageId === 'patchbay-markdown' && document.getText().includes('Ada'),
    );
  });

  it('shows the messages in a tab of their own', async () => {
    const result = await commands.executeCommand<GetPromptResult>('patchbay.prompt.demo.no_arguments');
    assert.ok(result.messages.length > 0);
    const title = server.prompts.find(({ name }) => name === 'no_arguments')?.title;
    await untilActiveTab((tab) => tab.label === title);
  });

  it('takes a row of the tree for an argument', async () => {
    const item = server.prompts.find(({ name }) => name === 'no_arguments');
    const row = { kind: 'prompt', server: 'demo', prompt: 'no_arguments', item, occurrence: 0 };
    assert.ok(await commands.executeCommand('patchbay.runPrompt', row));
  });

  it('lets an optional argument be left out by Enter', async () => {
    const run = commands.executeCommand<GetPromptResult>('patchbay.prompt.demo.greet', { arguments: { name: 'Ada' } });
    const result = await drivingQuickPick('accept', run);
    assert.match(JSON.stringify(result?.messages), /Ada/);
  });

  it('gives up without a word on Escape', async () => {
    const run = commands.executeCommand('patchbay.prompt.demo.greet', { then: 'editor' });
    assert.equal(await drivingQuickPick('close', run), undefined);
  });

  it('gives nothing for arguments that make no sense', async () => {
    const greet = 'patchbay.prompt.demo.greet';
    assert.equal(await commands.executeCommand(greet, { arguments: { name: 3 } }), undefined);
    assert.equal(await commands.executeCommand(greet, { arguments: { nmae: 'Ada' } }), undefined);
    assert.equal(await commands.executeCommand(greet, { then: 'fax' }), undefined);
  });
});
