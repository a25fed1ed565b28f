import type { Page } from 'playwright-core';
import { sentBy } from '../fixtures/samplingHost.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SamplingReview } from '../../src/client/sampling/ports.ts';
import type { SamplingQueue } from '../../src/host/consent/samplingQuestion.ts';
import type { ModelAnswer } from '../../src/models/modelGateway.ts';
import { plainDescriptions, plainTexts } from '../fixtures/plainTexts.ts';
import { createManualClock, type ManualClock } from '../fixtures/manualClock.ts';
import type { PanelPage } from './panelPage.ts';
import { fullReview, review, reviewWithTools, textReview } from './samples.ts';
import { createConsentQueue, usePanels } from './setUp.ts';

const answer: ModelAnswer = {
  result: {
    role: 'assistant',
    content: [{ type: 'text', text: 'Forty-eight points.' }],
    model: 'gpt-4o',
    stopReason: 'endTurn',
  },
  usage: { inputTokens: 1_203, outputTokens: 55 },
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

afterEach(() => queue.dispose());

describe('the consent panel', () => {
  it('shows every part of the request', async () => {
    queue.open(review);
    await page.getByRole('heading', { level: 1, name: 'demo wants to use a language model' }).waitFor();
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

  it('says what keys do from when they do it', async () => {
    await page.setViewportSize({ width: 1_000, height: 900 });
    queue.open(review);
    await panel.readyButton('Approve').waitFor();
    const keys = page.locator('.keys');
    expect(await keys.isVisible()).toBe(false);
    await page.keyboard.press('Tab');
    await keys.filter({ hasText: 'Ctrl+Enter approves, Esc declines' }).waitFor();
    // Of the next question, they decide nothing before the person is on the page again.
    queue.open(review);
    // This may move the buttons, which then take no click for a moment.
    await page.getByText('1 more request waiting').waitFor();
    await panel.readyButton('Decline').click();
    await keys.waitFor({ state: 'hidden' });
  });

  it.each(Object.entries({ ...plainTexts, ...plainDescriptions }))(
    'shows texts as they were sent: %s',
    async (_name, text) => {
      const content = [{ type: 'text', text }] as const;
      const request = {
        ...reviewWithTools.request,
        systemPrompt: text,
        messages: [
          { role: 'user', content },
          { role: 'assistant', content: [{ type: 'tool_use', id: '1', name: 'a', input: {} }] },
          { role: 'user', content: [{ type: 'tool_result', toolUseId: '1', content }] },
        ],
        tools: [{ name: 'a', description: text, inputSchema: { type: 'object' } }],
      } as const;
      // A field has line feeds alone; what is unchanged is sent as it was.
      const inField = text.replaceAll('\r\n', '\n');
      queue.open({ ...reviewWithTools, request });
      const fields = page.getByRole('textbox');
      await expect
        .poll(() => fields.evaluateAll((all) => all.map((each) => (each as HTMLTextAreaElement).value)))
        .toEqual([inField, inField]);
      expect(await page.getByRole('region', { name: 'Tool result' }).locator('pre:not(.inline)').innerText()).toBe(
        text,
      );
      await page.locator('details.tool summary').click();
      expect(await page.locator('details.tool pre:not(.inline):not(.code)').innerText()).toBe(text);
    },
  );

  it('shows what tools gave, what is said of tools, and what goes to the provider of the model', async () => {
    const decided = queue.open(reviewWithTools).askRequest();
    const tool = page.locator('details.tool').first();
    await tool.locator('summary').click();
    const said = await tool.innerText();
    for (const part of [
      'called “Weather”',
      'According to its server, the tool changes nothing.',
      'Result (JSON Schema)',
      '"high"',
    ])
      expect(said).toContain(part);
    const given = page.getByRole('region', { name: 'Tool result' });
    for (const part of ['Sunny', 'Structured content', '"wind": "N"']) expect(await given.innerText()).toContain(part);
    expect(await page.locator('body').innerText()).toContain('"user": "u-17"');
    await panel.readyButton('Approve').click();
    const { metadata, messages, tools } = reviewWithTools.request;
    expect(await sentBy(decided, reviewWithTools.request)).toMatchObject({ request: { metadata, messages, tools } });
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
      remembersModel: false,
    });
    expect(decision).not.toMatchObject({ rule: expect.anything() });
    const { request, masked } = await sentBy(decided, review.request);
    expect({ ...request, masked }).toMatchObject({ systemPrompt: 'Be brief.', maxTokens: 200, masked: 0 });
    expect(request?.messages[0]?.content).toEqual([
      { type: 'text', text: 'Summarize the text I am going to give you. Keep names and numbers. Use one line.' },
    ]);
    expect(request?.messages.slice(1)).toEqual(review.request.messages.slice(1));

    session.showAnswer('Forty-');
    await clock.advance(50);
    await page.getByText('Forty-').waitFor();
    const answered = session.askAnswer(answer);
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

  it('makes a rule only within the limits it spells out', async () => {
    const decided = queue.open(textReview).askRequest();
    await panel.readyButton('Allow Without Asking…').click();
    const field = (name: string) => page.getByRole('spinbutton', { name });
    expect(await field('Requests an hour').inputValue()).toBe('10');
    expect(await field('Tokens an hour').inputValue()).toBe('17340');
    const form = page.getByRole('region', { name: 'Make a rule' });
    await form.getByText(/up to 10 requests and 17,340 tokens an hour, for 30 minutes/).waitFor();
    await form.getByText(/but you see each answer before the server gets it.*when the window closes/).waitFor();
    await page.getByRole('combobox', { name: 'Model' }).selectOption('copilot/claude-sonnet');
    await form.getByText(/may send to Claude Sonnet 4 up to/).waitFor();
    await page.getByRole('textbox', { name: 'System prompt' }).fill('');
    await form.getByText(/each without a system prompt, no longer than this one \(2\d\d characters\)/).waitFor();
    await field('Requests an hour').fill('3');
    await field('Tokens an hour').fill('10000001');
    await panel.readyButton('Approve and Make the Rule').click();
    await page.getByText('Enter a whole number from 1 to 10,000,000.').waitFor();
    await field('Tokens an hour').fill('5000');
    await page.getByRole('combobox', { name: 'Until' }).selectOption('7 days');
    await page.getByRole('checkbox', { name: 'Show me each answer' }).uncheck();
    await page.getByRole('checkbox', { name: 'Keep it when the window closes' }).check();
    await form.getByText(/for 7 days.*neither these requests nor their answers.*The rule stays/).waitFor();
    await panel.readyButton('Approve and Make the Rule').click();
    expect(await decided).toMatchObject({
      kind: 'approve',
      model: 'copilot/claude-sonnet',
      rule: {
        requestsPerHour: 3,
        tokensPerHour: 5_000,
        expiresAt: clock.now() + 7 * 24 * 3_600_000,
        reviewsAnswer: false,
        isKept: true,
      },
    });
  });

  it('says why no rule can be made', async () => {
    queue.open(review);
    await page.getByText('No rule covers such a request, as it has images.').waitFor();
    expect(await page.getByRole('button', { name: 'Allow Without Asking…' }).count()).toBe(0);
  });

  it('makes no rule while anything that may be secret is unmasked', async () => {
    const marks = fullReview.marks.slice(0, 1);
    const decided = queue.open({ ...textReview, request: fullReview.request, marks }).askRequest();
    await panel.readyButton('Allow Without Asking…').click();
    await panel.readyButton('Approve and Make the Rule').click();
    await page.getByText('Mask what may be secret first').waitFor();
    expect(panel.sent).toEqual([{ type: 'ready' }]);
    await page.getByRole('button', { name: /^Mask the value/ }).click();
    await panel.readyButton('Approve and Make the Rule').click();
    expect(await sentBy(decided, fullReview.request)).toMatchObject({ masked: 1 });
    expect(await decided).toMatchObject({
      rule: { requestsPerHour: 10, reviewsAnswer: true, isKept: false },
    });
  });

  it('remembers the model only if the person says so', async () => {
    const decided = queue.open(textReview).askRequest();
    await page.getByText(/Suggested: it matches the server's hint/).waitFor();
    await page.getByRole('combobox', { name: 'Model' }).selectOption('copilot/claude-sonnet');
    await page.getByText('Your choice').waitFor();
    await page.getByRole('checkbox', { name: 'Remember for this server' }).check();
    await panel.readyButton('Approve').click();
    expect(await decided).toMatchObject({ model: 'copilot/claude-sonnet', remembersModel: true });
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
    const second = session.askRequest('The model is overloaded <b>now</b>.');
    await page.getByRole('alert').filter({ hasText: 'The model is overloaded <b>now</b>.' }).waitFor();
    await panel.readyButton('Approve').click();
    expect(await second).toMatchObject({ kind: 'approve', edits: { systemPrompt: 'Be brief.' } });
    const answered = session.askAnswer(answer);
    await panel.readyButton('Ask Again…').click();
    expect(await answered).toEqual({ kind: 'retry' });
    const third = session.askRequest();
    await panel.readyButton('Approve').click();
    expect(await third).toMatchObject({ kind: 'approve', edits: { systemPrompt: 'Be brief.' } });
  });

  it('stops the model while it answers', async () => {
    const session = queue.open(review);
    const decided = session.askRequest();
    await panel.readyButton('Approve').click();
    await decided;
    await panel.readyButton('Stop and Withhold').click();
    await expect.poll(() => session.stopped.aborted).toBe(true);
    expect(await session.askAnswer(answer)).toEqual({ kind: 'withhold' });
  });

  it('offers only to decline or to answer by hand where there is no model', async () => {
    const decided = queue.open({ ...review, models: [], suggestedModel: undefined }).askRequest();
    await page.getByText('No language model is available').waitFor();
    expect(await page.getByRole('button', { name: /Approve|Allow/ }).count()).toBe(0);
    await panel.readyButton('Decline').click();
    expect(await decided).toEqual({ kind: 'decline' });
  });

  it('shows a model that the person adds meanwhile, and keeps the edits', async () => {
    queue.dispose();
    let added = 0;
    queue = createConsentQueue(panel, clock, () => Promise.resolve(void (added += 1)));
    const { models, suggestedModel, suggestedBecause } = textReview;
    const refreshModels = () => Promise.resolve({ models, suggestedModel, suggestedBecause });
    const decided = queue
      .open({ ...textReview, models: [], suggestedModel: undefined, suggestedBecause: undefined, refreshModels })
      .askRequest();
    await page.getByRole('textbox', { name: 'System prompt' }).fill('Be brief.');
    await page.getByRole('button', { name: 'Add Model…' }).click();
    await panel.readyButton('Approve').click();
    expect(added).toBe(1);
    expect(await decided).toMatchObject({ model: 'copilot/gpt-4o', edits: { systemPrompt: 'Be brief.' } });
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

  it('shows where things stand after the page was loaded anew', async () => {
    const session = queue.open(review);
    const decided = session.askRequest();
    await panel.readyButton('Approve').click();
    await decided;
    const answered = session.askAnswer(answer);
    await panel.readyButton('Send to Server').waitFor();
    await panel.load();
    await panel.readyButton('Send to Server').click();
    expect(await answered).toEqual({ kind: 'send', content: answer.result.content });
  });
});

describe('a request with everything', () => {
  it('says why the person is asked, what is used up, what is new, and what each model takes and costs', async () => {
    queue.open(fullReview);
    await page.getByText('this request is longer than the one it was made for').waitFor();
    await page.getByText('999,000 of 1,000,000 tokens for today are used. Approving exceeds this limit.').waitFor();
    await page.getByText('Round 3 of a conversation: 2 new messages').waitFor();
    const cards = page.getByRole('listitem', { name: /, new$/ });
    expect(await cards.count()).toBe(2);
    expect(await cards.first().innerText()).toContain('New');
    expect(await page.getByRole('textbox', { name: 'Message 1 of 5, user' }).isVisible()).toBe(false);
    await page.getByText('3 messages of earlier rounds').click();
    expect(await page.getByRole('textbox', { name: 'Message 1 of 5, user' }).isVisible()).toBe(true);
    await page.getByText('about 1,234 tokens, up to 1,000 more for the answer; at most $0.019.').waitFor();
    expect(await page.getByRole('option').allInnerTexts()).toEqual([
      'Claude Sonnet 4 (api.anthropic.com, $3.00 in, $15.00 out per million tokens, 200,000 input tokens)',
      'gemma3:4b (127.0.0.1:11434, 8,192 input tokens)',
      'GPT-4o (copilot, 63,827 input tokens)',
    ]);
    await page.getByRole('combobox', { name: 'Model' }).selectOption('local/gemma');
    await page.getByText('This model does not take tools, which this request has.').waitFor();
    await page.getByText('for the answer; free on this computer.').waitFor();
    await page.getByRole('combobox', { name: 'Model' }).selectOption('copilot/gpt-4o');
    await page.getByText('for the answer; price unknown.').waitFor();
  });

  it('shows what is left of the day as a plain fact while it suffices', async () => {
    queue.open(textReview);
    await page.getByText('12,345 of 1,000,000 tokens for today are used.').waitFor();
    expect(await page.getByText('Approving exceeds this limit.').count()).toBe(0);
  });

  it('edits messages of earlier rounds as well', async () => {
    const decided = queue.open(fullReview).askRequest();
    await page.getByText('3 messages of earlier rounds').click();
    await page.getByRole('textbox', { name: 'Message 1 of 5, user' }).fill('Release it.');
    await panel.readyButton('Approve').click();
    const { request } = await sentBy(decided, fullReview.request);
    expect(request?.messages[0]).toMatchObject({ content: [{ text: 'Release it.' }] });
  });
});

describe('what may be secret', () => {
  const [mark] = fullReview.marks;
  const secret = mark?.value ?? '';
  const last = () => page.getByRole('textbox', { name: 'Message 5 of 5, user, new' });

  it('is sent unless the person masks it, and the panel says so', async () => {
    const decided = queue.open(fullReview).askRequest();
    await page.getByText('3 places may be secret and are not masked').waitFor();
    const row = page.getByRole('listitem').filter({ hasText: 'the value of the input "apiKey"' });
    const said = await row.innerText();
    for (const part of ['in message 1, message 5, metadata', 'sk-p…R1']) expect(said).toContain(part);
    expect(said).not.toContain(secret);
    await panel.readyButton('Approve').click();
    expect(await sentBy(decided, fullReview.request)).toMatchObject({ masked: 0, request: fullReview.request });
  });

  it('is masked everywhere by keyboard, in what is shown and in what is sent', async () => {
    const decided = queue.open(fullReview).askRequest();
    await panel.readyButton('Approve').waitFor();
    await panel.tabTo('Mask');
    await panel.press('Enter');
    await page.getByText('2 places may be secret and are not masked').waitFor();
    expect(await last().inputValue()).toBe('Yes.\nexport KEY=[masked: the value of the input "apiKey"]');
    expect(await page.getByText('Edited').filter({ visible: true }).count()).toBe(0);
    await page.getByRole('button', { name: 'Approve', exact: true }).click();
    const decision = await sentBy(decided, fullReview.request);
    expect(decision).toMatchObject({
      masked: 1,
      request: { metadata: { key: '[masked: the value of the input "apiKey"]' } },
    });
    expect(JSON.stringify(decision)).not.toContain(secret);
  });

  it('comes back around what the person wrote meanwhile', async () => {
    const decided = queue.open(fullReview).askRequest();
    await page.getByRole('button', { name: 'Mask All' }).click();
    await page.getByText('1 place may be secret and is not masked').waitFor();
    await last().click();
    await panel.press('Control+Home');
    await page.keyboard.insertText('Sure! ');
    await panel.press('Control+End');
    await page.keyboard.insertText(` ${secret}`);
    const masked = '[masked: the value of the input "apiKey"]';
    expect(await last().inputValue()).toBe(`Sure! Yes.\nexport KEY=${masked} ${masked}`);
    await page.keyboard.insertText('?');
    expect(await last().inputValue()).toBe(`Sure! Yes.\nexport KEY=${masked} ${masked}?`);
    await page.getByRole('button', { name: 'Unmask All' }).click();
    expect(await last().inputValue()).toBe(`Sure! Yes.\nexport KEY=${secret} ${secret}?`);
    await page.getByRole('button', { name: 'Undo Changes' }).click();
    expect(await last().inputValue()).toBe(`Yes.\nexport KEY=${secret}`);
    await panel.readyButton('Approve').click();
    expect(await sentBy(decided, fullReview.request)).toMatchObject({ masked: 0, request: fullReview.request });
  });

  it('stays masked when the person undoes their changes, and when the model fails', async () => {
    const session = queue.open(fullReview);
    const first = session.askRequest();
    await page.getByRole('button', { name: 'Mask All' }).click();
    await last().fill('No.');
    await page.getByRole('button', { name: 'Undo Changes' }).click();
    expect(await last().inputValue()).toContain('KEY=[masked: ');
    await panel.readyButton('Approve').click();
    expect(await sentBy(first, fullReview.request)).toMatchObject({ masked: 3 });
    const second = session.askRequest('overloaded');
    await panel.readyButton('Approve').click();
    expect(JSON.stringify(await sentBy(second, fullReview.request))).not.toContain(secret);
  });
});

describe('an answer', () => {
  it('of a request that a rule let through is reviewed alone', async () => {
    const because = 'Your rule sent this request to the model. Its answer needs your approval.';
    const session = queue.open({ ...textReview, askedBecause: because });
    session.letThrough('copilot/gpt-4o');
    await page.getByText('GPT-4o is answering…').waitFor();
    await page.getByText(because).waitFor();
    const answered = session.askAnswer(answer);
    await page.getByText(because).waitFor();
    await page.getByText('1,203 tokens in, 55 out.').waitFor();
    await page.getByText('What your rule sent to the model').click();
    await page.getByText('Keep names and numbers.').waitFor();
    await panel.readyButton('Send to Server').click();
    expect(await answered).toEqual({ kind: 'send', content: answer.result.content });
  });

  it('of a request that a rule let through can be asked for again, by the person', async () => {
    const session = queue.open({ ...textReview, askedBecause: 'A rule.' });
    session.letThrough('copilot/gpt-4o');
    const answered = session.askAnswer(answer);
    await panel.readyButton('Ask Again…').click();
    expect(await answered).toEqual({ kind: 'retry' });
    const decided = session.askRequest();
    await panel.readyButton('Decline').click();
    expect(await decided).toEqual({ kind: 'decline' });
  });

  it('with a call of a tool shows its name and all its arguments, and what it cost', async () => {
    const session = queue.open(fullReview);
    const decided = session.askRequest();
    await panel.readyButton('Approve').click();
    await decided;
    const call = { type: 'tool_use', id: 'c', name: 'status', input: { host: 'prod-eu-2', depth: 3 } } as const;
    const answered = session.askAnswer({
      result: { role: 'assistant', content: [call], model: 'claude', stopReason: 'toolUse' },
      usage: { inputTokens: 1_203, outputTokens: undefined },
    });
    await page.getByText(/It wants to call a tool/).waitFor();
    const shown = page.getByRole('region', { name: 'Calls the tool status' });
    for (const part of ['"host": "prod-eu-2"', '"depth": 3']) expect(await shown.innerText()).toContain(part);
    await page.getByText(/^about 1,203 tokens in, \d+ out, \$0\.00\d+\.$/).waitFor();
    await panel.readyButton('Send to Server').click();
    expect(await answered).toEqual({ kind: 'send', content: [call] });
  });

  it('that cannot be shown whole cannot be sent', async () => {
    const session = queue.open(textReview);
    session.letThrough('copilot/gpt-4o');
    const input = { text: 'x'.repeat(2_000_001) };
    const content = [{ type: 'tool_use', id: 'c', name: 'status', input }] as const;
    const answered = session.askAnswer({ ...answer, result: { ...answer.result, content } });
    await page.getByText('too long, or nested too deep, to be shown whole').waitFor();
    expect(await page.getByRole('button', { name: 'Send to Server' }).count()).toBe(0);
    await panel.readyButton('Withhold').click();
    expect(await answered).toEqual({ kind: 'withhold' });
  });
});
