import { describe, expect, it } from 'vitest';
import type { UnknownRecord } from '../../src/base/json.ts';
import { form, openFormForEach, page, panel } from './formPage.ts';

openFormForEach();

const union = (...anyOf: readonly UnknownRecord[]): UnknownRecord => ({
  type: 'object',
  properties: { a: { anyOf } },
});
const point = { title: 'Point', type: 'object', properties: { lat: { type: 'number' }, lon: { type: 'number' } } };
const name = { title: 'Name', type: 'string' };
const labels = async (): Promise<readonly string[]> =>
  page.getByRole('combobox', { name: 'a', exact: true }).locator('option').allTextContents();

describe('unions', () => {
  it('keep the value of each branch, by keyboard alone', async () => {
    await form.mount(union(name, point));
    expect(await labels()).toEqual(['not sent', 'Name', 'Point']);
    await panel.press('Tab', 'ArrowDown');
    await form.expectValue({ a: '' });
    await panel.press('Tab', 'Tab');
    await expect.poll(() => form.focused()).not.toContain('combobox');
    await page.getByRole('textbox', { name: 'Value of a' }).focus();
    await page.keyboard.type('Lisbon');
    await form.expectValue({ a: 'Lisbon' });
    await page.getByRole('combobox', { name: 'a' }).focus();
    await panel.press('ArrowDown');
    await form.expectValue({ a: {} });
    expect(await form.focused()).toContain('combobox "a"');
    await page.getByRole('textbox', { name: 'lat' }).fill('38.7');
    await page.getByRole('combobox', { name: 'a' }).focus();
    await panel.press('ArrowUp');
    await form.expectValue({ a: 'Lisbon' });
    await panel.press('ArrowUp');
    await form.expectValue({});
    await panel.press('ArrowDown');
    await form.expectValue({ a: 'Lisbon' });
    await panel.press('ArrowDown');
    await form.expectValue({ a: { lat: 38.7 } });
  });

  it('keep the value of a branch that is left out by its button', async () => {
    await form.mount(union(name, point), { a: 'Lisbon' });
    await page.getByRole('button', { name: "Don't send a" }).click();
    await form.expectValue({});
    await page.getByRole('combobox', { name: 'a' }).selectOption('Name');
    await form.expectValue({ a: 'Lisbon' });
  });

  it('say null as one of their lines', async () => {
    await form.mount(union(name, point, { type: 'null' }), { a: 'x' });
    expect(await labels()).toEqual(['not sent', 'Name', 'Point', 'null']);
    const select = page.getByRole('combobox', { name: 'a' });
    await select.selectOption('null');
    await form.expectValue({ a: null });
    expect(await select.locator('option:checked').textContent()).toBe('null');
    expect(await page.getByRole('textbox').count()).toBe(0);
    await select.selectOption('Name');
    await form.expectValue({ a: 'x' });
  });

  it('keep the branch that the person has chosen while several fit', async () => {
    const first = { title: 'First', type: 'object', properties: { x: { type: 'string' } } };
    const second = { title: 'Second', type: 'object', properties: { x: { type: 'string' }, y: { type: 'string' } } };
    await form.mount(union(first, second));
    const select = page.getByRole('combobox', { name: 'a' });
    await select.selectOption('Second');
    await page.getByRole('textbox', { name: 'x' }).pressSequentially('abc');
    expect(await select.locator('option:checked').textContent()).toBe('Second');
    expect(await form.focused()).toContain('textbox "x"');
    await form.expectValue({ a: { x: 'abc' } });
    // Both begin as the same value.
    await select.selectOption('First');
    await form.expectValue({ a: {} });
    expect(await page.getByRole('textbox', { name: 'y' }).count()).toBe(0);
  });

  it('take the branch of a value from outside', async () => {
    await form.mount(union(name, point));
    await form.setValue({ a: { lat: 1 } });
    expect(await page.getByRole('textbox', { name: 'lat' }).inputValue()).toBe('1');
    await form.setValue({ a: 'x' });
    expect(await page.getByRole('textbox', { name: 'Value of a' }).inputValue()).toBe('x');
  });

  it('are drawn in each other, and each has branches of its own', async () => {
    const inner = {
      title: 'Inner',
      anyOf: [
        { title: 'T', type: 'string' },
        { title: 'N', type: 'number' },
      ],
    };
    const list = { title: 'List', type: 'array', items: { type: 'string' } };
    await form.mount(union(inner, list));
    await page.getByRole('combobox', { name: 'a', exact: true }).selectOption('Inner');
    await form.expectValue({ a: '' });
    await page.getByRole('combobox', { name: 'Value of a' }).selectOption('N');
    await form.expectValue({ a: 0 });
    await page.getByRole('combobox', { name: 'a', exact: true }).selectOption('List');
    await page.getByRole('button', { name: 'Add Item to a' }).click();
    await page.keyboard.type('x');
    await form.expectValue({ a: ['x'] });
    await page.getByRole('combobox', { name: 'a', exact: true }).selectOption('Inner');
    await form.expectValue({ a: 0 });
  });

  it('draw only the branch that is chosen, however deep they are', async () => {
    const defs: Record<string, UnknownRecord> = { s22: { type: 'string' } };
    for (let level = 21; level >= 0; level -= 1) {
      const next = { type: 'object', properties: { n: { $ref: `#/$defs/s${level + 1}` } } };
      defs[`s${level}`] = {
        anyOf: [
          { ...next, title: 'One' },
          { ...next, title: 'Two' },
        ],
      };
    }
    await form.mount({ type: 'object', properties: { a: { $ref: '#/$defs/s0' } }, $defs: defs });
    await page.getByRole('combobox', { name: 'a' }).selectOption('Two');
    await form.expectValue({ a: {} });
    expect(await page.getByRole('combobox').count()).toBe(2);
  });
});
