import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkElicitationUrl } from '../../src/client/elicitation/checkedUrl.ts';
import type { ElicitationReview, FormReview } from '../../src/client/elicitation/ports.ts';
import type { ElicitationQueue } from '../../src/host/consent/elicitationQuestion.ts';
import { readFlatForm } from '../../src/schema/flatForm.ts';
import { plainTexts } from '../fixtures/plainTexts.ts';
import type { PanelPage } from './panelPage.ts';
import { formReview, visitReview } from './samples.ts';
import { createElicitationQueue, usePanels } from './setUp.ts';

const panels = usePanels();
let panel: PanelPage;
let page: Page;
let queue: ElicitationQueue;
let opened: string[];
let isOpenable: boolean;

beforeEach(async () => {
  panel = await panels.open('elicitation');
  ({ page } = panel);
  page.setDefaultTimeout(8_000);
  opened = [];
  isOpenable = true;
  queue = createElicitationQueue(panel, {
    async openAddress(href) {
      opened.push(href);
      return isOpenable;
    },
  });
});

afterEach(() => queue.dispose());

/** Asks once more. What is there afterwards is nothing of the question before. */
async function askAgain(review: FormReview) {
  const { decision } = queue.open(review);
  await panel.settled();
  return { decision };
}

/** The form with some of its fields. */
function formWith(...names: readonly string[]): FormReview {
  const { properties, required } = formReview.schema;
  const schema = {
    ...formReview.schema,
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => names.includes(name))),
    required: required.filter((name) => names.includes(name)),
  };
  return { ...formReview, schema };
}

function field(name: string) {
  return page.locator('.form-property').filter({ has: page.getByText(name, { exact: true }) });
}

/** The control with that label, not the buttons beside it. */
function control(name: string) {
  return page.getByLabel(name, { exact: true });
}

it.each(Object.entries(plainTexts))('shows a message as it was sent: %s', async (_name, message) => {
  queue.open({ ...formWith('name'), message });
  const drawn = page.locator('pre.question');
  await drawn.waitFor();
  expect(await drawn.innerText()).toBe(message);
});

