import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Frame, Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { repositoryRoot } from '../tools/vscodeHost/paths.mjs';
import { openVSCode } from './driver/openVSCode.ts';
import { reportFailures } from './driver/reportFailures.ts';
import type { ColorTheme } from './driver/themes.ts';
import type { Workbench } from './driver/workbench.ts';

const workspace = join(repositoryRoot, 'test', 'fixtures', 'workspaces', 'demo');
const addCall = { server: 'demo', tool: 'add', args: { a: 2, b: 3 } };
const text = 'A patch bay connects any source to any destination.';

describe('a person who reads the audit log', () => {
  let window: Workbench;
  let panel: Frame;

  beforeAll(async () => {
    window = await openVSCode({ workspace, companion: true });
    await window.startServer('demo');
    await (
      await window.callToolAlways(addCall)
    ).outcome;
    await answerRequest('Approve', 'Send');
    await answerRequest('Decline');
  });

  afterAll(() => window?.close());

  reportFailures(() => window);

  async function callAdd(): Promise<void> {
    expect((await window.companion.callTool(addCall)).kind).toBe('result');
  }

  /** Has the server ask for a model, and presses these buttons of the question. */
  async function answerRequest(...buttons: readonly string[]): Promise<void> {
    const { outcome } = await window.callTool({ server: 'demo', tool: 'summarize', args: { text } });
    const question = await window.webviews.frame('h1:has-text("asks for a language model")');
    for (const name of buttons) await question.getByRole('button', { name, disabled: false }).click();
    await outcome;
  }

  const lines = (): Locator => panel.locator('.records tbody > tr:not(.details)');
  const whats = (): Promise<string[]> => lines().locator('td:nth-child(3)').allInnerTexts();
  const count = (): Promise<string> => panel.locator('.count').innerText();

  async function openLog(): Promise<void> {
    await window.runCommand('Patchbay: Show Audit Log');
    panel = await window.webviews.frame('h1:has-text("Audit Log")');
    await lines().first().waitFor();
  }

  it('opens it by command: what was done is there, the newest first', async () => {
    await openLog();
    expect(await whats()).toEqual([
      'Tool call: summarize',
      expect.stringContaining('Request for a model'),
      'Tool call: summarize',
      expect.stringContaining('Request for a model'),
      'Tool call: add',
    ]);
    expect(await count()).toBe('5 records');
    expect(await lines().nth(1).innerText()).toMatch(/declined\s+You/);
  });

  it.each<ColorTheme>(['dark', 'light', 'hc-black', 'hc-light'])('sees it in the theme %s', async (theme) => {
    await window.setTheme(theme);
    await openLog();
    expect(await lines().count()).toBe(5);
    await window.screenshot(`audit-${theme}`);
  });

  it('filters by keyboard, and the totals are those of what is listed', async () => {
    await window.setTheme('dark');
    await openLog();
    const { keyboard } = window.page;
    await panel.getByLabel('Search').focus();
    await keyboard.type('tool call');
    await expect.poll(count).toBe('3 of 5 records');
    expect(await panel.locator('.totals-line').innerText()).toBe('None among the listed records.');
    await keyboard.press('Control+A');
    await keyboard.press('Delete');
    await expect.poll(count).toBe('5 records');
    // Past the four lists.
    for (let presses = 0; presses < 5; presses += 1) await keyboard.press('Tab');
    await keyboard.press('Space');
    await expect.poll(count).toBe('2 of 5 records');
    const totals = await panel.locator('.totals-line > li').allInnerTexts();
    expect(totals.slice(0, 4)).toEqual([
      '2 requests',
      '1 allowed by you',
      '0 allowed by a rule',
      '1 refused or cancelled',
    ]);
    await window.screenshot('audit-filtered');
  });

  it('opens a record: the details say who asked, and why', async () => {
    await lines().nth(1).getByRole('button').focus();
    await window.page.keyboard.press('Enter');
    const details = panel.locator('.details:visible');
    for (const part of [/tool summarize/, /companion.fast/i, /demo/]) expect(await details.innerText()).toMatch(part);
    await window.screenshot('audit-details');
  });

  it('exports what the filters let through as JSON Lines, and is told so', async () => {
    const file = join(window.workspace, 'patchbay-audit.jsonl');
    await panel.getByRole('button', { name: 'Export…' }).focus();
    await window.page.keyboard.press('Enter');
    // The dialog suggests the name, in the workspace.
    await expect.poll(() => window.quickInput.field.inputValue()).toBe(file);
    await window.quickInput.widget.getByRole('button', { name: 'OK' }).click();
    await expect.poll(() => readFile(file, 'utf8').catch(() => '')).toMatch(/\n$/);
    const records = (await readFile(file, 'utf8'))
      .trimEnd()
      .split('\n')
      .map((line): unknown => JSON.parse(line));
    expect(records).toEqual([
      expect.objectContaining({ server: 'demo', action: 'sampling', outcome: expect.stringContaining('approved') }),
      expect.objectContaining({ server: 'demo', action: 'sampling', outcome: 'declined' }),
    ]);
    await window.notifications.show();
    await window.notifications.item(/Exported the 2 of 5 records that the filters let through/).waitFor();
    await window.notifications.clear();
  });

  it('sees a new record without asking for it', async () => {
    await panel.getByRole('button', { name: 'Clear Filters' }).click();
    await expect.poll(count).toBe('5 records');
    await callAdd();
    await expect.poll(count).toBe('6 records');
    expect((await whats())[0]).toBe('Tool call: add');
  });

  it('finds all of it again after a reload', async () => {
    await window.reload();
    await openLog();
    expect(await count()).toBe('6 records');
  });
});
