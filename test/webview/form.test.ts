import { describe, expect, it } from 'vitest';
import type { UnknownRecord } from '../../src/base/json.ts';
import { form, openFormForEach, page, panel } from './formPage.ts';

openFormForEach();

const object = (properties: UnknownRecord, more: UnknownRecord = {}): UnknownRecord => ({
  type: 'object',
  properties,
  ...more,
});

const press = (...keys: readonly string[]): Promise<void> => panel.press(...keys);

async function choose(menu: string, item: string): Promise<void> {
  await page.getByRole('button', { name: menu, exact: true }).click();
  await page.getByRole('menuitem', { name: item }).click();
}

describe('texts', () => {
  it('are absent, typed, empty, absent again, by keyboard alone', async () => {
    await form.mount(object({ a: { type: 'string' }, b: { type: 'string' } }));
    await press('Tab');
    expect(await page.getByRole('textbox', { name: 'a', exact: true }).getAttribute('placeholder')).toBe('not sent');
    await page.keyboard.type('x');
    await form.expectValue({ a: 'x' });
    await press('Backspace');
    await form.expectValue({ a: '' });
    expect(await page.getByRole('textbox', { name: 'a', exact: true }).getAttribute('placeholder')).toBe('empty text');
    await press('Shift+F10', 'End', 'Enter');
    await form.expectValue({});
    expect(await form.focused()).toContain('textbox "a"');
    expect(await form.said()).toBe('a is not sent.');
  });

  it('keep their lines and line breaks', async () => {
    await form.mount(object({ a: { type: 'string' }, b: { type: 'string' } }), { a: 'x\r\ny' });
    await page.getByRole('textbox', { name: 'b' }).fill('1\n2');
    await form.expectValue({ a: 'x\r\ny', b: '1\n2' });
    await page.getByRole('textbox', { name: 'a', exact: true }).focus();
    await press('Control+End', 'Enter', 'z');
    await form.expectValue({ a: 'x\ny\nz', b: '1\n2' });
  });

  it('are as high as one line with no grip, and take no line break, where their format has one line', async () => {
    const text = { type: 'string' };
    await form.mount(object({ a: { ...text, format: 'email' }, b: text, c: { ...text, maxLength: 5_000 } }));
    const looks = (name: string) =>
      page
        .getByRole('textbox', { name, exact: true })
        .evaluate((area) => [getComputedStyle(area).resize, area.getBoundingClientRect().height < 34]);
    expect(await looks('a')).toEqual(['none', true]);
    expect(await looks('b')).toEqual(['none', true]);
    expect(await looks('c')).toEqual(['vertical', false]);
    await page.getByRole('textbox', { name: 'a', exact: true }).focus();
    await page.keyboard.type('x@example.com');
    await press('Enter');
    await page.keyboard.type('!');
    await form.expectValue({ a: 'x@example.com!' });
    const tagOf = (name: string) => page.getByRole('textbox', { name, exact: true }).evaluate(({ tagName }) => tagName);
    expect([await tagOf('a'), await tagOf('b')]).toEqual(['INPUT', 'TEXTAREA']);
  });

  it('of one line show the line breaks that they have all the same, until they have none and the focus has left', async () => {
    const schema = object({ a: { type: 'string', format: 'uri' }, b: { type: 'string' } });
    await form.mount(schema, { a: 'x:\n\ny' });
    const field = page.getByRole('textbox', { name: 'a', exact: true });
    const tag = () => field.evaluate(({ tagName }) => tagName);
    expect(await field.inputValue()).toBe('x:\n\ny');
    expect(await form.value()).toEqual({ a: 'x:\n\ny' });
    await field.focus();
    await press('Control+End', 'Backspace', 'Backspace', 'Backspace', 'z');
    await form.expectValue({ a: 'x:z' });
    expect([await form.focused(), await tag()]).toEqual([expect.stringContaining('textbox "a"'), 'TEXTAREA']);
    await page.getByRole('textbox', { name: 'b' }).fill('1');
    await expect.poll(tag).toBe('INPUT');
    await form.expectValue({ a: 'x:z', b: '1' });
  });

  it('say how long they may be where that is not much, or where they are almost as long', async () => {
    await form.mount(
      object({ a: { type: 'string', minLength: 1, maxLength: 1_000 }, b: { type: 'string', maxLength: 9 } }),
    );
    await page.getByText('At most 9 characters.').waitFor();
    const wide = page.getByText('1 to 1000 characters.');
    expect(await wide.count()).toBe(0);
    await page.getByRole('textbox', { name: 'a', exact: true }).fill('x'.repeat(900));
    await wide.waitFor();
  });

  it('that are required say nothing in place of a value: their label does', async () => {
    await form.mount(object({ a: { type: 'string' }, b: { type: 'string', default: 'x' } }, { required: ['a'] }));
    const placeholder = (name: string) => page.getByRole('textbox', { name, exact: true }).getAttribute('placeholder');
    expect([await placeholder('a'), await placeholder('b')]).toEqual(['', 'Default: "x"']);
    await page.getByText('required', { exact: true }).waitFor();
  });

  it('show what is hidden in them, and remove it', async () => {
    await form.mount(object({ a: { type: 'string' } }), { a: 'x\u202Ey' });
    await page.getByText('Hidden characters: U+202E').waitFor();
    await page.getByRole('button', { name: 'Remove Hidden Characters' }).click();
    await form.expectValue({ a: 'xy' });
  });

  it.each([
    ['date', '2026-12-24', '2026-12-24'],
    ['time', '18:30:05', '18:30:05Z'],
    ['date-time', '2026-12-24T18:30:05', '2026-12-24T18:30:05Z'],
  ])('of a %s can come from the calendar or clock of the browser', async (format, picked, text) => {
    await form.mount(object({ a: { type: 'string', format } }));
    const picker = page.getByLabel('Pick a', { exact: true });
    await picker.fill(picked);
    await form.expectValue({ a: text });
    expect(await page.getByRole('textbox', { name: 'a', exact: true }).inputValue()).toBe(text);
    await form.setValue({ a: 'no such moment' });
    expect(await picker.inputValue()).toBe('');
    await form.setValue({ a: text });
    expect(await picker.inputValue()).toBe(picked);
    await form.expectValue({ a: text });
  });

  it('of a time zone elsewhere say when that is for the person', async () => {
    await form.mount(object({ a: { type: 'string', format: 'date-time' } }), { a: '2026-12-24T18:30:05.5+01:00' });
    await page.getByText('Thursday, 24 December 2026 at 17:30:05 in your time zone').waitFor();
    await form.setValue({ a: '2026-12-24T18:30:05' });
    expect(await page.getByText('in your time zone').count()).toBe(0);
  });

  it('are labelled by their title, with the key where that is another word', async () => {
    await form.mount(object({ name: { type: 'string', title: 'Name' }, other: { type: 'string', title: 'Code' } }));
    expect(await page.locator('.form-property .form-words').allInnerTexts()).toEqual(['Name', 'Code\nother']);
  });
});

