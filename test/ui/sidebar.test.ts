import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { focusedName, tabTo } from './driver/focus.ts';
import { demoWorkspace, fixtureServer } from './driver/newWorkspace.ts';
import { useWindow, window } from './driver/useWindow.ts';

describe('a window without servers', () => {
  useWindow(() => ({ workspace: { name: 'empty', files: { '.vscode/settings.json': '{}' } } }));

  it('offers to add, to import, and to try the demo server', async () => {
    await window.sidebar.open();
    // The toolbar of the view has a button of the same name.
    const welcome = window.sidebar.container.getByRole('region', { name: 'Welcome' });
    for (const name of ['Add MCP Server…', 'Import MCP Servers…', 'Try the Demo Server'])
      await welcome.getByRole('button', { name }).waitFor();
    await window.screenshot('welcome');
  });

  describe('a server of which a list hangs', () => {
    const script = 'slowListServer.mjs';
    const slow = { ...fixtureServer(script), patchbay: { timeouts: { requestMs: 8_000 } } };
    const servers = { gated: fixtureServer(script, '--gate=${workspaceFolder}/gate'), slow };
    const file = (): string => join(window.workspace, '.vscode', 'mcp.json');
    beforeAll(() => writeFile(file(), JSON.stringify({ servers })));
    afterAll(() => rm(file()));

    it('runs at once, shows what has come, says at the group what has not, and tries again [list-hangs]', async () => {
      await window.startServer('slow');
      await window.sidebar.expand('Prompts');
      await window.sidebar.item('Loading…').waitFor();
      await window.sidebar.expand('Tools');
      await window.sidebar.item('echo').waitFor();
      expect(await window.sidebar.item('slow').getAttribute('aria-label')).toMatch(/running/);
      await window.sidebar.item(/prompts\/list failed/).waitFor();
      await window.screenshot('list-failed');
      await window.sidebar.click('Try Again');
      await window.sidebar.item('greet').waitFor();
      await window.sidebar.item('Try Again').waitFor({ state: 'detached' });
    });

    it('fills the list to choose from while it is open: what is typed stays, and so does the active row', async () => {
      await window.startServer('gated');
      await window.runCommand('MCP Patchbay: Run MCP Prompt…');
      const { quickInput } = window;
      await quickInput.type('greet');
      await quickInput.row('Wait for gated').waitFor();
      const active = quickInput.rows.and(window.page.locator('.focused'));
      await active.filter({ hasText: 'slow' }).waitFor();
      await window.screenshot('list-waits');
      await writeFile(join(window.workspace, 'gate'), '');
      // It comes before the active one.
      await quickInput.rows.first().filter({ hasText: 'gated' }).filter({ hasText: 'greet' }).waitFor();
      await active.filter({ hasText: 'slow' }).waitFor();
      expect(await quickInput.rows.count()).toBe(2);
      expect(await quickInput.field.inputValue()).toBe('greet');
      await window.screenshot('list-filled');
      await quickInput.cancel();
    });
  });

  it('gets from there to a running server in one click', async () => {
    await window.sidebar.container.getByRole('button', { name: 'Try the Demo Server' }).click();
    await window.sidebar.item('Tools').waitFor();
  });
});

