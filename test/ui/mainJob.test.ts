import type { Frame } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { Outcome } from './driver/companion.ts';
import { demoWorkspace } from './driver/newWorkspace.ts';
import { focusedName } from './driver/focus.ts';
import { useWindow, window } from './driver/useWindow.ts';

const text = 'A patch bay connects any source to any destination.';

/** The result of the tool that requests a model, as text: it contains what the server received. */
function textsOf(outcome: Outcome): string {
  return JSON.stringify(outcome);
}

describe('a person with the demo server', () => {
  useWindow(() => ({ workspace: demoWorkspace, companion: true }));

  /** Calls the tool that requests a model, as another extension does, and waits for the question. */
  async function askForModel(): Promise<{ panel: Frame; outcome: Promise<Outcome> }> {
    const { outcome } = await window.callTool({ server: 'demo', tool: 'summarize', args: { text } });
    const panel = await window.webviews.frame('h1:has-text("wants to use a language model")');
    return { panel, outcome };
  }

  it('sees the servers of the workspace', async () => {
    await window.sidebar.open();
    for (const label of ['demo', 'everything', 'files']) await window.sidebar.item(label).waitFor();
  });

  it('is shown the command before a server first starts, and may say not now', async () => {
    await window.sidebar.inlineAction('everything', 'Start MCP Server');
    expect(await window.dialogs.text()).toMatch(/server-everything/);
    await window.publishScreenshot('trust');
    await window.dialogs.press('Cancel');
    await expect.poll(() => window.sidebar.item('everything').getAttribute('aria-label')).toMatch(/stopped/);
    expect(await window.sidebar.item(/needs your approval/i).count()).toBe(0);
    await window.screenshot('not-now');
  });

  it('starts the demo server, of which nothing is asked, and sees its tools, resources, templates and prompts', async () => {
    await window.sidebar.inlineAction('demo', 'Start MCP Server');
    // From below: a group that is expanded moves those under it out of the visible part.
    for (const group of ['Prompts', 'Resource Templates', 'Resources', 'Tools']) await window.sidebar.expand(group);
    await window.sidebar.item('Add Two Numbers').waitFor();
    await window.screenshot('sidebar');
    // Below the visible part of a window of this height.
    await window.sidebar.collapse('Tools');
    for (const item of ['Clock', 'Weather of a City', 'Plan a Trip']) await window.sidebar.item(item).waitFor();
  });

  it('runs a prompt from the palette, completing an argument', async () => {
    await window.runCommand('MCP Patchbay: Run MCP Prompt…');
    await window.quickInput.type('plan');
    // Without arrows: each key takes the first match.
    const enter = async (match: string): Promise<void> => {
      await window.quickInput.rows.first().filter({ hasText: match }).waitFor();
      await window.quickInput.accept();
    };
    await enter('Plan a Trip');
    await window.quickInput.type('ja');
    await window.quickInput.row('Japan').waitFor();
    await window.publishScreenshot('completion');
    await enter('Japan');
    await window.quickInput.type('kyo');
    await enter('Kyoto');
    const panel = await window.webviews.frame('text=Kyoto');
    await panel.getByText('Kyoto').first().waitFor();
    await window.publishScreenshot('prompt-result');
  });

  it('fills in a tool that it calls, from its first field on: what was not touched is not sent', async () => {
    await window.runCommand('MCP Patchbay: Start MCP Server');
    await window.quickInput.pick('everything');
    await window.dialogs.press('Start');
    await window.sidebar.item(/^everything.*tools/).waitFor();
    const form = await window.chooseTool('Get Annotated Message Tool');
    await expect.poll(() => focusedName(form)).toContain('messageType');
    await window.page.keyboard.type('success');
    await window.screenshot('call-tool');
    await window.page.keyboard.press('Control+Enter');
    await form.getByText('Operation completed successfully').first().waitFor();
    await form.locator('.outcome').getByRole('button', { name: 'Show Exchange' }).click();
    const traffic = await window.webviews.frame('.traffic-detail:has-text("messageType")');
    expect(await traffic.locator('.traffic-message').first().innerText()).not.toContain('includeImage');
    await window.runCommand('View: Close Editor');
  });

  it('calls a tool at once that takes nothing', async () => {
    const form = await window.chooseTool('Show Everything');
    await form.getByText(/took \d/).waitFor();
    await form.locator('.outcome').getByRole('button', { name: 'Show Exchange' }).waitFor();
  });

  it('is asked before another extension calls a tool: Enter shows the arguments, and calls nothing', async () => {
    const call = { server: 'demo', tool: 'add', args: { a: 2, b: 3 } };
    const outcome = window.companion.callTool(call);
    const asked = await window.dialogs.text();
    for (const part of ['Call the tool “add”', 'Another extension wants', 'the tool changes nothing', '"a": 2'])
      expect(asked).toContain(part);
    await window.screenshot('call');
    await window.page.keyboard.press('Enter');
    await window.dialogs.dialog.waitFor({ state: 'detached' });
    await window.page.getByRole('tab', { name: 'Arguments of add.json' }).waitFor();
    await window.notifications.press(/with these arguments\? Nothing has been sent yet/, 'Call');
    expect(textsOf(await outcome)).toContain('"sum":5');
    // Allowed always in the view, the next call asks no question, and the approval can be revoked.
    await window.runCommand('Patchbay: Focus on Approvals View');
    await window.sidebar.item('demo → add').waitFor();
    await window.sidebar.inlineAction('demo → add', 'Always Allow…');
    await window.sidebar.container.getByText('for every caller, including other extensions').waitFor();
    expect(textsOf(await window.companion.callTool(call))).toContain('"sum":5');
    await window.runCommand('Patchbay: Focus on Approvals View');
    await window.sidebar.item('demo → add').waitFor();
    await window.screenshot('approvals');
    await window.sidebar.inlineAction('demo → add', 'Revoke Approval');
    await window.sidebar.container.getByText('You have not allowed anything permanently.').waitFor();
    await window.sidebar.collapseView('Approvals');
    const refused = window.companion.callTool(call);
    await window.dialogs.press('Cancel');
    expect(textsOf(await refused)).toContain('was not called. The call was declined.');
  });

  it('is called from its row with one click and one key, without a question, and again with one key', async () => {
    await window.sidebar.collapse('everything');
    await window.sidebar.expand('Tools');
    await window.sidebar.inlineAction('Add Two Numbers', 'Call MCP Tool…');
    const form = await window.webviews.frame('h1:has-text("Add Two Numbers")');
    await expect.poll(() => focusedName(form)).toContain('First number');
    await window.page.keyboard.type('4');
    // What is typed is not counted: the way to the next field belongs to it.
    await window.page.keyboard.press('Tab');
    await expect.poll(() => focusedName(form)).toContain('Second number');
    await window.page.keyboard.type('5');
    const calls = form.locator('.history li');
    for (const count of [1, 2]) {
      await window.page.keyboard.press('Control+Enter');
      await expect.poll(() => calls.count()).toBe(count);
    }
    expect([await window.dialogs.dialog.isVisible(), await window.quickInput.rows.first().isVisible()]).toEqual([
      false,
      false,
    ]);
    await window.sidebar.collapse('Tools');
  });

  it('has said yes to a call that was filled in, and to the same call again', async () => {
    const form = await window.chooseTool('Add a Note');
    await form.getByRole('textbox', { name: 'name' }).fill('from-a-test');
    await form.getByRole('textbox', { name: 'text' }).fill('x'.repeat(1_000));
    await window.page.keyboard.press('Control+Enter');
    const calls = form.locator('.history li');
    await expect.poll(() => calls.count()).toBe(1);
    await window.page.keyboard.press('Control+Enter');
    await expect.poll(() => calls.count()).toBe(2);
    await calls
      .first()
      .getByRole('button', { name: /^More for/ })
      .click();
    await form.getByRole('menuitem', { name: 'Call Again' }).click();
    await expect.poll(() => calls.count()).toBe(3);
    expect([await window.dialogs.dialog.isVisible(), await window.quickInput.rows.first().isVisible()]).toEqual([
      false,
      false,
    ]);
  });

  it('presses a second time, in place, before a tool that its server calls destructive', async () => {
    const form = await window.chooseTool('Remove a Note');
    await form.getByRole('textbox', { name: 'name' }).fill('from-a-test');
    await window.page.keyboard.press('Control+Enter');
    const again = form.getByRole('button', { name: 'Call Anyway' });
    await form.locator('.confirm', { hasText: 'The server says this tool may delete or change data.' }).waitFor();
    // Too early, as with a double click.
    await window.page.keyboard.press('Control+Enter');
    await window.screenshot('call-anyway');
    await window.page.keyboard.press('Escape');
    await form.getByText('Cancelled. Nothing was sent.').first().waitFor();
    expect(await form.locator('.history li').count()).toBe(0);
    await form.getByRole('button', { name: 'Call', exact: true }).click();
    await form.getByLabel('Don’t ask again for this tool').check();
    await form.locator('[aria-disabled="false"]', { hasText: 'Call Anyway' }).click();
    await expect.poll(() => form.locator('.history li').count()).toBe(1);
    // Kept over a restart of the server.
    await window.runCommand('MCP Patchbay: Restart MCP Server');
    await window.quickInput.pick('demo');
    await form.getByRole('textbox', { name: 'name' }).focus();
    await window.page.keyboard.press('Control+Enter');
    await expect.poll(() => form.locator('.history li').count()).toBe(2);
    expect(await again.isVisible()).toBe(false);
  });

  it('edits the request for a model, approves it, edits the answer and sends it', async () => {
    const { panel, outcome } = await askForModel();
    await panel.getByText('tool summarize').waitFor();
    const message = panel.getByRole('textbox', { name: /message/i }).first();
    expect(await message.inputValue()).toContain(text);
    await panel.getByRole('button', { name: 'Approve', exact: true, disabled: false }).waitFor();
    await window.publishScreenshot('consent');
    await message.fill('Say something short.');
    await panel.getByRole('button', { name: 'Approve' }).click();
    const answer = panel.getByRole('textbox', { name: /answer/i });
    await answer.waitFor();
    expect(await answer.inputValue()).toBe('Companion Fast says: Say something short.');
    await window.screenshot('consent-answer');
    await answer.fill('An answer of my own.');
    await panel.getByRole('button', { name: 'Send' }).click();
    expect(textsOf(await outcome)).toContain('An answer of my own.');
  });

  it('declines: the server gets a refusal', async () => {
    const { panel, outcome } = await askForModel();
    await panel.getByRole('button', { name: 'Decline' }).click();
    expect(textsOf(await outcome)).toContain('code -1');
  });

  it('closes the panel: the server gets a refusal', async () => {
    const { outcome } = await askForModel();
    await window.page
      .locator('.tab.active')
      .getByRole('button', { name: /^Close/ })
      .click();
    expect(textsOf(await outcome)).toContain('code -1');
  });

  it('answers a question in a form; what is missing is said at its field', async () => {
    const { outcome } = await window.callTool({ server: 'demo', tool: 'order_lunch', args: {} });
    const panel = await window.webviews.frame('h1:has-text("asks you something")');
    await window.sidebar.item(/needs your answer/i).waitFor();
    await window.runCommand('MCP Patchbay: Show Open Question');
    await panel.getByRole('button', { name: 'Send', exact: true, disabled: false }).click();
    await panel.getByText('“name” is required.').waitFor();
    await window.page.keyboard.insertText('Ada');
    for (const said of ['“name” is required.', 'Correct 1 field first.'])
      await panel.getByText(said).waitFor({ state: 'hidden' });
    await panel.getByLabel('Main dish').selectOption('Greek salad');
    await window.screenshot('form');
    // What a choice has moved may make the buttons wait again on a busy machine: a key decides nothing meanwhile.
    await panel.getByRole('button', { name: 'Send', exact: true, disabled: false }).waitFor();
    await window.page.keyboard.press('Control+Enter');
    expect(textsOf(await outcome)).toContain('name: Ada\\ndish: salad');
    await window.sidebar.item(/needs your answer/i).waitFor({ state: 'hidden' });
  });

  it('sees the whole address of a page before the browser gets it, and may change its mind', async () => {
    const { outcome } = await window.callTool({ server: 'demo', tool: 'open_guide', args: {} });
    const panel = await window.webviews.frame('h1:has-text("asks you to visit a page")');
    expect(await panel.locator('.address').innerText()).toMatch(/^https:\/\/modelcontextprotocol\.io\//);
    await window.screenshot('visit');
    await panel.getByRole('button', { name: 'Open in Browser', disabled: false }).click();
    expect(await window.dialogs.text()).toContain('modelcontextprotocol.io');
    await window.dialogs.press('Cancel');
    await panel.getByRole('alert').filter({ hasText: 'The page was not opened.' }).waitFor();
    await panel.getByRole('button', { name: 'Decline', disabled: false }).click();
    expect(textsOf(await outcome)).toContain('decline');
  });

  it('goes to a page, and what waits for it goes on when the server says so', async () => {
    const { outcome } = await window.callTool({ server: 'demo', tool: 'confirm_on_page', args: {} });
    const panel = await window.webviews.frame('h1:has-text("asks you to visit a page")');
    const address = await panel.locator('.address').innerText();
    const browser = window.page.context().waitForEvent('page');
    await panel.getByRole('button', { name: 'Open in Browser', disabled: false }).click();
    await panel.getByText('Waiting for the server').waitFor();
    for (const name of ['I Am Done', 'Open Again', 'Cancel']) await panel.getByRole('button', { name }).waitFor();
    await window.screenshot('visit-opened');
    await (await browser).close();
    await fetch(address, { method: 'POST' });
    expect(textsOf(await outcome)).toContain('You pressed the button');
    await expect.poll(() => panel.isDetached()).toBe(true);

    const { outcome: cancelled } = await window.callTool({ server: 'demo', tool: 'confirm_on_page', args: {} });
    const again = await window.webviews.frame('h1:has-text("asks you to visit a page")');
    const second = window.page.context().waitForEvent('page');
    await again.getByRole('button', { name: 'Open in Browser', disabled: false }).click();
    await (await second).close();
    // Until the panel knows that the page is open, this button refuses the visit; then it waits again, and a click is lost.
    await again.getByText('Waiting for the server').waitFor();
    await again.getByRole('button', { name: 'Cancel', disabled: false }).click();
    expect(await cancelled.then(textsOf, String)).toMatch(/cancel/i);
  });

  it('refuses three questions in a row: the server is muted until it may ask again', async () => {
    for (let refused = 0; refused < 3; refused += 1) {
      const { panel, outcome } = await askForModel();
      await panel.getByRole('button', { name: 'Decline', disabled: false }).click();
      expect(textsOf(await outcome)).toContain('code -1');
    }
    await window.sidebar.item(/questions muted/i).waitFor();
    await window.screenshot('muted');
    const unseen = await window.callTool({ server: 'demo', tool: 'order_lunch', args: {} });
    expect(textsOf(await unseen.outcome)).toContain('decline');
    await window.sidebar.inlineAction('demo', 'Unmute MCP Server');
    await window.sidebar.item(/questions muted/i).waitFor({ state: 'hidden' });
    const { panel, outcome } = await askForModel();
    await panel.getByRole('button', { name: 'Decline', disabled: false }).click();
    expect(textsOf(await outcome)).toContain('code -1');
  });

  it('reloads the window meanwhile: nothing was granted, nothing hangs', async () => {
    const { outcome } = await askForModel();
    const lost = outcome.then(textsOf, () => 'the connection of the caller was lost');
    await window.reload();
    expect(await lost).not.toContain('"isError":false');
    await window.sidebar.open();
    // Other panels are restored with the window, a question is not.
    await window.webviews.waitUntilGone('h1:has-text("wants to use a language model")');
    const again = await askForModel();
    await again.panel.getByRole('button', { name: 'Decline' }).click();
    expect(textsOf(await again.outcome)).toContain('code -1');
  });
});
