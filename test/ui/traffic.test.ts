import type { Frame } from 'playwright-core';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fixtureServer, folderWith } from './driver/newWorkspace.ts';
import { useWindow, window } from './driver/useWindow.ts';

describe('the traffic of a window', () => {
  useWindow(() => ({ workspace: folderWith({ article: fixtureServer('articleServer.mjs') }), companion: true }));

  const traffic = (): Promise<Frame> => window.webviews.frame('h1:has-text("Traffic")');

  it('has the messages of a call after the fact, which its tab leads to, also past a filter', async () => {
    await window.startServer('article');
    const form = await window.chooseTool('calculate');
    await window.page.keyboard.type('6*7');
    await window.page.keyboard.press('Control+Enter');
    await form.getByText('42', { exact: true }).waitFor();
    await window.runCommand('MCP Patchbay: Show Traffic');
    const page = await traffic();
    await page.locator('.traffic-row', { hasText: 'initialize' }).first().waitFor();
    await page.getByLabel('Filter').fill('server:other');
    await expect.poll(() => page.locator('.traffic-row:visible').count()).toBe(0);
    await window.chooseTool('calculate');
    await form.getByRole('button', { name: 'Show Exchange' }).first().click();
    await page.locator('.traffic-title', { hasText: 'tools/call · calculate' }).waitFor();
    expect(await page.getByLabel('Filter').inputValue()).toBe('');
    await page.locator('.traffic-message').getByText('"6*7"').waitFor();
    await window.screenshot('traffic');
  });

  it('sends a call again through its tab, and shows it in the history', async () => {
    const page = await traffic();
    await page.getByLabel('Filter').fill('method:tools/call');
    await page.getByRole('button', { name: 'Send Again' }).click();
    const form = await window.webviews.frame('h1:has-text("calculate")');
    await expect.poll(() => form.locator('.history li').count()).toBe(2);
    await window.runCommand('MCP Patchbay: Show Traffic');
    await expect.poll(() => page.locator('.traffic-row:visible').count()).toBe(2);
    await page.locator('.traffic-row:visible').last().click();
    await page.getByRole('button', { name: 'Show Call' }).click();
    await form.getByText('From the history').waitFor();
  });

  it('is exported without a secret, to where the person wants it', async () => {
    await window.runCommand('MCP Patchbay: Show Traffic');
    await (await traffic()).getByRole('button', { name: 'JSON Lines…' }).click();
    const file = join(window.workspace, 'mcp-traffic.jsonl');
    await expect.poll(() => window.quickInput.field.inputValue()).toBe(file);
    await window.quickInput.widget.getByRole('button', { name: 'OK' }).click();
    const read = (): Promise<string> => readFile(file, 'utf8').catch(() => '');
    await expect.poll(read).toContain('"method":"tools/call"');
    expect((await read()).trim().split('\n')).toHaveLength(2);
  });

  it('says after a reload that what was there is gone', async () => {
    await window.reload(/patchbay\.traffic/);
    // VS Code stores late which tab is in front.
    await window.page.locator('.tab', { hasText: 'Traffic' }).click();
    await (await traffic()).getByText('The window was reloaded: what was here before is no longer kept.').waitFor();
  });

  it('is recorded, and the recording is a server with the same results without the program', async () => {
    const name = 'article.mcp-session.jsonl';
    const file = join(window.workspace, name);
    const chooseFile = async (): Promise<void> => {
      await expect.poll(() => window.quickInput.field.inputValue()).not.toBe('');
      await window.quickInput.type(file);
      await window.quickInput.widget.getByRole('button', { name: /^(?:OK|Record|Choose)$/ }).click();
    };
    const call = async (server: string) => {
      const { outcome } = await window.callTool({ server, tool: 'calculate', args: { expression: '6*7' } });
      return outcome;
    };
    await window.runCommand('MCP Patchbay: Record Session…');
    await window.quickInput.pick('article');
    await chooseFile();
    await window.notifications.show();
    await window.notifications.item(/Recording what goes/).waitFor();
    const recorded = await call('article');
    expect(recorded).toMatchObject({ kind: 'result', result: { content: [{ text: '42' }] } });
    await window.notifications.press(/Recording what goes/, 'Stop Recording');
    await window.page.locator('.tab', { hasText: name }).waitFor();
    await window.sidebar.inlineAction('article', 'Stop MCP Server');
    await window.notifications.press(/Recorded \d+ lines/, 'Add Recording as MCP Server');
    await window.quickInput.accept();
    await window.sidebar.item('article-replay').waitFor();
    const configuration = await readFile(join(window.workspace, '.vscode', 'mcp.json'), 'utf8');
    expect(configuration).toContain(`"session": "\${workspaceFolder}/${name}"`);
    // No program starts: nothing is asked.
    await window.sidebar.inlineAction('article-replay', 'Start MCP Server');
    await window.sidebar.item('article-replay').and(window.page.locator('[aria-label*="running"]')).waitFor();
    expect(await call('article-replay')).toEqual(recorded);
    await window.runCommand('MCP Patchbay: Compare Recorded Sessions…');
    await window.quickInput.pick(name);
    await expect.poll(() => window.quickInput.widget.innerText()).toContain('Newer');
    await window.quickInput.pick(name);
    await window.page.locator('.editor-instance .view-line').getByText('What broke').waitFor();
    await window.screenshot('sessions');
  });
});
