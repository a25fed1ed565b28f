import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { repositoryRoot } from '../tools/vscodeHost/paths.mjs';
import { oldestVersion } from '../tools/vscodeHost/versions.mjs';
import { openVSCode } from './driver/openVSCode.ts';
import { reportFailures } from './driver/reportFailures.ts';
import type { Workbench } from './driver/workbench.ts';

// All other tests of windows run in the newest version.
describe('a window of the oldest VS Code on the demo workspace', () => {
  let workbench: Workbench;

  beforeAll(async () => {
    const workspace = join(repositoryRoot, 'test', 'fixtures', 'workspaces', 'demo');
    workbench = await openVSCode({ version: oldestVersion, workspace });
  });

  afterAll(async () => {
    await workbench?.close();
  });

  reportFailures(() => workbench);

  it('shows the configured servers in the sidebar', async () => {
    await workbench.sidebar.open();
    await workbench.sidebar.item('demo').waitFor();
    await workbench.sidebar.item('everything').waitFor();
    await workbench.screenshot('smoke');
  });

  it('offers its commands in the palette', async () => {
    await workbench.runCommand('Patchbay: Run Prompt…');
    await expect.poll(() => workbench.quickInput.prompt()).toMatch(/Prompt/);
    await workbench.quickInput.cancel();
  });

  it('keeps the palette open when something else takes the focus', async () => {
    await workbench.quickInput.openPalette();
    const tree = workbench.sidebar.container.locator('.monaco-list');
    await tree.focus();
    await expect.poll(() => tree.evaluate((element) => element === document.activeElement)).toBe(true);
    // VS Code would have closed it by the time a key is handled.
    await workbench.page.keyboard.press('ArrowDown');
    expect(await workbench.quickInput.field.isVisible()).toBe(true);
    await workbench.quickInput.cancel();
    await workbench.quickInput.waitUntilClosed();
  });

  it('shows them again after a reload', async () => {
    await workbench.reload();
    await workbench.sidebar.open();
    await workbench.sidebar.item('demo').waitFor();
    expect(workbench.errors.policyViolations).toEqual([]);
  });
});
