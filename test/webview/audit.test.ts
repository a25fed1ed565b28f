import type { Locator, Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import type { AuditRow } from '../../src/shared/auditView.ts';
import { auditRows } from './auditSamples.ts';
import type { PanelPage } from './panelPage.ts';
import { usePanels } from './setUp.ts';

const panels = usePanels();
let panel: PanelPage;
let page: Page;

beforeEach(async () => {
  panel = await panels.open('audit', { width: 1_200 });
  ({ page } = panel);
  await panel.load();
});

async function show(records: readonly AuditRow[] = auditRows(Date.now())): Promise<void> {
  await panel.post({ type: 'records', isFirst: true, isLast: true, records });
  await page
    .getByRole('status')
    .filter({ hasText: /record|Nothing/ })
    .waitFor();
}

/** The lines of the table, without the details. */
const lines = (): Locator => page.locator('.records tbody > tr:not(.details)');
const servers = (): Promise<string[]> => lines().locator('td:nth-child(2)').allInnerTexts();
const status = (): Promise<string> => page.getByRole('status').innerText();
const totals = (): Promise<string[]> => page.locator('.totals-line > li').allInnerTexts();

const choice = (name: string): Locator => page.getByRole('combobox', { name, exact: true });

const plain = (index: number): AuditRow => ({
  time: new Date(1_700_000_000_000 + index * 1_000).toISOString(),
  server: 's',
  action: 'toolCall',
  outcome: `call ${index}`,
  detail: {},
});

describe('the audit panel', () => {
  it('lists all records, the newest first, in words', async () => {
    await show();
    expect(await servers()).toEqual(['weather', 'weather', 'weather', 'weather', 'demo', 'demo', 'demo', 'notes']);
    const ruled = await lines().nth(4).innerText();
    for (const part of ['demo', 'Request for a model', 'allowed by a rule', 'A rule', 'llama3.2', 'about 85 / 12'])
      expect(ruled).toContain(part);
    expect(await lines().nth(5).innerText()).toContain('Tool call: summarize');
    expect(await lines().nth(6).innerText()).toContain('$0.0064');
    expect(await status()).toBe('8 records');
  });

  it('has columns for models only where a request for one is listed', async () => {
    const names = (): Promise<string[]> => page.getByRole('columnheader').allInnerTexts();
    await show();
    expect(await names()).toContain('Cost');
    await choice('What').selectOption({ label: 'Tool call' });
    await expect.poll(names).toEqual(['Time', 'Server', 'What', 'Outcome', 'Decided by']);
  });

  it('adds up requests, tokens and cost of what is listed, and says what is not known', async () => {
    await show();
    expect(await totals()).toEqual([
      '4 requests',
      '1 allowed by you',
      '1 allowed by a rule',
      '1 refused or cancelled',
      '1 failed',
      'about 1,285 tokens in',
      'about 352 tokens out',
      'Cost: $0.0064 (not known for 1 answer)',
    ]);
    await page.getByText('By model and by server').click();
    const models = page.getByRole('table', { name: 'By model' }).getByRole('row');
    expect(await models.allInnerTexts()).toEqual([
      expect.stringContaining('Tokens in'),
      expect.stringMatching(/^GPT-4o\s+2\s+1\s+0\s+0\s+1,200\s+340\s+\$0\.0064$/),
      expect.stringMatching(/^llama3\.2\s+1\s+0\s+1\s+0\s+about 85\s+about 12\s+not known/),
    ]);
    expect(await page.getByRole('table', { name: 'By server' }).innerText()).toMatch(/demo[\s\S]*weather/);
    await show([{ ...plain(1), action: 'sampling', outcome: 'approved', detail: { model: 'm' } }]);
    expect((await totals()).slice(-2)).toEqual(['Tokens: not known', 'Cost: not known']);
    await show([plain(1)]);
    expect(await totals()).toEqual(['None in the listed records.']);
  });

  it.each<[string, () => Promise<unknown>, number]>([
    ['text', () => page.getByLabel('Search').fill('LISBON today'), 1],
    ['server', () => choice('Server').selectOption('weather'), 4],
    ['action', () => choice('What').selectOption({ label: 'Tool call' }), 2],
    ['refusals', () => choice('Outcome').selectOption({ label: 'Refused or cancelled' }), 1],
    ['failures', () => choice('Outcome').selectOption('failed'), 2],
    ['the last hour', () => choice('Period').selectOption('hour'), 5],
    ['the last week', () => choice('Period').selectOption('week'), 7],
    ['requests for a model', () => page.getByLabel('Only requests for a model').check(), 4],
  ])('lists what passes the filter for %s, and says how many', async (_name, choose, count) => {
    await show();
    await choose();
    await expect.poll(status).toBe(`${count} of 8 records`);
    expect(await lines().count()).toBe(count);
    await page.getByRole('button', { name: 'Clear Filters' }).click();
    await expect.poll(status).toBe('8 records');
    expect(await page.evaluate(() => document.activeElement?.getAttribute('type'))).toBe('search');
  });

  it('filters, opens a record and exports it by keyboard alone', async () => {
    await show();
    await panel.tabTo('Search');
    await page.keyboard.type('town');
    await panel.tabTo('Only requests for a model');
    await panel.press('Space');
    await expect.poll(status).toBe('1 of 8 records');
    const time = await lines().locator('button').innerText();
    await panel.tabTo(time);
    await panel.press('Enter');
    expect(await page.locator(':focus').getAttribute('aria-expanded')).toBe('true');
    await page.getByText('SHA-256 of the request').waitFor();
    const sent = 'Name a town.\n<img src=x onerror=alert(1)> \u202Ekcab';
    await panel.tabTo(`Request, ${sent.length} characters`);
    await panel.press('Enter');
    // What a server has sent is text, to the letter.
    expect(await page.locator('.body pre').first().innerText()).toBe(sent.replace('\u202E', 'U+202E'));
    for (let presses = 0; (await page.locator(':focus').innerText()) !== 'Export…'; presses += 1) {
      expect(presses).toBeLessThan(20);
      await panel.press('Shift+Tab');
    }
    await panel.press('Enter');
    await expect
      .poll(() => panel.sent.at(-1))
      .toEqual({
        type: 'export',
        filter: { text: 'town', server: '', action: '', outcome: '', isModelOnly: true },
      });
    await panel.press('Tab', 'Enter');
    await expect.poll(() => panel.sent.at(-1)).toEqual({ type: 'export' });
  });

  it('offers one export while nothing is filtered: all', async () => {
    await show();
    expect(await page.getByRole('button', { name: 'Export All…' }).isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Export…' }).click();
    await expect.poll(() => panel.sent.at(-1)).toEqual({ type: 'export' });
    await page.getByRole('button', { name: 'Refresh' }).click();
    await expect.poll(() => panel.sent.at(-1)).toEqual({ type: 'refresh' });
  });

  it('says in words that there is nothing, and that nothing passes the filters', async () => {
    await show([]);
    await page.getByRole('main').locator('.empty').getByText('Nothing yet.').waitFor();
    expect(await page.getByRole('table').count()).toBe(0);
    await show();
    await page.getByLabel('Search').fill('nothing has this');
    await expect.poll(status).toBe('No records match these filters.');
    await page.getByRole('button', { name: 'Show All Records' }).click();
    await expect.poll(() => lines().count()).toBe(8);
  });

  it('adds new records without moving the focus, closing what is open, or talking', async () => {
    await show();
    const toggle = lines().nth(0).locator('button');
    await toggle.click();
    await panel.post({ type: 'added', records: [plain(1), { ...plain(2), server: 'new one' }] });
    await expect.poll(() => lines().count()).toBe(10);
    expect((await servers()).slice(0, 3)).toEqual(['new one', 's', 'weather']);
    expect(await page.locator(':focus').getAttribute('aria-expanded')).toBe('true');
    expect(await page.locator('.details:visible').innerText()).toContain('weather://lisbon/today');
    expect(await status()).toBe('');
    expect(await page.locator('.count').innerText()).toBe('10 records');
    // Its server can be chosen, and a choice stays while records come.
    await choice('Server').selectOption('new one');
    await panel.post({ type: 'added', records: [{ ...plain(3), server: 'another' }] });
    await expect.poll(() => page.locator('.count').innerText()).toBe('1 of 11 records');
  });

  it('draws 500 rows of many, and more when asked', async () => {
    await show(Array.from({ length: 1_200 }, (_, index) => plain(index)));
    expect(await lines().count()).toBe(500);
    expect(await lines().first().innerText()).toContain('call 1199');
    await page.getByRole('button', { name: 'Show 500 More' }).focus();
    await panel.press('Enter');
    expect(await lines().count()).toBe(1_000);
    const focused = lines().filter({ has: page.locator(':focus') });
    expect(await focused.innerText()).toContain('call 699');
    await page.getByRole('button', { name: 'Show 200 More' }).click();
    expect(await lines().count()).toBe(1_200);
    expect(await page.getByRole('button', { name: /^Show/ }).isVisible()).toBe(false);
    // Another choice begins at the top again.
    await page.getByLabel('Search').fill('call');
    await expect.poll(() => lines().count()).toBe(500);
  });

  it('takes records in parts, and draws them once all are there', async () => {
    await panel.post({ type: 'records', isFirst: true, isLast: false, records: [plain(1)] });
    expect(await lines().count()).toBe(0);
    await panel.post({ type: 'records', isFirst: false, isLast: true, records: [plain(2)] });
    await expect.poll(() => lines().count()).toBe(2);
  });

  it('shows texts of servers as text, and names that objects have by themselves as names', async () => {
    const hostile = '<img src=x onerror=alert(1)>\u202E';
    const record: AuditRow = {
      time: hostile,
      server: '__proto__',
      action: hostile,
      outcome: hostile,
      detail: { by: hostile, tool: hostile, [hostile]: hostile, constructor: true },
    };
    await show([record, { ...record, server: hostile, action: 'sampling', detail: { model: hostile } }]);
    expect(await page.locator('img').count()).toBe(0);
    await lines().nth(1).locator('button').click();
    expect(await page.locator('.details:visible').innerText()).toContain('constructor');
    expect(await page.locator('body').innerText()).not.toContain('\u202E');
    await choice('Server').selectOption({ index: 1 });
    await expect.poll(status).toBe('1 of 2 records');
  });
});
