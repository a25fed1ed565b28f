import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createManualClock, type ManualClock } from '../fixtures/manualClock.ts';
import type { SamplingReview } from '../../src/client/sampling/ports.ts';
import { ConsentQueue } from '../../src/host/panels/consentQueue.ts';
import { createOpenQuestions } from '../../src/host/panels/openQuestions.ts';
import type { SamplingResult } from '../../src/protocol/mcp/sampling.ts';
import { launchBrowser, openPanelPage, type PanelPage } from './panelPage.ts';
import { type PanelServer, startPanelServer } from './panelServer.ts';
import { review, reviewWithTools } from './samples.ts';

const result: SamplingResult = {
  role: 'assistant',
  content: [{ type: 'text', text: 'Forty-eight points.' }],
  model: 'gpt-4o',
  stopReason: 'endTurn',
};

let server: PanelServer;
let browser: Browser;
let panel: PanelPage;
let page: Page;
let clock: ManualClock;
let queue: ConsentQueue;

beforeAll(async () => {
  [server, browser] = await Promise.all([startPanelServer(), launchBrowser()]);
}, 60_000);

afterAll(async () => {
  await browser.close();
  await server.close();
});

beforeEach(async () => {
  panel = await openPanelPage(browser, { address: server.address('consent') });
  ({ page } = panel);
  clock = createManualClock();
  queue = new ConsentQueue({ questions: createOpenQuestions(), openSurface: panel.openSurface, clock });
});

afterEach(async () => {
  expect(panel.problems).toEqual([]);
  queue.dispose();
  await panel.dispose();
});

/** A button that can be pressed by now. */
function ready(name: string) {
  return page.getByRole('button', { name, exact: true, disabled: false });
}

