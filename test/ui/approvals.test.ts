import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { demoWorkspace } from './driver/newWorkspace.ts';
import { press } from './driver/samplingWindow.ts';
import { useModelWindow } from './driver/testModel.ts';
import { window } from './driver/useWindow.ts';

const nothing = 'You have not allowed anything permanently.';
const question = 'h1:has-text("wants to use a language model")';
const add = { server: 'demo', tool: 'add', args: { a: 2, b: 3 } };
const summarize = { server: 'demo', tool: 'summarize', args: { text: 'A text.' } };
const addRow = 'demo → add';
const ruleRow = 'demo → Test Model';

describe('a person who looks after approvals', () => {
  let log: Frame;
  const count = (): Promise<string> => log.locator('.count').innerText();

  useModelWindow(
    () => ({ workspace: demoWorkspace, companion: { models: false } }),
    async () => {
      await window.startServer('demo');
      await window.sidebar.collapse('demo');
    },
  );

  const textOf = async (row: string): Promise<string> =>
    (await window.sidebar.item(row).getAttribute('aria-label')) ?? '';

  async function seeNothing(): Promise<void> {
    await window.sidebar.container.getByText(nothing).waitFor();
  }

  async function allowAdd(): Promise<void> {
    const { outcome } = await window.callToolAlways(add);
    await outcome;
    await window.sidebar.item(addRow).waitFor();
  }

  /** Answers a request for a model with a rule for the next ones. */
  async function makeRule(isKept: boolean): Promise<void> {
    const { outcome } = await window.callTool(summarize);
    const panel = await window.webviews.frame(question);
    await press(panel, 'Allow Without Asking…');
    await panel.getByRole('checkbox', { name: /Show me each answer/ }).uncheck();
    await panel.getByRole('checkbox', { name: /Keep it/ }).setChecked(isKept);
    await press(panel, 'Approve and Make the Rule');
    await press(panel, 'Send to Server');
    expect((await outcome).kind).toBe('result');
    await window.sidebar.item(ruleRow).waitFor();
  }

  /** Has the server ask for a model, and says no. @returns the panel while it was shown */
  async function declineRequest(): Promise<void> {
    const { outcome } = await window.callTool(summarize);
    const panel: Frame = await window.webviews.frame(question);
    await press(panel, 'Decline');
    expect(JSON.stringify(await outcome)).toContain('code -1');
  }

  it('sees that nothing is allowed', async () => {
    await window.runCommand('Patchbay: Focus on Approvals View');
    await seeNothing();
    await window.screenshot('approvals-empty');
  });

  it('sees the tool and the rule that it has allowed, and what they allow', async () => {
    await allowAdd();
    await makeRule(false);
    expect(await textOf(addRow)).toContain('for every caller, including other extensions, without a question');
    expect(await textOf(ruleRow)).toMatch(/0 of 10 requests, 0 of [\d,]+ tokens this hour, until/);
    const { outcome } = await window.callTool(summarize);
    expect(JSON.stringify(await outcome)).toContain('ready');
    await expect.poll(() => textOf(ruleRow)).toMatch(/1 of 10 requests, [1-9][\d,]* of/);
  });

  it('changes how many requests a rule lets through', async () => {
    await window.sidebar.inlineAction(ruleRow, 'Edit Rule…');
    await window.quickInput.row('The request you saw when you made the rule').waitFor();
    await window.screenshot('edit-rule');
    await window.quickInput.pick('Requests an hour');
    await window.quickInput.type('0');
    await window.quickInput.widget.getByText('A whole number from 1 to 1,000').waitFor();
    await window.quickInput.type('1');
    await window.quickInput.accept();
    await window.quickInput.row('The request you saw when you made the rule').waitFor();
    await window.quickInput.cancel();
    await expect.poll(() => textOf(ruleRow)).toContain('1 of 1 requests');
    // It is used up.
    const { outcome } = await window.callTool(summarize);
    const panel = await window.webviews.frame(question);
    await panel.getByText(/Your rule did not answer/).waitFor();
    await press(panel, 'Decline');
    expect(JSON.stringify(await outcome)).toContain('code -1');
  });

  it('revokes a rule by keyboard, and is asked again', async () => {
    await window.sidebar.click(ruleRow);
    await window.page.keyboard.press('Delete');
    await window.sidebar.item(ruleRow).waitFor({ state: 'detached' });
    await declineRequest();
  });

  it('revokes the approval of a tool in its row, and is asked again', async () => {
    await window.sidebar.inlineAction(addRow, 'Revoke Approval');
    await window.sidebar.item(addRow).waitFor({ state: 'detached' });
    const refused = window.companion.callTool(add);
    await window.dialogs.press('Cancel');
    expect(JSON.stringify(await refused)).toContain('The call was declined.');
  });

  it('revokes all of them after a question', async () => {
    await allowAdd();
    await makeRule(false);
    await window.runCommand('MCP Patchbay: Revoke All Approvals…');
    expect(await window.dialogs.text()).toContain('Revoke all 2 approvals?');
    await window.screenshot('revoke-all');
    // The focus is where Enter revokes nothing.
    await window.page.keyboard.press('Enter');
    await window.dialogs.dialog.waitFor({ state: 'detached' });
    for (const row of [addRow, ruleRow]) await window.sidebar.item(row).waitFor();
    await window.runCommand('MCP Patchbay: Revoke All Approvals…');
    await window.dialogs.press('Revoke All');
    for (const row of [addRow, ruleRow]) await window.sidebar.item(row).waitFor({ state: 'detached' });
  });

  it('finds a rule that is kept again after a reload, and a tool that is always allowed', async () => {
    await allowAdd();
    await makeRule(true);
    await window.reload();
    await window.runCommand('Patchbay: Focus on Approvals View');
    await window.sidebar.item(ruleRow).waitFor();
    await window.sidebar.item(addRow).waitFor();
    await window.screenshot('approvals-reloaded');
  });

  it('sees in the audit log what all of it took', async () => {
    await window.runCommand('MCP Patchbay: Show Audit Log');
    log = await window.webviews.frame('h1:has-text("Audit Log")');
    const totals = log.locator('.totals-line > li');
    await totals.first().waitFor();
    // Four were answered: three with a rule that was made then, one by a rule.
    const shown = await totals.allInnerTexts();
    expect(shown.slice(0, 4)).toEqual([
      '6 requests',
      '3 allowed by you',
      '1 allowed by a rule',
      '2 refused or cancelled',
    ]);
    // The model of the test reports fewer tokens than its texts have: most of them are an estimate.
    expect(shown.slice(4)).toEqual([
      expect.stringMatching(/[1-9]\d* tokens in/),
      expect.stringMatching(/[1-9]\d* tokens out/),
      expect.stringMatching(/Cost: .*\$0\.\d*[1-9]/),
    ]);
    await window.screenshot('audit-cost');
    await log.getByText('By model and by server').click();
    await log.getByRole('cell', { name: 'Test Model' }).first().waitFor();
    await window.screenshot('audit-cost-by-model');
  });

  it('exports what the filters of the log let through as JSON Lines, and is told so', async () => {
    await log.getByLabel('Search').fill('request for a model');
    await expect.poll(count).toMatch(/^6 of \d+ records$/);
    const file = join(window.workspace, 'patchbay-audit.jsonl');
    await log.getByRole('button', { name: 'Export…' }).focus();
    await window.page.keyboard.press('Enter');
    // The dialog suggests the name, in the workspace.
    await expect.poll(() => window.quickInput.field.inputValue()).toBe(file);
    await window.quickInput.widget.getByRole('button', { name: 'OK' }).click();
    await expect.poll(() => readFile(file, 'utf8').catch(() => '')).toMatch(/\n$/);
    const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
    expect(lines).toHaveLength(6);
    for (const line of lines) expect(JSON.parse(line)).toMatchObject({ server: 'demo', action: 'sampling' });
    await window.notifications.show();
    await window.notifications.item(/Exported the 6 of \d+ records that match the filters/).waitFor();
    await window.notifications.clear();
  });

  it('sees a new record in it without asking for it', async () => {
    await log.getByRole('button', { name: 'Clear Filters' }).click();
    const before = Number(/^(\d+) records$/.exec(await count())?.[1]);
    // The tool is allowed always: nothing is asked.
    await window.companion.callTool(add);
    await expect.poll(count).toBe(`${before + 1} records`);
    const newest = log.locator('.records tbody > tr:not(.details)').first();
    expect(await newest.locator('td:nth-child(3)').innerText()).toBe('Tool call: add');
  });
});
