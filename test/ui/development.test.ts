import { writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { editedServer } from '../fixtures/servers/editedServer.mjs';
import { folderWith } from './driver/newWorkspace.ts';
import { useWindow, window } from './driver/useWindow.ts';

const files = { 'js/server.mjs': editedServer('node', 'Hello'), 'py/server.py': editedServer('python', 'Hello') };
const servers = {
  node: { command: process.execPath, args: ['${workspaceFolder}/js/server.mjs'] },
  python: { command: 'python3', args: ['${workspaceFolder}/py/server.py'] },
};

describe('somebody who builds a server', () => {
  useWindow(
    () => ({ workspace: folderWith(servers, { files }) }),
    () => window.sidebar.open(),
  );

  const state = async (label: string): Promise<string> =>
    (await window.sidebar.item(label).getAttribute('aria-label')) ?? '';
  const save = (file: string, text: string): Promise<void> => writeFile(join(window.workspace, file), text);
  const isAsked = (): Promise<boolean> => window.dialogs.dialog.isVisible();

  it('is told that a server runs code that has changed since, and that it no longer does after an undo', async () => {
    await window.startServer('node');
    await expect.poll(() => state('node')).toMatch(/running, 1 tool$/);
    await save('js/server.mjs', editedServer('node', 'Hi'));
    await expect.poll(() => state('node')).toMatch(/running, stale · 1 tool$/);
    await window.sidebar.tooltip('node', 'js/server.mjs changed since the start');
    await window.screenshot('server-stale');
    await save('js/server.mjs', files['js/server.mjs']);
    await expect.poll(() => state('node')).toMatch(/running, 1 tool$/);
  });

  it.each([
    ['node', 'js/server.mjs', 'const broken = ;'],
    ['python', 'py/server.py', 'def broken(:'],
  ] as const)(
    'edits, breaks and mends a server for %s, which restarts without a question',
    async (label, file, broken) => {
      if (label === 'python') await window.startServer(label);
      await expect.poll(() => state(label)).toMatch(/running, 1 tool$/);
      await window.sidebar.inlineAction(label, 'Restart on Save');
      const form = await openForm(label);
      await form.getByRole('textbox', { name: 'name' }).fill('Ada');
      await form.getByRole('checkbox', { name: 'Call Again After Restart' }).check();
      await form.getByRole('button', { name: 'Call', exact: true }).click();
      await form.getByText('Hello Ada').first().waitFor();

      await save(file, editedServer(label, 'Good day', ['more']));
      await form.getByText('Good day Ada').first().waitFor();
      await form.getByRole('figure').filter({ hasText: 'Before the restart' }).getByText('Hello Ada').waitFor();
      await expect.poll(() => state(label)).toMatch(/running, \+1 tool · 2 tools$/);
      expect(await form.getByRole('textbox', { name: 'name' }).inputValue()).toBe('Ada');
      await window.screenshot(`restarted-${label}`);

      await save(file, broken);
      await expect.poll(() => state(label)).toMatch(/running, new code does not start · 2 tools$/);
      await window.sidebar.item(/SyntaxError/).click();
      const why = await window.webviews.frame('h1:has-text("Diagnosis of")');
      await why.getByText('The code before it still runs').waitFor();
      await why
        .locator('button.link')
        .filter({ hasText: basename(file) })
        .first()
        .waitFor();
      await window.screenshot(`broken-${label}`);
      // Its call is answered all the same.
      await window.page
        .getByRole('tab', { name: /^greet/ })
        .last()
        .click();
      await window.sidebar.open();
      await save(file, editedServer(label, 'Good day'));
      await expect.poll(() => state(label)).toMatch(/running, −1 tool · 1 tool$/);
      await form.getByText('same result').waitFor();
      expect(await isAsked()).toBe(false);
      await window.sidebar.collapse(label);
    },
  );

  it('finds in Approvals what was allowed with it, and takes it back', async () => {
    await window.runCommand('Patchbay: Focus on Approvals View');
    await window.sidebar.item('Restart on Save').waitFor();
    await window.sidebar.contextAction('node', 'Stop Restarting on Save', 'Develop');
    await save('js/server.mjs', editedServer('node', 'Later'));
    await expect.poll(() => state('node')).toMatch(/stale/);
    await window.sidebar.inlineAction('node', 'Restart MCP Server');
    await window.dialogs.dialog.getByText('server.mjs', { exact: false }).first().waitFor();
    await window.screenshot('restart-asks');
    await window.dialogs.press('Start');
    await expect.poll(() => state('node')).toMatch(/running, 1 tool$/);
  });

  async function openForm(label: string) {
    await window.sidebar.expand(label);
    await window.sidebar.doubleClick('greet');
    // The page of the other server's tool of that name may still be in front.
    return window.webviews.frame(`body:has(h1:has-text("greet")):has-text("Tool of ${label}")`);
  }
});
