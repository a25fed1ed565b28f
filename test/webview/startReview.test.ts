import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import type { StartRow } from '../../src/shared/startReviewMessages.ts';
import type { PanelPage } from './panelPage.ts';
import { startRows } from './samples.ts';
import { undecided, usePanels } from './setUp.ts';

const panels = usePanels();
let panel: PanelPage;
let page: Page;

async function show(rows: readonly StartRow[] = startRows, turn = 1): Promise<void> {
  await panel.post({ type: 'show', turn, rows });
}

const box = (label: string) => page.getByRole('checkbox', { name: label, exact: true });

describe('the review of servers to start', () => {
  beforeEach(async () => {
    panel = await panels.open('startReview');
    ({ page } = panel);
    await panel.load();
  });

  it('starts what is chosen with one click', async () => {
    await show();
    await panel.readyButton('Start 1 Server').click();
    await expect.poll(() => panel.sent.at(-1)).toEqual({ type: 'start', turn: 1, chosen: [1] });
  });

  it('says how many start, and starts none where none is chosen', async () => {
    await show();
    await box('deploy').check();
    await panel.readyButton('Start 2 Servers').waitFor();
    for (const label of ['deploy', 'memory']) await box(label).uncheck();
    expect(await page.getByRole('button', { name: 'Start 0 Servers' }).isDisabled()).toBe(true);
    await page.keyboard.press('Control+Enter');
    expect(panel.sent).toEqual(undecided);
  });

  it('speaks of a closer look only where a server needs one', async () => {
    await show();
    const lead = page.locator('.lead');
    await lead.filter({ hasText: 'Those that need a closer look come first and are not selected.' }).waitFor();
    await show(
      startRows.filter(({ isChosen }) => isChosen),
      2,
    );
    await expect.poll(() => lead.innerText()).toBe('Select the servers that you trust.');
  });

  it('is used with keys alone', async () => {
    await show();
    await panel.readyButton('Start 1 Server').waitFor();
    await panel.tabTo('deploy');
    await page.keyboard.press('Space');
    await panel.readyButton('Start 2 Servers').waitFor();
    await page.keyboard.press('Control+Enter');
    await expect.poll(() => panel.sent.at(-1)).toEqual({ type: 'start', turn: 1, chosen: [0, 1] });
  });

  it('is closed with Escape once the person is on the page', async () => {
    await show();
    await panel.readyButton('Start 1 Server').waitFor();
    await panel.tabTo('Not Now');
    await page.keyboard.press('Escape');
    await expect.poll(() => panel.sent.at(-1)).toEqual({ type: 'cancel' });
  });

  it('is closed with Escape as opened, and from a box', async () => {
    await show();
    await panel.readyButton('Start 1 Server').waitFor();
    await page.keyboard.press('Control+Enter');
    await page.keyboard.press('Escape');
    await expect.poll(() => panel.sent).toEqual([...undecided, { type: 'cancel' }]);
    await show(startRows, 2);
    await panel.readyButton('Start 1 Server').waitFor();
    await box('deploy').focus();
    await page.keyboard.press('Escape');
    await expect.poll(() => panel.sent).toEqual([...undecided, { type: 'cancel' }, { type: 'cancel' }]);
  });

  it('says what the keys do now', async () => {
    await show();
    await panel.readyButton('Start 1 Server').waitFor();
    const keys = page.locator('.keys');
    expect(await keys.innerText()).toBe('Press Tab, then Ctrl+Enter to start, or Esc to close');
    await page.keyboard.press('Tab');
    await expect.poll(() => keys.innerText()).toBe('Ctrl+Enter starts, Esc closes');
    await box('memory').uncheck();
    await expect.poll(() => keys.innerText()).toBe('Esc closes');
  });

  it('shows the whole command and each warning before the details, as text', async () => {
    const line = `npx ${'x'.repeat(3_000)} <b>--end</b>`;
    const [risky] = startRows;
    if (risky === undefined) throw new Error('There is no row.');
    await show([{ ...risky, line, label: 'a\u202eb' }]);
    const row = page.getByRole('listitem').filter({ has: page.getByRole('checkbox') });
    expect(await row.locator('.line').first().innerText()).toBe(line);
    for (const warning of risky.warnings) await row.getByText(warning).waitFor();
    expect(await row.locator('b').count()).toBe(0);
    expect(await row.locator('.hidden-character').count()).toBe(1);
    expect(await row.locator('details').getAttribute('open')).toBe(null);
    const { width, scroll } = await page.evaluate(() => ({
      width: window.innerWidth,
      scroll: document.documentElement.scrollWidth,
    }));
    expect(scroll).toBeLessThanOrEqual(width);
  });

  describe('of more than fit on the screen', () => {
    const [risky, usual] = startRows;
    const many = [
      ...Array.from({ length: 6 }, (_, index) => ({ ...risky, label: `risky ${index}` })),
      ...Array.from({ length: 8 }, (_, index) => ({ ...usual, label: `usual ${index}` })),
    ] as readonly StartRow[];

    it('starts none that has not been on the screen: the button shows them first', async () => {
      await show(many);
      await panel.readyButton('Show 8 More').click();
      expect(panel.sent).toEqual(undecided);
      await expect
        .poll(() => box('usual 0').evaluate((found) => found.getBoundingClientRect().top < window.innerHeight))
        .toBe(true);
      await panel.readyButton('Start 8 Servers').click();
      await expect
        .poll(() => panel.sent.at(-1))
        .toEqual({ type: 'start', turn: 1, chosen: [6, 7, 8, 9, 10, 11, 12, 13] });
    });

    it('does so with keys alone, and says what they do', async () => {
      await show(many);
      await panel.readyButton('Show 8 More').waitFor();
      await page.keyboard.press('Tab');
      await expect.poll(() => page.locator('.keys').innerText()).toBe('Ctrl+Enter shows, Esc closes');
      await page.keyboard.press('Control+Enter');
      await panel.readyButton('Start 8 Servers').waitFor();
      expect(panel.sent).toEqual(undecided);
      await page.keyboard.press('Control+Enter');
      await expect.poll(() => panel.sent.at(-1)).toMatchObject({ type: 'start' });
    });

    it('comes to the end of one that is longer than the screen, with keys alone', async () => {
      const long = { ...usual, label: 'long', line: `npx ${'x '.repeat(8_000)}` } as StartRow;
      await show([long, ...many.slice(0, 3)]);
      await panel.readyButton('Show 1 More').waitFor();
      await page.keyboard.press('Tab');
      await page.keyboard.press('Control+Enter');
      await panel.readyButton('Start 1 Server').waitFor();
      expect(panel.sent).toEqual(undecided);
    });

    it('counts those that are chosen, and those whose end has been seen', async () => {
      const long = { ...usual, label: 'long', line: `npx ${'x '.repeat(4_000)}` } as StartRow;
      await show([long, ...many.slice(0, 6)]);
      await panel.readyButton('Show 1 More').waitFor();
      await box('long').uncheck();
      await page.getByRole('button', { name: 'Start 0 Servers' }).waitFor();
      await box('long').check();
      await panel.readyButton('Show 1 More').waitFor();
      await box('risky 0').scrollIntoViewIfNeeded();
      await panel.readyButton('Start 1 Server').click();
      await expect.poll(() => panel.sent.at(-1)).toEqual({ type: 'start', turn: 1, chosen: [0] });
    });
  });

  it('does not offer a server that cannot be reviewed here', async () => {
    await show(startRows.map((row) => ({ ...row, canStart: false })));
    expect(await box('memory').isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Start 0 Servers' }).waitFor();
  });
});

it('waits again once the last of them is on the screen', async () => {
  panel = await panels.open('startReview', { stopClock: true });
  ({ page } = panel);
  await panel.load();
  const [, usual] = startRows;
  await show(Array.from({ length: 20 }, (_, index) => ({ ...usual, label: `s${index}` })) as readonly StartRow[]);
  await page.getByRole('button', { name: /^Show \d+ More$/ }).waitFor();
  await page.clock.runFor(1_100);
  await box('s19').scrollIntoViewIfNeeded();
  const start = page.getByRole('button', { name: 'Start 20 Servers' });
  for (let row = 0; row < 20; row += 1) await box(`s${row}`).scrollIntoViewIfNeeded();
  await start.waitFor();
  expect(await start.isDisabled()).toBe(true);
  await start.dispatchEvent('click');
  expect(panel.sent).toEqual(undecided);
  await page.clock.runFor(1_100);
  await start.click();
  await expect.poll(() => panel.sent.at(-1)).toMatchObject({ type: 'start' });
});

it('takes no click and no key before a person could read it', async () => {
  panel = await panels.open('startReview', { stopClock: true });
  ({ page } = panel);
  await panel.load();
  await show();
  const start = page.getByRole('button', { name: 'Start 1 Server' });
  await start.waitFor();
  await page.clock.runFor(900);
  expect(await start.isDisabled()).toBe(true);
  await start.dispatchEvent('click');
  await page.keyboard.press('Escape');
  expect(panel.sent).toEqual(undecided);
  await page.locator('h1').click();
  await page.keyboard.press('Control+Enter');
  expect(panel.sent).toEqual(undecided);
  // Other rows are another question.
  await page.clock.runFor(50);
  await show(startRows, 2);
  await page.clock.runFor(900);
  expect(await start.isDisabled()).toBe(true);
  await page.clock.runFor(200);
  await start.click();
  await expect.poll(() => panel.sent.at(-1)).toEqual({ type: 'start', turn: 2, chosen: [1] });
});