describe('numbers', () => {
  const numbers = object({ a: { type: 'number' }, b: { type: 'integer' } });

  it.each([
    ['-0', -0],
    ['1e3', 1_000],
    ['9007199254740993', 9_007_199_254_740_992],
    ['1.10', 1.1],
    ['.5', 0.5],
  ])('are read as they are typed, and stay as they are: %s', async (text, value) => {
    await form.mount(numbers);
    const input = page.getByRole('textbox', { name: 'a', exact: true });
    expect(await input.getAttribute('type')).toBe('text');
    expect(await input.getAttribute('inputmode')).toBe('decimal');
    await input.pressSequentially(text);
    await form.expectValue({ a: value });
    expect(await input.inputValue()).toBe(text);
  });

  it('that are none are said at once, and not lost', async () => {
    await form.mount(numbers, { a: 12 });
    const input = page.getByRole('textbox', { name: 'a', exact: true });
    await input.press('End');
    await input.press('a');
    expect(await input.inputValue()).toBe('12a');
    expect(await input.getAttribute('aria-invalid')).toBe('true');
    await expect.poll(() => input.evaluate(describedBy)).toContain('“a” must be a number.');
    expect(await form.inputProblems()).toEqual(['“a” must be a number.']);
    await form.expectValue({ a: 12 });
    // Another field changes: the text stays.
    await page.getByRole('textbox', { name: 'b' }).fill('1');
    expect(await input.inputValue()).toBe('12a');
    await input.press('End');
    await input.press('Backspace');
    expect(await form.inputProblems()).toEqual([]);
    expect(await input.getAttribute('aria-invalid')).toBeNull();
  });

  it('that are none go with another value from outside', async () => {
    await form.mount(numbers, { a: 12 });
    await page.getByRole('textbox', { name: 'a', exact: true }).fill('12a');
    await form.setValue({ a: 13 });
    expect(await page.getByRole('textbox', { name: 'a', exact: true }).inputValue()).toBe('13');
    expect(await form.inputProblems()).toEqual([]);
  });

  it('that are cleared are absent', async () => {
    await form.mount(numbers, { a: 12, b: 1 });
    await page.getByRole('textbox', { name: 'a', exact: true }).fill('');
    await form.expectValue({ b: 1 });
    await page.getByRole('textbox', { name: 'b' }).fill('1.5');
    expect(await form.inputProblems()).toEqual(['“b” must be a whole number.']);
  });

  it('are led to', async () => {
    await form.mount(object({ o: object({ n: { type: 'number' } }) }), { o: { n: 1 } });
    await page.getByRole('textbox', { name: 'n' }).fill('x');
    await page.getByRole('button', { name: 'o', exact: true }).click();
    expect(await page.getByRole('textbox', { name: 'n' }).isVisible()).toBe(false);
    expect(await form.inputProblems()).toEqual(['“o › n” must be a number.']);
    await form.goTo(0);
    expect(await form.focused()).toContain('textbox "n"');
  });
});

