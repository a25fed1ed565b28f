import { describe, expect, it } from 'vitest';
import { BranchMemory } from '../../../src/forms/branchMemory.ts';
import { numberText, readJson, readNumber } from '../../../src/forms/controlText.ts';
import { exactMember, parseExactly } from '../../../src/base/exactIntegers.ts';
import type { JsonObject, JsonValue, UnknownRecord } from '../../../src/base/json.ts';
import { withDefaults } from '../../../src/forms/defaults.ts';
import { FormEngine } from '../../../src/forms/formEngine.ts';
import { moveItem, renameKey, valueAt, withValueAt } from '../../../src/forms/valueAt.ts';

describe('the defaults of what is absent', () => {
  const text = (preset?: JsonValue) => ({ type: 'string', ...(preset !== undefined && { default: preset }) });
  it.each([
    ['are filled in', { a: text('x'), b: text() }, {}, { a: 'x' }],
    ['leave what is there', { a: text('x'), b: { type: 'number', default: 0 } }, { a: 'y' }, { a: 'y', b: 0 }],
    ['are false and empty too', { a: { type: 'boolean', default: false }, b: text('') }, {}, { a: false, b: '' }],
    ['are not null', { a: text(null) }, {}, {}],
    ['are filled in inside', { a: { type: 'object', properties: { b: text('x') } } }, { a: {} }, { a: { b: 'x' } }],
    ['make no objects', { a: { type: 'object', properties: { b: text('x') } } }, {}, {}],
    ['may be whole', { a: { type: 'array', default: [1, 2] } }, {}, { a: [1, 2] }],
  ] satisfies [string, UnknownRecord, JsonObject, JsonObject][])('%s', (_what, properties, args, filled) => {
    expect(withDefaults(new FormEngine({ type: 'object', properties }), args)).toEqual(filled);
  });

  it('are found through references, and end where a schema does not', () => {
    const $defs = {
      node: { type: 'object', properties: { next: { $ref: '#/$defs/node' }, a: { type: 'number', default: 1 } } },
    };
    const engine = new FormEngine({ $ref: '#/$defs/node', $defs });
    expect(withDefaults(engine, { next: { next: {} } })).toEqual({ a: 1, next: { a: 1, next: { a: 1 } } });
  });
});

it('the defaults of many properties are filled in at once, and integers of any length with their digits', () => {
  const entries = Array.from({ length: 8_000 }, (_, index) => [`p${index}`, { type: 'string', default: `${index}` }]);
  const properties = Object.fromEntries(entries) as UnknownRecord;
  const long = parseExactly('{ "properties": { "id": { "type": "integer", "default": 12345678901234567890 } } }');
  const { properties: own } = long as { readonly properties: UnknownRecord };
  const args = parseExactly('{ "other": 98765432109876543210 }') as JsonObject;
  const filled = withDefaults(new FormEngine({ type: 'object', properties: { ...properties, ...own } }), args);
  expect(Object.keys(filled)).toHaveLength(8_002);
  expect([exactMember(filled, 'id'), exactMember(filled, 'other')]).toEqual([
    12345678901234567890n,
    98765432109876543210n,
  ]);
});

describe('values at a path', () => {
  it('change alone; what lies beside is shared', () => {
    const root = { a: { b: [1, 2] }, c: {} };
    const next = withValueAt(root, ['a', 'b', 1], 3);
    expect(next).toEqual({ a: { b: [1, 3] }, c: {} });
    expect(valueAt(next, ['c'])).toBe(root.c);
    expect(withValueAt(root, ['a', 'b', 0], undefined)).toEqual({ a: { b: [2] }, c: {} });
    expect(withValueAt(undefined, ['x', 0, 'y'], null)).toEqual({ x: [{ y: null }] });
  });

  it('may have any key', () => {
    for (const key of ['__proto__', '', 'a/b', 'constructor']) {
      const made = withValueAt({}, [key], 1);
      expect(Object.entries(made as object)).toEqual([[key, 1]]);
      expect(valueAt(made, [key])).toBe(1);
      expect(valueAt({}, [key])).toBeUndefined();
    }
  });

  it('are moved and renamed in their order', () => {
    expect(moveItem({ a: [1, 2, 3] }, ['a'], 0, 2)).toEqual({ a: [2, 3, 1] });
    expect(JSON.stringify(renameKey({ a: 1, b: 2 }, [], 'a', 'z'))).toBe('{"z":1,"b":2}');
    expect(renameKey({ a: 1, b: 2 }, [], 'a', 'b')).toBeUndefined();
  });
});

describe('what is remembered of unions', () => {
  it('moves along with items, and survives a reload', () => {
    const memory = new BranchMemory();
    memory.choose(['list', 0, 'a'], 0, 2);
    memory.keep(['list', 1], 0, 1, 'kept');
    memory.moveItem(['list'], 0, 1);
    const again = BranchMemory.fromJson(JSON.parse(JSON.stringify(memory.toJson())));
    expect(again.chosen(['list', 1, 'a'], 0)).toBe(2);
    expect(again.kept(['list', 0], 0, 1)).toBe('kept');
    again.removeItem(['list'], 1);
    expect(again.chosen(['list', 1, 'a'], 0)).toBeUndefined();
    again.renameKey([], 'list', 'other');
    expect(again.kept(['other', 0], 0, 1)).toBe('kept');
  });

  it.each([null, 4, [null], [{ path: 'x' }], [{ path: [{}], level: 0, kept: [] }]])('is empty for %j', (value) => {
    expect(BranchMemory.fromJson(value).toJson()).toEqual([]);
  });
});

describe('the text of controls', () => {
  it.each([0, -0, 1e21, -1.5, 1e-7, Number.MAX_SAFE_INTEGER])('gives the number %d back', (value) => {
    expect(readNumber(numberText(value), false)).toEqual({ kind: 'value', value });
  });

  it.each(['12a', '1,5', '0x10', 'Infinity', '1e999', '--1'])('is a problem where it is no number: %s', (text) => {
    expect(readNumber(text, false).kind).toBe('problem');
  });

  it('tells nothing from a value', () => {
    expect(readNumber(' ', false)).toEqual({ kind: 'absent' });
    expect(readJson('')).toEqual({ kind: 'absent' });
    expect(readNumber('1.5', true)).toEqual({ kind: 'problem', message: 'must be a whole number' });
    expect(readJson('null')).toEqual({ kind: 'value', value: null });
    expect(readJson('{')).toMatchObject({ kind: 'problem' });
  });
});
