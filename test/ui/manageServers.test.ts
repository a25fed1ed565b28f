import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fixtureServer } from './driver/newWorkspace.ts';
import { useWindow, window } from './driver/useWindow.ts';

/** Servers of one definition would be disabled together. */
const runs = (name: string): string =>
  JSON.stringify({ ...fixtureServer('formServer.mjs'), env: { SERVER_NAME: name } });
const text = `{
  // of this project
  "mcpServers": {
    "one": ${runs('one')}, // first
    "two": ${runs('two')},
    // the last one
    "three": ${runs('three')}
  }
}
`;

describe('a person who looks after servers', () => {
  useWindow(
    () => ({ workspace: { name: 'managed', files: { '.mcp.json': text } }, companion: true }),
    async () => {
      await window.sidebar.open();
      for (const name of ['one', 'two', 'three']) await window.sidebar.item(name).waitFor();
    },
  );

  const file = (): string => join(window.workspace, '.mcp.json');
  const fileText = (): Promise<string> => readFile(file(), 'utf8');
  const labelOf = async (name: string): Promise<string> =>
    (await window.sidebar.item(name).getAttribute('aria-label')) ?? '';
  const isGone = (name: string): Promise<void> => window.sidebar.item(name).waitFor({ state: 'detached' });

  /** Moves the keyboard to the row of a server. The row that is selected is another one. */
  async function goTo(name: string): Promise<void> {
    await window.runCommand('Patchbay: Focus on Servers View');
    const focused = window.sidebar.container.locator('[role="treeitem"]').and(window.page.locator('.focused'));
    await window.page.keyboard.press('Home');
    const row = focused.filter({ has: window.page.getByText(name, { exact: true }) });
    for (let steps = 0; steps < 20 && !(await row.isVisible()); steps += 1)
      await window.page.keyboard.press('ArrowDown');
    await row.waitFor();
  }

  async function undo(notice: RegExp): Promise<void> {
    await window.notifications.press(notice, 'Undo');
    await expect.poll(fileText).toBe(text);
    await window.notifications.clear();
  }

  it('removes the row that the keyboard is on with one key and no question, and gets it back as it was', async () => {
    await goTo('two');
    await window.page.keyboard.press('Delete');
    await isGone('two');
    expect(await fileText()).toBe(text.replace(`    "two": ${runs('two')},\n`, ''));
    await window.screenshot('server-removed');
    await undo(/Removed “two” from \.mcp\.json/);
    await window.sidebar.item('two').waitFor();
  });

  it('removes the row that the key was pressed on, whatever is pressed after it', async () => {
    await goTo('one');
    await window.page.keyboard.press('Delete');
    await window.page.keyboard.press('ArrowDown');
    await isGone('one');
    for (const name of ['two', 'three']) expect(await window.sidebar.item(name).count()).toBe(1);
    await undo(/Removed “one” from \.mcp\.json/);
    await window.sidebar.item('one').waitFor();
  });

  it('shows the keys in the menu of its row', async () => {
    await window.sidebar.item('one').click({ button: 'right' });
    const keyOf = (name: string) => window.page.getByRole('menuitem', { name }).locator('.keybinding');
    await keyOf('Remove MCP Server').getByText('Del').waitFor();
    await keyOf('Rename MCP Server…').getByText('F2').waitFor();
    await window.screenshot('server-menu');
    await window.page.keyboard.press('Escape');
  });

  it('removes it in the menu of its row, and gets it back beside what was written meanwhile', async () => {
    await window.sidebar.contextAction('three', 'Remove MCP Server');
    await isGone('three');
    await writeFile(file(), (await fileText()).replace('// of this project', '// of ours'));
    await window.notifications.press(/Removed “three”/, 'Undo');
    await window.sidebar.item('three').waitFor();
    expect(await fileText()).toContain('// of ours');
    await writeFile(file(), text);
    await window.notifications.clear();
  });

  it('renames it with one key: what ran runs again, and what was agreed to follows, back too', async () => {
    await window.startServer('one');
    await expect.poll(() => labelOf('one')).toContain('running');
    await goTo('one');
    await window.page.keyboard.press('F2');
    await window.quickInput.field.waitFor();
    // The name is selected: what is typed takes its place.
    await window.page.keyboard.type('two');
    await window.quickInput.widget.getByText('There is a server of this name already.').waitFor();
    await window.quickInput.type('first');
    await window.screenshot('server-renaming');
    await window.quickInput.accept();
    await window.sidebar.item('first').waitFor();
    expect(await fileText()).toBe(text.replace('"one"', '"first"'));
    await expect.poll(() => labelOf('first')).toContain('running');
    await undo(/Renamed “one” to “first” in \.mcp\.json/);
    await window.sidebar.item('one').waitFor();
    await isGone('first');
    await expect.poll(() => labelOf('one')).toContain('running');
  });

  it('duplicates it with one key, right after it, and is asked before the copy starts', async () => {
    await goTo('one');
    await window.page.keyboard.press('Control+d');
    const copy = window.sidebar.item('one-2');
    await copy.and(window.page.locator('.selected')).waitFor();
    const rows = (await window.sidebar.itemTexts()).map((row) => row.split('\n')[0]);
    expect(rows.findIndex((row) => row?.startsWith('one-2'))).toBeGreaterThan(
      rows.findIndex((row) => row?.startsWith('one')),
    );
    await window.sidebar.inlineAction('one-2', 'Start');
    expect(await window.dialogs.text()).toContain('one-2');
    await window.dialogs.press('Cancel');
    await undo(/Added “one-2” to \.mcp\.json/);
    await isGone('one-2');
  });

  it('disables a running server with one key, without a change of its file: nothing starts it', async () => {
    await expect.poll(() => labelOf('one')).toContain('running');
    await goTo('one');
    await window.page.keyboard.press('Control+/');
    await expect.poll(() => labelOf('one')).toBe('Server one, disabled');
    expect(await fileText()).toBe(text);
    await window.sidebar.expand('one');
    await window.sidebar.item('Disabled. Enable').waitFor();
    await window.runCommand('MCP Patchbay: Start MCP Server');
    await window.quickInput.row('two').waitFor();
    expect(await window.quickInput.rows.filter({ hasText: 'one' }).count()).toBe(0);
    await window.quickInput.cancel();
    await window.screenshotInThemes('server-disabled');
  });

  it('stays disabled in the next window, and is enabled in its row', async () => {
    await window.reload();
    await window.sidebar.open();
    await expect.poll(() => labelOf('one')).toBe('Server one, disabled');
    await window.sidebar.inlineAction('one', 'Enable MCP Server');
    await expect.poll(() => labelOf('one')).toContain('stopped');
    await window.sidebar.contextAction('one', 'Disable MCP Server in This Workspace');
    await expect.poll(() => labelOf('one')).toContain('disabled');
    await goTo('one');
    await window.page.keyboard.press('Control+/');
    await expect.poll(() => labelOf('one')).toContain('stopped');
  });
});

