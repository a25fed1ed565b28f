import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folderWith } from './driver/newWorkspace.ts';
import { useWindow, window } from './driver/useWindow.ts';

/** Has one of each, and writes down each method that it is sent. */
const server = `
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
const results = {
  initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {}, prompts: {}, resources: {} }, serverInfo: { name: 'n', version: '1' } },
  'tools/list': { tools: [{ name: 'look', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } }] },
  'tools/call': { content: [] },
  'prompts/list': { prompts: [{ name: 'greet' }] },
  'prompts/get': { messages: [{ role: 'user', content: { type: 'text', text: 'Hello' } }] },
  'resources/list': { resources: [{ uri: 'memo:///a', name: 'a' }] },
  'resources/templates/list': { resourceTemplates: [] },
  'resources/read': { contents: [{ uri: 'memo:///a', text: 'a' }] },
  ping: {},
};
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  appendFileSync('methods.txt', method + '\\n');
  if (id !== undefined) say(results[method] ? { id, result: results[method] } : { id, error: { code: -32601, message: 'x' } });
});`;

describe('another extension, or a keybinding', () => {
  const methods = async (): Promise<readonly string[]> =>
    (await readFile(join(window.workspace, 'methods.txt'), 'utf8')).split('\n').filter(Boolean);
  const state = async (): Promise<string> => (await window.sidebar.item('notes').getAttribute('aria-label')) ?? '';
  const question = () =>
    window.quickInput.widget.filter({ hasText: 'Requested by a keyboard shortcut or another extension' });

  const notes = { command: 'node', args: ['server.mjs'] };
  useWindow(
    () => ({ workspace: folderWith({ notes }, { files: { 'server.mjs': server } }), companion: true }),
    async () => {
      // Approved: from now on it starts without a question of its own.
      await window.startServer('notes');
      await window.sidebar.expand('Prompts');
      await window.sidebar.item('greet').waitFor();
      await window.sidebar.inlineAction('notes', 'Stop MCP Server');
      await window.sidebar.item(/notes.*stopped/i).waitFor();
    },
  );

  it.each<{ readonly id: string; readonly argument?: unknown }>([
    { id: 'patchbay.startServer', argument: 'notes' },
    { id: 'patchbay.startServer', argument: { server: 'notes' } },
    { id: 'patchbay.startServer', argument: { kind: 'server', server: 'notes' } },
    { id: 'patchbay.startAll', argument: 'notes' },
    { id: 'patchbay.startWithWindow', argument: { server: 'notes' } },
    { id: 'patchbay.restartServer', argument: 'notes' },
    { id: 'patchbay.diagnoseServer', argument: 'notes' },
    { id: 'patchbay.checkServer', argument: 'notes' },
    { id: 'patchbay.runPrompt', argument: { server: 'notes', prompt: 'greet' } },
    {
      id: 'patchbay.runPrompt',
      argument: { kind: 'prompt', server: 'notes', prompt: 'greet', item: { name: 'greet' } },
    },
    { id: 'patchbay.askModelWithPrompt', argument: { server: 'notes', prompt: 'greet' } },
    { id: 'patchbay.prompt.notes.greet' },
    { id: 'patchbay.prompt.notes.greet', argument: { arguments: {}, then: 'clipboard' } },
    { id: 'patchbay.openTool', argument: { server: 'notes', tool: 'look' } },
    { id: 'patchbay.callTool', argument: { server: 'notes', tool: 'look', arguments: {} } },
    { id: 'patchbay.openResource', argument: { server: 'notes', uri: 'memo:///a' } },
    { id: 'patchbay.saveResource', argument: { server: 'notes', uri: 'memo:///a' } },
    { id: 'patchbay.openSkill', argument: { server: 'notes', skill: 'skill://a/SKILL.md' } },
  ])('starts, sends and calls nothing by a command, before the person agrees: $id', async ({ id, argument }) => {
    const before = await methods();
    const outcome = window.companion.execute(id, argument === undefined ? [] : [argument]);
    await question().waitFor();
    await window.page.keyboard.press('Escape');
    expect(await outcome).toMatchObject({ kind: 'result' });
    await question().waitFor({ state: 'hidden' });
    expect(await methods()).toEqual(before);
    expect(await state()).toMatch(/stopped/i);
    expect(await window.dialogs.dialog.isVisible()).toBe(false);
  });

  it('takes no key for a yes that comes within the first second', async () => {
    const outcome = window.companion.execute('patchbay.startServer', ['notes']);
    await question().waitFor();
    await window.page.keyboard.press('Enter');
    await window.page.keyboard.type('a b');
    await window.page.keyboard.press('Enter');
    await question().waitFor();
    expect(await state()).toMatch(/stopped/i);
    await window.page.keyboard.press('Control+a');
    await window.page.keyboard.press('Delete');
    await question().locator('input[placeholder^="Press Enter to allow"]').waitFor();
    await window.page.keyboard.press('Enter');
    expect(await outcome).toMatchObject({ kind: 'result' });
    await expect.poll(state).toMatch(/running/i);
  });

  it('sends nothing to a running server either', async () => {
    const before = await methods();
    for (const id of ['patchbay.pingServer', 'patchbay.listAgain', 'patchbay.restartServer', 'patchbay.stopServer']) {
      const outcome = window.companion.execute(id, ['notes']);
      await question().waitFor();
      await window.page.keyboard.press('Escape');
      await outcome;
      await question().waitFor({ state: 'hidden' });
    }
    expect(await methods()).toEqual(before);
    expect(await state()).toMatch(/running/i);
  });

  it('runs a command without an argument, and has no server: the only one is offered in a list', async () => {
    const before = await methods();
    for (const id of [
      'patchbay.pingServer',
      'patchbay.listAgain',
      'patchbay.restartServer',
      'patchbay.diagnoseServer',
    ]) {
      const outcome = window.companion.execute(id, []);
      await window.quickInput.row('notes').waitFor();
      await window.page.keyboard.press('Escape');
      await outcome;
      await window.quickInput.waitUntilClosed();
    }
    expect(await methods()).toEqual(before);
  });

  it('is not what a row or a menu is: they act at once, and the palette after one choice', async () => {
    await window.sidebar.inlineAction('notes', 'Stop MCP Server');
    await expect.poll(state).toMatch(/stopped/i);
    await window.runCommand('MCP Patchbay: Start MCP Server');
    await window.quickInput.pick('notes');
    await expect.poll(state).toMatch(/running/i);
    await window.sidebar.contextAction('notes', 'Restart MCP Server');
    await expect.poll(async () => (await methods()).filter((name) => name === 'initialize').length).toBe(4);
    expect(await question().isVisible()).toBe(false);
  });
});
