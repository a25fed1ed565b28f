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
    await panel.press('Tab', 'Tab');
    expect(await form.focused()).toContain('button "More for path"');
    await panel.press('Enter');
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

  it('comes after its field, also where that is boxes or a list', async () => {
    const days = { type: 'array', uniqueItems: true, items: { enum: ['Mon', 'Tue'] } };
    const tags = { type: 'array', items: { type: 'string' } };
    await form.mount({ type: 'object', properties: { days, tags, on: { type: 'boolean' } } }, { tags: ['a'] }, true);
    const order: string[] = [];
    for (let count = 0; count < 6; count += 1) {
      await panel.press('Tab');
      order.push(await form.focused());
    }
    expect(order).toEqual([
      expect.stringContaining('checkbox "Mon"'),
      expect.stringContaining('checkbox "Tue"'),
      expect.stringContaining('button "More for days"'),
      expect.stringContaining('button "tags"'),
      expect.stringContaining(`button "Don't send tags"`),
      expect.stringContaining('button "More for tags"'),
    ]);
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
