import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import { exchangeAction } from '../../src/shared/resultMessages.ts';
import { createPng } from '../fixtures/png.ts';
import { findAxeProblems } from './axe.ts';
import { type OpenedResult, openResultForEach } from './resultPage.ts';
import { toolDocument } from './samples.ts';

let panel: OpenedResult['panel'];
let page: OpenedResult['page'];
let show: OpenedResult['show'];
let showContent: OpenedResult['showContent'];
let asked: OpenedResult['asked'];

openResultForEach((opened) => {
  ({ panel, page, show, showContent, asked } = opened);
});

function focusedText(): Promise<string> {
  return page.evaluate(() => (document.activeElement as HTMLElement).innerText);
}

const weather: JsonObject = {
  city: 'Lisbon',
  days: [
    { day: 'Mon', high: 24, rain: false },
    { day: 'Tue', high: null, rain: true },
    { day: 'Wed', high: 9, rain: true },
  ],
  'wind speed': { from: 'N', knots: [12, 14] },
};

describe('JSON in a result', () => {
  it('is a tree to go through with the arrow keys', async () => {
    await showContent([], weather);
    const tree = page.getByRole('tree', { name: 'Structured content' });
    await tree.getByRole('treeitem').first().focus();
    await panel.press('ArrowDown', 'ArrowDown');
    expect(await focusedText()).toMatch(/^days: \[3\]/);
    await panel.press('ArrowRight', 'ArrowRight', 'ArrowRight');
    expect(await focusedText()).toMatch(/^day: "Mon"/);
    await panel.press('ArrowLeft', 'ArrowLeft');
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-expanded'))).toBe('false');
    await panel.press('Home', 'ArrowUp');
    expect(await focusedText()).toMatch(/^\{3\}/);
    await panel.press('End');
    expect(await focusedText()).toMatch(/^knots: \[2\]/);
    await panel.press('ArrowLeft', 'Enter');
    expect(await tree.getByText('knots').isVisible()).toBe(false);
    expect(await tree.locator('[tabindex="0"].json-row').count()).toBe(1);
  });

  it('copies the value and the path of a node, by keyboard', async () => {
    await showContent([], weather);
    await page.getByRole('treeitem', { name: 'knots' }).click();
    await panel.press('ArrowDown', 'Control+c', 'Tab');
    await panel.press('Tab', 'Enter');
    await page.getByRole('treeitem', { name: 'city' }).hover();
    await page.getByRole('treeitem', { name: 'city' }).getByRole('button', { name: 'Copy Value' }).click();
    await expect.poll(asked).toEqual([
      { type: 'copy', text: '12' },
      { type: 'copy', text: '$["wind speed"].knots[0]' },
      { type: 'copy', text: 'Lisbon' },
    ]);
  });

  it('has the extension copy what the page has only in part', async () => {
    await showContent([], { text: 'x'.repeat(600_000) });
    await page.getByRole('treeitem', { name: 'text' }).focus();
    await panel.press('Control+c');
    await expect.poll(asked).toEqual([{ type: 'action', id: 'copy:["value","structured",["text"]]' }]);
  });

  it('finds keys and values, and opens what they are in', async () => {
    await showContent([], weather);
    const search = page.getByRole('search').getByRole('searchbox');
    expect(await page.getByText('day: "Tue"').count()).toBe(0);
    await search.fill('tue');
    await page.getByText('1 of 1', { exact: true }).waitFor();
    await page.getByText('day: "Tue"').waitFor();
    await search.fill('high');
    await page.getByText('1 of 3').waitFor();
    await panel.press('Enter', 'Enter');
    await page.getByText('3 of 3').waitFor();
    await page.getByRole('button', { name: 'Next Match' }).click();
    await page.getByText('1 of 3').waitFor();
    await page.getByRole('button', { name: 'Previous Match' }).click();
    await page.getByText('3 of 3').waitFor();
    expect(await page.locator('.json-found').innerText()).toMatch(/^high: 9/);
    await search.fill('nothing has this');
    await page.getByText('No matches').waitFor();
  });

  it('finds what is far down a long list', async () => {
    await showContent([], { list: Array.from({ length: 6_000 }, (_, index) => `item ${index}`) });
    await page.getByRole('searchbox').fill('item 5432');
    await page.getByText('5432: "item 5432"').waitFor();
  });

  it('is shown from a text too, and as the text on demand', async () => {
    await showContent([{ type: 'text', text: '{ "a":  {"b": 1} }' }]);
    await page.getByRole('tree', { name: 'JSON text' }).getByText('b: 1').waitFor();
    await page.getByRole('button', { name: 'Text', exact: true }).click();
    expect(await page.locator('main pre.code').innerText()).toBe('{ "a":  {"b": 1} }');
    expect(await page.getByRole('tree', { name: 'JSON text' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Tree' }).click();
    await page.getByText('b: 1').waitFor();
  });

  it('is not shown twice where the text says the same as the structured content', async () => {
    await showContent([{ type: 'text', text: JSON.stringify(weather) }], weather);
    expect(await page.getByRole('tree').count()).toBe(1);
    await page.getByText('Text, also in the structured content').click();
    expect(await page.locator('main pre.code').innerText()).toBe(JSON.stringify(weather));
    await showContent([{ type: 'text', text: '{"city":"Porto"}' }], weather);
    await page.getByText('The text and the structured content differ. $.city is "Porto" in the text').waitFor();
  });

  it('has each difference from the output schema at its place, and a list that leads there', async () => {
    const differences = [
      { path: ['days', '1', 'high'], message: 'must be number' },
      { path: [], message: 'must have required property "country"' },
    ];
    const result = { isError: false, content: [], structuredContent: weather };
    await show({ ...toolDocument, differences, result: { kind: 'tool', result } });
    await page.getByText("does not match the tool's output schema in 2 places:").waitFor();
    const node = page.getByRole('treeitem', { name: 'high: null' });
    expect(await node.innerText()).toContain('must be number');
    await page.getByRole('button', { name: '$.days[1].high' }).focus();
    await panel.press('Enter');
    expect(await node.evaluate((row) => row === document.activeElement)).toBe(true);
    await page.getByRole('button', { name: 'Table' }).click();
    await page.getByRole('cell', { name: 'must be number' }).waitFor();
    await page.getByRole('button', { name: '$', exact: true }).click();
    expect(await focusedText()).toContain('must have required property "country"');
    expect(await findAxeProblems(panel)).toEqual([]);
  });
});

describe('a list of like objects', () => {
  const people = {
    people: Array.from({ length: 250 }, (_, id) => ({ id, name: `Person ${(id * 7) % 250}`, tags: [id] })),
  };
  const firstRow = (): Promise<string[]> => page.locator('tbody tr').first().locator('td').allInnerTexts();

  it('is a table that can be sorted with the keyboard', async () => {
    await showContent([], people);
    expect(await page.getByRole('columnheader').allInnerTexts()).toEqual(['id', 'name', 'tags']);
    const name = page.getByRole('columnheader', { name: 'name' });
    await name.getByRole('button').focus();
    await panel.press('Enter');
    expect(await name.getAttribute('aria-sort')).toBe('ascending');
    expect(await firstRow()).toEqual(['0', 'Person 0', '[0]']);
    await panel.press('Enter');
    expect(await name.getAttribute('aria-sort')).toBe('descending');
    expect((await firstRow())[1]).toBe('Person 249');
    await panel.press('Enter');
    expect(await name.getAttribute('aria-sort')).toBe('none');
    expect(await findAxeProblems(panel)).toEqual([]);
  });

  it('draws rows in steps, and keeps the focus', async () => {
    await showContent([], people);
    expect(await page.locator('tbody tr').count()).toBe(100);
    await page.getByRole('button', { name: 'Show 100 More Rows' }).focus();
    await panel.press('Enter');
    expect(await page.locator('tbody tr').count()).toBe(200);
    expect(await focusedText()).toMatch(/^100\s/);
    await page.getByRole('button', { name: 'Show 50 More Rows' }).click();
    expect(await page.locator('tbody tr').count()).toBe(250);
    expect(await page.getByRole('button', { name: /More Rows/ }).count()).toBe(0);
  });

  it('can be filtered, copied, and seen as a tree', async () => {
    await showContent([], people);
    await page.getByRole('searchbox', { name: 'Filter rows of people' }).fill('PERSON 24');
    await page.getByText('11 of 250 rows').waitFor();
    await page.getByRole('button', { name: 'Copy as CSV' }).click();
    await expect.poll(asked).toEqual([{ type: 'action', id: 'copy:["table","structured",["people"]]' }]);
    await page.getByRole('button', { name: 'Tree' }).click();
    await page.getByRole('treeitem', { name: 'people: [250]' }).waitFor();
  });

  it('is found in a text, and beside other members', async () => {
    await showContent([{ type: 'text', text: JSON.stringify([{ a: 1 }, { a: 2 }]) }], weather);
    await page.getByRole('table', { name: 'Rows', exact: true }).waitFor();
    // The whole of a text has no place in it to name.
    expect(await page.locator('.table-view .view-tools').first().innerText()).toMatch(/^Filter rows\s+2 rows/);
    await page
      .getByRole('group', { name: 'View of Structured content' })
      .getByRole('button', { name: 'Table' })
      .click();
    await page.getByRole('table', { name: 'Rows of days' }).getByRole('cell', { name: 'Tue' }).waitFor();
  });

  it('shows names and cells of a server as text', async () => {
    const row = { '<img src=x>': '<b>bold</b>', 'b\u202Ec': 'd\u200Be' };
    await showContent([], { rows: [row, row] });
    expect(await page.getByRole('columnheader').allInnerTexts()).toEqual(['<img src=x>', 'bU+202Ec']);
    expect(await firstRow()).toEqual(['<b>bold</b>', 'dU+200Be']);
    expect(await page.locator('main').locator('img, b').count()).toBe(0);
  });
});

describe('media in a result', () => {
  it('enlarges a picture with the keyboard', async () => {
    await showContent([{ type: 'image', data: createPng(300), mimeType: 'image/png' }]);
    await page.getByText('image/png, 300 × 300 pixels').waitFor();
    const width = (): Promise<number> => page.getByRole('img').evaluate((image) => (image as HTMLImageElement).width);
    await page.getByRole('region', { name: 'Image from the server, image/png' }).focus();
    await panel.press('1', '+', '+');
    expect(await width()).toBe(469);
    await page.getByText('156 %').waitFor();
    await panel.press('0');
    expect(await width()).toBe(300);
    await page.getByRole('button', { name: 'Zoom Out' }).click();
    expect(await width()).toBe(240);
    await page.getByRole('button', { name: 'Actual Size' }).click();
    expect(await width()).toBe(300);
    for (let times = 0; times < 30; times += 1) await page.getByRole('button', { name: 'Zoom In' }).click();
    await page.getByText('1600 %').waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
    expect(await findAxeProblems(panel)).toEqual([]);
  });

  it('plays a film', async () => {
    const blob = await page.evaluate(recordFilm);
    await showContent([{ type: 'resource', resource: { uri: 'demo://film', mimeType: 'video/webm', blob } }]);
    const film = page.locator('video[controls]');
    await expect.poll(() => film.evaluate((video) => (video as HTMLVideoElement).videoWidth)).toBe(64);
    expect(await film.getAttribute('aria-label')).toBe('Video from the server, video/webm');
  });

  it('opens and saves what is a file', async () => {
    const blob = 'JVBERi0xLjQKJSVFT0YK';
    await showContent([
      { type: 'resource', resource: { uri: 'demo://a.pdf', mimeType: 'application/pdf', blob } },
      { type: 'resource', resource: { uri: 'demo://a.bin', blob } },
      { type: 'resource', resource: { uri: 'demo://a.py', mimeType: 'text/x-python', text: 'print(1)' } },
    ]);
    for (const open of await page.getByRole('button', { name: 'Open', exact: true }).all()) await open.click();
    for (const save of await page.getByRole('button', { name: 'Save As…' }).all()) await save.click();
    await expect.poll(asked).toEqual([
      { type: 'open', index: 0 },
      { type: 'open', index: 2 },
      { type: 'save', index: 0 },
      { type: 'save', index: 1 },
      { type: 'save', index: 2 },
    ]);
  });
});

it('shows the messages of a result, and saves all of it, through the extension', async () => {
  const result = { isError: false, content: [{ type: 'text', text: 'word '.repeat(300_000) }] } as const;
  await show({
    ...toolDocument,
    differences: [],
    actions: [{ ...exchangeAction, run: async () => {} }],
    result: { kind: 'tool', result },
  });
  for (const name of ['Show Exchange', 'Save Whole As…']) await page.getByRole('button', { name }).click();
  await expect.poll(asked).toEqual([
    { type: 'action', id: 'exchange' },
    { type: 'action', id: 'saveWhole' },
  ]);
});

/** Runs in the page. @returns a film of one picture as Base64 */
async function recordFilm(): Promise<string> {
  const canvas = Object.assign(document.createElement('canvas'), { width: 64, height: 48 });
  const paint = (): void => {
    const context = canvas.getContext('2d');
    context?.fillRect(0, 0, Math.random() * 64, 48);
  };
  paint();
  const recorder = new MediaRecorder(canvas.captureStream(30), { mimeType: 'video/webm' });
  const recorded = new Promise<Blob>((done) => {
    recorder.addEventListener('dataavailable', ({ data }) => done(data), { once: true });
  });
  recorder.start();
  for (let frame = 0; frame < 10; frame += 1) {
    paint();
    await new Promise((done) => requestAnimationFrame(done));
  }
  recorder.stop();
  const bytes = new Uint8Array(await (await recorded).arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}
