import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repositoryRoot } from '../tools/vscodeHost/paths.mjs';
import { demoWorkspace } from './driver/newWorkspace.ts';
import { useWindow, window } from './driver/useWindow.ts';

describe('the packaged extension, installed', () => {
  useWindow(() => ({
    workspace: demoWorkspace,
    extension: { kind: 'vsix', path: join(repositoryRoot, 'patchbay.vsix') },
    companion: true,
  }));

  it('shows the configured servers in the sidebar', async () => {
    await window.sidebar.open();
    await window.sidebar.item('demo').waitFor();
    await window.screenshot('installed');
  });

  // An extension in development runs with the smoke-test driver, which turns pop-ups off.
  it('says in a pop-up what a key has changed, and takes it back there', async () => {
    await window.sidebar.click('files');
    await window.page.keyboard.press('Control+d');
    await window.sidebar.item('files-2').waitFor();
    await window.page.locator('.notification-toast').getByRole('button', { name: 'Undo', exact: true }).click();
    await window.sidebar.item('files-2').waitFor({ state: 'detached' });
  });

  it('starts its demo server, whose answer reaches another extension', async () => {
    const outcome = window.companion.callTool({ server: 'demo', tool: 'add', args: { a: 2, b: 3 } });
    await window.dialogs.press('Call');
    expect(await outcome).toMatchObject({ kind: 'result', result: { isError: false, structuredContent: { sum: 5 } } });
  });

  it('asks in its panel before a server gets a model', async () => {
    const { outcome } = await window.callTool({ server: 'demo', tool: 'summarize', args: { text: 'anything' } });
    const panel = await window.webviews.frame('h1:has-text("wants to use a language model")');
    await panel.getByRole('button', { name: 'Decline' }).click();
    expect(JSON.stringify(await outcome)).toContain('code -1');
  });

  it('says to another extension what is wrong', async () => {
    const outcome = await window.companion.callTool({ server: 'nowhere', tool: 'none' });
    expect(outcome).toEqual({ kind: 'error', message: 'There is no server nowhere.' });
  });
});