describe('the sidebar', () => {
  useWindow(
    () => ({ workspace: demoWorkspace }),
    async () => {
      await window.startServer('demo');
      await window.sidebar.expand('Tools');
      await window.sidebar.item('Add Two Numbers').waitFor();
    },
  );

  it('tells a screen reader what each row is', async () => {
    const label = await window.sidebar.item('Add Two Numbers').getAttribute('aria-label');
    expect(label).toMatch(/tool/i);
    expect(label).toContain('demo');
    expect(await window.sidebar.item('demo').getAttribute('aria-label')).toMatch(/running/i);
  });

  it('narrows to what is searched for, in all servers, and widens again', async () => {
    await window.runCommand('MCP Patchbay: Filter Servers and Contents…');
    await window.quickInput.type('weather');
    await window.quickInput.accept();
    await window.sidebar.item('Weather Report').waitFor();
    await window.sidebar.item('Add Two Numbers').waitFor({ state: 'detached' });
    await window.screenshot('filtered');
    await window.runCommand('MCP Patchbay: Clear Filter');
    await window.sidebar.item('Add Two Numbers').waitFor();
  });

  it('keeps closed what was closed before a filter', async () => {
    await window.sidebar.collapse('Tools');
    await window.runCommand('MCP Patchbay: Filter Servers and Contents…');
    await window.quickInput.type('weather');
    await window.quickInput.accept();
    await window.sidebar.item('Weather Report').waitFor();
    await window.runCommand('MCP Patchbay: Clear Filter');
    // Nothing in this server has matched.
    await window.sidebar.item('files').waitFor();
    expect(await window.sidebar.item('Tools').getAttribute('aria-expanded')).toBe('false');
    await window.sidebar.expand('Tools');
  });

  it('works by keyboard alone, from a row to the result of its tool', async () => {
    const rows = window.sidebar.container.locator('[role="tree"]');
    await rows.focus();
    await window.page.keyboard.press('Home');
    const rowsAbove = Number(await window.sidebar.item('Add Two Numbers').getAttribute('data-index'));
    for (let row = 0; row < rowsAbove; row += 1) await window.page.keyboard.press('ArrowDown');
    await window.sidebar.container.locator('.monaco-list-row.focused', { hasText: 'Add Two Numbers' }).waitFor();
    await window.page.keyboard.press('Enter');
    const result = await window.webviews.frame('h1:has-text("Add Two Numbers")');
    await expect.poll(() => focusedName(result)).toBe('First number');
    await window.page.keyboard.type('2');
    await tabTo(window.page, result, 'Second number');
    await window.page.keyboard.type('3');
    await window.page.keyboard.press('Control+Enter');
    await result
      .getByText('"sum": 5')
      .or(result.getByText('5', { exact: true }))
      .first()
      .waitFor();
    await window.screenshot('tool-result');
  });

  it('says in the hover of a server what it says of itself, and opens its instructions, as Markdown on demand', async () => {
    // A row that is drawn again takes its hover along: it is read in one go.
    const readHover = async () => {
      const hover = await window.sidebar.tooltip('demo', 'Show Instructions');
      const widthOf = (image: HTMLImageElement): number => image.naturalWidth;
      const icon = hover.locator('img').evaluate(widthOf, undefined, { timeout: 5_000 });
      const [text, width] = await Promise.all([hover.innerText(), icon]).catch(() => ['', 0] as const);
      return { text, width };
    };
    const text = expect.stringMatching(
      /Shows every feature a server can have[^]*characters; Show Instructions opens them/,
    );
    await expect.poll(readHover).toEqual({ text, width: 32 });
    expect((await readHover()).text).not.toContain('nothing brings a note back');
    await window.screenshot('server-hover');
    await window.sidebar.contextAction('demo', 'Show Instructions');
    const instructions = await window.webviews.frame('h1:has-text("Instructions: demo")');
    await instructions.getByText('# Patchbay Demo').waitFor();
    await instructions.getByRole('button', { name: 'Show as Markdown' }).click();
    await instructions.getByRole('heading', { level: 1, name: 'Patchbay Demo' }).waitFor();
    await instructions.getByRole('cell', { name: 'structured content' }).waitFor();
    await window.screenshot('instructions');
  });

  it('shows what a server says of the parts of a result, and saves a file of it', async () => {
    const result = await window.chooseTool('Show Everything');
    await result.getByText('For the assistant only').waitFor();
    await window.screenshot('rich-result');
    await result.getByRole('button', { name: 'Save As…' }).last().click();
    // The dialog suggests the file's own name, in the workspace.
    const file = join(window.workspace, 'leaflet.pdf');
    await expect.poll(() => window.quickInput.field.inputValue()).toBe(file);
    await window.quickInput.widget.getByRole('button', { name: 'OK' }).click();
    await expect.poll(async () => readFile(file, 'latin1').catch(() => '')).toMatch(/^%PDF-/);
  });

  it('offers to save a resource that the editor cannot show', async () => {
    await window.runCommand('MCP Patchbay: Open MCP Resource…');
    await window.quickInput.choose('Leaflet');
    // An editor that opens takes the focus: wait for it.
    await window.page.getByRole('tab', { name: /^Leaflet\.pdf/ }).waitFor();
    await window.page.locator('.view-line', { hasText: '%PDF' }).waitFor();
    await window.notifications.show();
    await window.notifications.item(/leaflet\.pdf is application\/pdf/).waitFor();
    await window.screenshot('binary-resource');
    await window.notifications.clear();
    // The action in the title of its editor.
    await window.page.getByRole('button', { name: 'Save Resource As…' }).click();
    const file = join(window.workspace, 'leaflet.pdf');
    await expect.poll(() => window.quickInput.field.inputValue()).toBe(file);
    await window.quickInput.cancel();
  });

  it('has details of what is offered', async () => {
    await window.sidebar.contextAction('Add Two Numbers', 'Show Details');
    const page = await window.webviews.frame('body:has(.facts-section) h1:has-text("Add Two Numbers")');
    await page.getByText('First number').first().waitFor();
    await window.screenshot('details');
    await page.getByRole('button', { name: 'Copy as Text' }).click();
    const copied = (): Promise<string> => window.page.evaluate(() => navigator.clipboard.readText());
    await expect.poll(copied).toMatch(/^Add Two Numbers\n[^]*\nName: add\n[^]*First number/);
    await window.sidebar.item('Add Two Numbers').hover();
    await window.page.locator('.workbench-hover').getByText('a (number, required)').waitFor();
    await window.screenshot('tool-hover');
  });

  it('measures how long a server takes to answer', async () => {
    await window.sidebar.contextAction('demo', 'Ping MCP Server', 'Develop');
    await window.notifications.show();
    await window.notifications.item(/demo answered in \d+ ms/).waitFor();
    await window.notifications.clear();
  });

  it('shows last seen contents after a reload, and starts nothing by itself', async () => {
    await window.reload();
    await window.sidebar.open();
    await window.sidebar.item('demo').waitFor();
    expect(await window.sidebar.item('demo').getAttribute('aria-label')).toMatch(/stopped/i);
    await window.runCommand('MCP Patchbay: Run MCP Prompt…');
    await window.quickInput.row('Plan a Trip').waitFor();
    await window.quickInput.cancel();
  });

  it('says of what is remembered that it is, and from when', async () => {
    // A filtered tree opens without starting anything.
    await window.runCommand('MCP Patchbay: Filter Servers and Contents…');
    await window.quickInput.type('add two');
    await window.quickInput.accept();
    await window.sidebar.contextAction('Add Two Numbers', 'Show Details');
    const page = await window.webviews.frame('body:has(.facts-section) h1:has-text("Add Two Numbers")');
    await page.getByText('remembered from').waitFor();
    await window.screenshot('remembered-details');
    expect(await page.locator('body').innerText()).not.toContain('inputSchema');
    expect(await window.sidebar.item('demo').getAttribute('aria-label')).toMatch(/stopped/i);
  });
});

describe('an untrusted workspace', () => {
  useWindow(() => ({ workspace: demoWorkspace, workspaceTrust: true }));

  it('in Restricted Mode lists its servers and starts none of them', async () => {
    await window.sidebar.open();
    await window.sidebar.expand('everything');
    await window.sidebar.item(/Restricted Mode/).waitFor();
    await window.screenshot('restricted');
    await window.runCommand('MCP Patchbay: Start MCP Server');
    await window.quickInput.widget.getByText('everything').first().click();
    await window.notifications.show();
    await window.notifications.item(/Restricted Mode/).waitFor();
    await expect
      .poll(() => window.sidebar.item('everything').getAttribute('aria-label'))
      .toMatch(/needs your approval/i);
  });
});
