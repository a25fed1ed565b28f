import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { repositoryRoot } from '../tools/vscodeHost/paths.mjs';
import { folderWith } from './driver/newWorkspace.ts';
import { openVSCode } from './driver/openVSCode.ts';
import { reportFailures } from './driver/reportFailures.ts';
import type { Workbench } from './driver/workbench.ts';

const memory = join(repositoryRoot, 'node_modules/@modelcontextprotocol/server-memory/dist/index.js');

describe('the tab of a tool', () => {
  let window: Workbench;

  beforeAll(async () => {
    const workspace = folderWith({
      memory: {
        type: 'stdio',
        command: 'node',
        args: [memory],
        env: { MEMORY_FILE_PATH: '${workspaceFolder}/memory.jsonl' },
      },
    });
    window = await openVSCode({ workspace, companion: true });
  });

  afterAll(() => window?.close());

  reportFailures(() => window);

  const form = (): Promise<Frame> => window.webviews.frame('h1:has-text("Create Entities")');

  /** Presses Tab until a control with that name has the focus. */
  async function tabTo(frame: Frame, name: string): Promise<void> {
    for (let steps = 0; steps < 60; steps += 1) {
      await window.page.keyboard.press('Tab');
      if ((await frame.evaluate(focusedName)) === name) return;
    }
    throw new Error(`Tab never reached "${name}".`);
  }

  it('opens with a click, with the form of a nested tool', async () => {
    await window.startServer('memory');
    await window.sidebar.expand('Tools');
    await window.sidebar.item('Create Entities').click();
    const frame = await form();
    await frame.getByText('The server claims:').waitFor();
    await window.page.getByRole('tab', { name: 'Create Entities' }).waitFor();
  });

  it('is filled by keyboard alone, called, and its result read', async () => {
    const frame = await form();
    await expect.poll(() => frame.evaluate(focusedName)).toBe('Add entities');
    await window.page.keyboard.press('Enter');
    await expect.poll(() => frame.evaluate(focusedName)).toBe('Add Item to entities');
    await window.page.keyboard.press('Enter');
    await tabTo(frame, 'name');
    await window.page.keyboard.type('Ada');
    await tabTo(frame, 'entityType');
    await window.page.keyboard.type('person');
    await tabTo(frame, 'Add observations');
    await window.page.keyboard.press('Enter');
    await expect.poll(() => frame.evaluate(focusedName)).toBe('Add Item to observations');
    await window.page.keyboard.press('Enter');
    await window.page.keyboard.type('wrote the first program');
    await window.screenshot('tool-form');
    await window.page.keyboard.press('Control+Enter');
    // The server does not say that this tool only reads.
    await window.quickInput.row('Always for This Tool').waitFor();
    await window.quickInput.accept();
    await frame.getByText('wrote the first program').last().waitFor();
    await frame.getByText(/took \d/).waitFor();
    await window.publishScreenshot('tool');
  });

  it('shows what the schema objects to at its field', async () => {
    const frame = await form();
    await frame.getByRole('button', { name: 'Add Item to entities' }).click();
    await frame.getByRole('heading', { name: '3 problems in the arguments' }).waitFor();
    await frame.getByRole('button', { name: 'entities › item 2 › name' }).click();
    await expect.poll(() => frame.evaluate(focusedName)).toBe('name');
    await frame.getByRole('button', { name: 'Remove entities 2' }).click();
    await frame.getByRole('heading', { name: /problems? in the arguments/ }).waitFor({ state: 'hidden' });
  });

  it('is in step with its JSON beside it, both ways', async () => {
    const frame = await form();
    await frame.getByRole('button', { name: 'Open JSON' }).click();
    const editor = window.page.locator('.monaco-editor .view-lines', { hasText: 'entityType' });
    await editor.waitFor();
    await frame.getByRole('textbox', { name: 'name' }).fill('Ada Lovelace');
    await window.page.locator('.monaco-editor .view-lines').getByText('Lovelace').first().waitFor();
    await editor.getByText('person').click();
    await window.page.keyboard.press('Control+a');
    await window.page.keyboard.insertText('{ "entities": [');
    await frame.getByText(/The JSON of the arguments cannot be read/).waitFor();
    await window.page.keyboard.press('Control+a');
    await window.page.keyboard.insertText(
      '{ "entities": [{ "name": "Grace", "entityType": "person", "observations": [] }] }',
    );
    await expect.poll(() => frame.getByRole('textbox', { name: 'name' }).inputValue()).toBe('Grace');
    await window.screenshot('tool-json');
  });

  it('has what was typed after a reload, before its server runs', async () => {
    await window.reload();
    const frame = await form();
    await expect.poll(() => frame.getByRole('textbox', { name: 'name' }).inputValue()).toBe('Grace');
    await frame.getByText(/is not running\. The tool is shown as it was last seen/).waitFor();
    await frame.getByRole('button', { name: 'Start and Call' }).click();
    await window.quickInput.row('Always for This Tool').waitFor();
    await window.quickInput.accept();
    await frame.getByText('Grace').last().waitFor();
  });
});

/** Runs in the page. */
function focusedName(): string {
  const active = document.activeElement;
  const labels = active !== null && 'labels' in active ? (active.labels as NodeListOf<Element> | null) : null;
  return active?.getAttribute('aria-label') ?? labels?.[0]?.textContent ?? active?.textContent ?? '';
}
