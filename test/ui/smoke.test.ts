import { describe, expect, it } from 'vitest';
import { oldestVersion } from '../tools/vscodeHost/versions.mjs';
import { demoWorkspace } from './driver/newWorkspace.ts';
import { useWindow, window } from './driver/useWindow.ts';

// All other tests of windows run in the newest version.
describe('a window of the oldest VS Code on the demo workspace', () => {
  useWindow(() => ({ version: oldestVersion, workspace: demoWorkspace }));

  it('shows the configured servers in the sidebar', async () => {
    await window.sidebar.open();
    await window.sidebar.item('demo').waitFor();
    await window.sidebar.item('everything').waitFor();
    await window.screenshot('smoke');
  });

  it('offers its commands in the palette', async () => {
    await window.runCommand('MCP Patchbay: Run MCP Prompt…');
    await expect.poll(() => window.quickInput.prompt()).toMatch(/Prompt/);
    await window.quickInput.cancel();
  });

  it('keeps the palette open when something else takes the focus', async () => {
    await window.quickInput.openPalette();
    const tree = window.sidebar.container.locator('.monaco-list');
    await tree.focus();
    await expect.poll(() => tree.evaluate((element) => element === document.activeElement)).toBe(true);
    // VS Code would have closed it by the time a key is handled.
    await window.page.keyboard.press('ArrowDown');
    expect(await window.quickInput.field.isVisible()).toBe(true);
    await window.quickInput.cancel();
    await window.quickInput.waitUntilClosed();
  });

  it('shows them again after a reload', async () => {
    await window.reload();
    await window.sidebar.open();
    await window.sidebar.item('demo').waitFor();
    expect(window.errors.policyViolations).toEqual([]);
  });
});
