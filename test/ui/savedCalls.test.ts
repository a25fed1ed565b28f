import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repositoryRoot } from '../tools/vscodeHost/paths.mjs';
import { folderWith } from './driver/newWorkspace.ts';
import { useWindow, window } from './driver/useWindow.ts';

const server = 'kitchen';
const calls = {
  calls: [
    {
      name: 'Sum',
      server,
      tool: 'add',
      arguments: { a: 2 },
      cases: [
        { name: 'small', arguments: { b: 3 }, expect: { paths: { '$.sum': 5 } } },
        { name: 'wrong', arguments: { b: 4 }, expect: { paths: { '$.sum': 7 } } },
      ],
    },
    { name: 'Oslo', server, tool: 'weather_report', arguments: { city: 'Oslo' }, expect: { snapshot: true } },
    {
      name: 'Lunch',
      server,
      tool: 'order_lunch',
      arguments: {},
      expect: { text: 'Ada' },
      answers: { elicitation: [{ match: 'lunch', action: 'accept', content: { name: 'Ada', dish: 'soup' } }] },
    },
  ],
};

describe('saved calls as tests', () => {
  const demo = join(repositoryRoot, 'dist/demoServer.js');
  const files = { '.vscode/mcp-calls.json': JSON.stringify(calls, undefined, 2) };
  useWindow(() => ({ workspace: folderWith({ [server]: { command: process.execPath, args: [demo] } }, { files }) }));

  const file = (): string => join(window.workspace, '.vscode/mcp-calls.json');
  const snapshots = (): string => join(window.workspace, '.vscode/mcp-snapshots');
  const glyphs = (state: string) =>
    window.page.locator(`.editor-instance .glyph-margin-widgets .codicon-testing-${state}`);
  const tree = () => window.page.locator('.test-explorer [role="treeitem"]');
  /** The row of a test in Test Explorer, by its name and how it went. */
  const row = (name: string, state: string) => tree().and(window.page.getByLabel(new RegExp(`${name}.*${state}`, 'i')));
  const expand = async (name: string): Promise<void> => {
    await tree().filter({ hasText: name }).first().click();
    await window.page.keyboard.press('ArrowRight');
  };

  it('are in the gutter of their file, and run there after the yes to their server', async () => {
    await window.sidebar.open();
    await window.sidebar.item(server).waitFor();
    await window.runCommand('MCP Patchbay: Show Saved Call in File');
    await window.quickInput.pick('Sum');
    await glyphs('run-icon').or(glyphs('run-all-icon')).first().waitFor();
    await window.screenshot('saved-calls-gutter');
    await glyphs('run-all-icon').or(glyphs('run-icon')).first().click();
    await window.dialogs.press('Call Them');
    await window.dialogs.press('Start');
    await glyphs('passed-icon').first().waitFor();
    await glyphs('failed-icon').first().waitFor();
    await window.page.getByText('$.sum is 6, not 7.').first().waitFor();
    await window.screenshot('saved-calls-failed');
  });

  it('run in Test Explorer: the file answers what the call asks, and the audit log says so', async () => {
    await window.runCommand('MCP Patchbay: Run Saved Call as Test');
    await window.quickInput.pick('Lunch');
    await window.dialogs.press('Call Them');
    await expand(server);
    await expand('Saved Calls');
    await row('Lunch', 'passed').waitFor();
    await window.screenshot('saved-calls-explorer');
    await window.runCommand('MCP Patchbay: Show Audit Log');
    const log = await window.webviews.frame('table');
    await log.getByText('A file of saved calls').first().waitFor();
  });

  it('keep a result as snapshot when the person says so, unless the call has changed', async () => {
    const run = async (): Promise<void> => {
      await window.runCommand('MCP Patchbay: Run Saved Call as Test');
      await window.quickInput.pick('Oslo');
    };
    await run();
    await window.dialogs.press('Call Them');
    await row('Oslo', 'failed').waitFor();
    expect(await readdir(snapshots()).catch(() => [])).toEqual([]);
    const text = await readFile(file(), 'utf8');
    await writeFile(file(), text.replace('"city": "Oslo"', '"city": "Bergen"'));
    await window.runCommand('MCP Patchbay: Update Snapshots of Saved Calls…');
    await window.quickInput.accept();
    await window.notifications.show();
    await window.notifications.item(/has changed since it ran/).waitFor();
    await writeFile(file(), text);
    await window.runCommand('MCP Patchbay: Update Snapshots of Saved Calls…');
    await window.quickInput.accept();
    await expect.poll(() => readdir(snapshots()).catch(() => [])).toEqual([expect.stringMatching(/Oslo/)]);
    await run();
    await row('Oslo', 'passed').waitFor();
  });

  it('come from a call that was just made, with its result as what it is tested for', async () => {
    await window.sidebar.open();
    await window.sidebar.expand(server);
    await window.sidebar.expand('Tools');
    await window.sidebar.doubleClick('Weather Report');
    const form = await window.webviews.frame('h1:has-text("Weather Report")');
    await form.getByRole('textbox', { name: 'City' }).fill('Lima');
    await form.getByRole('button', { name: 'Call', exact: true }).click();
    await form
      .getByText(/^took|· took/)
      .first()
      .waitFor();
    await form.getByRole('button', { name: 'More for this call' }).click();
    await form.getByRole('menuitem', { name: 'Save Call…' }).click();
    await window.quickInput.type('Lima');
    await window.quickInput.accept();
    await window.notifications.press('The call “Lima” is saved', 'Expect This Result');
    await expect.poll(() => readdir(snapshots())).toContainEqual(expect.stringMatching(/Lima/));
    const { calls: saved } = JSON.parse(await readFile(file(), 'utf8')) as typeof calls;
    expect(saved.at(-1)).toMatchObject({ name: 'Lima', arguments: { city: 'Lima' }, expect: { snapshot: true } });
    await window.runCommand('MCP Patchbay: Run Saved Call as Test');
    await window.quickInput.pick('Lima');
    // The tab has sent what is in the form; a test sends what is in the file.
    await window.dialogs.press('Call Them');
    await row('Lima', 'passed').waitFor();
  });

  it('run again after a restart, where the person wants that', async () => {
    await window.sidebar.open();
    await window.sidebar.contextAction(server, 'Run Saved Calls After Each Restart', 'Develop');
    await window.notifications.show();
    await window.notifications.item(/run after each restart, in this window/).waitFor();
    await rm(snapshots(), { recursive: true });
    await window.sidebar.contextAction(server, 'Restart MCP Server');
    await window.runCommand('Testing: Focus on Test Explorer View');
    await row('Oslo', 'failed').waitFor();
    await row('Lunch', 'passed').waitFor();
  });
});
