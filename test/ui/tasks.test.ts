import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { repositoryRoot } from '../tools/vscodeHost/paths.mjs';
import { folderWith } from './driver/newWorkspace.ts';
import { openVSCode } from './driver/openVSCode.ts';
import { reportFailures } from './driver/reportFailures.ts';
import type { Workbench } from './driver/workbench.ts';

const script = join(repositoryRoot, 'test', 'fixtures', 'servers', 'taskServer.mjs');

describe('a tool call that becomes a task', () => {
  let folder: string;
  let window: Workbench;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'patchbay-tasks-'));
    const args = [script, '--revision=2026-07-28', `--state=${join(folder, 'tasks.json')}`];
    window = await openVSCode({ workspace: folderWith({ worker: { command: process.execPath, args } }) });
    await window.startServer('worker');
    await window.sidebar.expand('Tools');
  });

  afterAll(async () => {
    await window?.close();
    await rm(folder, { recursive: true });
  });

  reportFailures(() => window);

  /** The row of the task, not that of its tool. */
  const task = (state: RegExp) =>
    window.sidebar.container
      .locator('[role="treeitem"][aria-label*="Task of the tool work"]')
      .filter({ hasText: state });

  it('shows in the tree how it stands', async () => {
    await window.sidebar.inlineAction('work', 'Call Tool…');
    await task(/working · Working on it/).waitFor();
    await window.screenshot('task-working');
  });

  it('is taken up after a reload of the window, and its result is one click away', async () => {
    await window.reload();
    await window.sidebar.open();
    await window.notifications.press('1 task of the server "worker" may still run', 'Resume');
    await task(/working/).waitFor();
    await window.sidebar.expand('Tools');
    await window.sidebar.inlineAction('finish', 'Call Tool…');
    // Its result opens and takes the focus: wait for it before the next step.
    await window.page.getByRole('tab', { name: 'finish' }).waitFor();
    await task(/done/).waitFor();
    await window.screenshot('task-done');
    await window.notifications.press('The tool "work" of "worker" is done.', 'Show Result');
    await window.page.getByRole('tab', { name: 'work' }).waitFor();
    await window.sidebar.inlineAction('work', 'Dismiss Task');
    await task(/done/).waitFor({ state: 'detached' });
  });
});