async function press(...keys: readonly string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

/** Tab until the control with that name has the focus. */
async function tabTo(name: string): Promise<void> {
  for (let steps = 0; steps < 60; steps += 1) {
    await press('Tab');
    const label = await page.evaluate(() => {
      const active = document.activeElement;
      const labels = active instanceof HTMLTextAreaElement || active instanceof HTMLInputElement ? active.labels : null;
      return labels?.[0]?.textContent ?? active?.textContent ?? '';
    });
    if (label === name) return;
  }
  throw new Error(`Tab never reached "${name}".`);
}

describe('the consent panel', () => {
  it('shows every part of the request', async () => {
    queue.open(review);
    await page.getByRole('heading', { level: 1, name: 'demo asks for a language model' }).waitFor();
    const fields = await page
      .getByRole('textbox')
      .evaluateAll((all) => all.map((field) => (field as HTMLTextAreaElement).value));
    expect(fields).toEqual([
      review.request.systemPrompt,
      'Summarize the text I am going to give you. Keep names and numbers.',
      'Of course. Please give me the text.',
      expect.stringContaining('dated 1987') as string,
    ]);
    expect(
      await page.getByRole('img', { name: /image\/png/ }).evaluate((image) => (image as HTMLImageElement).naturalWidth),
    ).toBe(96);
    expect(await page.getByRole('combobox', { name: 'Model' }).inputValue()).toBe('copilot/gpt-4o');
    const text = await page.locator('body').innerText();
    for (const fact of ['tool summarize', 'hint "gpt-4o"', '0.3', '"###"', 'speed 80 %']) expect(text).toContain(fact);
  });

  it('shows what tools gave, what is said of tools, and what goes to the provider of the model', async () => {
    const decided = queue.open(reviewWithTools).askRequest();
    const tool = page.locator('details.tool').first();
    await tool.locator('summary').click();
    const said = await tool.innerText();
    for (const part of ['called “Weather”', 'The tool ', 'nothing.', 'Result (JSON Schema)', '"high"'])
      expect(said).toContain(part);
    const given = page.getByRole('region', { name: 'Tool result' });
    for (const part of ['Sunny', 'Structured content', '"wind": "N"']) expect(await given.innerText()).toContain(part);
    expect(await page.locator('body').innerText()).toContain('"user": "u-17"');
    await ready('Approve').click();
    const { metadata, messages, tools } = reviewWithTools.request;
    expect(await decided).toMatchObject({ kind: 'approve', request: { metadata, messages, tools } });
  });

  it('approves the edited request, by keyboard alone, and sends the edited answer', async () => {
    const session = queue.open(review);
    const decided = session.askRequest();
    await ready('Approve').waitFor();
    await tabTo('System prompt');
    await press('Control+A');
    await page.keyboard.insertText('Be brief.');
    await tabTo('Message 1 of 3, user');
    await press('Control+End');
    await page.keyboard.insertText(' Use one line.');
    await tabTo('Token limit');
    await press('Control+A');
    await page.keyboard.insertText('200');
    await press('Control+Enter');
    const decision = await decided;
    expect(decision).toMatchObject({
      kind: 'approve',
      model: 'copilot/gpt-4o',
      request: { systemPrompt: 'Be brief.', maxTokens: 200 },
    });
    if (decision.kind !== 'approve') return;
    expect(decision.grant).toBeUndefined();
    expect(decision.request.messages[0]?.content).toEqual([
      { type: 'text', text: 'Summarize the text I am going to give you. Keep names and numbers. Use one line.' },
    ]);
    expect(decision.request.messages.slice(1)).toEqual(review.request.messages.slice(1));

    session.showAnswer('Forty-');
    await clock.advance(50);
    await page.getByText('Forty-').waitFor();
    const answered = session.askAnswer(result);
    await ready('Send to Server').waitFor();
    await tabTo('Answer');
    await press('Control+A');
    await page.keyboard.insertText('48 points.');
    await press('Escape');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Withhold');
    await press('Shift+Tab', 'Enter');
    expect(await answered).toEqual({ kind: 'send', content: [{ type: 'text', text: '48 points.' }] });
  });

  it('declines with Escape, after leaving a field first', async () => {
    const decided = queue.open(review).askRequest();
    await ready('Approve').waitFor();
    await tabTo('System prompt');
    await press('Escape');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Decline');
    await press('Escape');
    expect(await decided).toEqual({ kind: 'decline' });
  });

  it('sends an answer written by hand', async () => {
    const decided = queue.open(review).askRequest();
    await ready('Write the Answer Myself…').click();
    await ready('Send My Answer').click();
    await page.getByText('Write something first.').waitFor();
    await page.getByRole('textbox', { name: 'Your answer' }).fill('I know this one: 48.');
    await press('Control+Enter');
    expect(await decided).toEqual({ kind: 'answer', text: 'I know this one: 48.' });
  });

  it('grants further requests only within the limits it spells out', async () => {
    const decided = queue.open(review).askRequest();
    await ready('Allow for This Session…').click();
    await page.getByRole('combobox', { name: 'Model' }).selectOption('copilot/claude-sonnet');
    await page.getByRole('spinbutton', { name: 'Further requests' }).fill('3');
    await page.getByRole('spinbutton', { name: 'Minutes' }).fill('9999');
    await ready('Approve and Allow for This Session').click();
    await page.getByText('Enter a whole number from 1 to 480.').waitFor();
    await page.getByRole('spinbutton', { name: 'Minutes' }).fill('5');
    await page.getByRole('spinbutton', { name: 'Tokens for each' }).fill('100');
    await page.getByRole('spinbutton', { name: 'Characters for each' }).fill('400');
    await page.getByText(/3 more requests.*within 5 minutes.*400 characters of text.*100 tokens/).waitFor();
    await ready('Approve and Allow for This Session').click();
    expect(await decided).toMatchObject({
      kind: 'approve',
      grant: {
        model: 'copilot/claude-sonnet',
        requests: 3,
        maxTokens: 100,
        maxCharacters: 400,
        systemPrompt: review.request.systemPrompt,
        expiresAt: clock.now() + 300_000,
      },
    });
  });

  it('cannot raise the token limit or send nothing', async () => {
    queue.open(review);
    await page.getByRole('spinbutton', { name: 'Token limit' }).fill('501');
    await ready('Approve').click();
    await page.getByText('Correct the token limit first.').waitFor();
    await page.getByRole('spinbutton', { name: 'Token limit' }).fill('500');
    await page.getByRole('textbox', { name: 'System prompt' }).fill('kept');
    await page.getByText('Edited').first().waitFor();
    await page.getByRole('button', { name: 'Undo Changes' }).first().click();
    expect(await page.getByRole('textbox', { name: 'System prompt' }).inputValue()).toBe(review.request.systemPrompt);
    expect(panel.sent).toEqual([{ type: 'ready' }]);
  });

  it('keeps the edits when the model fails and when it is asked again', async () => {
    const session = queue.open(review);
    const first = session.askRequest();
    await page.getByRole('textbox', { name: 'System prompt' }).fill('Be brief.');
    await ready('Approve').click();
    await first;
    session.showFailure('The model is overloaded <b>now</b>.');
    const second = session.askRequest();
    await page.getByRole('alert').filter({ hasText: 'The model is overloaded <b>now</b>.' }).waitFor();
    await ready('Approve').click();
    expect(await second).toMatchObject({ kind: 'approve', request: { systemPrompt: 'Be brief.' } });
    const answered = session.askAnswer(result);
    await ready('Ask Again…').click();
    expect(await answered).toEqual({ kind: 'retry' });
    const third = session.askRequest();
    await ready('Approve').click();
    expect(await third).toMatchObject({ kind: 'approve', request: { systemPrompt: 'Be brief.' } });
  });

  it('stops the model while it answers', async () => {
    const session = queue.open(review);
    const decided = session.askRequest();
    await ready('Approve').click();
    await decided;
    await ready('Stop and Withhold').click();
    await expect.poll(() => session.stopped.aborted).toBe(true);
    expect(await session.askAnswer(result)).toEqual({ kind: 'withhold' });
  });

  it('offers only to decline or to answer by hand where there is no model', async () => {
    const decided = queue.open({ ...review, models: [], suggestedModel: undefined }).askRequest();
    await page.getByText('No language model is available').waitFor();
    expect(await page.getByRole('button', { name: /Approve|Allow/ }).count()).toBe(0);
    await ready('Decline').click();
    expect(await decided).toEqual({ kind: 'decline' });
  });

  it('shows requests one after the other, counting those that wait', async () => {
    const named = (name: string): SamplingReview => ({ ...review, server: name });
    const sessions = ['first', 'second', 'third'].map((name) => queue.open(named(name)));
    const decisions = sessions.map((session) => session.askRequest());
    await page.getByText('2 more requests waiting').waitFor();
    sessions[1]?.dispose();
    expect(await decisions[1]).toEqual({ kind: 'decline' });
    await page.getByText('1 more request waiting').waitFor();
    await ready('Decline').click();
    expect(await decisions[0]).toEqual({ kind: 'decline' });
    await page.getByRole('heading', { level: 1, name: /^third/ }).waitFor();
    await ready('Decline').click();
    expect(await decisions[2]).toEqual({ kind: 'decline' });
  });

  it('declines the request on the screen, and no other, when it is closed', async () => {
    const sessions = [queue.open(review), queue.open({ ...review, server: 'other' })];
    const decisions = sessions.map((session) => session.askRequest());
    await ready('Approve').waitFor();
    panel.closePanel();
    expect(await decisions[0]).toEqual({ kind: 'decline' });
    await page.getByRole('heading', { level: 1, name: /^other/ }).waitFor();
    await ready('Decline').click();
    expect(await decisions[1]).toEqual({ kind: 'decline' });
  });

  it('shows where things stand after the page was loaded anew', async () => {
    const session = queue.open(review);
    const decided = session.askRequest();
    await ready('Approve').click();
    await decided;
    const answered = session.askAnswer(result);
    await ready('Send to Server').waitFor();
    await panel.load();
    await ready('Send to Server').click();
    expect(await answered).toEqual({ kind: 'send', content: result.content });
  });
});
