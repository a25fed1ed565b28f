import { describe, expect, it } from 'vitest';
import { form, openFormForEach, page, panel } from './formPage.ts';

openFormForEach();

const schema = {
  type: 'object',
  properties: {
    path: { type: ['string', 'null'], default: 'a.txt', examples: ['b.txt', 'c\u202E.txt'] },
    on: { type: 'boolean' },
  },
};

const menuItems = (): Promise<readonly string[]> => page.getByRole('menuitem').allTextContents();

/** The editor listens to this event of its pages, and shows its own menu; the title of the page tells of it. */
async function noteEditorMenus(): Promise<void> {
  await page.evaluate(() => {
    document.title = '';
    window.addEventListener('contextmenu', (event) => {
      if (!event.defaultPrevented) document.title = 'the menu of the editor';
    });
  });
}

describe('the menu of a field', () => {
  it('has what helps to fill it, and what the value can be', async () => {
    await form.mount(schema, { path: 'x' }, true);
    await page.getByRole('button', { name: 'More for path' }).click();
    expect(await menuItems()).toEqual([
      'From Selection',
      'From Clipboard',
      'From File…',
      'Path of a File…',
      'From Open Resource…',
      'Recent Value…',
      'Example: "b.txt"',
      'Example: "c⟨U+202E⟩.txt"',
      'Use Default: "a.txt"',
      'Use Empty Text',
      'Use null',
      "Don't Send",
    ]);
    await page.getByRole('menuitem', { name: 'Path of a File…' }).click();
    expect(await form.fills()).toEqual([{ path: ['path'], source: 'path' }]);
    expect(await page.getByRole('menu').count()).toBe(0);
  });

  it('has no help where none is given', async () => {
    await form.mount(schema);
    await page.getByRole('button', { name: 'More for path' }).click();
    expect(await menuItems()).toEqual([
      'Example: "b.txt"',
      'Example: "c⟨U+202E⟩.txt"',
      'Use Default: "a.txt"',
      'Use Empty Text',
      'Use null',
    ]);
  });

  it('is used by keyboard alone', async () => {
    await form.mount(schema, {}, true);
    await panel.press('Tab', 'Shift+F10');
    expect(await form.focused()).toContain('menuitem "From Selection"');
    await panel.press('ArrowUp');
    expect(await form.focused()).toContain('menuitem "Use null"');
    await panel.press('ArrowDown', 'ArrowDown');
    expect(await form.focused()).toContain('menuitem "From Clipboard"');
    await panel.press('End', 'Home', 'u');
    expect(await form.focused()).toContain('menuitem "Use Default');
    await panel.press('Enter');
    await form.expectValue({ path: 'a.txt' });
    expect(await form.focused()).toContain('textbox "path"');
    expect(await form.said()).toBe('path is now "a.txt".');
  });

  it('is passed by on the way from box to box, and so is what leaves a value out', async () => {
    const days = { type: 'array', uniqueItems: true, items: { enum: ['Mon', 'Tue'] } };
    const tags = { type: 'array', items: { type: 'string' } };
    const place = { type: 'object', properties: { lat: { type: 'number' } } };
    const properties = { first: { type: 'number' }, days, tags, place, none: { type: 'null' } };
    const value = { first: 4, days: ['Mon'], tags: [], place: { lat: 1 }, none: null };
    await form.mount({ type: 'object', properties }, value, true);
    const order: string[] = [];
    for (let count = 0; count < 8; count += 1) {
      await panel.press('Tab');
      order.push(await form.focused());
    }
    expect(order).toEqual([
      expect.stringContaining('textbox "first"'),
      expect.stringContaining('checkbox "Mon"'),
      expect.stringContaining('checkbox "Tue"'),
      expect.stringContaining('button "tags"'),
      expect.stringContaining('button "Add Item to tags"'),
      expect.stringContaining('button "place"'),
      expect.stringContaining('textbox "lat"'),
      // It has nothing else.
      expect.stringContaining('button "More for none"'),
    ]);
  });

  it.each([
    ['a text', 'path', { type: 'string' }, 'x', () => page.getByRole('textbox')],
    ['a list of values', 'on', { type: 'boolean' }, true, () => page.getByRole('combobox')],
    [
      'boxes',
      'days',
      { type: 'array', uniqueItems: true, items: { enum: ['Mon', 'Tue'] } },
      ['Mon'],
      () => page.getByRole('checkbox', { name: 'Tue' }),
    ],
    [
      'a list',
      'tags',
      { type: 'array', items: { type: 'string' } },
      ['a'],
      () => page.getByRole('button', { name: 'tags', exact: true }),
    ],
    [
      'an object',
      'place',
      { type: 'object', properties: { lat: { type: 'number' } } },
      { lat: 1 },
      () => page.getByRole('button', { name: 'place', exact: true }),
    ],
    ['null', 'maybe', { type: ['string', 'null'] }, null, () => page.getByRole('button', { name: /^Enter a Value/ })],
    [
      'a branch',
      'either',
      { oneOf: [{ type: 'string' }, { type: 'object', properties: { lat: { type: 'number' } } }] },
      'x',
      () => page.getByRole('textbox'),
    ],
  ])('is opened by its key from within %s, which leaves the value out', async (_what, name, type, value, control) => {
    await form.mount({ type: 'object', properties: { [name]: type } }, { [name]: value }, true);
    const opener = page.getByRole('button', { name: `More for ${name}`, exact: true });
    expect(await opener.getAttribute('title')).toBe(`More for ${name} (Shift+F10)`);
    expect(await page.locator('[aria-keyshortcuts="Shift+F10"]:not(.form-more)').count()).toBeGreaterThan(0);
    await noteEditorMenus();
    for (const key of ['Shift+F10', 'ContextMenu']) {
      await control().focus();
      await panel.press(key);
      await page.getByRole('menu', { name: `More for ${name}` }).waitFor();
      // On Windows, the key asks for the menu of the editor when it is released.
      await page.getByRole('menuitem').first().click({ button: 'right' });
      // The focus is where it was.
      await panel.press('Escape');
      expect(await control().evaluate((focused) => focused === document.activeElement)).toBe(true);
    }
    expect(await page.title()).toBe('');
    await panel.press('Shift+F10', 'End');
    expect(await form.focused()).toContain(`menuitem "Don't Send"`);
    await panel.press('Enter');
    await form.expectValue({});
    expect(await form.focused()).not.toBe('BODY');
  });

  it('is opened by its key on its own button too, where the field has nothing else', async () => {
    await form.mount({ type: 'object', properties: { none: { type: 'null' } } }, { none: null }, true);
    await panel.press('Tab', 'Shift+F10');
    await page.getByRole('menu', { name: 'More for none' }).waitFor();
    await panel.press('Escape');
    expect(await form.focused()).toContain('button "More for none"');
  });

  it('is that of the item, not of its list', async () => {
    const list = { type: 'object', properties: { tags: { type: 'array', items: { type: 'string' } } } };
    await form.mount(list, { tags: ['a', 'b'] }, true);
    await page.getByRole('textbox', { name: 'tags 2' }).press('Shift+F10');
    await page.getByRole('menu', { name: 'More for tags 2' }).waitFor();
    await panel.press('Tab');
    expect(await page.getByRole('menu').count()).toBe(0);
    expect(await form.focused()).toContain('button "Move tags 2 Up"');
    // An item without a menu has that of the editor.
    await form.mount(list, { tags: ['a'] });
    await noteEditorMenus();
    await page.getByRole('textbox', { name: 'tags 1' }).press('Shift+F10');
    await expect.poll(() => page.title()).toBe('the menu of the editor');
    expect(await page.getByRole('menu').count()).toBe(0);
  });

  it('closes with Escape, Tab and a click elsewhere', async () => {
    await form.mount(schema);
    const opener = page.getByRole('button', { name: 'More for path' });
    await opener.press('ArrowDown');
    expect(await opener.getAttribute('aria-expanded')).toBe('true');
    await panel.press('Escape');
    expect(await opener.getAttribute('aria-expanded')).toBe('false');
    expect(await form.focused()).toContain('More for path');
    await panel.press('Enter', 'Tab');
    expect(await form.focused()).toContain('combobox "on"');
    await opener.click();
    await page.getByRole('heading').click();
    expect(await page.getByRole('menu').count()).toBe(0);
  });

  it('makes an absent text empty, without a letter typed', async () => {
    await form.mount(schema);
    await page.getByRole('button', { name: 'More for path' }).click();
    await page.getByRole('menuitem', { name: 'Use Empty Text' }).click();
    await form.expectValue({ path: '' });
  });
});