describe('a form', () => {
  it('is filled in by keyboard alone, from what the server suggests', async () => {
    const { decision } = queue.open(formReview);
    await panel.readyButton('Send').waitFor();
    await page.getByText('Because you ran').waitFor();
    await panel.tabTo('Name');
    await page.keyboard.insertText('Ada');
    await panel.tabTo('Email');
    await page.keyboard.insertText('ada@example.com');
    await panel.tabTo('Main dish');
    await panel.press('ArrowDown', 'ArrowDown');
    await panel.tabTo('Fruit');
    await panel.press('Space');
    await panel.tabTo('Portions');
    await panel.press('Control+a');
    await page.keyboard.insertText('2');
    await panel.tabTo('Vegetarian');
    await panel.press('ArrowDown');
    await panel.press('Control+Enter');
    expect(await decision).toEqual({
      kind: 'accept',
      content: {
        name: 'Ada',
        email: 'ada@example.com',
        main: 'curry',
        extras: ['bread', 'fruit'],
        portions: 2,
        day: '2026-03-13',
        at: '2026-03-13T11:30:00Z',
        vegetarian: false,
        note: 'No onions, please.',
      },
    });
  });

  it('says at each field what is wrong, and is not sent before that is mended', async () => {
    const { decision } = queue.open(formReview);
    await panel.readyButton('Send').click();
    await page.getByRole('alert').filter({ hasText: 'Correct 3 fields first.' }).waitFor();
    expect(await page.evaluate(() => (document.activeElement as HTMLTextAreaElement).labels?.[0]?.textContent)).toBe(
      'Name',
    );
    const invalid = page.locator('[aria-invalid="true"]');
    expect(await invalid.count()).toBe(3);
    await control('Name').fill('Ada');
    await control('Email').fill('ada');
    await control('Portions').fill('9');
    await control('Main dish').selectOption('Soup');
    for (const name of ['Fruit', 'Tea']) await control(name).check();
    await control('Door code').fill('12a');
    await panel.readyButton('Send').click();
    await page.getByRole('alert').filter({ hasText: 'Correct 4 fields first.' }).waitFor();
    expect(await page.locator('.form-property > .problem').filter({ hasText: /./ }).allInnerTexts()).toEqual([
      '“email” must be a valid email.',
      '“extras” must have at most 2 items.',
      '“portions” must be at most 4.',
      '“access_token” must match pattern "^[0-9]*$".',
    ]);
    await control('Email').fill('ada@example.com');
    await control('Portions').fill('3');
    await control('Bread').uncheck();
    await control('Door code').fill('12');
    expect(await invalid.count()).toBe(0);
    await panel.readyButton('Send').click();
    expect(await decision).toMatchObject({
      content: { main: 'soup', extras: ['fruit', 'tea'], portions: 3, access_token: '12' },
    });
  });

  it('checks a field when it is left, if it was touched', async () => {
    queue.open(formReview);
    await control('Name').focus();
    await control('Email').focus();
    await page.keyboard.insertText('nobody');
    await control('Budget').focus();
    await page.getByText('Must be a valid email.').waitFor();
    expect(await page.locator('.form-property > .problem').filter({ hasText: /./ }).count()).toBe(1);
  });

  it('checks an integer that differs from the suggested one only where a number is rounded', async () => {
    const properties = { id: { type: 'number', title: 'Id', default: 9007199254740992 } };
    queue.open({ ...formReview, schema: readFlatForm({ properties }) });
    await control('Id').fill('9007199254740993');
    await control('Id').blur();
    await expect
      .poll(() => panel.sent)
      .toContainEqual(expect.objectContaining({ type: 'check', content: '{"id":9007199254740993}' }));
  });

  it('goes back to what the server suggests', async () => {
    queue.open(formReview);
    await control('Note').fill('Changed');
    await control('Tea').check();
    await control('Portions').fill('99');
    await control('Budget').fill('12a');
    await field('Budget').getByText('“budget” must be a number.').waitFor();
    await control('Send me next week’s menu').selectOption('Yes');
    await panel.readyButton('Send').click();
    await page.getByRole('button', { name: 'Reset' }).click();
    expect(await control('Note').inputValue()).toBe('No onions, please.');
    expect(await control('Portions').inputValue()).toBe('1');
    expect(await control('Budget').inputValue()).toBe('');
    expect(await control('Tea').isChecked()).toBe(false);
    expect(await control('Send me next week’s menu').locator('option:checked').innerText()).toBe('not sent');
    expect(await page.locator('.problem').filter({ hasText: /./ }).count()).toBe(0);
    expect(await page.locator('[aria-invalid="true"]').count()).toBe(0);
  });

  it('leaves out what is left open, and says where the server then has its default', async () => {
    const { decision } = queue.open(formWith('extras', 'portions', 'budget', 'day', 'at', 'note'));
    for (const name of ['Portions', 'Day', 'Delivery', 'Note']) await control(name).fill('');
    await control('Bread').uncheck();
    await field('Portions').getByText('Left out: the server gets its default, 1.').waitFor();
    await panel.readyButton('Send').click();
    // An empty choice and an empty text are values too.
    expect(await decision).toEqual({ kind: 'accept', content: { extras: [], note: '' } });
  });

  it('sends no answer to a yes or no that nobody gave, and says so', async () => {
    const untouched = queue.open(formWith('newsletter')).decision;
    const answer = control('Send me next week’s menu');
    expect(await answer.locator('option:checked').innerText()).toBe('not sent');
    await panel.readyButton('Send').click();
    expect(await untouched).toEqual({ kind: 'accept', content: {} });
    const { decision: refused } = await askAgain(formWith('newsletter'));
    await answer.selectOption('No');
    await panel.readyButton('Send').click();
    expect(await refused).toEqual({ kind: 'accept', content: { newsletter: false } });
  });

  it('asks for a list of texts one by one, checks each, and leaves it out where nobody wrote any', async () => {
    const untouched = queue.open(formWith('guests')).decision;
    await panel.readyButton('Send').click();
    expect(await untouched).toEqual({ kind: 'accept', content: {} });
    const { decision } = await askAgain(formWith('guests'));
    await field('Guests').getByText('At most 3 items.').waitFor();
    for (const guest of ['ada@example.com', 'bob']) {
      await page.getByRole('button', { name: 'Add Item to guests' }).focus();
      await panel.press('Enter');
      await page.keyboard.insertText(guest);
    }
    await panel.readyButton('Send').click();
    await field('Guests').getByText('Must be a valid email.').waitFor();
    await page.getByRole('textbox', { name: 'guests 2' }).fill('bob@example.com');
    await panel.readyButton('Send').click();
    expect(await decision).toEqual({
      kind: 'accept',
      content: { guests: ['ada@example.com', 'bob@example.com'] },
    });
  });

  it('leaves a text out that was emptied, and sends an empty one where the person asks for it', async () => {
    const { decision } = queue.open(formWith('name', 'access_token'));
    await control('Name').fill('Ada');
    await control('Door code').fill('12');
    await control('Door code').fill('');
    await control('Name').fill('');
    await panel.readyButton('Send').click();
    await field('Name').getByText('“name” is required.').waitFor();
    await page.getByRole('button', { name: 'More for name' }).click();
    await page.getByRole('menuitem', { name: 'Use Empty Text' }).click();
    await panel.readyButton('Send').click();
    expect(await decision).toEqual({ kind: 'accept', content: { name: '' } });
  });

  it('of a hundred fields is checked as a whole, also before all of them are drawn', async () => {
    const names = [...Array.from({ length: 99 }, (_, index) => `f${index}`), 'password'];
    const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
    const { decision } = queue.open({ ...formReview, schema: readFlatForm({ properties, required: names }) });
    await page.getByText('This looks like a secret').waitFor();
    await panel.readyButton('Send').click();
    await page.getByRole('alert').filter({ hasText: 'Correct 100 fields first.' }).waitFor();
    await expect.poll(() => page.locator('[aria-invalid="true"]').count()).toBe(100);
    for (const name of names) await control(name).fill('x');
    await panel.readyButton('Send').click();
    expect(await decision).toMatchObject({ content: Object.fromEntries(names.map((name) => [name, 'x'])) });
  });

  it('warns about a field that seems to ask for a secret', async () => {
    queue.open(formReview);
    await field('Door code').getByText('This looks like a secret').waitFor();
    expect(await page.getByText('This looks like a secret').count()).toBe(1);
  });

  it('without fields asks for a yes', async () => {
    const { decision } = queue.open(formWith());
    await page.getByText('only for your consent').waitFor();
    await panel.readyButton('Send').click();
    expect(await decision).toEqual({ kind: 'accept', content: {} });
  });

  it('can be declined, and cancelled with Escape after leaving the field', async () => {
    const declined = queue.open(formReview).decision;
    await panel.readyButton('Decline').click();
    expect(await declined).toEqual({ kind: 'decline' });
    const { decision: cancelled } = await askAgain(formReview);
    await panel.readyButton('Cancel').waitFor();
    await panel.tabTo('Name');
    // What a key has moved may make the buttons wait again on a busy machine: a key decides nothing meanwhile.
    await panel.readyButton('Cancel').waitFor();
    await panel.press('Escape');
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Cancel');
    await panel.readyButton('Cancel').waitFor();
    await panel.press('Escape');
    expect(await cancelled).toEqual({ kind: 'cancel' });
  });
});

