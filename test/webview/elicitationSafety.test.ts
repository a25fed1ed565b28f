import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { ElicitationDecision, ElicitationReview } from '../../src/client/elicitation/ports.ts';
import type { SchemaValidator } from '../../src/client/validation/schemaValidator.ts';
import { readFlatForm } from '../../src/schema/flatForm.ts';
import { buildChecker, createForkedValidator } from '../fixtures/schemaChecker.ts';
import type { PanelPage } from './panelPage.ts';
import { formReview, visitReview } from './samples.ts';
import { createElicitationQueue, undecided, usePanels } from './setUp.ts';

const panels = usePanels();

/** Opens the panel with `review`; its clock is stopped. */
async function openStopped(
  review: ElicitationReview,
  validator?: SchemaValidator,
): Promise<{ panel: PanelPage; page: Page; decision: Promise<ElicitationDecision>; opened: readonly string[] }> {
  const panel = await panels.open('elicitation', { stopClock: true });
  const opened: string[] = [];
  const queue = createElicitationQueue(panel, {
    ...(validator !== undefined && { validator }),
    openAddress: (href) => Promise.resolve(opened.push(href) > 0),
  });
  const { decision } = queue.open(review);
  await panel.page.getByRole('heading', { level: 1 }).waitFor();
  return { panel, page: panel.page, decision, opened };
}

describe('keys and clicks meant for something else', () => {
  it.each([
    ['form', formReview, ['Send', 'Decline', 'Cancel']],
    ['visit', visitReview, ['Open in Browser', 'Decline', 'Cancel']],
  ] as const)('find every deciding button of a %s disabled at first', async (_kind, review, names) => {
    const { panel, page } = await openStopped(review);
    expect(await page.getByRole('button', { disabled: true }).allInnerTexts()).toEqual(names);
    await panel.untilEnabled();
    expect(await page.getByRole('button', { disabled: true }).count()).toBe(0);
  });

  it.each([
    ['form', formReview],
    ['visit', visitReview],
  ] as const)('decide nothing while a %s is untouched', async (_kind, review) => {
    const { panel, page } = await openStopped(review);
    await panel.untilEnabled();
    for (const key of ['Enter', 'Space', 'Control+Enter', 'Escape', 'a']) await page.keyboard.press(key);
    expect(panel.sent).toEqual(undecided);
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('H1');
  });

  it('do not send a form before it could be seen', async () => {
    const { panel, page } = await openStopped({ ...formReview, schema: readFlatForm({}) });
    await page.locator('h1').click();
    await page.keyboard.press('Control+Enter');
    expect(panel.sent).toEqual(undecided);
    await panel.untilEnabled();
    await page.keyboard.press('Control+Enter');
    await expect.poll(() => panel.sent.length).toBe(2);
  });

  it('leave a field by Escape while the buttons still wait', async () => {
    const { panel, page } = await openStopped(formReview);
    await panel.tabTo('Name');
    await page.keyboard.press('Escape');
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('BODY');
    expect(panel.sent).toEqual(undecided);
    await panel.untilEnabled();
    await panel.tabTo('Name');
    await page.keyboard.press('Escape');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Cancel');
  });

  it('of a double click open one page, and do not end what comes next', async () => {
    const { panel, page, opened } = await openStopped({ ...visitReview, isRequired: true });
    await panel.untilEnabled();
    await page.getByRole('button', { name: 'Open in Browser' }).dblclick();
    await page.getByRole('button', { name: 'I Am Done, Try Again' }).waitFor();
    expect(opened).toHaveLength(1);
    expect(panel.sent).toEqual([...undecided, { type: 'open', id: 1 }]);
  });
});

describe('a hostile question', () => {
  const hostile = `<img src=x onerror="alert(1)"><script>alert(2)</script><a href="javascript:alert(3)">x</a>`;

  it('is text, everywhere', async () => {
    const named = { title: hostile, description: hostile };
    const schema = readFlatForm({
      properties: {
        [hostile]: { type: 'string', ...named, default: hostile, pattern: hostile },
        choice: { type: 'string', ...named, oneOf: [{ const: hostile, title: hostile }] },
        choices: { type: 'array', ...named, items: { enum: [hostile, hostile] }, default: [hostile] },
        flag: { type: 'boolean', ...named },
        number: { type: 'number', ...named },
      },
    });
    const { page } = await openStopped({
      ...formReview,
      server: hostile,
      cause: hostile,
      message: hostile,
      schema,
    });
    expect(await page.locator('img, a, script:not([nonce])').count()).toBe(0);
    expect(await page.locator('h1').innerText()).toContain(hostile);
    expect(await page.locator('.question').innerText()).toBe(hostile);
  });

  it('cannot hold up the page, nor the extension, with a pattern that takes for ever [schema-bounds]', async () => {
    const checker = await buildChecker();
    const validator = createForkedValidator(checker);
    const schema = readFlatForm({
      properties: { name: { type: 'string', pattern: '^(a?){28}$' }, other: { type: 'string' } },
    });
    const { panel, page, decision } = await openStopped({ ...formReview, schema }, validator);
    await panel.untilEnabled();
    await page.getByLabel('name', { exact: true }).fill(`${'a'.repeat(40)}!`);
    await page.getByLabel('other', { exact: true }).click();
    await panel.untilEnabled();
    await page.getByText('Not checked: checking took longer than 1 s.').waitFor();
    await page.getByLabel('other', { exact: true }).fill('still here');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    expect(await decision).toEqual({
      kind: 'accept',
      content: { name: `${'a'.repeat(40)}!`, other: 'still here' },
    });
    validator.dispose();
    checker.remove();
  });

  it('cannot hide characters', async () => {
    const text = 'a\u202Eb\u200Bc';
    const schema = readFlatForm({
      properties: {
        name: { type: 'string', title: text, description: text, default: text },
        choice: { type: 'string', enum: [text] },
      },
    });
    const { page } = await openStopped({ ...formReview, server: text, message: text, schema });
    for (const place of ['h1', '.question', '.form-property .hint >> nth=0'])
      expect(await page.locator(place).innerText()).toContain('aU+202EbU+200Bc');
    for (const place of ['option', '.form-property .field-label'])
      expect(await page.locator(place).allInnerTexts()).toContain('a⟨U+202E⟩b⟨U+200B⟩c');
    await page.getByRole('status').filter({ hasText: 'Hidden characters' }).waitFor();
  });

  it('in what the page says about it is a no', async () => {
    const { page, decision } = await openStopped(formReview);
    await page.evaluate(() => {
      const { sendToHost } = globalThis as unknown as { sendToHost: (json: string) => void };
      sendToHost(JSON.stringify({ type: 'send', id: 1, content: { name: { deep: true } } }));
    });
    expect(await decision).toEqual({ kind: 'cancel' });
  });
});
