import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fixtureServer } from './driver/newWorkspace.ts';
import { useWindow, window } from './driver/useWindow.ts';

/** As a plugin of Claude Code has it: the servers without a section. */
const bare = `{
  "docs": { "type": "http", "url": "https://mcp.example.com/mcp" },
  "tool": { "command": "npx", "args": ["-y", "example-tool@1.0.0"] }
}
`;
const otherSection = `{
  // of this project
  "servers": {
    "first": { "type": "http", "url": "https://mcp.example.com/mcp" } // the one we use
  }
}
`;

describe('Add Server', () => {
  const files = { '.mcp.json': bare, '.github/mcp.json': otherSection };
  useWindow(
    () => ({ workspace: { name: 'workspace', files } }),
    () => window.sidebar.open(),
  );

  /** Pastes a command and chooses where to save it, and under which name. */
  async function add(command: string, name: string, file: string): Promise<string> {
    const { quickInput } = window;
    await window.runCommand('MCP Patchbay: Add MCP Server…');
    await quickInput.widget.locator('.quick-input-title', { hasText: 'Add MCP Server' }).waitFor();
    await quickInput.type(command);
    await quickInput.widget.getByRole('button', { name: 'Choose Name and Place…' }).click();
    await quickInput.pick(file);
    await quickInput.answer('Add MCP Server', name);
    await window.dialogs.dialog.waitFor();
    await window.page.keyboard.press('Escape');
    await window.dialogs.dialog.waitFor({ state: 'detached' });
    await window.sidebar.item(name).waitFor();
    return readFile(join(window.workspace, file), 'utf8');
  }

  it('keeps the servers of a file with the section of another client, and its comments', async () => {
    await window.sidebar.item('first').waitFor();
    const text = await add('npx -y second', 'second', '.github/mcp.json');
    await window.sidebar.item('first').waitFor();
    expect(text).toContain('// of this project');
    expect(text).toContain('// the one we use');
    expect(text).toContain('"second"');
    expect(text).not.toContain('mcpServers');
  });

  it('keeps a .mcp.json without a section as it is, with nothing underlined', async () => {
    for (const name of ['docs', 'tool']) await window.sidebar.item(name).waitFor();
    const text = await add('npx -y third', 'third', '.mcp.json');
    for (const name of ['docs', 'tool']) await window.sidebar.item(name).waitFor();
    expect(Object.keys(JSON.parse(text) as object)).toEqual(['docs', 'tool', 'third']);
    await window.notifications.press('Added “third” to .mcp.json.', 'Open Configuration');
    await window.page.locator('.editor-instance').filter({ hasText: 'example-tool' }).waitFor();
    // That of the other file, which has the section of another client.
    await window.page.locator('[id="status.problems"]').getByLabel('Warnings: 1', { exact: true }).waitFor();
    await window.screenshot('bare-mcp-json');
  });
});

describe('a pasted command', () => {
  const { command, args } = fixtureServer('partnerServer.mjs');
  useWindow(
    () => ({ workspace: { name: 'workspace', files: { 'README.md': '' } } }),
    () => window.sidebar.open(),
  );

  it('is added and started with one click and two keys, and a question', async () => {
    const { quickInput, page, sidebar } = window;
    const welcome = sidebar.container.getByRole('region', { name: 'Welcome' });
    await welcome.getByRole('button', { name: 'Add MCP Server…' }).click();
    await quickInput.widget.locator('.quick-input-title', { hasText: 'Add MCP Server' }).waitFor();
    expect(await quickInput.prompt()).toContain('It is saved in .mcp.json.');
    await quickInput.type([command, ...args].map((word) => `"${word}"`).join(' '));
    await quickInput.widget
      .getByText('Press Enter to add “partnerserver” to .mcp.json. It starts after your approval.')
      .waitFor();
    await window.screenshot('add-pasted');
    await quickInput.accept();
    await window.dialogs.dialog.waitFor();
    await window.screenshot('add-pasted-question');
    // An answer within the first second is asked again.
    await page.waitForFunction(
      (opened) => performance.now() - opened > 1_100,
      await page.evaluate(() => performance.now()),
    );
    expect(await window.dialogs.dialog.locator(':focus').innerText()).toBe('Start');
    await page.keyboard.press('Enter');
    await window.dialogs.dialog.waitFor({ state: 'detached' });
    await sidebar.item('Tools').waitFor();
    const row = sidebar.container.locator('[role="treeitem"][aria-level="1"]');
    expect(await row.getAttribute('aria-selected')).toBe('true');
    expect(await row.getAttribute('aria-expanded')).toBe('true');
    await window.screenshot('add-pasted-started');
    expect(
      Object.keys(
        (JSON.parse(await readFile(join(window.workspace, '.mcp.json'), 'utf8')) as { mcpServers: object }).mcpServers,
      ),
    ).toHaveLength(1);
    expect(await page.locator('.tab').count()).toBe(0);
  });
});
