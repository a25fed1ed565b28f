import { describe, expect, it } from 'vitest';
import type { UnknownRecord } from '../../src/base/json.ts';
import { form, openFormForEach, page, panel } from './formPage.ts';

openFormForEach();

const list = (items: UnknownRecord, more: UnknownRecord = {}): UnknownRecord => ({
  type: 'object',
  properties: { a: { type: 'array', items, ...more } },
});
const map = (more: UnknownRecord): UnknownRecord => ({
  type: 'object',
  properties: { a: { type: 'object', ...more } },
});
const press = (...keys: readonly string[]): Promise<void> => panel.press(...keys);

describe('lists of few values, each once', () => {
  const schema = list({ enum: ['x', 'y', 'z'], enumNames: ['X', 'Y', 'Z'] }, { uniqueItems: true, maxItems: 2 });

  it('are boxes to tick; nothing, and none of them, are two things', async () => {
    await form.mount(schema);
    const group = page.getByRole('group', { name: 'a' });
    await group.getByText('not sent').waitFor();
    expect(await group.innerText()).toContain('At most 2 items.');
    expect(await group.innerText()).not.toContain('Each item once.');
    await page.getByLabel('Y', { exact: true }).press('Space');
    await form.expectValue({ a: ['y'] });
    await page.getByLabel('Y', { exact: true }).press('Space');
    await form.expectValue({ a: [] });
    await group.getByText('empty list').waitFor();
    await page.getByRole('button', { name: "Don't send a" }).press('Enter');
    await form.expectValue({});
  });

  it('keep the order of what was there', async () => {
    await form.mount(schema, { a: ['z', 'x'] });
    await page.getByLabel('Y', { exact: true }).press('Space');
    await form.expectValue({ a: ['z', 'x', 'y'] });
    await page.getByLabel('Z', { exact: true }).press('Space');
    await form.expectValue({ a: ['x', 'y'] });
  });

  it.each([
    ['with a value that is not listed', { a: ['x', 'other'] }],
    ['with a value twice', { a: ['x', 'x'] }],
  ])('show their items one by one %s', async (_what, value) => {
    await form.mount(schema, value);
    expect(await page.getByRole('checkbox').count()).toBe(0);
    expect(await page.getByRole('button', { name: /^Remove a/ }).count()).toBe(2);
    await form.expectValue(value);
  });
});

