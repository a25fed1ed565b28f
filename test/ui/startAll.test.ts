import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { folderWith } from './driver/newWorkspace.ts';
import { useWindow, window } from './driver/useWindow.ts';

const labels = ['one', 'two', 'three', 'four', 'five', 'six', 'seven'];

/** Answers what is needed to run, and no more. */
const program = `
const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (method === 'initialize') say({ id, result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'n', version: '1' } } });
  else if (method === 'tools/list') say({ id, result: { tools: [{ name: 'look', inputSchema: { type: 'object' } }] } });
  else if (id !== undefined) say({ id, error: { code: -32601, message: 'x' } });
});`;

const state = async (label: string): Promise<string> =>
  (await window.sidebar.item(label).getAttribute('aria-label')) ?? '';
/** The title of the view shows its buttons under the mouse. */
async function clickStartAll(): Promise<void> {
  await window.sidebar.container.getByRole('button', { name: 'Servers Section', exact: true }).hover();
  await window.sidebar.container.getByRole('button', { name: 'Start All MCP Servers', exact: true }).click();
}
const reviewPage = (): Promise<Frame> => window.webviews.frame('.reviews');
const allRun = async (wanted: readonly string[]): Promise<void> => {
  for (const label of wanted) await expect.poll(() => state(label), { timeout: 30_000 }).toMatch(/running/);
};

/** The button, once it can be pressed: it waits for a second. */
async function pressStart(page: Frame, count: number): Promise<void> {
  const name = count === 1 ? 'Start 1 Server' : `Start ${count} Servers`;
  await page.getByRole('button', { name, disabled: false }).click();
}

describe('Start All', () => {
  const server = { command: 'node', args: ['server.cjs'] };
  useWindow(
    () => ({
      workspace: folderWith(Object.fromEntries(labels.map((label) => [label, server])), {
        files: { 'server.cjs': program },
      }),
    }),
    async () => {
      await window.sidebar.open();
      await window.sidebar.item('seven').waitFor();
    },
  );

  it('starts seven servers for the first time with two clicks and one question', async () => {
    await clickStartAll();
    const page = await reviewPage();
    expect(await page.getByRole('checkbox').count()).toBe(7);
    await window.screenshot('start-review');
    await pressStart(page, 7);
    await allRun(labels);
    await window.webviews.waitUntilGone('.reviews');
    expect(await window.dialogs.dialog.isVisible()).toBe(false);
  });

  it('starts them in the next window with one click and no question', async () => {
    await window.reload();
    await window.sidebar.open();
    await expect.poll(() => state('seven')).toMatch(/stopped/);
    await clickStartAll();
    await allRun(labels);
    expect(await window.webviews.frames('.reviews')).toEqual([]);
  });

  it('starts nothing of a file that changes while the page is open', async () => {
    const file = join(window.workspace, '.vscode/mcp.json');
    const two = { eight: server, nine: server };
    await writeFile(file, JSON.stringify({ servers: two }));
    await window.sidebar.item('nine').waitFor();
    await clickStartAll();
    const page = await reviewPage();
    await page.getByRole('button', { name: 'Start 2 Servers', disabled: false }).waitFor();
    const program2 = `${program}\nrequire('node:fs').writeFileSync(__dirname + '/ran', '');`;
    await writeFile(join(window.workspace, 'other.cjs'), program2);
    const changed = { ...two, nine: { command: 'node', args: ['other.cjs'] }, ten: server };
    await writeFile(file, JSON.stringify({ servers: changed }));
    // Then the window has read the file.
    await window.sidebar.item('ten').waitFor();
    await pressStart(page, 2);
    await allRun(['eight']);
    await page.getByText('This server has changed since you reviewed it.').waitFor();
    await window.screenshot('start-review-changed');
    expect(await page.getByRole('checkbox', { name: 'nine' }).isChecked()).toBe(false);
    expect(await state('nine')).toMatch(/stopped/);
    await expect(readFile(join(window.workspace, 'ran'))).rejects.toThrow();
    expect(await state('ten')).toMatch(/stopped/);
    await page.getByRole('button', { name: 'Not Now' }).click();
    await window.webviews.waitUntilGone('.reviews');
    expect(await state('nine')).toMatch(/stopped/);
  });

  it('forgets the page with the window: a reload starts nothing', async () => {
    await clickStartAll();
    await reviewPage();
    await window.reload();
    await window.sidebar.open();
    await expect.poll(() => state('nine')).toMatch(/stopped/);
    expect(await window.webviews.frames('.reviews')).toEqual([]);
  });
});

describe('Start With Window', () => {
  useWindow(
    () => ({ workspace: folderWith({ notes: { command: 'node', args: ['notes.js'] } }) }),
    () => window.sidebar.open(),
  );

  it('is one entry of the menu, kept in the user settings for this definition alone', async () => {
    await window.sidebar.item('notes').waitFor();
    await window.sidebar.contextAction('notes', 'Start With Window');
    await window.sidebar.tooltip('notes', 'Starts with each window');
    await expect.poll(() => window.userSettings()).toMatch(/"notes":\s*\{\s*"for":.*\s*"autoStart": true/);
    expect(await readFile(join(window.workspace, '.vscode/mcp.json'), 'utf8')).not.toContain('autoStart');
    expect(await state('notes')).toMatch(/stopped/);
    await window.sidebar.contextAction('notes', "Don't Start With Window");
    await expect.poll(() => window.userSettings()).toMatch(/"autoStart": false/);
  });
});