describe('booleans and choices', () => {
  it('say "not sent", true, false and null', async () => {
    await form.mount(object({ a: { type: ['boolean', 'null'], default: true } }));
    const select = page.getByRole('combobox', { name: 'a' });
    expect(await select.locator('option').allTextContents()).toEqual(['Default: true', 'true', 'false', 'null']);
    await form.expectValue({});
    await press('Tab', 'ArrowDown');
    await form.expectValue({ a: true });
    await press('ArrowDown');
    await form.expectValue({ a: false });
    await press('ArrowDown');
    await form.expectValue({ a: null });
    await press('Home');
    await form.expectValue({});
    expect(await form.focused()).toContain('combobox "a"');
  });

  it('offer each value of the schema, of whatever kind', async () => {
    await form.mount(object({ a: { enum: ['', 'x', 1, false, { b: 1 }, null] } }));
    const select = page.getByRole('combobox', { name: 'a' });
    for (const [index, value] of ['', 'x', 1, false, { b: 1 }, null].entries()) {
      await select.selectOption({ index: index + 1 });
      await form.expectValue({ a: value });
    }
  });

  it('show titles and what the chosen one is', async () => {
    const options = [
      { const: 'a', title: 'Alpha', description: 'The first.' },
      { const: 'b', title: 'Beta' },
    ];
    await form.mount(object({ a: { oneOf: options } }));
    await page.getByRole('combobox', { name: 'a' }).selectOption('Alpha');
    await form.expectValue({ a: 'a' });
    await page.getByText('The first.').waitFor();
  });

  it('that are required have no line for nothing once there is a value', async () => {
    await form.mount(object({ a: { type: 'boolean' } }, { required: ['a'] }));
    const select = page.getByRole('combobox', { name: 'a' });
    expect(await select.inputValue()).toBe('Choose…');
    await select.selectOption('false');
    expect(await select.locator('option').allTextContents()).toEqual(['true', 'false']);
  });

  it('that can only be null', async () => {
    await form.mount(object({ a: { type: 'null' } }));
    await page.getByRole('button', { name: 'Send null a' }).press('Enter');
    await form.expectValue({ a: null });
    await page.getByRole('button', { name: "Don't send a" }).click();
    await form.expectValue({});
    expect(await form.focused()).toContain('Send null a');
  });
});

describe('null', () => {
  it.each([
    ['text', { type: ['string', 'null'] }, 'x'],
    ['number', { type: ['number', 'null'] }, 5],
    ['list', { type: ['array', 'null'], items: { type: 'string' } }, ['x']],
    ['object', { type: ['object', 'null'], properties: { b: { type: 'string' } } }, { b: 'x' }],
  ])('is a value of its own for a %s, and what was there comes back', async (_kind, schema, value) => {
    await form.mount(object({ a: schema }), { a: value });
    await choose('More for a', 'Use null');
    await form.expectValue({ a: null });
    expect(await form.focused()).toContain('Enter a Value a');
    await press('Enter');
    await form.expectValue({ a: value });
    expect(await form.focused()).not.toBe('BODY');
    await choose('More for a', "Don't Send");
    await form.expectValue({});
    expect(await form.focused()).not.toBe('BODY');
  });
});

