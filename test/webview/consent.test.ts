import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SamplingReview } from '../../src/client/sampling/ports.ts';
import type { SamplingQueue } from '../../src/host/consent/samplingQuestion.ts';
import type { SamplingResult } from '../../src/protocol/mcp/sampling.ts';
import { createManualClock, type ManualClock } from '../fixtures/manualClock.ts';
import type { PanelPage } from './panelPage.ts';
import { review, reviewWithTools } from './samples.ts';
import { createConsentQueue, usePanels } from './setUp.ts';

const result: SamplingResult = {
  role: 'assistant',
  content: [{ type: 'text', text: 'Forty-eight points.' }],
  model: 'gpt-4o',
  stopReason: 'endTurn',
};

const panels = usePanels();
let panel: PanelPage;
let page: Page;
let clock: ManualClock;
let queue: SamplingQueue;

beforeEach(async () => {
  panel = await panels.open('consent');
  ({ page } = panel);
  clock = createManualClock();
  queue = createConsentQueue(panel, clock);
});

afterEach(async () => {
  expect(panel.problems).toEqual([]);
  queue.dispose();
  await panel.dispose();
});

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
    await panel.readyButton('Approve').click();
    const { metadata, messages, tools } = reviewWithTools.request;
    expect(await decided).toMatchObject({ kind: 'approve', request: { metadata, messages, tools } });
  });

  it('approves the edited request, by keyboard alone, and sends the edited answer', async () => {
    const session = queue.open(review);
    const decided = session.askRequest();
    await panel.readyButton('Approve').waitFor();
    await panel.tabTo('System prompt');
    await panel.press('Control+A');
    await page.keyboard.insertText('Be brief.');
    await panel.tabTo('Message 1 of 3, user');
    await panel.press('Control+End');
    await page.keyboard.insertText(' Use one line.');
    await panel.tabTo('Token limit');
    await panel.press('Control+A');
    await page.keyboard.insertText('200');
    await panel.press('Control+Enter');
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
    await panel.readyButton('Send to Server').waitFor();
    await panel.tabTo('Answer');
    await panel.press('Control+A');
    await page.keyboard.insertText('48 points.');
    await panel.press('Escape');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Withhold');
    await panel.press('Shift+Tab', 'Enter');
    expect(await answered).toEqual({ kind: 'send', content: [{ type: 'text', text: '48 points.' }] });
  });

  it('declines with Escape, after leaving a field first', async () => {
    const decided = queue.open(review).askRequest();
    await panel.readyButton('Approve').waitFor();
    await panel.tabTo('System prompt');
    await panel.press('Escape');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Decline');
    await panel.press('Escape');
    expect(await decided).toEqual({ kind: 'decline' });
  });

  it('sends an answer written by hand', async () => {
    const decided = queue.open(review).askRequest();
    await panel.readyButton('Write the Answer Myself…').click();
    await panel.readyButton('Send My Answer').click();
    await page.getByText('Write something first.').waitFor();
    await page.getByRole('textbox', { name: 'Your answer' }).fill('I know this one: 48.');
    await panel.press('Control+Enter');
    expect(await decided).toEqual({ kind: 'answer', text: 'I know this one: 48.' });
  });

  it('grants further requests only within the limits it spells out', async () => {
    const decided = queue.open(review).askRequest();
    await panel.readyButton('Allow for This Session…').click();
    await page.getByRole('combobox', { name: 'Model' }).selectOption('copilot/claude-sonnet');
    await page.getByRole('spinbutton', { name: 'Further requests' }).fill('3');
    await page.getByRole('spinbutton', { name: 'Minutes' }).fill('9999');
    await panel.readyButton('Approve and Allow for This Session').click();
    await page.getByText('Enter a whole number from 1 to 480.').waitFor();
    await page.getByRole('spinbutton', { name: 'Minutes' }).fill('5');
    await page.getByRole('spinbutton', { name: 'Tokens for each' }).fill('100');
    await page.getByRole('spinbutton', { name: 'Characters for each' }).fill('400');
    await page.getByText(/3 more requests.*within 5 minutes.*400 characters of text.*100 tokens/).waitFor();
    await panel.readyButton('Approve and Allow for This Session').click();
    expect(await decided).toMatchObject({
      kind: 'approve',
      grant: {
        model: 'copilot/claude-sonnet',
        requests: 3,
        maximumTokens: 100,
        maximumCharacters: 400,
        systemPrompt: review.request.systemPrompt,
        expiresAt: clock.now() + 300_000,
      },
    });
  });

  it('cannot raise the token limit or send nothing', async () => {
    queue.open(review);
    await page.getByRole('spinbutton', { name: 'Token limit' }).fill('501');
    await panel.readyButton('Approve').click();
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
    await panel.readyButton('Approve').click();
    await first;
    session.showFailure('The model is overloaded <b>now</b>.');
    const second = session.askRequest();
    await page.getByRole('alert').filter({ hasText: 'The model is overloaded <b>now</b>.' }).waitFor();
    await panel.readyButton('Approve').click();
    expect(await second).toMatchObject({ kind: 'approve', request: { systemPrompt: 'Be brief.' } });
    const answered = session.askAnswer(result);
    await panel.readyButton('Ask Again…').click();
    expect(await answered).toEqual({ kind: 'retry' });
    const third = session.askRequest();
    await panel.readyButton('Approve').click();
    expect(await third).toMatchObject({ kind: 'approve', request: { systemPrompt: 'Be brief.' } });
  });

  it('stops the model while it answers', async () => {
    const session = queue.open(review);
    const decided = session.askRequest();
    await panel.readyButton('Approve').click();
    await decided;
    await panel.readyButton('Stop and Withhold').click();
    await expect.poll(() => session.stopped.aborted).toBe(true);
    expect(await session.askAnswer(result)).toEqual({ kind: 'withhold' });
  });

  it('offers only to decline or to answer by hand where there is no model', async () => {
    const decided = queue.open({ ...review, models: [], suggestedModel: undefined }).askRequest();
    await page.getByText('No language model is available').waitFor();
    expect(await page.getByRole('button', { name: /Approve|Allow/ }).count()).toBe(0);
    await panel.readyButton('Decline').click();
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
    await panel.readyButton('Decline').click();
    expect(await decisions[0]).toEqual({ kind: 'decline' });
    await page.getByRole('heading', { level: 1, name: /^third/ }).waitFor();
    await panel.readyButton('Decline').click();
    expect(await decisions[2]).toEqual({ kind: 'decline' });
  });

  it('declines the request on the screen, and no other, when it is closed', async () => {
    const sessions = [queue.open(review), queue.open({ ...review, server: 'other' })];
    const decisions = sessions.map((session) => session.askRequest());
    await panel.readyButton('Approve').waitFor();
    panel.closePanel();
    expect(await decisions[0]).toEqual({ kind: 'decline' });
    await page.getByRole('heading', { level: 1, name: /^other/ }).waitFor();
    await panel.readyButton('Decline').click();
    expect(await decisions[1]).toEqual({ kind: 'decline' });
  });

  it('shows where things stand after the page was loaded anew', async () => {
    const session = queue.open(review);
    const decided = session.askRequest();
    await panel.readyButton('Approve').click();
    await decided;
    const answered = session.askAnswer(result);
    await panel.readyButton('Send to Server').waitFor();
    await panel.load();
    await panel.readyButton('Send to Server').click();
    expect(await answered).toEqual({ kind: 'send', content: result.content });
  });
});
