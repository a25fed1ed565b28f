import type { Frame, Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import {
  type AskingServer,
  modelWords,
  press,
  sampling,
  textRequest,
  useSamplingWindow,
} from './driver/samplingWindow.ts';
import { window } from './driver/useWindow.ts';

const request = textRequest('What is the weather like on a bench of patches?');
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const imageRequest = {
  messages: [{ role: 'user', content: { type: 'image', data: pixel, mimeType: 'image/png' } }],
  maxTokens: 100,
};

describe('a rule that lets requests for a model through', () => {
  useSamplingWindow();

  interface Terms {
    readonly requests: number;
    readonly reviews?: boolean;
    readonly keeps?: boolean;
  }

  /** Approves a request, and makes a rule of it. */
  async function makeRule({ requests, reviews = false, keeps = false }: Terms, server: AskingServer): Promise<void> {
    const answer = sampling.ask(request, server);
    const panel = await sampling.question(server);
    await press(panel, 'Allow Without Asking…');
    await panel.getByLabel('Requests an hour').fill(String(requests));
    await panel.getByLabel('Show me each answer before the server gets it').setChecked(reviews);
    await panel.getByLabel('Keep it when the window closes or the server stops').setChecked(keeps);
    await panel.getByRole('button', { name: 'Approve and Make the Rule', disabled: false }).waitFor();
    await window.screenshot(`rule-form-${requests}`);
    await press(panel, 'Approve and Make the Rule');
    await press(panel, 'Send to Server');
    expect(await answer).toContain(modelWords);
  }

  const status = (text: string): Locator => window.page.locator('.statusbar-item').filter({ hasText: text });

  const becauseIn = (panel: Frame): Promise<string> => panel.locator('.banner.info').first().innerText();

  async function approve(panel: Frame): Promise<void> {
    await press(panel, 'Approve');
    await press(panel, 'Send to Server');
  }

  it('lets through as many as the person said, but no image, and asks for the next one, saying why', async () => {
    await makeRule({ requests: 2 }, 'asker');
    await status('1 rule: asker → Local Model (0 of 2)').waitFor();
    const before = sampling.sent.length;
    expect(await sampling.ask(request)).toContain(modelWords);
    await status('(1 of 2)').waitFor();
    await window.screenshot('rule-status');

    const described = sampling.ask(imageRequest);
    const panel = await sampling.question('asker');
    expect(await becauseIn(panel)).toBe('Your rule did not answer: no rule covers such a request, as it has images.');
    await window.screenshot('rule-image');
    await press(panel, 'Write the Answer Myself…');
    await panel.getByRole('textbox', { name: 'Your answer' }).fill('One dot.');
    await press(panel, 'Send My Answer');
    expect(JSON.parse(await described)).toMatchObject({ result: { model: 'human', content: { text: 'One dot.' } } });

    expect(await sampling.ask(request)).toContain(modelWords);
    await status('(2 of 2)').waitFor();
    expect(sampling.sent).toHaveLength(before + 2);
    const third = sampling.ask(request);
    const asked = await sampling.question('asker');
    expect(await becauseIn(asked)).toBe('Your rule did not answer: its 2 requests of this hour are used up.');
    await window.screenshot('rule-used-up');
    expect(sampling.sent).toHaveLength(before + 2);
    await approve(asked);
    expect(await third).toContain(modelWords);
  });

  it('covers no other server', async () => {
    const answer = sampling.ask(request, 'second');
    const panel = await sampling.question('second');
    expect(await panel.locator('.banner').count()).toBe(0);
    await approve(panel);
    expect(await answer).toContain(modelWords);
  });

  it('is stopped by one click in the status bar: the next request asks', async () => {
    // In the place of the one that is used up.
    await makeRule({ requests: 5 }, 'asker');
    await status('(0 of 5)').waitFor();
    expect(await sampling.ask(request)).toContain(modelWords);
    await status('(1 of 5)').click();
    await status('1 rule').waitFor({ state: 'hidden' });
    await window.notifications.show();
    await window.notifications.item('The rule asker → Local Model was stopped.').waitFor();
    await window.notifications.clear();
    const answer = sampling.ask(request);
    const panel = await sampling.question('asker');
    expect(await panel.locator('.banner').count()).toBe(0);
    await approve(panel);
    expect(await answer).toContain(modelWords);
  });

  it('that shows each answer asks about the answer alone', async () => {
    await makeRule({ requests: 6, reviews: true }, 'asker');
    const before = sampling.sent.length;
    const answer = sampling.ask(request);
    const panel = await sampling.question('asker');
    await panel.getByRole('heading', { name: 'Review the answer' }).waitFor();
    expect(await panel.getByRole('button', { name: 'Approve' }).count()).toBe(0);
    expect(await becauseIn(panel)).toBe('Your rule sent this request to the model. Its answer needs your approval.');
    expect(sampling.sent).toHaveLength(before + 1);
    await window.screenshot('rule-answer');
    await panel.getByRole('textbox', { name: 'Answer' }).fill('Reviewed.');
    await press(panel, 'Send to Server');
    expect(await answer).toContain('Reviewed.');
    // The panel closes a moment after its answer, and would take a key with it, or the palette that has just been opened.
    await window.webviews.waitUntilGone(':is(h1, h2):has-text("Review the answer")');
    await window.runCommand('MCP Patchbay: Stop All Rules for Models');
    await status('1 rule').waitFor({ state: 'hidden' });
  });

  it('lets nothing through when the tokens of the day are used up', async () => {
    await makeRule({ requests: 7 }, 'asker');
    await window.companion.updateSetting('patchbay.sampling.dailyTokens', 20);
    const before = sampling.sent.length;
    const answer = sampling.ask(request);
    const panel = await sampling.question('asker');
    expect(await becauseIn(panel)).toBe('Your rule did not answer: the token budget for today is used up.');
    const warning = panel.locator('.banner.warning');
    expect(await warning.innerText()).toMatch(/^\d+ of 20 tokens for today are used\. Approving exceeds this limit\.$/);
    expect(sampling.sent).toHaveLength(before);
    await window.screenshot('rule-budget');
    // A person may go beyond it.
    await approve(panel);
    expect(await answer).toContain(modelWords);
    await window.companion.updateSetting('patchbay.sampling.dailyTokens', undefined);
    expect(await sampling.ask(request)).toContain(modelWords);
    expect(sampling.sent).toHaveLength(before + 2);
    await window.runCommand('MCP Patchbay: Stop All Rules for Models');
    await status('1 rule').waitFor({ state: 'hidden' });
  });
});