describe('a visit', () => {
  it('shows the whole address and opens it by its button only', async () => {
    const session = queue.open(visitReview);
    await page.locator('.address').waitFor();
    expect(await page.locator('.address').innerText()).toBe(
      'https://accounts.example.com:8443/connect/calendar?state=8f14e45fceea167a5a36dedd4bea2543',
    );
    expect(await page.locator('.address strong').innerText()).toBe('accounts.example.com:8443');
    expect(await page.locator('a').count()).toBe(0);
    await panel.readyButton('Open in Browser').waitFor();
    await panel.tabTo('Cancel');
    await panel.press('Control+Enter');
    expect(opened).toEqual([]);
    await panel.press('Enter');
    expect(await session.decision).toEqual({ kind: 'accept', content: undefined });
    expect(opened).toEqual([`${visitReview.address.before}${visitReview.address.host}${visitReview.address.after}`]);
    await panel.readyButton('I Am Done').waitFor();
    await page.getByText('Waiting for the server').waitFor();
    await panel.readyButton('Open Again').click();
    await expect.poll(() => opened.length).toBe(2);
    session.complete();
    await page.getByText('Nothing to answer right now.').waitFor();
    expect(await session.left).toBe('done');
  });

  it.each([
    ['Control+Enter', true, 'done'],
    ['Escape', true, 'cancelled'],
    ['Escape', false, 'done'],
  ])('that was opened is left with %s, what can be cancelled: %s [elicit-visit-controls]', async (key, can, how) => {
    const session = queue.open({ ...visitReview, canCancel: can });
    await panel.readyButton('Open in Browser').click();
    await panel.readyButton('I Am Done').waitFor();
    expect(await page.getByRole('button', { name: 'Cancel' }).count()).toBe(can ? 1 : 0);
    expect(await page.locator('.keys').textContent()).toBe(can ? 'Esc cancels' : 'Esc closes');
    await panel.press(key);
    expect(await session.left).toBe(how);
    expect(await session.decision).toEqual({ kind: 'accept', content: undefined });
  });

  it('that was not opened can be tried again', async () => {
    isOpenable = false;
    const session = queue.open(visitReview);
    await panel.readyButton('Open in Browser').click();
    await page.getByRole('alert').filter({ hasText: 'The page was not opened.' }).waitFor();
    isOpenable = true;
    await panel.readyButton('Open in Browser').click();
    expect(await session.decision).toMatchObject({ kind: 'accept' });
  });

  it.each(['Decline', 'Cancel'])('can be refused: %s', async (name) => {
    const { decision } = queue.open(visitReview);
    await panel.readyButton(name).click();
    expect(await decision).toEqual({ kind: name.toLowerCase() });
    expect(opened).toEqual([]);
  });

  it('makes place for the next question once it is answered, and comes back after it', async () => {
    const session = queue.open(visitReview);
    await panel.readyButton('Open in Browser').click();
    await session.decision;
    session.dispose();
    await panel.readyButton('I Am Done').waitFor();
    queue.open({ ...formReview, server: 'other' });
    await page.getByRole('heading', { level: 1, name: /^other/ }).waitFor();
    expect(await page.getByText('more request').count()).toBe(0);
    await panel.readyButton('Decline').click();
    await page.getByText('Waiting for the server').waitFor();
    await panel.readyButton('I Am Done').click();
    expect(await session.left).toBe('done');
  });

  it('is still there after the page was loaded anew', async () => {
    const session = queue.open(visitReview);
    await panel.readyButton('Open in Browser').click();
    await session.decision;
    await panel.load();
    await panel.readyButton('I Am Done').click();
    await page.getByText('Nothing to answer right now.').waitFor();
  });

  it('shows what is doubtful about its address', async () => {
    queue.open({ ...visitReview, address: checkElicitationUrl('https://pаypal.com/') });
    await page.getByText('mixes letters of different alphabets').waitFor();
    expect(await page.locator('.address').innerText()).toBe('https://xn--pypal-4ve.com/');
  });
});

