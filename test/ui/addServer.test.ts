import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
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

  async function add(command: string, name: string, file: string): Promise<string> {
    const { quickInput } = window;
    await window.runCommand('MCP Patchbay: Add MCP Server…');
    await quickInput.pick('A program on this machine');
    await quickInput.answer('Add MCP Server', command);
    await quickInput.pick(file);
    await quickInput.answer('Add MCP Server', name);
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
    await window.page.locator('.editor-instance').filter({ hasText: 'example-tool' }).waitFor();
    // That of the other file, which has the section of another client.
    await window.page.locator('[id="status.problems"]').getByLabel('Warnings: 1', { exact: true }).waitFor();
    await window.screenshot('bare-mcp-json');
  });
});
