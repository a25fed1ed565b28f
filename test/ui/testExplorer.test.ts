import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { folderWith } from './driver/newWorkspace.ts';
import { useWindow, window } from './driver/useWindow.ts';

const broken = fileURLToPath(new URL('../fixtures/servers/brokenServer.mjs', import.meta.url));

describe('Test Explorer', () => {
  const row = (name: string | RegExp) =>
    window.page.locator('.test-explorer [role="treeitem"]').filter({ hasText: name }).first();
  const expand = async (name: string): Promise<void> => {
    await row(name).click();
    await window.page.keyboard.press('ArrowRight');
  };
  const shows = async (name: string, outcome: RegExp): Promise<void> => {
    await expect.poll(() => row(name).getAttribute('aria-label')).toMatch(outcome);
  };

  useWindow(
    () => ({
      workspace: folderWith({ notes: { command: 'node', args: [broken, '--fault=names'] } }),
      companion: true,
    }),
    async () => {
      await window.sidebar.open();
      await window.sidebar.item('notes').waitFor();
    },
  );

  it('starts no server by a run of all tests, which another extension can ask for too', async () => {
    await window.companion.execute('workbench.view.testing.focus', []);
    await row('notes').waitFor();
    await window.companion.execute('testing.runAll', []);
    await expand('notes');
    await expand('Protocol (own checks)');
    await row('All tests were run').waitFor();
    expect(await window.dialogs.dialog.isVisible()).toBe(false);
  });

  it('has the checks of a server, which a command runs after the question of each start', async () => {
    await window.runCommand('MCP Patchbay: Check MCP Server');
    await window.quickInput.pick('notes');
    await window.dialogs.press('Start');
    await shows('No list has two entries with one name', /failed/i);
    await shows('ping is answered with an empty result', /passed/i);
    await row('nothing to check: The server declares tools, resources and prompts.').waitFor();
    await window.screenshot('test-explorer');
    // A folder of the person has no official suite yet: what would have been checked says how to get it.
    await window.page.keyboard.press('Home');
    await row('Protocol (own checks)').click();
    await window.page.keyboard.press('ArrowLeft');
    await expand('Official suite');
    await row('not run: The official suite is not installed.').waitFor();
  });
});
