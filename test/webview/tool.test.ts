import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject, UnknownRecord } from '../../src/base/json.ts';
import type { HistoryView, ToolFromPanel, ToolToPanel, ToolView } from '../../src/shared/toolMessages.ts';
import { plainDescriptions, plainTexts } from '../fixtures/plainTexts.ts';
import { expectSound } from './looks.ts';
import type { PanelPage } from './panelPage.ts';
import { toolOutcome as outcome } from './samples.ts';
import { usePanels } from './setUp.ts';

const panels = usePanels();

const nested: UnknownRecord = {
  type: 'object',
  properties: {
    city: { type: 'string', description: 'Where to look.' },
    days: { type: 'integer', minimum: 1, maximum: 7 },
    place: {
      oneOf: [
        { title: 'Point', type: 'object', properties: { lat: { type: 'number' } }, required: ['lat'] },
        { title: 'Name', type: 'string' },
      ],
    },
    tags: { type: 'array', items: { type: 'string' } },
  },
  required: ['city'],
};

const view: ToolView = {
  server: 'demo',
  name: 'forecast',
  title: 'Forecast',
  description: 'Tells the **weather**.',
  claims: [{ icon: 'eye', label: 'only reads data', detail: 'According to its server, it only reads data.' }],
  taskSupport: undefined,
  schema: nested,
  notices: [],
  state: 'running',
  revision: 3,
};