describe('objects', () => {
  it('write nothing at first, defaults and constants included', async () => {
    await form.mount(
      object(
        {
          a: { type: 'string', default: 'x' },
          b: object({ c: { const: 1 }, d: { type: 'number', default: 2 } }, { required: ['c'] }),
          e: { type: 'array', default: [1] },
        },
        { required: ['b'] },
      ),
    );
    await form.expectValue({});
    expect(await form.changes()).toBe(0);
    await page.getByRole('textbox', { name: 'd' }).fill('3');
    // What a required object always has comes with its first value.
    await form.expectValue({ b: { c: 1, d: 3 } });
  });

  it('that are optional are added, left out, and come back with what was in them', async () => {
    await form.mount(object({ a: object({ b: { type: 'string' } }) }));
    await page.getByRole('button', { name: 'Add a' }).press('Enter');
    await form.expectValue({ a: {} });
    expect(await form.focused()).toContain('textbox "b"');
    await page.keyboard.type('x');
    await form.expectValue({ a: { b: 'x' } });
    await page.getByRole('button', { name: "Don't send a" }).press('Enter');
    await form.expectValue({});
    expect(await form.focused()).toContain('Add a');
    await press('Enter');
    await form.expectValue({ a: { b: 'x' } });
  });

  it('are groups with a name, and open and close', async () => {
    await form.mount(object({ a: object({ b: { type: 'string' } }) }), { a: { b: 'x' } });
    const toggle = page.getByRole('button', { name: 'a', exact: true });
    expect(await page.getByRole('group', { name: 'a' }).count()).toBe(1);
    expect(await toggle.getAttribute('aria-expanded')).toBe('true');
    await toggle.press('Enter');
    expect(await toggle.getAttribute('aria-expanded')).toBe('false');
    expect(await page.getByRole('textbox').count()).toBe(0);
    await page.getByText('b: "x"').waitFor();
  });

  it('that refer to themselves are drawn when they are asked for', async () => {
    const node = object({ name: { type: 'string' }, child: { $ref: '#/$defs/node' } }, { required: ['child'] });
    await form.mount(object({ root: { $ref: '#/$defs/node' } }, { $defs: { node }, required: ['root'] }));
    await page.getByRole('button', { name: 'Add root' }).click();
    await page.getByRole('button', { name: 'Add child' }).click();
    await page.getByRole('textbox', { name: 'name' }).nth(1).fill('x');
    await form.expectValue({ root: { child: { name: 'x' } } });
  });
});

describe('what depends on other values', () => {
  const schema = object(
    { kind: { enum: ['file', 'text'] }, note: { type: 'string' } },
    {
      if: { properties: { kind: { const: 'file' } }, required: ['kind'] },
      then: { properties: { path: { type: 'string' } }, required: ['path'] },
      else: { properties: { text: { type: 'string' } } },
      dependentSchemas: { note: { properties: { author: { type: 'string' } } } },
      unevaluatedProperties: false,
    },
  );

  it('comes and goes in place, and keeps what was typed', async () => {
    await form.mount(schema, { text: 'kept' });
    const kind = page.getByRole('combobox', { name: 'kind' });
    await kind.focus();
    await kind.selectOption('file');
    await page.getByRole('textbox', { name: 'path' }).waitFor();
    expect(await form.focused()).toContain('combobox "kind"');
    await form.expectValue({ text: 'kept', kind: 'file' });
    await page.getByText('Not in the schema').waitFor();
    await kind.selectOption('text');
    expect(await page.getByRole('textbox', { name: 'text' }).inputValue()).toBe('kept');
    expect(await page.getByText('Not in the schema').count()).toBe(0);
  });

  it('does not take the focus from what is being typed', async () => {
    await form.mount(schema);
    await page.getByRole('textbox', { name: 'note' }).focus();
    await page.keyboard.type('abc', { delay: 5 });
    await page.getByRole('textbox', { name: 'author' }).waitFor();
    expect(await form.focused()).toContain('textbox "note"');
    await form.expectValue({ note: 'abc' });
  });

  it('is removed by the person when the schema no longer has it', async () => {
    await form.mount(schema, { kind: 'file', text: 'old' });
    await page.getByRole('button', { name: 'Remove text' }).press('Enter');
    await form.expectValue({ kind: 'file' });
    expect(await form.focused()).not.toBe('BODY');
  });

  it('gives the focus to what is near when a value from outside takes its field away', async () => {
    await form.mount(object({ o: schema }), { o: { kind: 'file', path: 'x' } });
    await page.getByRole('textbox', { name: 'path' }).focus();
    await form.setValue({ o: { kind: 'text' } });
    expect(await form.focused()).toContain('combobox "kind"');
  });
});

