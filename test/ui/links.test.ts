import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { cases } from '../fixtures/cases.ts';
import { fixtureServer, folderWith } from './driver/newWorkspace.ts';
import { press } from './driver/samplingWindow.ts';
import { model, useModelWindow } from './driver/testModel.ts';
import { apps, window } from './driver/useWindow.ts';

const last = 'https://last.example.com/link';

/** True for a part of any of the server's links. */
const isForm = (text: string): boolean => /command|CLICK|vscode:|other\.md/i.test(text);

/** What a folder could set to give documents a language of VS Code again, or another editor. */
const hostileSettings = {
  'files.associations': {
    '*': 'markdown',
    '*.md': 'markdown',
    '*.json': 'markdown',
    '**': 'html',
    'SKILL.md': 'skill',
  },
  'workbench.editorAssociations': { '*.md': 'vscode.markdown.preview.editor' },
};

describe('a server that links to commands, in a folder that names languages and editors', () => {
  const files = { '.vscode/settings.json': JSON.stringify(hostileSettings) };
  useModelWindow(
    () => ({
      workspace: folderWith({ linking: fixtureServer('linkingServer.mjs') }, { files }),
      settings: {
        'editor.fontSize': 6,
        'editor.lineHeight': 8,
        'editor.minimap.enabled': false,
        '[patchbay-markdown]': { 'editor.wordWrap': 'off' },
      },
    }),
    async () => {
      await window.page.setViewportSize({ width: 1_280, height: 1_100 });
      await window.startServer('linking');
      await window.sidebar.expand('Resources');
    },
  );

  const links = (): Locator => window.page.locator('.editor-group-container.active .monaco-editor .detected-link');

  /**
   * The only link of the documents in the active group is the web address in their last line, which VS Code finds by itself:
   * it shows no link before all that could find one have answered. The lines are so low that all of a document is shown.
   */
  async function expectNoLinks(language: string): Promise<void> {
    await window.page.locator('[id="status.editor.mode"]').getByText(language, { exact: true }).waitFor();
    await links().filter({ hasText: 'last.example.com' }).first().waitFor();
    expect((await links().allInnerTexts()).filter(isForm)).toEqual([]);
  }

  async function openResource(name: string): Promise<void> {
    await window.runCommand('MCP Patchbay: Open MCP Resource…');
    await window.quickInput.choose(name);
    await window.page.locator('.tab.active').filter({ hasText: name }).waitFor();
  }

  // One of each language by default, and those that VS Code has a language of its own for.
  it.each([
    ['guide.md', 'Patchbay Markdown'],
    ['notes.txt', 'Patchbay Text'],
    ['page.html', 'Patchbay HTML'],
    ['style.scss', 'Patchbay CSS'],
    ['package.json', 'Patchbay JSON'],
    ...cases<readonly [string, string][]>(
      [],
      [
        ['manual', 'Patchbay Markdown'],
        ['settings.json', 'Patchbay JSON'],
        ['ask.prompt.md', 'Patchbay Markdown'],
        ['SKILL.md', 'Patchbay Markdown'],
        ['results.code-search', 'Patchbay Text'],
        ['COMMIT_EDITMSG', 'Patchbay Text'],
        ['Dockerfile', 'Patchbay Text'],
      ],
    ),
  ])('has no link to one in the resource %s', async (name, language) => {
    await openResource(name);
    await expectNoLinks(language);
    await window.runCommand('View: Close All Editors');
  });

  it('runs nothing at a click with Ctrl on a link', async () => {
    await openResource('guide.md');
    await expectNoLinks('Patchbay Markdown');
    for (const form of ['CLICK plain', 'CLICK blanks', 'CLICK anchor']) {
      await window.page
        .locator('.view-line')
        .filter({ hasText: form })
        .first()
        .click({ modifiers: ['Control'] });
      // The command of the palette comes after that of the link.
      await window.runCommand('Cursor Undo');
      expect(await window.page.locator('.part.sidebar').isVisible()).toBe(true);
    }
    await window.runCommand('View: Close All Editors');
  });

  it('has no link to one in a skill', async () => {
    await window.runCommand('MCP Patchbay: Open Skill');
    await window.quickInput.choose('guide');
    await expectNoLinks('Patchbay Markdown');
  });

  it('has none in what a prompt and a tool say, as new documents, and whole', async () => {
    await window.runCommand('MCP Patchbay: Run MCP Prompt…');
    await window.quickInput.choose('ask');
    await press(await window.webviews.frame('h1:has-text("ask")'), 'Open in Editor');
    await expectNoLinks('Patchbay Markdown');
    await press(await window.chooseTool('forms'), 'Open in Editor');
    await expectNoLinks('Patchbay Markdown');
    await window.page.getByRole('tab', { name: 'forms', exact: true }).click();
    await window.webviews.frame('h1:has-text("forms")');
    await window.runCommand('MCP Patchbay: Open Full Content');
    await window.page.getByRole('tab', { name: 'forms.json' }).waitFor();
    await expectNoLinks('Patchbay JSON');
  });

  it('has none in its instructions', async () => {
    await window.sidebar.contextAction('linking', 'Show Instructions');
    await press(await window.webviews.frame('h1:has-text("Instructions")'), 'Open in Editor');
    await expectNoLinks('Patchbay Markdown');
  });

  it('has none in the details of what it offers', async () => {
    await window.sidebar.contextAction('linking', 'Show Details');
    const page = await window.webviews.frame('body:has(.facts-section) h1:has-text("linking")');
    expect(await page.locator('a, .link').count()).toBe(0);
  });

  it('has none in the answer of a model about it', async () => {
    model.answerNext({ pieces: [`[CLICK](command:workbench.action.toggleSidebarVisibility)\n\n${last}\n`] });
    await press(await window.chooseTool('forms'), 'Ask a Model…');
    await window.quickInput.accept();
    await press(
      await window.webviews.frame('h1:has-text("provides content that you send to a language model")'),
      'Approve',
    );
    await window.page.getByRole('tab', { name: 'Answer about forms.md' }).waitFor();
    await expectNoLinks('Patchbay Markdown');
  });

  it('has none after a reload', async () => {
    await openResource('kept.md');
    await expectNoLinks('Patchbay Markdown');
    await window.reload(/patchbay~[^"]*kept\.md/);
    await expectNoLinks('Patchbay Markdown');
    await window.page
      .getByRole('tab', { name: /Untitled/ })
      .first()
      .click();
    await expectNoLinks('Patchbay Markdown');
    await window.sidebar.inlineAction('linking', 'Start MCP Server');
    await window.sidebar.container.getByText('3 tools', { exact: true }).waitFor();
  });

  it('has none in the rendered view, which asks before it opens a page, and loads no picture', async () => {
    await openResource('guide.md');
    await expectNoLinks('Patchbay Markdown');
    await window.runCommand('MCP Patchbay: Show Rendered Markdown');
    const view = await window.webviews.frame('h1:has-text("Rendered: guide.md")');
    await view.getByRole('heading', { name: 'CLICK heading' }).waitFor();
    const hrefs = await view.locator('a').evaluateAll((all) => all.map((link) => link.getAttribute('href')));
    expect(hrefs).toEqual(['https://page.example.com/guide', 'https://pictures.example.com/a.png']);
    expect(await view.locator('main :is(img, area, script, iframe, form)').count()).toBe(0);
    await window.screenshot('rendered-markdown');
    await view.getByRole('link', { name: 'The page' }).click();
    expect(await window.dialogs.text()).toContain('Open a page that “linking” links to?');
    await window.dialogs.press('Cancel');
  });

  it('has none in the error of a call', async () => {
    const form = await window.chooseTool('failing');
    await form.getByText('CLICK error').first().waitFor();
    expect(await form.locator('.outcome a').count()).toBe(0);
  });

  it('has none in the notification of an error, and in what came with it', async () => {
    await window.runCommand('MCP Patchbay: Run MCP Prompt…');
    await window.quickInput.choose('failing');
    await window.notifications.show();
    const shown = window.notifications.item('CLICK error');
    await shown.waitFor();
    expect(await shown.locator('.notification-list-item-message a').count()).toBe(0);
    await window.notifications.press('CLICK error', 'Show Details');
    await window.page.getByRole('tab', { name: /Error -32000\.json/ }).waitFor();
    await expectNoLinks('Patchbay JSON');
    await window.notifications.clear();
  });

  it('has none in its log', async () => {
    await window.sidebar.contextAction('linking', 'Show MCP Server Log');
    const log = window.page.locator('.part.panel');
    await log.locator('.view-line').getByText('CLICK log').first().waitFor();
    await log.locator('.detected-link').first().waitFor();
    expect((await log.locator('.detected-link').allInnerTexts()).filter(isForm)).toEqual([]);
    await window.runCommand('View: Hide Panel');
  });

  it('has none in a message of its app', async () => {
    await apps.call('panel');
    await (await apps.document('panel', '#send')).locator('#send').click();
    const question = await apps.question('panel');
    expect(await question.innerText()).toContain('](command:');
    expect(await question.locator('a').count()).toBe(0);
    await apps.answer('panel', 'Discard');
  });
});