describe('a visit that a request waits for', () => {
  const required: ElicitationReview = { ...visitReview, isRequired: true };

  it.each(['I Am Done, Try Again', 'complete'])('is over with: %s [elicit-visit-controls]', async (how) => {
    const session = queue.open(required);
    let isDecided = false;
    void session.decision.then(() => (isDecided = true));
    await panel.readyButton('Open in Browser').click();
    await panel.readyButton('I Am Done, Try Again').waitFor();
    expect(isDecided).toBe(false);
    if (how === 'complete') session.complete();
    else await panel.readyButton('I Am Done, Try Again').click();
    expect(await session.decision).toEqual({ kind: 'accept', content: undefined });
  });

  it('says that the server asks for it still, and need not be opened again', async () => {
    const { decision } = queue.open({ ...required, wasVisited: true, isAnnounced: false });
    await page.getByText('Waiting for you').waitFor();
    await page.getByText('the server still asks for it').waitFor();
    await panel.readyButton('I Am Done, Try Again').waitFor();
    await panel.tabTo('I Am Done, Try Again');
    await panel.press('Enter');
    expect(await decision).toEqual({ kind: 'accept', content: undefined });
    expect(opened).toEqual([]);
  });

  it('can be given up', async () => {
    const { decision } = queue.open(required);
    await panel.readyButton('Open in Browser').click();
    await panel.readyButton('I Am Done, Try Again').waitFor();
    await panel.readyButton('Cancel').click();
    expect(await decision).toEqual({ kind: 'cancel' });
  });
});
