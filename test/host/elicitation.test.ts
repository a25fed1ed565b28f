import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { commands } from 'vscode';
import type { ServerHandle } from '../../src/host/api.ts';
import { setTesting, startServer, textOf, until } from './patchbay.ts';
import { openTabs, untilActiveTab } from './window.ts';

async function untilPanels(count: number): Promise<void> {
  await until(() => openTabs('Patchbay: Question').length === count);
}

describe('a question of a server', () => {
  let server: ServerHandle;

  before(async () => {
    server = await startServer('demo');
  });

  after(async () => {
    await setTesting('consent', undefined);
    await server.stop();
  });

  it('that is declined reaches the server as declined', async () => {
    await setTesting('consent', 'decline');
    assert.match(textOf(await server.callTool('order_lunch')), /"decline"/);
    assert.match(textOf(await server.callTool('open_guide')), /"decline"/);
  });

  it('that is answered reaches the server with its defaults', async () => {
    await setTesting('consent', 'approve');
    assert.match(textOf(await server.callTool('order_lunch')), /"accept".*name: test.*dish: curry/s);
    assert.match(textOf(await server.callTool('open_guide')), /"accept"/);
  });

  it('opens the panel for a person, which can be brought back, and leaves it when the server stops', async () => {
    await setTesting('consent', undefined);
    const call = server.callTool('order_lunch');
    call.catch(() => {});
    await untilPanels(1);
    await commands.executeCommand('workbench.action.files.newUntitledFile');
    await commands.executeCommand('patchbay.showQuestion');
    await untilActiveTab(({ label }) => label === 'Patchbay: Question');
    await server.stop();
    await assert.rejects(call);
    await untilPanels(0);
    await server.start();
  });

  it('is cancelled when its panel is closed', async () => {
    const call = server.callTool('open_guide');
    await untilPanels(1);
    await commands.executeCommand('patchbay.showQuestion');
    await untilActiveTab(({ label }) => label === 'Patchbay: Question');
    await commands.executeCommand('workbench.action.closeActiveEditor');
    assert.match(textOf(await call), /"cancel"/);
  });
});
