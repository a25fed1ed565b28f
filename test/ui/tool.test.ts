import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Frame, Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { repositoryRoot } from '../tools/vscodeHost/paths.mjs';
import { focusedName, tabTo } from './driver/focus.ts';
import { folderWith } from './driver/newWorkspace.ts';
import { Webviews } from './driver/webviews.ts';
import { useWindow, window } from './driver/useWindow.ts';

const memory = join(repositoryRoot, 'node_modules/@modelcontextprotocol/server-memory/dist/index.js');

describe('the tab of a tool', () => {
  const env = { MEMORY_FILE_PATH: '${workspaceFolder}/memory.jsonl' };
  // Otherwise the editor adds brackets to what a test types.
  const settings = { 'editor.autoClosingBrackets': 'never', 'editor.autoSurround': 'never' };
  useWindow(() => ({ workspace: folderWith({ memory: { command: 'node', args: [memory], env } }), settings }));

  const form = (): Promise<Frame> => window.webviews.frame('h1:has-text("Create Entities")');

  it('opens with a double click, with the form of a nested tool', async () => {
    await window.startServer('memory');
    await window.sidebar.expand('Tools');
    await window.sidebar.doubleClick('Create Entities');
    const frame = await form();
    await frame.getByText('The server claims:').waitFor();
    await window.page.getByRole('tab', { name: 'Create Entities' }).waitFor();
    const crumbs = window.page.locator('.breadcrumbs-control .monaco-breadcrumb-item');
    await expect.poll(() => crumbs.allInnerTexts()).toEqual(['memory (MCP)', 'Create Entities']);
  });

  it('is filled by keyboard alone, called, and its result read', async () => {
    const frame = await form();
    await expect.poll(() => focusedName(frame)).toBe('Add Item to entities');
    await window.page.keyboard.press('Enter');
    await tabTo(window.page, frame, 'name');
    await window.page.keyboard.type('Ada');
    await tabTo(window.page, frame, 'entityType');
    await window.page.keyboard.type('person');
    await tabTo(window.page, frame, 'Add Item to observations');
    await window.page.keyboard.press('Enter');
    await window.page.keyboard.type('wrote the first program');
    await window.screenshot('tool-form');
    const focused = await focusedName(frame);
    await window.page.keyboard.press('Control+Enter');
    // One yes is enough, though the server does not say that this tool only reads.
    await frame.getByText(/took \d/).waitFor();
    await frame.getByText('"Ada"').first().waitFor();
    await expect.poll(() => focusedName(frame)).toBe(focused);
    // Wide enough for the result beside the form.
    await window.page.setViewportSize({ width: 1600, height: 900 });
    await frame.getByRole('heading', { name: 'History' }).scrollIntoViewIfNeeded();
    await window.publishScreenshot('tool');
    await window.page.setViewportSize({ width: 1280, height: 800 });
  });

  it('shows the messages of a call, one click away', async () => {
    const frame = await form();
    await frame.locator('.outcome').getByRole('button', { name: 'Show Exchange' }).click();
    const traffic = await window.webviews.frame('.traffic-detail:has-text("tools/call")');
    await traffic.locator('.traffic-detail').getByText('structuredContent').first().waitFor();
    await window.screenshot('tool-exchange');
    await window.runCommand('View: Close Editor');
  });

  it('shows what the schema objects to at its field', async () => {
    const frame = await form();
    await frame.getByRole('button', { name: 'Add Item to entities' }).click();
    await window.page.keyboard.press('Control+Enter');
    await frame.getByRole('heading', { name: '3 problems in the arguments' }).waitFor();
    await frame.getByRole('button', { name: 'entities › item 2 › name' }).click();
    await expect.poll(() => focusedName(frame)).toBe('name');
    await frame.getByRole('button', { name: 'Remove entities 2' }).click();
    await frame.getByRole('heading', { name: /problems? in the arguments/ }).waitFor({ state: 'hidden' });
  });

  it('is in step with its JSON beside it, both ways', async () => {
    const frame = await form();
    await frame.getByRole('button', { name: 'Open JSON' }).click();
    const editor = window.page.locator('.monaco-editor .view-lines', { hasText: 'entityType' });
    await editor.waitFor();
    await frame.getByRole('textbox', { name: 'name' }).fill('Ada Lovelace');
    await window.page.locator('.monaco-editor .view-lines').getByText('Lovelace').first().waitFor();
    await editor.getByText('person').click();
    await window.page.keyboard.press('Control+a');
    await window.page.keyboard.insertText('{ "entities": [');
    await frame.getByText(/Arguments are not valid JSON/).waitFor();
    await window.page.keyboard.press('Control+a');
    await window.page.keyboard.insertText(
      '{ "entities": [{ "name": "Grace", "entityType": "person", "observations": [] }] }',
    );
    await expect.poll(() => frame.getByRole('textbox', { name: 'name' }).inputValue()).toBe('Grace');
    await window.page.keyboard.press('Control+a');
    await window.page.keyboard.insertText('{ "en');
    await window.page.keyboard.press('Control+Space');
    const suggestion = window.page.locator('.suggest-widget .monaco-list-row', { hasText: 'entities' });
    await suggestion.waitFor();
    await window.screenshot('tool-json');
    await window.page.keyboard.press('Escape');
    await window.page.keyboard.press('Control+a');
    await window.page.keyboard.insertText(
      '{ "entities": [{ "name": "Grace", "entityType": "person", "observations": [] }] }',
    );
    await expect.poll(() => frame.getByRole('textbox', { name: 'name' }).inputValue()).toBe('Grace');
    // VS Code saves what is typed into a text editor by itself, a second later.
    await expect.poll(() => window.page.locator('.tab.dirty').count()).toBe(0);
  });

  it('has what was typed after a reload, before its server runs', async () => {
    await window.reload(/files\.fileEditorInput[^}]*patchbay-tool:/);
    const frame = await form();
    await expect.poll(() => frame.getByRole('textbox', { name: 'name' }).inputValue()).toBe('Grace');
    await frame.getByText(/is not running\. The tool is shown as it was last seen/).waitFor();
    // Its last result too, from the history, though nobody has asked for it in this window.
    await frame.locator('.outcome .lead', { hasText: /^Last result · / }).waitFor();
    await frame.locator('.outcome').getByText('"Ada"').first().waitFor();
    await frame.locator('.outcome').getByRole('button', { name: 'Show Exchange' }).waitFor();
    await window.screenshot('tool-restored');
    await frame.getByRole('button', { name: 'Start and Call' }).click();
    await frame.getByText('"Grace"').first().waitFor();
    // Without the one whose arguments did not fit the schema: nothing of it was sent.
    await expect.poll(() => historyRows(frame).count()).toBe(2);
  });

  it('can be split, both halves in step, and moved to a window of its own', async () => {
    const named = 'h1:has-text("Create Entities")';
    const nameIn = (frame: Frame | undefined): Promise<string> | undefined =>
      frame?.getByRole('textbox', { name: 'name' }).inputValue();
    await (await form()).getByRole('textbox', { name: 'name' }).focus();
    await window.runCommand('View: Split Editor Right');
    await expect.poll(async () => (await window.webviews.frames(named)).length).toBe(2);
    const [one, other] = await window.webviews.frames(named);
    await one?.getByRole('textbox', { name: 'name' }).fill('Grace Hopper');
    await expect.poll(() => nameIn(other)).toBe('Grace Hopper');
    await window.runCommand('View: Close Editor');
    await expect.poll(async () => (await window.webviews.frames(named)).length).toBe(1);
    const opened = window.page.context().waitForEvent('page');
    await window.runCommand('View: Move Editor into New Window');
    const page = await opened;
    const moved = await new Webviews(page).frame(named);
    await expect.poll(() => nameIn(moved)).toBe('Grace Hopper');
    await moved.getByRole('textbox', { name: 'name' }).fill('Grace Murray Hopper');
    await moved.getByRole('button', { name: 'Open JSON' }).click();
    await page.locator('.monaco-editor .view-lines').getByText('Murray').first().waitFor();
    await page.close();
    const again = await window.chooseTool('Create Entities');
    await expect.poll(() => nameIn(again)).toBe('Grace Murray Hopper');
    await expect.poll(() => focusedName(again)).toBe('name');
  });

  it('has its calls in the history: to look at again, to edit and to call again', async () => {
    const frame = await form();
    await historyRows(frame).last().getByRole('button', { name: 'Ada' }).click();
    await frame.getByText('From the history').waitFor();
    await frame.getByText('"Ada"').first().waitFor();
    await historyRows(frame).last().getByRole('button', { name: 'Show Exchange' }).click();
    await window.page.locator('.monaco-editor .view-lines').getByText('tools/call').first().waitFor();
    await window.runCommand('View: Close Editor');
    const name = frame.getByRole('textbox', { name: 'name' });
    const typed = await name.inputValue();
    await chooseOfLastCall(frame, 'Edit Arguments');
    await expect.poll(() => name.inputValue()).toBe('Ada');
    await frame.getByText('The arguments were replaced. Undo brings the earlier ones back.').first().waitFor();
    await name.focus();
    await window.page.keyboard.press('Control+z');
    await expect.poll(() => name.inputValue()).toBe(typed);
    await chooseOfLastCall(frame, 'Call Again');
    await expect.poll(() => historyRows(frame).count()).toBe(3);
  });

  it('has its calls among those of all tools: found, looked at, with their messages', async () => {
    await window.runCommand('MCP Patchbay: Show Call History');
    const callHistory = (): Promise<Frame> => window.webviews.frame('h1:has-text("Call History")');
    const list = await callHistory();
    const rows = list.locator('.records tbody tr');
    await expect.poll(() => rows.count()).toBe(3);
    await list.getByLabel('Search').fill('Grace');
    await expect.poll(() => rows.count()).toBe(1);
    await window.screenshot('call-history');
    await rows.getByRole('button', { name: 'Show Exchange' }).click();
    await window.webviews.frame('.traffic-detail:has-text("tools/call")');
    await window.runCommand('View: Close Editor');
    await rows.getByRole('button', { name: /ago|just now/ }).click();
    const frame = await form();
    await frame.getByText('From the history').waitFor();
    await expect.poll(() => frame.getByRole('textbox', { name: 'name' }).inputValue()).toBe('Grace');
    await frame.getByRole('button', { name: 'All Tools' }).click();
    await callHistory();
    await list.getByLabel('Search').fill('Ada');
    await expect.poll(() => rows.count()).toBe(2);
    await rows.first().getByText('create_entities').dblclick();
    await expect.poll(() => frame.getByRole('textbox', { name: 'name' }).inputValue()).toBe('Ada');
  });

  it('saves a call in a file of the folder, shows it under its tool, and fills the form with it', async () => {
    const frame = await form();
    await frame.getByRole('button', { name: 'More for this call' }).click();
    await frame.getByRole('menuitem', { name: 'Save Call…' }).click();
    await window.quickInput.type('The first programmer');
    await window.quickInput.accept();
    const file = join(window.workspace, '.vscode/mcp-calls.json');
    await expect
      .poll(async () => JSON.parse(await readFile(file, 'utf8').catch(() => '{}')) as unknown)
      .toMatchObject({ calls: [{ name: 'The first programmer', server: 'memory', tool: 'create_entities' }] });
    await frame.getByRole('textbox', { name: 'name' }).fill('Somebody else');
    await frame.getByRole('button', { name: 'The first programmer' }).click();
    await expect.poll(() => frame.getByRole('textbox', { name: 'name' }).inputValue()).toBe('Ada');
    await frame.getByRole('textbox', { name: 'name' }).fill('Somebody else');
    await window.sidebar.expand('memory');
    await window.sidebar.expand('Tools');
    await window.sidebar.expand('Create Entities');
    await window.screenshot('tool-saved');
    await window.sidebar.click('The first programmer');
    await expect.poll(() => frame.getByRole('textbox', { name: 'name' }).inputValue()).toBe('Ada');
  });

  it('forgets its calls when the person says so', async () => {
    const frame = await form();
    await frame.getByRole('button', { name: 'Forget All' }).click();
    await window.dialogs.press('Forget');
    await frame.getByText('No calls yet.').waitFor();
    expect(await historyRows(frame).count()).toBe(0);
  });

  it('has no page while it is hidden for long, and is shown again as it was', async () => {
    await window.runCommand('View: Close All Editors');
    const keep = async (title: string): Promise<Frame> => {
      const frame = await window.chooseTool(title);
      await window.runCommand('View: Keep Editor');
      return frame;
    };
    const frame = await keep('Search Nodes');
    const field = frame.getByRole('textbox', { name: 'query' });
    await field.fill('Ada');
    await frame.getByRole('button', { name: 'Call', exact: true }).click();
    await frame.locator('.outcome .lead', { hasText: 'took' }).waitFor();
    await field.focus();
    await frame.evaluate(() => globalThis.scrollTo(0, 30));
    const scrolled = await frame.evaluate(() => globalThis.scrollY);
    for (const title of ['Open Nodes', 'Delete Entities', 'Delete Observations', 'Delete Relations']) await keep(title);
    await window.webviews.waitUntilGone('h1:has-text("Search Nodes")');
    await expect.poll(() => frame.isDetached()).toBe(true);
    await window.page.getByRole('tab', { name: 'Search Nodes' }).click();
    const again = await window.webviews.frame('h1:has-text("Search Nodes")');
    await again.locator('.outcome .lead', { hasText: 'took' }).waitFor();
    expect(await again.getByRole('textbox', { name: 'query' }).inputValue()).toBe('Ada');
    await expect.poll(() => focusedName(again)).toBe('query');
    await expect.poll(() => again.evaluate(() => globalThis.scrollY)).toBe(scrolled);
    // This one was never typed in, and has kept its page.
    await window.page.getByRole('tab', { name: 'Delete Relations' }).click();
    const untouched = await window.webviews.frame('h1:has-text("Delete Relations")');
    await expect.poll(() => focusedName(untouched)).toBe('Add Item to relations');
  });
});

function historyRows(frame: Frame): Locator {
  return frame.locator('.history li');
}

async function chooseOfLastCall(frame: Frame, action: string): Promise<void> {
  const last = historyRows(frame).last();
  await last.getByRole('button', { name: /^More for/ }).click();
  await last.getByRole('menuitem', { name: action }).click();
}