describe('lists', () => {
  it('are absent, empty, filled and absent again, by keyboard alone', async () => {
    await form.mount(list({ type: 'number' }));
    await press('Tab');
    expect(await form.focused()).toContain('button "Add Item to a"');
    await press('Enter');
    await form.expectValue({ a: [0] });
    expect(await form.said()).toBe('Item 1 was added.');
    // What is typed takes the place of the first 0.
    await page.keyboard.type('7');
    await form.expectValue({ a: [7] });
    await panel.tabTo('Add Item');
    await press('Enter');
    await page.keyboard.type('8');
    await form.expectValue({ a: [7, 8] });
    await page.getByRole('button', { name: "Don't send a" }).press('Enter');
    await form.expectValue({});
    expect(await form.focused()).toContain('button "Add Item to a"');
  });

  it('give the focus to the next item when one is removed', async () => {
    await form.mount(list({ type: 'string' }), { a: ['x', 'y', 'z'] });
    await page.getByRole('button', { name: 'Remove a 2' }).press('Enter');
    await form.expectValue({ a: ['x', 'z'] });
    expect(await form.focused()).toContain('textbox "a 2"');
    expect(await page.locator(':focus').inputValue()).toBe('z');
    expect(await form.said()).toBe('Item 2 was removed. 2 items left.');
    await page.getByRole('button', { name: 'Remove a 2' }).press('Enter');
    expect(await form.focused()).toContain('textbox "a 1"');
    await page.getByRole('button', { name: 'Remove a 1' }).press('Enter');
    await form.expectValue({ a: [] });
    expect(await form.focused()).toContain('Add Item to a');
  });

  it('move items with what is typed in them, and the focus stays', async () => {
    await form.mount(list({ type: 'number' }), { a: [1, 2, 3] });
    const second = page.getByRole('textbox', { name: 'a 2' });
    await second.fill('2x');
    await press('Alt+ArrowUp');
    await form.expectValue({ a: [2, 1, 3] });
    expect(await form.said()).toBe('Moved to place 1 of 3.');
    expect(await form.focused()).toContain('textbox "a 1"');
    expect(await page.locator(':focus').inputValue()).toBe('2x');
    expect(await form.inputProblems()).toEqual(['“a › item 1” must be a number.']);
    await press('Alt+ArrowUp');
    await form.expectValue({ a: [2, 1, 3] });
    await page.getByRole('button', { name: 'Move a 2 Down' }).press('Enter');
    await form.expectValue({ a: [2, 3, 1] });
    expect(await form.focused()).toContain('Move a 3 Down');
    await page.getByRole('textbox', { name: 'a 1' }).fill('5');
    await form.expectValue({ a: [5, 3, 1] });
  });

  it('move items with what is open in them, and with the branches they remember', async () => {
    const item = {
      type: 'object',
      properties: {
        u: {
          anyOf: [
            { title: 'T', type: 'string' },
            { title: 'N', type: 'number' },
          ],
        },
      },
    };
    await form.mount(list(item), { a: [{ u: 'one' }, { u: 'two' }] });
    await page.getByRole('combobox', { name: 'u' }).first().selectOption('N');
    await form.expectValue({ a: [{ u: 0 }, { u: 'two' }] });
    await page.getByRole('button', { name: 'a 2', exact: true }).click();
    await page.getByRole('button', { name: 'Move a 1 Down' }).click();
    await form.expectValue({ a: [{ u: 'two' }, { u: 0 }] });
    expect(await page.getByRole('button', { name: 'a 1', exact: true }).getAttribute('aria-expanded')).toBe('false');
    await page.getByRole('combobox', { name: 'u' }).selectOption('T');
    await form.expectValue({ a: [{ u: 'two' }, { u: 'one' }] });
  });

  it('do not take the arrow keys of a drop-down list', async () => {
    await form.mount(list({ enum: ['x', 'y'] }), { a: ['x', 'y'] });
    await page.getByRole('combobox', { name: 'a 2' }).focus();
    await press('Alt+ArrowUp');
    await form.expectValue({ a: ['x', 'y'] });
  });

  it('have items with a place of their own', async () => {
    const tuple = { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }], items: false };
    await form.mount({ type: 'object', properties: { a: tuple } }, { a: [] });
    const add = page.getByRole('button', { name: 'Add Item to a' });
    await add.click();
    await add.click();
    await form.expectValue({ a: ['', 0] });
    expect(await add.count()).toBe(0);
    expect(await page.getByRole('button', { name: /Move/ }).count()).toBe(0);
    expect(await page.getByRole('button', { name: /^Remove/ }).count()).toBe(1);
  });

  it('of hundreds are drawn in steps, also on the way to a problem', async () => {
    const a = Array.from({ length: 450 }, (_, index) => index);
    await form.mount(list({ type: 'number' }), { a });
    await page.getByText('450 items').waitFor();
    expect(await page.getByRole('textbox').count()).toBe(0);
    await page.getByRole('button', { name: 'a', exact: true }).press('Enter');
    expect(await page.getByRole('textbox').count()).toBe(100);
    await page.getByRole('button', { name: 'Show 100 More' }).press('Enter');
    expect(await page.getByRole('textbox').count()).toBe(200);
    expect(await form.focused()).toContain('textbox "a 101"');
    await form.showProblems({ path: ['a', '300'], message: 'is wrong' });
    await form.goTo(0);
    expect(await form.focused()).toContain('textbox "a 301"');
    await page.getByRole('button', { name: 'Add Item to a' }).click();
    expect(await form.focused()).toContain('textbox "a 451"');
  });

  it('of hundreds of objects draw those that are opened', async () => {
    const item = { type: 'object', properties: { name: { type: 'string' }, age: { type: 'number' } } };
    const a = Array.from({ length: 200 }, (_, age) => ({ name: `n${age}`, age }));
    await form.mount(list(item), { a });
    await page.getByRole('button', { name: 'a', exact: true }).click();
    expect(await page.getByRole('textbox').count()).toBe(0);
    await page.getByText('name: "n7", age: 7').waitFor();
    await page.getByRole('button', { name: 'a 8', exact: true }).click();
    await page.getByRole('textbox', { name: 'name' }).fill('other');
    expect(await form.value()).toMatchObject({ a: expect.arrayContaining([{ name: 'other', age: 7 }]) });
    // One that is added is there to be filled in.
    await page.getByRole('button', { name: 'Add Item to a' }).click();
    expect(await form.focused()).toContain('textbox "name"');
  });

  it('take another value from outside, and the focus stays where it can', async () => {
    await form.mount(list({ type: 'string' }), { a: ['x', 'y'] });
    await page.getByRole('textbox', { name: 'a 2' }).focus();
    await press('Home');
    await form.setValue({ a: ['x', 'y', 'z'] });
    await page.keyboard.type('-');
    await form.expectValue({ a: ['x', '-y', 'z'] });
    await form.setValue({ a: ['x'] });
    expect(await form.focused()).not.toBe('BODY');
  });
});

