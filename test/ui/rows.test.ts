import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { focusedName } from './driver/focus.ts';
import { folderWith } from './driver/newWorkspace.ts';
import { useWindow, window } from './driver/useWindow.ts';

const memory = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-memory/dist/index.js');
const env = { MEMORY_FILE_PATH: '${workspaceFolder}/memory.jsonl' };
const servers = {
  broken: { command: process.execPath, args: ['-e', 'process.exit(3)'], patchbay: { autoRestart: false } },
  memory: { command: 'node', args: [memory], env },
};

describe('a row of the servers view', () => {
  useWindow(
    () => ({ workspace: folderWith(servers) }),
    () => window.sidebar.open(),
  );

  const tree = () => window.sidebar.container.locator('[role="tree"]');
  const state = async (label: string): Promise<string> =>
    (await window.sidebar.item(label).getAttribute('aria-label')) ?? '';
  const isExpanded = (label: string) => window.sidebar.item(label).getAttribute('aria-expanded');
  const tab = (name: string) => window.page.locator('.tab').filter({ hasText: name });

  it('of a stopped server opens and closes with a click, and starts nothing', async () => {
    await window.sidebar.click('memory');
    await window.sidebar.item('Start').waitFor();
    await window.screenshot('row-stopped');
    expect(await window.dialogs.dialog.isVisible()).toBe(false);
    expect(await state('memory')).toMatch(/stopped/);
    // Between two clicks on one row, so that they are no double click.
    await window.sidebar.click('broken');
    await expect.poll(() => isExpanded('broken')).toBe('true');
    await window.sidebar.click('memory');
    await expect.poll(() => isExpanded('memory')).toBe('false');
    expect(await window.dialogs.dialog.isVisible()).toBe(false);
  });

  it('shows its tools after one click on its button and one answer, and later after the click alone', async () => {
    await window.sidebar.inlineAction('memory', 'Start MCP Server');
    await window.dialogs.press('Start');
    await window.sidebar.item('Create Entities').waitFor();
    await window.screenshot('row-started');
    await window.sidebar.inlineAction('memory', 'Stop MCP Server');
    await expect.poll(() => state('memory')).toMatch(/stopped/);
    await window.sidebar.collapse('memory');
    await window.sidebar.inlineAction('memory', 'Start MCP Server');
    await window.sidebar.item('Create Entities').waitFor();
    await expect.poll(() => state('memory')).toMatch(/running, 9 tools$/);
  });

  it('of a tool previews it with a click, and keeps the focus, so that the arrow keys go on', async () => {
    await window.sidebar.click('Create Entities');
    await window.webviews.frame('h1:has-text("Create Entities")');
    await tab('Create Entities').locator('.monaco-icon-label.italic, .italic').first().waitFor();
    await window.screenshot('row-preview');
    await window.page.keyboard.press('ArrowDown');
    await tree().locator('.monaco-list-row.focused', { hasText: 'Create Relations' }).waitFor();
    await window.sidebar.click('Create Relations');
    await window.webviews.frame('h1:has-text("Create Relations")');
    await tab('Create Entities').waitFor({ state: 'detached' });
  });

  it.each(['double click', 'Enter'])('of a tool opens it with the focus in its form by %s', async (gesture) => {
    const name = gesture === 'Enter' ? 'Add Observations' : 'Delete Entities';
    if (gesture === 'Enter') {
      // The form of another tool has the keyboard now, and VS Code gives it back as the preview comes: the tree has it in the end.
      await window.sidebar.click('Create Relations');
      await window.webviews.frame('h1:has-text("Create Relations")');
      await tree().and(window.page.locator(':focus')).waitFor();
      await tree().locator('.monaco-list-row.focused', { hasText: 'Create Relations' }).waitFor();
      await window.page.keyboard.press('ArrowDown');
      await tree().locator('.monaco-list-row.focused', { hasText: name }).waitFor();
      await window.page.keyboard.press('Enter');
    } else await window.sidebar.doubleClick(name);
    const frame = await window.webviews.frame(`h1:has-text("${name}")`);
    await expect.poll(() => focusedName(frame)).toMatch(/^Add /);
    await tab(name).waitFor();
    await tab(name).locator('.italic').waitFor({ state: 'detached' });
  });

  it('of a server that failed says why with Enter', async () => {
    await window.sidebar.inlineAction('broken', 'Start MCP Server');
    await window.dialogs.press('Start');
    await expect.poll(() => state('broken')).toMatch(/failed/);
    await window.sidebar.click('broken');
    await window.page.keyboard.press('Enter');
    const page = await window.webviews.frame('h1:has-text("Diagnosis of broken")');
    await expect.poll(() => page.evaluate(() => document.hasFocus())).toBe(true);
    await window.screenshot('row-failed');
  });

  it('is found with one key and its name: the match is marked and selected, Enter goes to it', async () => {
    await window.sidebar.click('broken');
    await window.page.keyboard.press('Control+f');
    await window.quickInput.type('observ');
    await tree().locator('.monaco-list-row.selected', { hasText: 'Add Observations' }).waitFor();
    await window.sidebar
      .item(/Add Observ/)
      .locator('.highlight')
      .first()
      .waitFor();
    await window.screenshot('row-found');
    await window.quickInput.accept();
    await tree().locator('.monaco-list-row.focused', { hasText: 'Add Observations' }).waitFor();
    await window.page.keyboard.press('Escape');
    await window.sidebar.item('Create Relations').waitFor();
  });
});

describe('the palette', () => {
  useWindow(
    () => ({ workspace: folderWith(servers) }),
    () => window.sidebar.open(),
  );

  async function offered(typed: string): Promise<readonly string[]> {
    await window.quickInput.openPalette();
    await window.quickInput.type(`>${typed}`);
    await window.quickInput.rows.first().waitFor();
    const rows = await window.quickInput.rows.allInnerTexts();
    await window.quickInput.cancel();
    return rows.filter((text) => text.includes('MCP Patchbay:'));
  }

  it('has our commands under the words of VS Code, and only those that can do something now', async () => {
    await window.sidebar.item('memory').waitFor();
    for (const words of ['mcp', 'add mcp server', 'run mcp prompt', 'list mcp servers', 'call mcp tool'])
      expect(await offered(words)).not.toEqual([]);
    const idle = await offered('MCP Patchbay: Start');
    // Not another command that begins so.
    const has = (rows: readonly string[], name: string) =>
      rows.some((text) => new RegExp(`MCP Patchbay: ${name}(?! \\w)`).test(text));
    expect(has(idle, 'Start MCP Server')).toBe(true);
    const ofServers = ['Stop MCP Server', 'Ping MCP Server', 'Stop Tracing Messages', 'Unmute MCP Server', 'Sign Out'];
    const approvals = ['Revoke All Approvals…', 'Edit Rule…', 'Stop All Rules for Models'];
    for (const name of [...ofServers, ...approvals])
      expect(has(await offered(`MCP Patchbay: ${name}`), name)).toBe(false);
    await window.startServer('memory');
    await window.sidebar.item('Create Entities').waitFor();
    await expect.poll(async () => has(await offered('MCP Patchbay: Stop MCP Server'), 'Stop MCP Server')).toBe(true);
    expect(has(await offered('MCP Patchbay: Ping MCP Server'), 'Ping MCP Server')).toBe(true);
  });
});