describe('what cannot be a field', () => {
  it('is JSON for that part, with the reason', async () => {
    await form.mount(object({ a: { $ref: '#/nowhere' }, b: { type: 'string' } }));
    await page.getByText('It is edited as JSON.').waitFor();
    const area = page.getByRole('textbox', { name: 'a', exact: true });
    await area.fill('{"x": [1');
    expect(await form.inputProblems()).toEqual([expect.stringMatching(/^“a” must be JSON, .*\.$/)]);
    await page.getByRole('textbox', { name: 'b' }).fill('y');
    expect(await area.inputValue()).toBe('{"x": [1');
    await area.fill('{"x": [1]}');
    await form.expectValue({ b: 'y', a: { x: [1] } });
    await area.fill('');
    await form.expectValue({ b: 'y' });
  });

  it('is JSON while it does not fit, and a field once the focus has left it', async () => {
    await form.mount(object({ a: { type: 'string' }, b: { type: 'string' } }), { a: 5 });
    const area = page.getByRole('textbox', { name: 'a', exact: true });
    expect(await area.inputValue()).toBe('5');
    await area.fill('"x"');
    await form.expectValue({ a: 'x' });
    expect(await area.inputValue()).toBe('"x"');
    await page.getByRole('textbox', { name: 'b' }).click();
    await expect.poll(() => area.inputValue()).toBe('x');
    expect(await form.focused()).toContain('textbox "b"');
  });
});

describe('a key that is pressed', () => {
  it('changes the row of its field, and nothing else of a long form', async () => {
    const names = Array.from({ length: 200 }, (_, index) => [`p${index}`, { type: 'string' }] as const);
    await form.mount(object({ ...Object.fromEntries(names), o: object({ q: { type: 'string' } }) }), { o: { q: 'x' } });
    await page.getByRole('textbox', { name: 'p150' }).fill('x');
    await page.evaluate(() => {
      const row = document.activeElement?.closest('.form-node');
      const observer = new MutationObserver((changes) => {
        const others = changes.filter(({ target, attributeName, oldValue }) => {
          // Setting an attribute to what it is costs nothing.
          const isSame = attributeName !== null && (target as Element).getAttribute(attributeName) === oldValue;
          return !isSame && row?.contains(target) !== true;
        });
        document.body.dataset['others'] = String(Number(document.body.dataset['others'] ?? 0) + others.length);
      });
      const all = { subtree: true, childList: true, attributes: true, attributeOldValue: true, characterData: true };
      observer.observe(document.querySelector('main') ?? document.body, all);
      document.body.dataset['others'] = '0';
    });
    await page.keyboard.type('yz');
    await form.expectValue({ o: { q: 'x' }, p150: 'xyz' });
    expect(await page.evaluate(() => document.body.dataset['others'])).toBe('0');
  });
});