describe('a file that is open with changes', () => {
  const broken = '{ "servers": { "here": { "command": "x" } ';
  useWindow(() => ({ workspace: { name: 'managed', files: { '.vscode/mcp.json': `${broken}}}` } } }));

  it('is changed in its editor, and says why where it cannot be', async () => {
    await window.sidebar.open();
    await window.sidebar.contextAction('here', 'Open MCP Server Configuration');
    const editor = window.page.locator('.editor-instance .view-lines');
    await editor.click();
    await window.page.keyboard.press('Control+End');
    await window.page.keyboard.type(' // mine');
    await window.sidebar.contextAction('here', 'Duplicate MCP Server');
    await window.sidebar.item('here-2').waitFor();
    const saved = await readFile(join(window.workspace, '.vscode', 'mcp.json'), 'utf8');
    expect(saved).toContain('// mine');
    expect(saved).toContain('"here-2"');
    await window.notifications.clear();
    await editor.click();
    await window.page.keyboard.press('Control+Home');
    await window.page.keyboard.type('[');
    await window.sidebar.contextAction('here-2', 'Remove MCP Server');
    await window.notifications.show();
    await window.notifications.item(/is not valid JSON\. Nothing was changed. Fix it first/).waitFor();
    await window.sidebar.item('here-2').waitFor();
    await window.screenshot('server-not-removed');
  });
});
