import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folderWith } from './driver/newWorkspace.ts';
import { useWindow, window } from './driver/useWindow.ts';

/** Line 6 is where its tool fails, or answers. */
const server = `
import { createInterface } from 'node:readline';
const { argv } = process;
function add(text) {
  if (text === 'fail') throw new Error('broken on purpose');
  return 'added ' + text;
}
const tools = [{ name: 'add', inputSchema: { type: 'object', properties: { text: { type: 'string' } } } }];
const methods = {
  initialize: () => ({
    protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'mine', version: '1' },
  }),
  ping: () => ({}),
  'tools/list': () => ({ tools }),
  'tools/call': ({ arguments: { text } }) => {
    try {
      return { content: [{ type: 'text', text: add(text) }] };
    } catch (error) {
      return { isError: true, content: [{ type: 'text', text: error.stack + '\\n    at elsewhere (/etc/passwd:1:1)' }] };
    }
  },
};
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const error = { code: -32601, message: 'Method not found' };
  const answer = method in methods ? { result: methods[method](params ?? {}) } : { error };
  console.log(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
});
`;
const requestMs = 1_500;

describe('a server of the person, in Node.js', () => {
  const mine = { command: 'node', args: ['server.mjs'] };
  // Sooner than a person can look at a breakpoint.
  const options = { mine: { for: 'node server.mjs', timeouts: { requestMs, pingMs: 500 } } };
  useWindow(() => ({
    workspace: folderWith({ mine }, { files: { 'server.mjs': server } }),
    settings: { 'patchbay.serverOptions': options },
  }));

  const debugging = () => window.sidebar.item('mine').and(window.page.locator('[aria-label*="debugging"]'));
  const broken = () => window.sidebar.item('mine').and(window.page.locator('[aria-label*="new code does not start"]'));
  const tool = () => window.webviews.frame('h1:has-text("add")');
  const call = async (text: string) => {
    const frame = await tool();
    await frame.getByRole('textbox', { name: 'text' }).fill(text);
    await frame.getByRole('textbox', { name: 'text' }).press('Control+Enter');
    return frame;
  };

  /** A breakpoint shows its file, and the view of the debugger. */
  const returnToTool = async () => {
    await window.page.getByRole('tab', { name: 'add' }).click();
    await window.sidebar.open();
  };

  it('leads from the stack of an error to its line, and to no file elsewhere', async () => {
    await window.startServer('mine');
    await window.sidebar.expand('Tools');
    await window.sidebar.doubleClick('add');
    const frame = await call('fail');
    await frame.getByText('broken on purpose').waitFor();
    await frame.getByText('/etc/passwd:1:1').waitFor();
    const links = frame.locator('.content button.link');
    expect(await links.allInnerTexts()).toContainEqual(expect.stringMatching(/server\.mjs:5:\d+$/));
    expect((await links.allInnerTexts()).join()).not.toContain('/etc');
    await window.screenshot('stack-links');
    await links.first().click();
    await window.page.getByRole('tab', { name: 'server.mjs' }).waitFor();
    await window.page.getByText(/Ln 5, Col/).waitFor();
  });

  it('stops at a breakpoint, while its timeouts stand still', async () => {
    await window.runCommand('Debug: Toggle Breakpoint');
    await window.page.locator('.codicon-debug-breakpoint, .codicon-debug-breakpoint-unverified').first().waitFor();
    await window.sidebar.open();
    await window.sidebar.contextAction('mine', 'Debug MCP Server', 'Develop');
    await debugging().waitFor();
    await window.sidebar.doubleClick('add');
    const since = performance.now();
    const frame = await call('one');
    const resume = window.page.getByRole('button', { name: /^Continue/ }).first();
    await resume.waitFor();
    await window.screenshot('debugging');
    // Without a debugger, the call and the pings would have ended by now.
    await expect.poll(() => performance.now() - since).toBeGreaterThan(2 * requestMs);
    await resume.click();
    await returnToTool();
    await frame.getByText('added one').waitFor();
    await debugging().waitFor();
  });

  it('follows a save: the next call stops in the new code, and broken code leaves the debugger where it is', async () => {
    const save = (text: string): Promise<void> => writeFile(join(window.workspace, 'server.mjs'), text);
    const resume = window.page.getByRole('button', { name: /^Continue/ }).first();
    await window.sidebar.contextAction('mine', 'Restart on Save', 'Develop');
    await window.page.getByText('restarts when its code is saved, without a question.').first().waitFor();
    await save(server.replace("'added '", "'put '"));
    await window.sidebar.tooltip('mine', 'Restarted because server.mjs changed');
    await debugging().waitFor();
    const frame = await call('three');
    await resume.waitFor();
    await window.screenshot('debugging-after-save');
    await resume.click();
    await returnToTool();
    await frame.getByText('put three').waitFor();

    await save('const broken = ;');
    await broken().waitFor();
    await debugging().waitFor();
    await save(server);
    await broken().waitFor({ state: 'detached' });
    await debugging().waitFor();
    await call('four');
    await resume.waitFor();
    await resume.click();
    await returnToTool();
    await frame.getByText('added four').waitFor();
  });

  it('keeps its debugger over a restart, and goes on without it', async () => {
    await window.sidebar.contextAction('mine', 'Restart MCP Server');
    await window.page
      .getByRole('button', { name: /^Disconnect/ })
      .first()
      .waitFor();
    await debugging().waitFor();
    await call('two');
    await window.page
      .getByRole('button', { name: /^Continue/ })
      .first()
      .waitFor();
    await returnToTool();
    await window.sidebar.contextAction('mine', 'Stop Debugging MCP Server', 'Develop');
    await debugging().waitFor({ state: 'detached' });
    await (await tool()).getByText('added two').waitFor();
  });
});