describe('problems of the schema', () => {
  it('stand at their fields, or at the nearest that can be seen, and are led to', async () => {
    await form.mount(object({ a: object({ b: object({ c: { type: 'string' } }) }), d: { type: 'string' } }), {
      a: { b: { c: 'x' } },
      d: 'y',
    });
    await page.getByRole('button', { name: 'a', exact: true }).click();
    expect(
      await form.showProblems(
        { path: ['a', 'b', 'c'], message: 'must be longer' },
        { path: ['d'], message: 'must be a valid date' },
        { path: [], message: 'must be something else' },
      ),
    ).toEqual(['“a › b › c” must be longer.', '“d” must be a valid date.', 'The arguments must be something else.']);
    const d = page.getByRole('textbox', { name: 'd' });
    expect(await d.getAttribute('aria-invalid')).toBe('true');
    expect(await d.evaluate(describedBy)).toContain('“d” must be a valid date.');
    const group = page.getByRole('group', { name: 'a' });
    expect(await group.first().evaluate(describedBy)).toContain('“a › b › c” must be longer.');
    await form.goTo(0);
    expect(await form.focused()).toContain('textbox "c"');
    expect(await page.getByRole('textbox', { name: 'c' }).evaluate(describedBy)).toContain(
      '“a › b › c” must be longer.',
    );
    expect(await group.first().evaluate(describedBy)).not.toContain('longer');
    await form.showProblems();
    expect(await page.locator('[aria-invalid]').count()).toBe(0);
  });

  it('have the focus led to the first of them in the form, which may be closed and out of sight', async () => {
    const many = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`t${index}`, { type: 'string' }]));
    await form.mount(object({ ...many, a: object({ n: { type: 'number' } }), z: { type: 'number' } }), { a: { n: 1 } });
    await page.getByRole('textbox', { name: 'z' }).fill('x');
    await page.getByRole('button', { name: 'a', exact: true }).click();
    await page.evaluate(() => scrollTo(0, 0));
    await form.showProblems(
      { path: [], message: 'must be something else' },
      { path: ['z'], message: 'is required' },
      { path: ['a', 'n'], message: 'must be at least 2' },
    );
    await form.focusProblem();
    expect(await form.focused()).toContain('textbox "n"');
    const n = page.getByRole('textbox', { name: 'n', exact: true });
    expect(await n.evaluate(describedBy)).toContain('“a › n” must be at least 2.');
    const isInSight = n.evaluate((input) => {
      const { top, bottom } = input.getBoundingClientRect();
      return top >= 0 && bottom <= innerHeight;
    });
    expect(await isInSight).toBe(true);
    await form.showProblems();
    await form.focusProblem();
    expect(await form.focused()).toContain('textbox "z"');
  });
});

describe('the texts of a server', () => {
  it('are bounded, folded and never HTML', async () => {
    const description = `<b>x</b>\u202E ${'word '.repeat(5_000)}`;
    await form.mount(object({ a: { type: 'string', title: '<i>t</i>'.repeat(100), description, deprecated: true } }));
    expect(await page.locator('b, i').count()).toBe(0);
    expect((await page.locator('body').innerText()).length).toBeLessThan(1_000);
    const more = page.getByRole('button', { name: 'Show more' });
    await more.press('Enter');
    expect((await page.locator('body').innerText()).length).toBeGreaterThan(10_000);
    await page.getByRole('button', { name: 'Show less', expanded: true }).press('Enter');
    expect(await form.focused()).toContain('Show more');
    await page.getByText('Deprecated').waitFor();
  });

  it('can name thousands of properties, of which some are drawn', async () => {
    const names = Array.from({ length: 3_000 }, (_, index) => [`p${index}`, { type: 'string' }] as const);
    await form.mount(object(Object.fromEntries(names)), { p2999: 'last' });
    await expect.poll(() => page.getByRole('textbox').count()).toBe(300);
    await form.showProblems({ path: ['p2999'], message: 'is wrong' });
    await form.goTo(0);
    expect(await form.focused()).toContain('textbox "p2999"');
  });

  it('are drawn from the top, the first at once, the others also while no frames are drawn', async () => {
    const names = Array.from({ length: 100 }, (_, index) => `p${index}`);
    const schema = object(Object.fromEntries(names.map((name) => [name, { type: 'string' }])));
    const atOnce = await page.evaluate((json) => {
      globalThis.requestAnimationFrame = () => 0;
      const { harness } = globalThis as unknown as { harness: { mount(schema: unknown, value: object): void } };
      harness.mount(JSON.parse(json), {});
      return document.querySelectorAll('.form-property').length;
    }, JSON.stringify(schema));
    expect(atOnce).toBe(40);
    await page.getByRole('textbox', { name: 'p0', exact: true }).focus();
    await expect.poll(() => page.locator('.form-property .field-label').allTextContents()).toEqual(names);
    expect(await form.focused()).toContain('textbox "p0"');
  });

  it('can nest required objects without end, of which some are drawn', async () => {
    const wide = (depth: number): UnknownRecord => {
      const names = Array.from({ length: 12 }, (_, index) => `p${index}`);
      const below = depth === 0 ? { type: 'string' } : wide(depth - 1);
      return object(Object.fromEntries(names.map((name) => [name, below])), { required: names });
    };
    await form.mount(wide(4));
    expect(await page.locator('.form-node').count()).toBeLessThan(3_000);
  });
});

/** Runs in the page: the text that describes an element. */
function describedBy(target: Element): string {
  const ids = target.getAttribute('aria-describedby')?.split(' ') ?? [];
  return ids.map((id) => document.getElementById(id)?.textContent ?? '').join(' ');
}
