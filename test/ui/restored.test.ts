import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { fixtureServer, folderWith } from './driver/newWorkspace.ts';
import { apps, useWindow, window } from './driver/useWindow.ts';

/** The server `notes`, as one of two programs. */
function servers(who: 'a' | 'b') {
  return { notes: fixtureServer('relabelledServer.mjs', who, '${workspaceFolder}/asked.log') };
}

describe('a server that has the label of another', () => {
  useWindow(() => ({ workspace: folderWith(servers('a')) }));

  const redefine = (who: 'a' | 'b'): Promise<void> =>
    writeFile(join(window.workspace, '.vscode', 'mcp.json'), JSON.stringify({ servers: servers(who) }));
  const firstTab = (): Locator => window.page.getByRole('tab', { name: /^report/ }).first();
  const asked = (): Promise<string> => readFile(join(window.workspace, 'asked.log'), 'utf8');

  it('has an app that gets nothing of the calls of the other', async () => {
    await apps.start('notes');
    const page = await window.chooseTool('report');
    await page.getByRole('textbox', { name: 'question' }).fill('What does Ada earn?');
    await page.getByRole('button', { name: 'Call', exact: true }).click();
    await apps.document('report', 'p:has-text("ready")');
    await expect.poll(asked).toMatch(/a was asked for .*salary 123456/);
    expect(await asked()).toContain('What does Ada earn?');
    await redefine('b');
    await window.reload(/report\W+occurrence\W+0\W+call\W/);
    await window.page.getByRole('tab', { name: /^App: report/ }).click();
    const card = await window.webviews.frame('h2:has-text("This app was open before")');
    const words = await card.locator('.card').innerText();
    await card.getByRole('button', { name: 'Show App' }).click();
    await window.dialogs.press('Start');
    await apps.document('report', 'h1:has-text("App of b")');
    await apps.document('report', 'p:has-text("ready")');
    const ofB = (await asked()).split('\n').filter((line) => line.startsWith('b '));
    expect(ofB).toEqual(['b was asked for ui://notes/report', 'b was asked for leak://ready']);
    expect(words).toContain('The definition of “notes” has changed since this was opened.');
    await window.screenshot('restored-of-another');
  });

  it('has a tab of its tool without what was typed and called before', async () => {
    await firstTab().click();
    const before = await window.webviews.frame('.banner:has-text("has changed since this was opened")');
    expect(await before.locator('body').innerText()).not.toMatch(/Ada|salary/);
    expect(await before.getByRole('textbox', { name: 'question' }).count()).toBe(0);
    await before.getByRole('button', { name: 'Open Tool' }).click();
    const page = await window.webviews.frame('main.tool:not([hidden])');
    await page.getByRole('textbox', { name: 'question' }).waitFor();
    expect(await page.getByRole('textbox', { name: 'question' }).inputValue()).toBe('');
    expect(await page.locator('body').innerText()).not.toMatch(/Ada|salary/);
    await window.screenshot('tool-of-another');
  });

  it('leaves what belongs to the other one there, for when it comes back', async () => {
    await redefine('a');
    await window.runCommand('MCP Patchbay: Stop MCP Server');
    await firstTab().click();
    const page = await window.webviews.frame('.history:has-text("Ada")');
    expect(await page.getByRole('textbox', { name: 'question' }).inputValue()).toBe('What does Ada earn?');
  });
});
