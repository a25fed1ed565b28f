import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, it } from 'vitest';
import { fixtureServer, folderWith } from './driver/newWorkspace.ts';
import { useWindow, window } from './driver/useWindow.ts';

describe('a tool call that becomes a task', () => {
  // Elsewhere: a file of the workspace that changes would be asked about.
  const folder = mkdtempSync(join(tmpdir(), 'patchbay-tasks-'));
  const worker = fixtureServer('taskServer.mjs', '--revision=2026-07-28', `--state=${join(folder, 'tasks.json')}`);
  afterAll(() => rmSync(folder, { recursive: true }));
  useWindow(
    () => ({ workspace: folderWith({ worker }) }),
    async () => {
      await window.startServer('worker');
      await window.sidebar.expand('Tools');
    },
  );

  /** The row of the task, not that of its tool. */
  const task = (state: RegExp) =>
    window.sidebar.container
      .locator('[role="treeitem"][aria-label*="Task of the tool work"]')
      .filter({ hasText: state });

  it('shows in the tree how it stands', async () => {
    await window.sidebar.inlineAction('work', 'Call MCP Tool…');
    await task(/working · Working on it/).waitFor();
    await window.screenshot('task-working');
  });

  it('is taken up after a reload of the window, and its result is one click away', async () => {
    await window.reload();
    await window.sidebar.open();
    await window.notifications.press('1 task of the server "worker" may still be running', 'Resume');
    await task(/working/).waitFor();
    await window.sidebar.expand('Tools');
    await window.sidebar.inlineAction('finish', 'Call MCP Tool…');
    // Its result opens and takes the focus: wait for it before the next step.
    await window.page.getByRole('tab', { name: 'finish' }).waitFor();
    await task(/done/).waitFor();
    await window.screenshot('task-done');
    await window.notifications.press('The tool "work" of "worker" has finished.', 'Show Result');
    // The tab of the tool may be there too.
    await window.page.getByRole('tab', { name: 'work', selected: true }).waitFor();
    await window.sidebar.inlineAction('work', 'Dismiss Task');
    await task(/done/).waitFor({ state: 'detached' });
  });
});
