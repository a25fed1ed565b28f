import { describe, expect, it } from 'vitest';
import { describeHidden } from '../../src/base/hiddenCharacters.ts';
import { fixtureServer, folderWith } from './driver/newWorkspace.ts';
import { useWindow, window } from './driver/useWindow.ts';

const imitated = 'gіthub';

describe('a server that deceives the eye', () => {
  const server = fixtureServer('deceivingServer.mjs');
  useWindow(
    () => ({ workspace: folderWith({ github: server, [imitated]: server }) }),
    async () => {
      await window.startServer(imitated);
      await window.sidebar.expand('Tools');
    },
  );

  it('is told by its label, and its tools by their names', async () => {
    await window.sidebar.item(imitated).getByText('looks like “github”, has Cyrillic letters').waitFor();
    await window.sidebar.item('reаd').getByText('looks like “read”').waitFor();
    await window.sidebar.item('Hide ⟨U+202E⟩doog').waitFor();
    expect(describeHidden(await window.sidebar.container.innerText())).toEqual([]);
  });

  it('names what it hides in the tooltip and the details', async () => {
    const hover = await window.sidebar.tooltip('Hide ⟨U+202E⟩doog', 'Contains invisible characters');
    await hover.getByText('which spell “send it”').waitFor();
    await window.screenshot('deception-hover');
    await window.sidebar.contextAction('Hide ⟨U+202E⟩doog', 'Show Details');
    const page = await window.webviews.frame('h2:has-text("As the server lists it")');
    const text = await page.locator('body').innerText();
    expect(text).toContain('which spell “send it”');
    expect(describeHidden(text)).toEqual([]);
  });

  it('hides nothing in a result', async () => {
    await window.sidebar.inlineAction('Hide ⟨U+202E⟩doog', 'Call MCP Tool…');
    const panel = await window.webviews.frame('h3:has-text("Structured content")');
    await window.screenshotInThemes('deception-result');
    for (const place of ['.json-tree', 'pre.plain'])
      expect(await panel.locator(`.outcome ${place}`).innerText()).toContain('hidden text “send it”');
    expect(describeHidden(await panel.locator('main').innerText())).toEqual([]);
  });

  it('shows a part of what is too much, and the rest as a file, with the keyboard', async () => {
    await window.sidebar.inlineAction('Deep', 'Call MCP Tool…');
    const panel = await window.webviews.frame('.banner:has-text("too large to be shown whole")');
    await panel.getByText('"seen"').waitFor();
    await window.screenshot('deception-deep');
    await window.runCommand('MCP Patchbay: Open Full Content');
    await window.page.getByRole('tab', { name: /Deep\.json/ }).waitFor();
    await window.page.locator('.view-line').getByText('"structuredContent"').first().waitFor();
    await window.screenshot('deception-whole');
  });

  it('shows Markdown that is too much as it is', async () => {
    await window.sidebar.inlineAction('Marks', 'Call MCP Tool…');
    const panel = await window.webviews.frame('h1:has-text("Marks")');
    await panel.getByRole('button', { name: 'Show as Markdown' }).click();
    await panel.getByText('Shown as plain text').waitFor();
    await window.screenshot('deception-marks');
  });

  it('hides nothing in an error', async () => {
    await window.sidebar.inlineAction('Fail', 'Call MCP Tool…');
    const form = await window.webviews.frame('h1:has-text("Fail")');
    await form.getByText('safeU+202Eelif.exe').first().waitFor();
    // The data of the error is shown on demand only.
    await form.getByText('The error as the server sent it').click();
    await form.getByText('disk full').first().waitFor();
    expect(describeHidden(await form.locator('body').innerText())).not.toContain('U+202E right-to-left override');
    await window.screenshot('error-details');
  });

  it('hides nothing in a question', async () => {
    await window.sidebar.inlineAction('Ask', 'Call MCP Tool…');
    const panel = await window.webviews.frame('.question');
    expect(await panel.locator('.question').innerText()).toContain('hidden text “send it”');
    await panel.getByText('looks like “github”, has Cyrillic letters').waitFor();
    await window.screenshot('deception-question');
    await panel.getByRole('button', { name: 'Cancel' }).click();
    // Its result opens and takes the focus: wait for it before the next step.
    await window.webviews.frame('text=Thank you.');
  });

  it('hides nothing in its log', async () => {
    await window.sidebar.contextAction(imitated, 'Show MCP Server Log');
    const log = window.page.locator('.part.panel .view-lines');
    await log.getByText('⟨U+001B⟩[2Ksafe⟨U+202E⟩').first().waitFor();
    await window.screenshot('deception-log');
    expect(describeHidden(await log.innerText())).not.toContain('U+202E right-to-left override');
  });
});
