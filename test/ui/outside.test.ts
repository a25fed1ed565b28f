import { join } from 'node:path';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readCertificate, startSecureFront } from '../fixtures/network.ts';
import { repositoryRoot } from '../tools/vscodeHost/paths.mjs';
import { folderWith } from './driver/newWorkspace.ts';
import { apps, useWindow, window } from './driver/useWindow.ts';

const certificates = join(repositoryRoot, 'test', 'fixtures', 'certificates');
const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16"><circle cx="8" cy="8" r="8" fill="red"/></svg>';
const text = 'Read [the guide](https://docs.example.com/guide?from=patchbay) first.';

type Site = Awaited<ReturnType<typeof startSite>>;

/** An https server with icons and an app, and what was fetched from it but messages. */
async function startSite() {
  const fetched: { path: string | undefined; cookie: string | undefined; accept: string | undefined }[] = [];
  const certificate = readCertificate('selfSigned', certificates);
  const front = await startSecureFront(new URL('http://localhost'), certificate, (request, response) => {
    const { url: path, headers } = request;
    if (path === '/mcp') {
      const mcp = createMcpServer(`https://${headers.host}`);
      const transport = new StreamableHTTPServerTransport({});
      void mcp
        .connect(transport as Parameters<typeof mcp.connect>[0])
        .then(() => transport.handleRequest(request, response));
    } else {
      fetched.push({ path, cookie: headers.cookie, accept: headers.accept });
      response.writeHead(200, { 'content-type': 'image/svg+xml' }).end(icon);
    }
    return true;
  });
  return { url: `https://localhost:${front.port}/mcp`, fetched, close: () => front.close() };
}

const switches = (isOn: boolean) => ({ 'patchbay.apps.enabled': isOn, 'patchbay.icons.fetch': isOn });

describe('what a server refers to outside of the editor', () => {
  let site: Site;
  let quiet: Site;

  afterAll(() => Promise.all([site?.close(), quiet?.close()]));
  useWindow(
    async () => {
      [site, quiet] = await Promise.all([startSite(), startSite()]);
      const files = { '.vscode/settings.json': JSON.stringify(switches(true)) };
      return {
        workspace: folderWith({ notes: { url: site.url }, quiet: { url: quiet.url } }, { files }),
        companion: true,
        // The certificate is self-signed.
        env: { NODE_TLS_REJECT_UNAUTHORIZED: '0' },
      };
    },
    async () => {
      await window.startServer('notes');
      await window.sidebar.expand('Tools');
    },
  );

  const pictureOf = (name: string): Promise<string> =>
    window.sidebar
      .item(name)
      .locator('.custom-view-tree-node-item-icon')
      .evaluate((element) => getComputedStyle(element).backgroundImage);

  it('shows the icon that the server has at its own address', async () => {
    await expect.poll(() => pictureOf('read')).toContain('data:image/svg+xml;base64,');
    // In either order: one does not wait for the other.
    expect(site.fetched).toHaveLength(2);
    expect(site.fetched).toContainEqual(expect.objectContaining({ path: '/drawing.svg' }));
    const accept: unknown = expect.stringContaining('image/svg+xml');
    expect(site.fetched).toContainEqual({ path: '/icon.svg', cookie: undefined, accept });
    await window.screenshot('fetched-icon');
  });

  it('fetches no icon from another place, though it would be had there: the tool has the one every tool has', async () => {
    expect(await pictureOf('elsewhere')).toBe('none');
    expect(site.fetched.map(({ path }) => path)).not.toContain('/elsewhere.svg');
  });

  it('says where a link leads before the browser opens; Enter shows the address, and opens nothing', async () => {
    // Not by a click: VS Code loses one on a row that it is drawing again, as it does when a picture has come.
    const form = await window.chooseTool('read');
    await form.getByRole('button', { name: 'Show as Markdown' }).click();
    const panel = await window.webviews.frame('a:has-text("the guide")');
    await panel.getByText('the guide').click();
    const question = await window.dialogs.text();
    expect(question).toContain('Open a page that “notes” links to?');
    expect(question).toContain('It is at docs.example.com.');
    expect(question).toContain('https://docs.example.com/guide?from=patchbay');
    await window.screenshot('link-question');
    await window.page.keyboard.press('Enter');
    await window.dialogs.dialog.waitFor({ state: 'detached' });
    await window.page.locator('.monaco-editor').getByText('https://docs.example.com/guide?from=patchbay').waitFor();
    expect(window.page.context().pages()).toHaveLength(1);
  });

  it('opens it on a yes, to the letter', async () => {
    await window.page.context().route('https://docs.example.com/**', (route) => route.fulfill({ body: 'The guide.' }));
    await window.page.locator('.tabs-container').getByRole('tab', { name: /^read/ }).click();
    const panel = await window.webviews.frame('a:has-text("the guide")');
    await panel.getByText('the guide').click();
    const opened = window.page.context().waitForEvent('page');
    await window.dialogs.press('Open in Browser');
    // VS Code asks before it opens an unknown address.
    await window.dialogs.dialog.getByRole('button', { name: 'Open', exact: true }).click();
    const page = await opened;
    await page.waitForURL('https://docs.example.com/guide?from=patchbay');
    await page.close();
  });

  describe('what the person has switched off, and a folder on', () => {
    beforeAll(async () => {
      for (const [name, value] of Object.entries(switches(false))) await window.companion.updateSetting(name, value);
      await window.sidebar.collapse('notes');
      await window.startServer('quiet');
      await window.sidebar.expand('Tools');
    });

    it('stays off: no app is shown, and no icon fetched', async () => {
      await apps.call('draw', 'quiet');
      const form = await window.webviews.frame('h1:has-text("draw")');
      await form.getByRole('button', { name: 'Open in Editor' }).waitFor();
      expect(await form.getByRole('button', { name: 'Open App' }).count()).toBe(0);
      expect(await window.page.getByRole('tab', { name: /^App: / }).count()).toBe(0);
      expect(quiet.fetched).toEqual([]);
    });
  });
});

function createMcpServer(origin: string): McpServer {
  const mcp = new McpServer({ name: 'notes', version: '1.0.0' }, { capabilities: { tools: {} } });
  const tool = (name: string, src: string, _meta = {}) => ({
    name,
    _meta,
    inputSchema: { type: 'object' as const, properties: {} },
    annotations: { readOnlyHint: true },
    icons: [{ src }],
  });
  const tools = [
    tool('read', `${origin}/icon.svg`),
    tool('elsewhere', `${origin.replace('localhost', '127.0.0.1')}/elsewhere.svg`),
    tool('draw', `${origin}/drawing.svg`, { ui: { resourceUri: 'ui://notes/draw' } }),
  ];
  mcp.server.setRequestHandler(ListToolsRequestSchema, () => ({ tools }));
  mcp.server.setRequestHandler(CallToolRequestSchema, () => ({ content: [{ type: 'text', text }] }));
  return mcp;
}