describe('entries', () => {
  it('are added, named, renamed and removed by keyboard alone', async () => {
    await form.mount(map({ additionalProperties: { type: 'string' } }), { a: { x: '1', y: '2', z: '3' } });
    await page.getByRole('button', { name: 'Add Entry to a' }).press('Enter');
    await page.keyboard.type('new');
    await press('Tab');
    await page.keyboard.type('4');
    await form.expectValue({ a: { x: '1', y: '2', z: '3', new: '4' } });
    const name = page.getByRole('textbox', { name: 'Name of the entry y' });
    await name.fill('b');
    await name.press('Enter');
    await form.expectValue({ a: { x: '1', b: '2', z: '3', new: '4' } });
    expect(await form.focused()).toContain('Name of the entry b');
    await page.getByRole('button', { name: 'Remove b' }).press('Enter');
    await form.expectValue({ a: { x: '1', z: '3', new: '4' } });
    expect(await form.focused()).not.toBe('BODY');
    expect(await form.said()).toBe('b was removed.');
  });

  it('refuse a name that is there, in words, and keep the old one', async () => {
    await form.mount(map({ additionalProperties: true, properties: { p: { type: 'string' } } }), { a: { x: 1, y: 2 } });
    const name = page.getByRole('textbox', { name: 'Name of the entry y' });
    for (const taken of ['x', 'p']) {
      await name.fill(taken);
      await name.press('Enter');
      await page.getByText(`There is already an entry ${taken}.`).waitFor();
      await form.expectValue({ a: { x: 1, y: 2 } });
      expect(await name.inputValue()).toBe('y');
    }
  });

  it('can have any name', async () => {
    await form.mount(map({ additionalProperties: { type: 'string' } }), { a: { x: '1', y: '2' } });
    for (const [from, to] of [
      ['x', '__proto__'],
      ['y', 'a/b'],
    ] as const) {
      const name = page.getByRole('textbox', { name: `Name of the entry ${from}` });
      await name.fill(to);
      await name.press('Enter');
    }
    await expect.poll(async () => JSON.stringify(await form.value())).toBe('{"a":{"__proto__":"1","a/b":"2"}}');
    await page.getByRole('textbox', { name: 'Value of __proto__' }).fill('3');
    await expect.poll(async () => JSON.stringify(await form.value())).toBe('{"a":{"__proto__":"3","a/b":"2"}}');
  });

  it('keep a name with a line break, which its field cannot show', async () => {
    await form.mount(map({ additionalProperties: { type: 'string' } }), { a: { 'x\ny': '1' } });
    await page.getByRole('textbox', { name: /Name of the entry/ }).focus();
    await press('Tab');
    await page.keyboard.type('2');
    await form.expectValue({ a: { 'x\ny': '12' } });
  });

  it('belong to a pattern, which does not run in the page', async () => {
    await form.mount(map({ patternProperties: { '^(a+)+$': { type: 'number' } }, additionalProperties: false }), {
      a: { [`${'a'.repeat(60)}!`]: 1 },
    });
    await page.getByRole('textbox', { name: /^Value of/ }).fill('2');
    await form.expectValue({ a: { [`${'a'.repeat(60)}!`]: 2 } });
  });
});
