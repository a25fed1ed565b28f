import type { Page } from 'playwright-core';
import { sentBy } from '../fixtures/samplingHost.ts';
import { describe, expect, it } from 'vitest';
import type { RequestDecision, SamplingReview } from '../../src/client/sampling/ports.ts';
import type { PanelPage } from './panelPage.ts';
import { review } from './samples.ts';
import { createConsentQueue, undecided, usePanels } from './setUp.ts';

const panels = usePanels();

/** Opens the panel with `shown`; its clock is stopped. */
async function openStopped(
  shown: SamplingReview,
): Promise<{ panel: PanelPage; page: Page; decision: Promise<RequestDecision> }> {
  const panel = await panels.open('consent', { stopClock: true });
  const decision = createConsentQueue(panel).open(shown).askRequest();
  await panel.page.getByRole('heading', { level: 1 }).waitFor();
  return { panel, page: panel.page, decision };
}

describe('keys and clicks meant for something else', () => {
  it('find every deciding button disabled at first', async () => {
    const { panel, page } = await openStopped(review);
    const disabled = await page.getByRole('button', { disabled: true }).allInnerTexts();
    expect(disabled).toEqual(['Approve', 'Decline']);
    await panel.untilEnabled();
    expect(await page.getByRole('button', { disabled: true }).count()).toBe(0);
  });

  it('decide nothing while the panel is untouched', async () => {
    const { panel, page } = await openStopped(review);
    await panel.untilEnabled();
    for (const key of ['Enter', 'Space', 'Control+Enter', 'Escape', 'a']) await page.keyboard.press(key);
    expect(panel.sent).toEqual(undecided);
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('H1');
  });

  it('do not approve before the request could be seen', async () => {
    const { panel, page } = await openStopped(review);
    await page.getByRole('textbox', { name: 'System prompt' }).click();
    await page.keyboard.press('Control+Enter');
    expect(panel.sent).toEqual(undecided);
    await panel.untilEnabled();
    await page.keyboard.press('Control+Enter');
    await expect.poll(() => panel.sent.length).toBe(2);
  });

  it('decide nothing in the second after the tab has moved', async () => {
    const { panel, page } = await openStopped(review);
    await panel.untilEnabled();
    await panel.post({ type: 'moved' });
    const approve = page.getByRole('button', { name: 'Approve' });
    await expect.poll(() => approve.isDisabled()).toBe(true);
    await panel.untilEnabled();
    expect(await approve.isEnabled()).toBe(true);
  });

  it('of a double click do not reach what comes next', async () => {
    const { panel, page } = await openStopped(review);
    await panel.untilEnabled();
    await page.getByRole('button', { name: 'Approve' }).dblclick();
    await page.getByRole('button', { name: 'Stop and Withhold' }).waitFor();
    expect(panel.sent.length).toBe(2);
  });
});

describe('a hostile request', () => {
  const hostile = `<img src=x onerror="alert(1)"><script>alert(2)</script><a href="javascript:alert(3)">x</a>`;

  it('is text, everywhere', async () => {
    const { page } = await openStopped({
      ...review,
      server: hostile,
      cause: hostile,
      suggestedBecause: hostile,
      models: [{ id: hostile, name: hostile, vendor: hostile, family: hostile, maxInputTokens: 1 }],
      suggestedModel: hostile,
      request: {
        ...review.request,
        systemPrompt: hostile,
        stopSequences: [hostile],
        messages: [
          { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: hostile, input: { [hostile]: hostile } }] },
          {
            role: 'user',
            content: [
              {
                type: 'tool_result',
                toolUseId: 'a',
                content: [
                  { type: 'text', text: hostile },
                  { type: 'resource_link', uri: 'command:workbench.action.terminal.new', name: hostile },
                  { type: 'image', data: 'PHN2Zz4=', mimeType: 'text/html' },
                  { type: 'image', data: '"><script>', mimeType: 'image/png' },
                ],
              },
            ],
          },
        ],
        tools: [{ name: hostile, description: hostile, inputSchema: { title: hostile } }],
      },
    });
    expect(await page.locator('img, a, script:not([nonce])').count()).toBe(0);
    expect(await page.locator('h1').innerText()).toContain(hostile);
    expect(await page.getByText('This type cannot be shown here.').count()).toBe(1);
    expect(await page.getByText('Its data is not valid base64.').count()).toBe(1);
  });

  it('cannot hide characters', async () => {
    const text = 'safe\u202Eevas\u2066 \u200Btext \u{E0041}';
    const message = { role: 'user', content: [{ type: 'text', text }] } as const;
    const request = { ...review.request, messages: [message], systemPrompt: '' };
    const { panel, page, decision } = await openStopped({ ...review, server: 'a\u202Eb', request });
    expect(await page.locator('h1').innerText()).toContain('aU+202Eb');
    const notice = page.getByRole('status').filter({ hasText: 'Hidden characters' });
    expect(await notice.innerText()).toMatch(
      /U\+202E right-to-left override.*U\+2066.*U\+200B zero width space.*U\+E0041/s,
    );
    await page.getByRole('button', { name: 'Remove Hidden Characters' }).click();
    await panel.untilEnabled();
    await page.getByRole('button', { name: 'Approve', exact: true }).click();
    expect(await sentBy(decision, request)).toMatchObject({
      request: { messages: [{ content: [{ text: 'safeevas text ' }] }] },
    });
  });

  it('too large to be read cannot be approved', async () => {
    const messages = [{ role: 'user', content: [{ type: 'text', text: 'x'.repeat(2_000_001) }] }] as const;
    const { page } = await openStopped({ ...review, request: { messages, maxTokens: 10 } });
    await page.getByText('2,000,001 characters, too many to review.').waitFor();
    expect(await page.getByRole('button', { name: /Approve|Allow/ }).count()).toBe(0);
  });

  it('sends line breaks back as they came', async () => {
    const message = { role: 'user', content: [{ type: 'text', text: 'one\r\ntwo' }] } as const;
    const request = { messages: [message], maxTokens: 10 };
    const { panel, page, decision } = await openStopped({ ...review, request });
    await panel.untilEnabled();
    await page.getByRole('button', { name: 'Approve', exact: true }).click();
    expect(await sentBy(decision, request)).toMatchObject({ request: { messages: [message] } });
  });
});
