import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ResultDocument, toResultView } from '../../src/host/panels/resultDocument.ts';
import type { ContentBlock } from '../../src/protocol/mcp/content.ts';
import { launchBrowser, openPanelPage, type PanelPage } from './panelPage.ts';
import { type PanelServer, startPanelServer } from './panelServer.ts';
import { failedDocument, promptDocument, toolDocument } from './samples.ts';

let server: PanelServer;
let browser: Browser;
let panel: PanelPage;
let page: Page;

beforeAll(async () => {
  [server, browser] = await Promise.all([startPanelServer(), launchBrowser()]);
}, 60_000);

afterAll(async () => {
  await browser.close();
  await server.close();
});

beforeEach(async () => {
  panel = await openPanelPage(browser, { address: server.address('result') });
  ({ page } = panel);
  await panel.load();
});

afterEach(async () => {
  expect(panel.problems).toEqual([]);
  await panel.dispose();
});

async function show(document: ResultDocument): Promise<void> {
  await panel.post({ type: 'show', view: toResultView(document) });
  await page.getByRole('heading', { level: 1, name: document.title }).waitFor();
}

function showText(...content: readonly ContentBlock[]): Promise<void> {
  return show({ ...toolDocument, notices: [], result: { kind: 'tool', result: { isError: false, content } } });
}

/** What the page asked the extension for, apart from its greeting. */
function asked(): readonly unknown[] {
  return panel.sent.slice(1);
}

describe('the result panel', () => {
  it('draws Markdown, and the text itself on demand', async () => {
    await show(promptDocument);
    await page.getByRole('heading', { level: 2, name: 'Task' }).waitFor();
    expect(await page.getByRole('cell').allInnerTexts()).toEqual(['naming', '3', 'null cases', '5']);
    await page.getByRole('button', { name: 'Raw Text' }).click();
    expect(
      await page
        .getByRole('button', { name: 'Raw Text', pressed: true })
        .evaluate((raw) => raw === document.activeElement),
    ).toBe(true);
    await page.getByText('Look at **readability** first').waitFor();
    expect(await page.getByRole('heading', { level: 2 }).count()).toBe(0);
  });

  it('runs the actions of its document', async () => {
    await show(promptDocument);
    for (const { label } of promptDocument.actions) await page.getByRole('button', { name: label }).click();
    await expect.poll(asked).toEqual(promptDocument.actions.map(({ id }) => ({ type: 'action', id })));
  });

  it('opens links and resources through the extension', async () => {
    await show(promptDocument);
    await page.getByRole('link', { name: 'the guide' }).click();
    await page.getByRole('button', { name: 'Style notes' }).click();
    await expect.poll(asked).toEqual([
      { type: 'openLink', uri: 'https://example.com/guide' },
      { type: 'openResource', uri: 'demo://notes/style' },
    ]);
    expect(page.url()).toBe(server.address('result'));
  });

  it('unfolds structured content and plays audio', async () => {
    await show(toolDocument);
    await page.getByText('source:').waitFor();
    expect(await page.getByText('high:').count()).toBe(0);
    await page.locator('summary', { hasText: '1: {3}' }).click();
    await page.getByText('high: null').waitFor();
    await expect.poll(() => page.locator('audio').evaluate((audio) => (audio as HTMLAudioElement).duration)).toBe(1);
    await page.getByText("does not match the tool's output schema").waitFor();
  });

  it('tells a failed tool from one that worked', async () => {
    await show(failedDocument);
    await page.getByRole('alert').filter({ hasText: 'The tool reports that it failed.' }).waitFor();
    await show(toolDocument);
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it.each([
    ['an image with a handler', '<img src=x onerror="alert(1)">'],
    ['a script', '<script>alert(1)</script>'],
    ['a style', '<style>body{display:none}</style><p style="color:red">x</p>'],
    ['a javascript link', '[x](javascript:alert(1)) <javascript:alert(1)>'],
    ['a command link', '[x](command:workbench.action.terminal.new)'],
    ['a data link', '[x](data:text/html;base64,PHNjcmlwdD4=)'],
    ['a file link', '[x](file:///etc/passwd)'],
    ['a frame', '<iframe srcdoc="<script>alert(1)</script>"></iframe>'],
  ])('keeps %s text', async (_name, text) => {
    await showText({ type: 'text', text });
    expect(await page.locator('main').locator('a, img, script, style, iframe, [style], [onerror]').count()).toBe(0);
    expect(await page.locator('main').innerText()).toContain(text.slice(0, 12));
  });

  it('turns pictures of the web into links', async () => {
    await showText({ type: 'text', text: '![the plan](https://example.com/plan.png?secret=1)' });
    await page.getByRole('link', { name: 'Image: the plan' }).waitFor();
    expect(await page.locator('img').count()).toBe(0);
  });

  it('draws a picture that carries a script without running it', async () => {
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><script>parent.document.title="owned"</script><image href="https://example.com/x.png"/></svg>';
    await showText({ type: 'image', data: Buffer.from(svg).toString('base64'), mimeType: 'image/svg+xml' });
    await expect.poll(() => page.locator('img').evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBe(8);
    expect(await page.title()).toBe('Patchbay');
  });

  it('says so when media are damaged', async () => {
    await showText({ type: 'image', data: 'AAAA', mimeType: 'image/png' });
    await page.getByText('This media is damaged and cannot be shown.').waitFor();
  });

  it('cuts what is too large for a page and says so', async () => {
    await showText({ type: 'text', text: 'word '.repeat(200_000) });
    await page.getByText('This result is too large to be shown whole.').waitFor();
    expect((await page.locator('main').innerText()).length).toBeLessThan(510_000);
  });
});