describe('the page of a tool', () => {
  let panel: PanelPage;
  let page: Page;

  beforeEach(async () => {
    panel = await panels.open('tool', { width: 700 });
    ({ page } = panel);
    await panel.load();
  });

  const post = (message: ToolToPanel): Promise<void> => panel.post(message);

  async function show(args: JsonObject = {}, shown: Partial<ToolView> = {}): Promise<void> {
    await post({ type: 'tool', view: { ...view, ...shown } });
    await post({ type: 'arguments', args });
  }

  const sent = (): readonly ToolFromPanel[] => panel.sent as readonly ToolFromPanel[];

  async function expectArguments(args: JsonObject): Promise<void> {
    await expect.poll(() => sent().findLast(({ type }) => type === 'edit')).toEqual({ type: 'edit', args });
  }

  it('sends nothing before the person does something, and writes no defaults', async () => {
    await show();
    await page.getByRole('heading', { level: 1, name: 'Forecast' }).waitFor();
    await page.getByText('The server claims:').waitFor();
    await page.getByText('Tells the **weather**.').waitFor();
    await page.keyboard.press('Escape');
    expect(sent()).toEqual([{ type: 'ready' }]);
  });

  it.each(Object.entries({ ...plainDescriptions, ...plainTexts }))(
    'shows a description as it is: %s',
    async (_name, description) => {
      await show({}, { description });
      const drawn = page.locator('header pre.exact:not(.inline)');
      expect(await drawn.evaluate((made) => made.textContent)).toBe(description);
      expect(await drawn.evaluate((made) => getComputedStyle(made).whiteSpace)).toBe('pre-wrap');
      expect(await drawn.locator('*').count()).toBe(0);
    },
  );

  it('folds what other hosts would do with the tool, with sources that the extension opens', async () => {
    const url = 'https://github.com/microsoft/vscode/issues/1';
    const findings = [
      { isRefused: true, text: 'The name is <b>long</b>.', sources: [{ title: 'microsoft/vscode#1', url }] },
    ];
    await show({}, { findings });
    const text = page.getByText('The name is <b>long</b>.');
    expect(await text.isVisible()).toBe(false);
    await page.getByText('1 finding for other hosts').click();
    await text.waitFor();
    await page.getByRole('button', { name: 'microsoft/vscode#1' }).click();
    await expect.poll(() => sent().at(-1)).toEqual({ type: 'openSource', url });
    await expectSound(panel, 'findings');
    await show({}, { findings: [...findings, ...findings], notices: ['The server has started again.'] });
    await page.getByText('The server has started again.').waitFor();
    expect(await text.first().isVisible()).toBe(true);
  });

  it('draws the texts of a result as the person wants to see them, and says so when that changes', async () => {
    await show();
    await post({ type: 'outcome', outcome });
    await page.getByText('Lisbon: sunny, **24 °C**.').waitFor();
    await page.getByRole('button', { name: 'Show as Markdown' }).click();
    await page.getByText('Lisbon: sunny, 24 °C.').waitFor();
    await expect.poll(() => sent().at(-1)).toEqual({ type: 'showTextAs', style: 'markdown' });
    await post({ type: 'outcome', outcome, textStyle: 'text' });
    await page.getByText('Lisbon: sunny, **24 °C**.').waitFor();
    await post({ type: 'outcome', outcome, textStyle: 'markdown' });
    await page.getByText('Lisbon: sunny, 24 °C.').waitFor();
  });

  it('is filled by keyboard alone, and called with Ctrl+Enter', async () => {
    await show();
    await post({ type: 'focus' });
    await page.keyboard.type('Lisbon');
    await page.keyboard.press('Tab');
    await page.keyboard.type('3');
    await panel.tabTo('tags');
    await page.keyboard.press('Enter');
    await page.keyboard.type('sun');
    await page.keyboard.press('Control+Enter');
    await expect
      .poll(() => sent().slice(-2))
      .toEqual([
        { type: 'edit', args: { city: 'Lisbon', days: 3, tags: ['sun'] } },
        { type: 'call', args: { city: 'Lisbon', days: 3, tags: ['sun'] }, revision: 3 },
      ]);
  });

  it('says that a tool takes no arguments, with the focus on what calls it', async () => {
    await show({}, { schema: { type: 'object', properties: {} } });
    await post({ type: 'focus' });
    await page.getByText('This takes no arguments.').waitFor();
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Call');
    expect(await page.getByRole('button', { name: 'Add Entry' }).isVisible()).toBe(false);
  });

  it('does not call with a text that is no number, and leads to it', async () => {
    await show({ city: 'a' });
    const days = page.getByRole('textbox', { name: 'days' });
    await days.fill('12a');
    await page.getByText('“days” must be a number.').first().waitFor();
    await page.getByRole('textbox', { name: 'city' }).focus();
    await page.keyboard.press('Control+Enter');
    expect(await days.evaluate((input) => input === document.activeElement)).toBe(true);
    await page.getByText('The tool was not called. Correct the arguments first.').first().waitFor();
    await post({ type: 'problems', problems: [{ path: ['days'], message: 'is required' }] });
    await page.getByRole('heading', { name: '1 problem in the arguments' }).waitFor();
    expect(sent().filter(({ type }) => type === 'call')).toEqual([]);
    await page.getByRole('button', { name: '“days” must be a number.', exact: true }).click();
    expect(await days.evaluate((input) => input === document.activeElement)).toBe(true);
    expect(await days.inputValue()).toBe('12a');
    await days.fill('5');
    await page.keyboard.press('Control+Enter');
    await expect.poll(() => sent().at(-1)).toEqual({ type: 'call', args: { city: 'a', days: 5 }, revision: 3 });
  });

  it('shows what the schema objects to at its field, in words, and opens the way to it', async () => {
    await show({ city: 'a', place: {} });
    await post({
      type: 'problems',
      problems: [
        { path: ['place', 'lat'], message: 'is required' },
        { path: ['tags', '1'], message: 'must be a string' },
      ],
      note: 'The arguments are not checked.',
    });
    // Before a call, what is not filled in is no problem.
    await page.getByRole('heading', { name: 'Not checked' }).waitFor();
    const heading = page.getByRole('heading', { name: '2 problems in the arguments' });
    expect(await heading.count()).toBe(0);
    await page.keyboard.press('Control+Enter');
    await heading.waitFor();
    const lat = page.getByRole('textbox', { name: 'lat' });
    expect(await lat.getAttribute('aria-invalid')).toBe('true');
    await page.getByRole('button', { name: '“place › lat” is required.', exact: true }).click();
    expect(await lat.evaluate((input) => input === document.activeElement)).toBe(true);
    // A call that the extension refuses leads to the first.
    await page.getByRole('textbox', { name: 'city' }).focus();
    const note = 'The tool was not called. Correct the arguments first.';
    await post({ type: 'call', call: { kind: 'idle', note, isInvalid: true } });
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-invalid'))).toBe('true');
    await page.getByText(note).first().waitFor();
  });

  it('says nothing of an empty form before the person has begun', async () => {
    await show();
    await post({ type: 'problems', problems: [{ path: ['city'], message: 'is required' }] });
    await page.getByRole('textbox', { name: 'city' }).waitFor();
    expect(await page.getByText('“city” is required.').first().isVisible()).toBe(false);
    await page.keyboard.press('Control+Enter');
    await page.getByText('“city” is required.').first().waitFor();
    await page.getByRole('heading', { name: '1 problem in the arguments' }).waitFor();
  });

  it('says of a list that was begun what is missing in it, once a call was tried', async () => {
    const texts = { oldText: { type: 'string' }, newText: { type: 'string' } };
    const edit = { type: 'object', properties: texts, required: ['oldText', 'newText'] };
    const properties = { path: { type: 'string' }, edits: { type: 'array', items: edit } };
    await show({}, { schema: { type: 'object', properties, required: ['path', 'edits'] } });
    const missing = (...path: readonly string[]) => ({ path, message: 'is required', isMissing: true }) as const;
    const problems = page.getByRole('region', { name: 'Problems' });
    await page.getByRole('textbox', { name: 'path' }).fill('a.txt');
    await page.getByRole('button', { name: 'Add Item to edits' }).click();
    // It was found in the arguments of before, and comes while the person goes on.
    await post({ type: 'problems', problems: [missing('edits')] });
    await page.getByRole('textbox', { name: 'oldText' }).fill('x');
    expect(await problems.isVisible()).toBe(false);
    expect(await page.locator('.form .problem', { hasText: 'required' }).count()).toBe(0);
    await page.keyboard.press('Control+Enter');
    const args = { path: 'a.txt', edits: [{ oldText: 'x' }] };
    await expect.poll(() => sent().at(-1)).toEqual({ type: 'call', args, revision: 3 });
    expect(await problems.isVisible()).toBe(false);
    await post({ type: 'problems', problems: [missing('edits', '0', 'newText')] });
    await problems.getByRole('button', { name: '“edits › item 1 › newText” is required.', exact: true }).click();
    // What is filled in is missing no longer, before it is checked again.
    await page.keyboard.type('y');
    await expect.poll(() => problems.isVisible()).toBe(false);
  });

  it('keeps the focus and the caret when the document changes elsewhere', async () => {
    await show({ city: 'Lisbon' });
    const city = page.getByRole('textbox', { name: 'city' });
    await city.focus();
    await page.keyboard.press('Home');
    await post({ type: 'arguments', args: { city: 'Lisbon', days: 2 } });
    expect(await page.getByRole('textbox', { name: 'days' }).inputValue()).toBe('2');
    await page.keyboard.type('X');
    await expectArguments({ city: 'XLisbon', days: 2 });
  });

  it('waits while the JSON is broken, and loses nothing', async () => {
    await show({ city: 'Lisbon' });
    await post({ type: 'broken', problem: 'Line 2: Value expected.' });
    await page.getByText('Line 2: Value expected.').waitFor();
    await page.keyboard.press('Control+Enter');
    await page.getByRole('button', { name: 'Open JSON' }).last().click();
    expect(sent().at(-1)).toEqual({ type: 'openJson' });
    expect(sent().filter(({ type }) => type === 'call')).toEqual([]);
    await post({ type: 'arguments', args: { city: 'Porto' } });
    expect(await page.getByRole('textbox', { name: 'city' }).inputValue()).toBe('Porto');
    expect(await page.getByText('Line 2: Value expected.').isVisible()).toBe(false);
  });

  it('shows a call on its way, and can cancel it', async () => {
    await show({ city: 'Lisbon' });
    await page.getByRole('button', { name: 'Call', exact: true }).click();
    await post({ type: 'call', call: { kind: 'running', progress: { message: 'Asking the sky', percent: 40 } } });
    await page.getByText('Asking the sky').waitFor();
    expect(await page.getByRole('progressbar').getAttribute('value')).toBe('40');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Cancel');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(() => sent().at(-1)).toEqual({ type: 'cancel' });
    expect(sent().filter(({ type }) => type === 'call')).toHaveLength(1);
    await post({ type: 'call', call: { kind: 'idle' } });
    await post({ type: 'outcome', outcome: { kind: 'cancelled', at: 0, durationMs: 20 } });
    await page.getByText('Cancelled. The tool may have done part of its work.').waitFor();
    await post({ type: 'outcome', outcome: { kind: 'cancelled', at: 0 } });
    await page.getByText('Cancelled. Nothing was sent.').waitFor();
  });

  it('says that a call waits for the question about a changed tool, and leads to it', async () => {
    await show({ city: 'Lisbon' });
    const button = page.getByRole('button', { name: 'Show Notifications' });
    expect(await button.isVisible()).toBe(false);
    await post({ type: 'call', call: { kind: 'waiting', isAsked: true } });
    await page.locator('.progress-words', { hasText: 'Answer the question about it first.' }).waitFor();
    await page.getByRole('status').filter({ hasText: 'The server has changed this tool.' }).waitFor();
    await button.click();
    await expect.poll(() => sent().at(-1)).toEqual({ type: 'showNotifications' });
    await post({ type: 'call', call: { kind: 'running' } });
    await button.waitFor({ state: 'hidden' });
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Cancel');
  });

  it('calls once by a double click, however quickly the tool answers', async () => {
    await show({ city: 'Lisbon' });
    const calls = () => sent().filter(({ type }) => type === 'call').length;
    const place = await page.getByRole('button', { name: 'Call', exact: true }).boundingBox();
    const [x, y] = [(place?.x ?? 0) + 5, (place?.y ?? 0) + 5];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.up();
    await expect.poll(calls).toBe(1);
    await page.mouse.down({ clickCount: 2 });
    await page.mouse.up({ clickCount: 2 });
    await page.keyboard.press('Control+Enter');
    await expect.poll(calls).toBe(2);
  });

  const confirm = { kind: 'confirm', id: 7, reason: 'destructive', canRemember: true } as const;
  const confirmed = () => sent().filter(({ type }) => type === 'confirm');

  it('is sound while it wants a second press', async () => {
    await show({ city: 'Lisbon' });
    await post({ type: 'call', call: confirm });
    await page.locator('button[aria-disabled=false]', { hasText: 'Call Anyway' }).waitFor();
    await expectSound(panel, 'tool-confirm');
  });

  it('takes the first press back with Escape, and with a change of the arguments', async () => {
    await show({ city: 'Lisbon' });
    await post({ type: 'call', call: { ...confirm, canRemember: false } });
    expect(await page.getByLabel('Don’t ask again for this tool').isVisible()).toBe(false);
    await page.keyboard.press('Escape');
    await expect.poll(() => sent().at(-1)).toEqual({ type: 'cancel' });
    await post({ type: 'call', call: { kind: 'idle', note: 'Cancelled. Nothing was sent.' } });
    await page.locator('.call-note', { hasText: 'Cancelled. Nothing was sent.' }).waitFor();
    await page.getByRole('status').filter({ hasText: 'Cancelled. Nothing was sent.' }).waitFor();
    await post({ type: 'call', call: { ...confirm, id: 8, reason: 'changed' } });
    await page.locator('.confirm', { hasText: 'The server has changed this tool since you pressed Call.' }).waitFor();
    await page.getByRole('textbox', { name: 'city' }).fill('Porto');
    await expect.poll(() => sent().filter(({ type }) => type === 'cancel')).toHaveLength(2);
    expect(confirmed()).toEqual([]);
    await post({ type: 'call', call: { kind: 'idle' } });
    expect(await page.getByRole('button', { name: 'Call', exact: true }).isVisible()).toBe(true);
  });

  it('says which call the result is of where the form has other arguments', async () => {
    await show({ city: 'Lisbon' });
    await post({ type: 'outcome', outcome });
    await post({ type: 'outcomeOf', summary: '"city":"<b>Porto</b>"' });
    await page.getByText('Of an earlier call with other arguments: "city":"<b>Porto</b>"').waitFor();
    await post({ type: 'outcomeOf', summary: undefined });
    await page.getByText('Of an earlier call').waitFor({ state: 'hidden' });
  });

  it('scrolls to how the call ended, where the form is longer than the window', async () => {
    const properties = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`p${index}`, { type: 'string' }]));
    await show({}, { schema: { type: 'object', properties } });
    const heading = page.getByRole('heading', { name: 'Result' });
    const isInSight = (): Promise<boolean> =>
      heading.evaluate((shown) => {
        const { top, bottom } = shown.getBoundingClientRect();
        return top > 0 && bottom < window.innerHeight;
      });
    await post({ type: 'outcome', outcome });
    expect(await isInSight()).toBe(false);
    await post({ type: 'call', call: { kind: 'running' } });
    await post({ type: 'outcome', outcome });
    expect(await isInSight()).toBe(true);
  });

  it('tells a result, an error of the protocol and a refusal apart', async () => {
    await show();
    await post({ type: 'outcome', outcome });
    await page.getByText('took 1.2 s').waitFor();
    await page.getByText('source:').waitFor();
    await post({
      type: 'outcome',
      outcome: {
        kind: 'error',
        at: 0,
        title: 'The server answered with error -32602',
        message: 'No city',
        detail: '{}',
      },
    });
    await page.getByText('The server answered with error -32602.').first().waitFor();
    expect(await page.getByText('source:').count()).toBe(0);
    await post({ type: 'outcome', outcome: { kind: 'declined', at: 0, message: 'Nothing was sent.' } });
    await page.getByText('The tool was not called.').first().waitFor();
  });

  it('shows what came before a restart beside what came after it, with the lines that differ', async () => {
    await show();
    const then = {
      parts: [
        { text: 'same', isChanged: false },
        { text: 'old', isChanged: true },
      ],
      isError: false,
    };
    const after = {
      parts: [
        { text: 'same', isChanged: false },
        { text: '<b>new</b>', isChanged: true },
      ],
      isError: true,
    };
    await post({ type: 'outcome', outcome: { ...outcome, before: { isSame: false, then, now: after } } });
    await page.locator('.banner.warning', { hasText: 'Called again after the restart: it fails now.' }).waitFor();
    expect(await page.locator('.sides del').innerText()).toBe('old');
    expect(await page.locator('.sides ins').innerText()).toBe('<b>new</b>');
    expect(await page.locator('.sides figcaption').allInnerTexts()).toEqual([
      'Before the restart',
      'After the restart: an error',
    ]);
    await post({ type: 'outcome', outcome: { ...outcome, before: { isSame: true } } });
    await page.getByText('Called again after the restart: same result.').waitFor();
    expect(await page.locator('.sides').count()).toBe(0);
  });

  const history: HistoryView = {
    entries: [
      {
        id: 'b',
        at: 2_000,
        durationMs: 12,
        outcome: 'done',
        words: [
          { text: 'days: 3', differs: false },
          { text: 'city: "Porto"', differs: true },
        ],
      },
      { id: 'a', at: 1_000, outcome: 'declined', words: [{ text: 'city: "<b>x</b>"', differs: true }] },
    ],
    more: 3,
    isKept: true,
  };

  it('lists the calls of the history, each with what can be done with it', async () => {
    await show({ city: 'a' });
    await post({ type: 'history', history: { entries: [], more: 0, isKept: true } });
    await page.getByText('No calls yet.').waitFor();
    await post({ type: 'history', history });
    await page.getByText('3 older calls not listed.').waitFor();
    const rows = page.locator('.history li');
    expect(await rows.count()).toBe(2);
    await rows.first().getByRole('button', { name: 'Porto' }).click();
    await rows.last().getByRole('button', { name: 'not allowed' }).waitFor();
    // One click, or Tab and Enter, shows what went over the wire; where nothing was sent, there is nothing to show.
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await rows.last().getByRole('button', { name: 'Show Exchange' }).count()).toBe(0);
    const actions = ['Edit Arguments', 'Call Again', 'Compare…', 'Show Exchange', 'Copy As…', 'Save Call…', 'Forget'];
    for (const name of actions) {
      await rows
        .last()
        .getByRole('button', { name: /^More for/ })
        .click();
      await page.getByRole('menuitem', { name }).click();
    }
    await page.getByRole('button', { name: 'Forget All' }).click();
    const chosen = (['edit', 'again', 'compare', 'exchange', 'copyAs', 'save', 'forget'] as const).map((action) => ({
      type: 'history',
      id: 'a',
      action,
    }));
    await expect
      .poll(() => sent().slice(1))
      .toEqual([
        { type: 'history', id: 'b', action: 'show' },
        { type: 'history', id: 'b', action: 'exchange' },
        ...chosen,
        { type: 'forgetHistory' },
      ]);
    await post({ type: 'outcome', outcome: { kind: 'notKept', at: 0, isPast: true, message: 'Too much of it.' } });
    await page.getByText('From the history').waitFor();
    await page.getByRole('main').getByText('Too much of it.').waitFor();
  });

  it('has no button for more of a list that is whole', async () => {
    await show({ city: 'a', tags: ['one'] });
    await page.getByRole('button', { name: 'Add Item' }).waitFor();
    expect(await page.locator('main').evaluate((main) => main.textContent)).not.toMatch(/Show -?\d+ More/);
  });

  it('offers the messages of a call that failed too, and the log', async () => {
    await show({ city: 'a' });
    const failed = { kind: 'error', at: 0, durationMs: 1, title: 'The call failed', message: 'No.' } as const;
    await post({ type: 'outcome', outcome: failed });
    await page.getByText('The call failed.').waitFor();
    expect(await page.getByRole('button', { name: 'Show Exchange' }).count()).toBe(0);
    await post({ type: 'outcome', outcome: { ...failed, hasExchange: true } });
    await page.getByRole('button', { name: 'Show Exchange' }).click();
    await expect.poll(() => sent().at(-1)).toEqual({ type: 'action', id: 'exchange' });
    await page.getByRole('button', { name: 'Show Log' }).click();
    await expect.poll(() => sent().at(-1)).toEqual({ type: 'action', id: 'log' });
  });

  it('has the result right below few arguments', async () => {
    await show({}, { schema: { type: 'object', properties: { city: { type: 'string' } } } });
    const box = async (selector: string) => page.locator(selector).boundingBox();
    const [args, result] = [await box('.form-place'), await box('section.outcome')];
    expect((result?.y ?? 0) - (args?.y ?? 0) - (args?.height ?? 0)).toBeLessThan(40);
  });

  it('stays where it is when the last result is put in', async () => {
    await show(
      { city: 'a' },
      {
        schema: {
          type: 'object',
          properties: Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`f${index}`, { type: 'string' }])),
        },
      },
    );
    await post({ type: 'outcome', outcome: { ...outcome, isPast: true, isRestored: true } });
    await page.getByText('Last result').waitFor({ state: 'attached' });
    expect(await page.evaluate(() => globalThis.scrollY)).toBe(0);
    expect(await page.locator('body > [role=status]').innerText()).toBe('');
  });

  it('keeps the focus when a call is forgotten, and says why the history is empty', async () => {
    await show({ city: 'a' });
    await post({ type: 'history', history });
    await page
      .locator('.history li')
      .last()
      .getByRole('button', { name: /^More for/ })
      .focus();
    await post({ type: 'history', history: { ...history, entries: history.entries.slice(0, 1), more: 0 } });
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('History');
    await post({ type: 'history', history: { entries: [], more: 0, isKept: false } });
    await page.getByText('“patchbay.history.enabled” is off').waitFor();
    expect(await page.getByRole('button', { name: 'Forget All' }).isVisible()).toBe(false);
  });

  it('fills the form with saved calls and the last call, and saves and copies what is typed', async () => {
    await show({ city: 'a' });
    await post({ type: 'saved', calls: [{ name: 'Rainy <b>day</b>', description: undefined }] });
    await page.getByRole('list', { name: 'Saved calls' }).getByRole('button', { name: 'Rainy <b>day</b>' }).click();
    await page.getByRole('textbox', { name: 'city' }).fill('b');
    const more = page.getByRole('button', { name: 'More for this call' });
    for (const name of ['Save Call…', 'Copy Call As…', 'Fill In the Last Call', 'Fill In Defaults']) {
      await more.click();
      await page.getByRole('menuitem', { name }).click();
    }
    await expect
      .poll(() => sent().slice(1))
      .toEqual([
        { type: 'openSaved', name: 'Rainy <b>day</b>' },
        { type: 'edit', args: { city: 'b' } },
        { type: 'saveCall' },
        { type: 'copyAs' },
        { type: 'fillLast' },
        { type: 'fillDefaults' },
      ]);
  });

  it('keeps integers of any length as they were entered', async () => {
    const schema = { type: 'object', properties: { id: { type: 'integer' }, any: {} } };
    await post({ type: 'tool', view: { ...view, schema } });
    await post({ type: 'arguments', args: '{"id":725653563933458432}' });
    const field = page.getByRole('textbox', { name: 'id' });
    await expect.poll(() => field.inputValue()).toBe('725653563933458432');
    await post({ type: 'arguments', args: '{"id":725653563933458433}' });
    await expect.poll(() => field.inputValue()).toBe('725653563933458433');
    await field.fill('-9007199254740993');
    await expect
      .poll(() => sent().findLast(({ type }) => type === 'edit'))
      .toEqual({ type: 'edit', args: '{"id":-9007199254740993}' });
    expect(await field.inputValue()).toBe('-9007199254740993');
  });

  it('goes when it is asked to, once the extension has all that is in it', async () => {
    await show({ city: 'a' });
    const left = (): readonly ToolFromPanel[] => sent().filter(({ type }) => type === 'left');
    await page.getByRole('textbox', { name: 'city' }).fill('b');
    await post({ type: 'leave' });
    await expect.poll(left).toHaveLength(1);
    expect(sent().slice(-2)).toEqual([
      { type: 'edit', args: { city: 'b' } },
      { type: 'left', place: { top: 0, control: expect.stringMatching(/./) }, args: { city: 'b' } },
    ]);
    // Text that is no number is in the page alone.
    await page.getByRole('textbox', { name: 'days' }).fill('1e');
    await post({ type: 'leave' });
    await page.getByRole('textbox', { name: 'days' }).fill('');
    await post({ type: 'leave' });
    await expect.poll(left).toHaveLength(2);
    await post({ type: 'outcome', outcome });
    await page.getByRole('button', { name: 'Show as Markdown' }).click();
    await post({ type: 'leave' });
    await page.getByRole('textbox', { name: 'city' }).fill('c');
    await expectArguments({ city: 'c' });
    expect(left()).toHaveLength(2);
  });

  it('comes back with the focus where it was, unless that is elsewhere by now', async () => {
    await show({ city: 'a' });
    await page.getByRole('textbox', { name: 'city' }).focus();
    await post({ type: 'leave' });
    await expect.poll(() => sent().at(-1)?.type).toBe('left');
    const { place } = sent().at(-1) as Extract<ToolFromPanel, { readonly type: 'left' }>;
    const focused = (): Promise<string | undefined> => page.evaluate(() => document.activeElement?.id);
    const city = await focused();
    await panel.load();
    await show({ city: 'a' });
    await post({ type: 'return', place });
    await expect.poll(focused).toBe(city);
    await page.getByRole('textbox', { name: 'days' }).focus();
    const days = await focused();
    await post({ type: 'return', place });
    await show({ city: 'b' });
    expect(await focused()).toBe(days);
  });

  it('keeps what was typed when the server lists another definition', async () => {
    await show({ city: 'Lisbon', days: 3 });
    const { days: _days, ...properties } = nested['properties'] as Record<string, unknown>;
    await post({ type: 'tool', view: { ...view, schema: { ...nested, properties, additionalProperties: false } } });
    await page.getByText('Not in the schema').waitFor();
    expect(await page.getByRole('textbox', { name: 'city' }).inputValue()).toBe('Lisbon');
    await page.getByRole('button', { name: 'Remove days' }).click();
    await expectArguments({ city: 'Lisbon' });
  });

  it('draws hostile texts as text, and bounds them', async () => {
    const schema = {
      type: 'object',
      properties: { a: { type: 'string', title: '<img src=x>', description: `\u202E${'<b>x</b>'.repeat(20_000)}` } },
    };
    await show({}, { schema, title: '<script>1</script>', description: '[x](command:a) <b>b</b>', notices: ['<i>'] });
    await page.getByText('<script>1</script>').waitFor();
    expect(await page.locator('img, script:not([nonce]), b, i').count()).toBe(0);
    expect((await page.locator('main').innerText()).length).toBeLessThan(2_000);
  });
});

