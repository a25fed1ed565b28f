import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useWindow, window } from './driver/useWindow.ts';

/** Completes the handshake, and stops answering at the first ping. After a restart it answers pings. */
const sleepyServer = `
import { existsSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
const mark = new URL('awake', import.meta.url);
let isAsleep = false;
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (method === 'ping' && !existsSync(mark)) {
    isAsleep = true;
    writeFileSync(mark, '');
  }
  if (id === undefined || isAsleep) return;
  const result = method === 'tools/list' ? { tools: [] } : {};
  if (method === 'initialize')
    Object.assign(result, { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } });
  const answer = method === 'server/discover' ? { error: { code: -32601, message: 'Method not found' } } : { result };
  console.log(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
});
`;

describe('a server that does not work', () => {
  const mcpServers = { notes: { command: 'no-such-notes-server', env: { API_KEY: 'sk-hidden-1' } } };
  useWindow(
    () => ({ workspace: { name: 'workspace', files: { '.mcp.json': JSON.stringify({ mcpServers }) } } }),
    async () => {
      await window.sidebar.open();
      await window.sidebar.item('notes').waitFor();
    },
  );

  const shown = async (button: string) => {
    const page = await window.webviews.frame('h1:has-text("Diagnosis of notes")');
    await page.getByRole('button', { name: button, exact: true }).waitFor();
    return page;
  };
  const why = () => shown('Diagnose');

  it('is diagnosed on a page that starts with the error and what to do', async () => {
    await window.runCommand('MCP Patchbay: Diagnose MCP Server');
    await window.quickInput.pick('notes');
    await window.dialogs.press('Start');
    const page = await shown('Diagnose Again');
    const summary = page.getByRole('status');
    expect(await summary.innerText()).toContain('"no-such-notes-server" was not found in PATH');
    // PATH is there once, and folded away.
    expect(await page.locator('body').innerText()).not.toContain('/usr/bin');
    await page.getByText('Searched in PATH').click();
    await page.getByText('/usr/bin', { exact: true }).waitFor();
    await window.screenshotInThemes('diagnosis');
    await page.getByRole('button', { name: 'Copy as Text' }).click();
    const copied = (): Promise<string> => window.page.evaluate(() => navigator.clipboard.readText());
    await expect.poll(copied).toContain('Command [Problem]');
    expect(await copied()).not.toContain('sk-hidden-1');
    await summary.getByRole('button', { name: 'Open Configuration' }).click();
    await window.page.getByRole('tab', { name: '.mcp.json' }).waitFor();
  });

  it('says why in one click, from its notice and from its row', async () => {
    await window.sidebar.inlineAction('notes', 'Start MCP Server');
    await window.notifications.show();
    const notice = await window.notifications.item(/"no-such-notes-server" was not found/).innerText();
    expect(notice).not.toContain('/usr/bin');
    await window.notifications.press('no-such-notes-server', 'Show Why');
    expect(await (await why()).getByRole('status').innerText()).toContain('was not found in PATH');
    await window.runCommand('View: Close All Editors');
    await window.sidebar.inlineAction('notes', 'Show Why');
    const page = await why();
    expect(await page.getByRole('status').innerText()).toContain('was not found in PATH');
    // Only this starts the server once more.
    await page.getByRole('button', { name: 'Diagnose', exact: true }).click();
    await shown('Diagnose Again');
  });

  it('since it has stopped answering says so, with a row that restarts it', async () => {
    const state = async (): Promise<string> => (await window.sidebar.item('sleepy').getAttribute('aria-label')) ?? '';
    const patchbay = { autoRestart: false, timeouts: { pingMs: 500 } };
    const sleepy = { command: process.execPath, args: ['sleepy.mjs'], patchbay };
    await writeFile(join(window.workspace, 'sleepy.mjs'), sleepyServer);
    await writeFile(join(window.workspace, '.mcp.json'), JSON.stringify({ mcpServers: { sleepy } }));
    await window.sidebar.item('sleepy').waitFor();
    await window.startServer('sleepy');
    await expect.poll(state).toMatch(/running, not answering/);
    await window.screenshot('not-answering');
    await window.sidebar.click('Not answering. Restart');
    await expect.poll(state).toMatch(/running, offers nothing/);
  });

  it('shows lines on stdout and invalid schemas at the server, at the tool and in Problems', async () => {
    const tools = `{ tools: [{ name: 'forecast', inputSchema: { type: 'object', required: 'x' } }] }`;
    const faulty = sleepyServer
      .replace('{ tools: [] }', tools)
      .replace('let isAsleep', "console.log('listening');\nlet isAsleep");
    await writeFile(join(window.workspace, 'sleepy.mjs'), faulty);
    await window.sidebar.contextAction('sleepy', 'Restart MCP Server');
    await window.dialogs.press('Start');
    await window.sidebar.item('Ignored 1 line on stdout').waitFor();
    await window.sidebar.tooltip('Ignored 1 line on stdout', 'Write logs to stderr');
    await window.sidebar.expand('Tools');
    await window.sidebar.item('forecast').getByText('invalid schema').waitFor();
    await window.screenshot('faulty-server');
    await window.sidebar.click('1 tool with an invalid schema');
    const problem = window.page.locator('.markers-panel').getByText('"required" must be a list (at inputSchema)');
    await problem.first().waitFor();
    await window.screenshot('faulty-server-problems');
  });

  it('is named in the notice of a restart that fails, with the error and without its stack trace', async () => {
    await writeFile(join(window.workspace, 'sleepy.mjs'), `${sleepyServer}\nconst = 1;\n`);
    await window.sidebar.contextAction('sleepy', 'Restart MCP Server');
    await window.dialogs.press('Start');
    await window.notifications.show();
    const notice = window.notifications.item(/“sleepy” stopped unexpectedly \(exit code 1\)\./);
    await notice.waitFor();
    const text = await notice.innerText();
    expect(text).toContain('SyntaxError: ');
    expect(text).not.toMatch(/\bat .*:\d+:\d+/);
    await window.screenshot('restart-failed');
  });
});
