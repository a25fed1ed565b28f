import type { Locator, Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ListedCall } from '../../src/shared/callListMessages.ts';
import type { PanelPage } from './panelPage.ts';
import { usePanels } from './setUp.ts';
import { listedCalls } from './toolSamples.ts';

const panels = usePanels();
let panel: PanelPage;
let page: Page;

beforeEach(async () => {
  panel = await panels.open('calls', { width: 1_100 });
  ({ page } = panel);
  await panel.load();
});

async function show(calls: readonly ListedCall[] = listedCalls(Date.now()), isKept = true): Promise<void> {
  await panel.post({ type: 'calls', calls, isKept });
  await page.locator('.count, .empty').filter({ hasText: /call/, visible: true }).waitFor();
}

const rows = (): Locator => page.locator('.records tbody tr');
const status = (): Promise<string> => page.getByRole('status').innerText();
const acts = (): readonly unknown[] => panel.sent.slice(1);

describe('the history of all calls', () => {
  it('lists the newest first, how long ago with the whole date in the hover, and marks what differs', async () => {
    const calls = listedCalls(Date.now());
    await show(calls);
    const first = rows().first();
    expect(await first.getByRole('button').first().innerText()).toBe('2 min ago');
    expect(await first.locator('time').getAttribute('title')).toMatch(/\d{4}/);
    expect(await first.innerText()).toContain('traveller: "Ada", stops[0].city: "Lisbon"');
    expect(await first.locator('.call-arguments .strong').innerText()).toBe('stops[0].city: "Lisbon"');
    expect(await rows().nth(3).innerText()).toContain('(changed since)');
    expect(await rows().nth(2).innerText()).toMatch(/notes \(removed since\)[\s\S]*failed/);
    expect(await first.innerText()).not.toContain('since)');
  });

  it.each<[string, () => Promise<unknown>, number]>([
    ['a word in any column', () => page.getByLabel('Search').fill('LISBON ada'), 1],
    ['a server', () => page.getByRole('combobox', { name: 'Server' }).selectOption('notes'), 1],
    ['an outcome', () => page.getByRole('combobox', { name: 'Outcome' }).selectOption('cancelled'), 1],
    ['the name of a tool', () => page.getByLabel('Search').fill('plan_trip'), 4],
  ])('filters by %s, says how many, and shows all again', async (_what, choose, count) => {
    await show();
    await choose();
    await expect.poll(status).toBe(`${count} of 5 calls`);
    expect(await rows().count()).toBe(count);
    await page.getByRole('button', { name: 'Clear Filters' }).click();
    await expect.poll(status).toBe('5 calls');
  });

  it('is used by keyboard alone: search, arrows, Enter opens, the menu key', async () => {
    await show();
    await panel.tabTo('Search');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await expect.poll(acts).toEqual([{ type: 'history', id: 'b', action: 'show' }]);
    for (const action of ['again', 'compare', 'exchange']) {
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await expect.poll(() => acts().at(-1)).toEqual({ type: 'history', id: 'b', action });
    }
    await page.keyboard.press('Shift+F10');
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await expect.poll(() => acts().at(-1)).toEqual({ type: 'history', id: 'b', action: 'forget' });
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toMatch(/^More for/);
  });

  it('does each thing with one click, and has a menu at the pointer', async () => {
    await show();
    const second = rows().nth(1);
    for (const name of ['Call Again', 'Compare…', 'Show Exchange']) await second.getByRole('button', { name }).click();
    await second.locator('.toggle').click();
    await second.getByText('plan_trip').dblclick();
    const ids = ['again', 'compare', 'exchange', 'show', 'show'].map((action) => ({
      type: 'history',
      id: 'd',
      action,
    }));
    await expect.poll(acts).toEqual(ids);
    await second.getByText('plan_trip').click({ button: 'right' });
    const menu = page.getByRole('menu');
    await menu.getByRole('menuitem', { name: 'Copy As…' }).hover();
    // What the pointer is over is what Enter would take.
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Copy As…');
    await menu.getByRole('menuitem', { name: 'Call Again' }).click();
    await expect.poll(() => acts().at(-1)).toEqual({ type: 'history', id: 'd', action: 'again' });
  });

  it('keeps the row and the focus when other calls come, and shows what differs from them', async () => {
    const calls = listedCalls(Date.now());
    await show(calls.slice(1));
    await rows().first().getByRole('button').first().focus();
    const [newest, ...rest] = calls;
    const changed = rest.map((call, index) =>
      index === 0 ? { ...call, words: [{ text: 'traveller: "Ada"', differs: true }] } : call,
    );
    await show([...(newest === undefined ? [] : [newest]), ...changed]);
    await expect.poll(() => rows().count()).toBe(5);
    expect(await rows().nth(1).locator('.call-arguments .strong').innerText()).toBe('traveller: "Ada"');
    expect(await rows().nth(1).locator(':focus').count()).toBe(1);
  });

  it('has no old count for a screen reader after a call', async () => {
    const calls = listedCalls(Date.now());
    await show(calls.slice(1));
    await expect.poll(status).toBe('4 calls');
    await show(calls);
    await page.locator('.count', { hasText: '5 calls' }).waitFor();
    expect(await status()).toBe('');
  });

  it('calls nothing again by a click that comes as rows have moved, nor twice by a double click', async () => {
    panel = await panels.open('calls', { width: 1_100, stopClock: true });
    ({ page } = panel);
    await panel.load();
    const calls = listedCalls(Date.now());
    await show(calls.slice(1));
    const again = (): Locator => rows().first().getByRole('button', { name: 'Call Again' });
    const made = () => acts().filter((message) => JSON.stringify(message).includes('again'));
    await show(calls);
    await expect.poll(() => rows().count()).toBe(5);
    await again().click();
    await again().focus();
    await page.keyboard.press('Enter');
    await expect.poll(made).toHaveLength(1);
    await page.clock.runFor(1_000);
    await again().dblclick();
    await expect.poll(made).toHaveLength(2);
  });

  it('says that there are none, and that none are kept', async () => {
    await show([], false);
    await page.locator('.empty').getByText('No calls yet.').waitFor();
    await page.getByText('New calls are not kept').waitFor();
    expect(await page.getByRole('button', { name: 'Forget All…' }).isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Open Setting' }).click();
    await expect.poll(() => acts().at(-1)).toEqual({ type: 'openSetting' });
  });

  it('draws 500 calls with hostile names as text, in little time', async () => {
    const name = `<img src=x onerror=alert(1)>\u202e${'n'.repeat(80)}`;
    const [sample] = listedCalls(Date.now());
    if (sample === undefined) throw new Error('No sample.');
    const calls = Array.from({ length: 500 }, (_, index) => ({
      ...sample,
      id: `${index}`,
      server: name,
      tool: name,
      words: [{ text: name, differs: true }],
    }));
    const begun = performance.now();
    await show(calls);
    expect(await rows().count()).toBe(500);
    expect(performance.now() - begun).toBeLessThan(5_000);
    expect(await page.locator('img').count()).toBe(0);
    expect(await rows().first().innerText()).toContain('U+202E');
  });
});

it('keeps its times right with the clock of the page', async () => {
  const stopped = await panels.open('calls', { stopClock: true });
  await stopped.load();
  const now = await stopped.page.evaluate(() => Date.now());
  const calls = listedCalls(now).slice(0, 2);
  await stopped.post({ type: 'calls', calls, isKept: true });
  const times = (): Promise<string[]> => stopped.page.locator('.records time').allInnerTexts();
  await expect.poll(times).toEqual(['2 min ago', '1 h ago']);
  await stopped.page.clock.runFor(60 * 60_000);
  await expect.poll(times).toEqual(['1 h ago', '2 h ago']);
});