describe('a second press of Call', () => {
  const confirm = { kind: 'confirm', id: 7, reason: 'destructive', canRemember: true } as const;

  /** The clock of the page is stopped. */
  async function openQuestion(): Promise<PanelPage> {
    const panel = await panels.open('tool', { stopClock: true });
    await panel.load();
    await ask(panel);
    return panel;
  }

  async function ask(panel: PanelPage): Promise<void> {
    await panel.post({ type: 'tool', view });
    await panel.post({ type: 'arguments', args: { city: 'Lisbon' } });
    await panel.post({ type: 'call', call: confirm });
  }

  const sentBy = ({ sent }: PanelPage) =>
    (sent as readonly ToolFromPanel[]).filter(({ type }) => type === 'confirm' || type === 'call');
  const again = ({ page }: PanelPage) => page.getByRole('button', { name: 'Call Anyway' });
  const isWaiting = async (panel: PanelPage): Promise<boolean> =>
    (await again(panel).getAttribute('aria-disabled')) === 'true';

  /** A page that is still being laid out makes the button wait again. */
  async function untilReady(panel: PanelPage): Promise<void> {
    do await panel.page.clock.runFor(1_000);
    while (await isWaiting(panel));
  }

  it('takes a second press only after a second, and none of a key that is held', async () => {
    const panel = await openQuestion();
    const { page } = panel;
    const words = 'The server says this tool may delete or change data. Press again to call it.';
    await page.locator('.confirm', { hasText: words }).waitFor();
    await again(panel).focus();
    const place = await again(panel).boundingBox();
    await page.mouse.dblclick((place?.x ?? 0) + 5, (place?.y ?? 0) + 5);
    await page.keyboard.press('Control+Enter');
    await page.clock.runFor(900);
    await page.keyboard.down('Enter');
    expect([await isWaiting(panel), sentBy(panel)]).toEqual([true, []]);
    await untilReady(panel);
    // It is held still.
    for (const _ of [1, 2, 3]) await page.keyboard.down('Enter');
    expect(sentBy(panel)).toEqual([]);
    await page.keyboard.up('Enter');
    await page.getByLabel('Don’t ask again for this tool').check();
    await page.keyboard.press('Control+Enter');
    await expect.poll(() => sentBy(panel)).toEqual([{ type: 'confirm', id: 7, remember: true }]);
  });

  it('waits again where the page is loaded between the presses, and ticks nothing by itself', async () => {
    const panel = await openQuestion();
    await untilReady(panel);
    await panel.page.getByLabel('Don’t ask again for this tool').check();
    await panel.load();
    await ask(panel);
    await panel.page.keyboard.press('Control+Enter');
    expect([await isWaiting(panel), sentBy(panel)]).toEqual([true, []]);
    expect(await panel.page.getByLabel('Don’t ask again for this tool').isChecked()).toBe(false);
  });
});
