import { describe, expect, it } from 'vitest';
import type { UnknownRecord } from '../../../src/base/json.ts';
import { FormEngine } from '../../../src/forms/formEngine.ts';
import { findWrongField, isFormContent, isValid, readFlatForm } from '../../../src/schema/flatForm.ts';

function form(properties: UnknownRecord, more: UnknownRecord = {}): UnknownRecord {
  return { type: 'object', properties, ...more };
}

/** What is read of the property `f`. */
function readOf(property: UnknownRecord, more: UnknownRecord = {}): UnknownRecord | undefined {
  return readFlatForm(form({ f: property }, more)).properties['f'];
}

const ab = { type: 'string', enum: ['a', 'b'], enumNames: ['A', 'B'] };
const onlyA = { type: 'string', enum: ['a'], enumNames: ['a'] };
const titledA = { const: 'a', title: 'A' };
const titledB = { const: 'b', title: 'B' };
const text = { type: 'string', title: 'T', description: 'D', minLength: 1, maxLength: 9, pattern: 'p', default: 'x' };

describe('the property of a form', () => {
  it.each<[string, UnknownRecord, UnknownRecord?]>([
    ['text', { ...text, other: 1 }, text],
    ['a format', { type: 'string', format: 'date-time' }],
    ['an unknown format', { type: 'string', format: 'colour' }, { type: 'string' }],
    ['a number', { type: 'number', minimum: 0.5, maximum: 2, default: 1 }],
    ['an integer', { type: 'integer', title: null }, { type: 'integer' }],
    ['a boolean', { type: 'boolean', default: false }],
    ['an enumeration', { type: 'string', enum: ['a', 'b'], default: 'b' }, { enum: ['a', 'b'], default: 'b' }],
    ['names beside values', { type: 'string', enum: ['a', 'b'], enumNames: ['A', 'B'] }, ab],
    ['titled options', { type: 'string', oneOf: [titledA, titledB] }, ab],
    [
      'several options',
      { type: 'array', items: { type: 'string', enum: ['a'] }, minItems: 1, maxItems: 2, default: ['a'] },
      { type: 'array', items: onlyA, uniqueItems: true, minItems: 1, maxItems: 2, default: ['a'] },
    ],
    [
      'several titled options',
      { type: 'array', items: { anyOf: [titledA] } },
      { type: 'array', items: { type: 'string', enum: ['a'], enumNames: ['A'] }, uniqueItems: true },
    ],
    [
      'a list of texts',
      { type: 'array', items: { type: 'string', maxLength: 5, pattern: 'p' }, uniqueItems: true, maxItems: 3 },
    ],
    ['a single value', { const: 'a' }, onlyA],
    [
      'parts that add to each other',
      { allOf: [{ type: 'string' }, { maxLength: 3 }] },
      { type: 'string', maxLength: 3 },
    ],
    ['a default with its format', { type: 'string', format: 'date-time', default: '2026-03-14T09:30:00+01:00' }],
  ])('%s', (_name, property, read = property) => {
    expect(readOf(property)).toMatchObject(read);
    expect(Object.keys(readOf(property) ?? {})).not.toContain('other');
    if (!Object.hasOwn(read, 'default')) expect(readOf(property)).not.toHaveProperty('default');
  });

  it.each<[string, UnknownRecord]>([
    ['is there twice', { type: 'array', items: { enum: ['a', 'b'] }, default: ['a', 'a'] }],
    ['has a text twice', { type: 'array', items: { type: 'string' }, uniqueItems: true, default: ['a', 'a'] }],
    ['is rounded', { type: 'integer', default: 2 ** 53 }],
    ['lists no dates', { type: 'array', items: { type: 'string', format: 'date' }, default: ['2026-02-30'] }],
    ['is no email', { type: 'string', format: 'email', default: 'a@b..c' }],
    ['is no uri', { type: 'string', format: 'uri', default: 'example.com' }],
    ['is no date', { type: 'string', format: 'date', default: '2026-02-30' }],
    ['is no date-time', { type: 'string', format: 'date-time', default: '2026-03-14 09:30:00Z' }],
    ['is of another type', { type: 'number', default: '5' }],
    ['is no option', { enum: ['a'], default: 'b' }],
    ['is too long', { type: 'string', maxLength: 1, default: 'xy' }],
  ])('has no default that %s', (_name, property) => {
    const { default: preset, ...rest } = property;
    expect(preset).toBeDefined();
    expect(readOf(property)).toEqual(readOf(rest));
  });

  it.each<[string, UnknownRecord, RegExp]>([
    ['an object inside', form({ address: { type: 'object', properties: {} } }), /"address" must be a string, number/],
    ['a list of anything', form({ tags: { type: 'array', items: {} } }), /"tags" may list only strings/],
    ['a list of numbers', form({ tags: { type: 'array', items: { type: 'number' } } }), /"tags" may list only strings/],
    ['options that are no strings', form({ n: { enum: [1, 2] } }), /"n" may offer only strings/],
    ['options that are no list', form({ n: { oneOf: { const: 'a', title: 'A' } } }), /"n" may offer only strings/],
    ['no options', form({ n: { type: 'string', enum: [] } }), /"n" offers nothing/],
    [
      'too many options',
      form({ n: { enum: Array.from({ length: 1_001 }, (_, i) => String(i)) } }),
      /"n" may offer at most/,
    ],
    ['several types', form({ n: { type: ['string', 'number', 'null'] } }), /"n" must be/],
    ['nothing but null', form({ n: { type: 'null' } }), /"n" must be/],
    ['a reference that leads nowhere', form({ n: { $ref: '#/$defs/n' } }), /"n" must be/],
    ['a reference to itself', form({ n: { $ref: '#/properties/n' } }), /"n" must be/],
    ['no schema', form({ n: true }), /"n" must have a schema/],
    ['a required field that is not there', form({}, { required: ['n'] }), /"n" is required but has no schema/],
    ['another type than object', { type: 'string' }, /must describe an object/],
    ['too many fields', form(Object.fromEntries(Array.from({ length: 101 }, (_, i) => [i, {}]))), /at most 100 fields/],
    ['too large a schema', form({ n: { type: 'string', title: 'x'.repeat(200_000) } }), /too large/],
  ])('is refused with %s [elicit-schema]', (_name, schema, message) => {
    expect(() => readFlatForm(schema)).toThrow(message);
  });

  it.each<[string, UnknownRecord, UnknownRecord]>([
    ['a limit', { $ref: '#/$defs/short', maxLength: 5 }, { type: 'string', maxLength: 5 }],
    ['a type', { type: 'integer', allOf: [{ type: 'number', minimum: 1 }] }, { type: 'integer', minimum: 1 }],
    ['a keyword of no form', { $ref: '#/$defs/short', 'x-order': 1 }, { type: 'string', maxLength: 3 }],
    [
      'options, without the names of the others',
      { enum: ['a', 'b'], $ref: '#/$defs/named' },
      { type: 'string', enum: ['a', 'b'], enumNames: ['a', 'b'] },
    ],
  ])('has %s of its own rather than that of the schema it refers to', (_name, property, read) => {
    const short = { type: 'string', maxLength: 3, 'x-order': 2 };
    const named = { enum: ['x', 'y'], enumNames: ['X', 'Y'] };
    expect(readOf(property, { $defs: { short, named } })).toEqual(read);
  });

  it('may have any name, and has a field in the form', () => {
    const properties = JSON.parse('{"__proto__":{"type":"string"},"":{"type":"number"}}') as UnknownRecord;
    const schema = readFlatForm(form(properties));
    const engine = new FormEngine(schema);
    const root = engine.fieldFor(engine.root, {});
    if (root.kind !== 'object') throw new Error(`The form is of the kind ${root.kind}.`);
    expect(root.entries).toBeUndefined();
    expect(root.properties.map(({ key, schema: each }) => [key, engine.fieldFor(each, undefined).kind])).toEqual([
      ['__proto__', 'text'],
      ['', 'number'],
    ]);
  });
});

/** Optional members as pydantic, zod and others write them. */
describe('a property that may be null', () => {
  const more = {
    $defs: {
      Dish: { type: 'string', enum: ['a', 'b'], enumNames: ['A', 'B'], title: 'Dish' },
      Count: { type: ['integer', 'null'], minimum: 1 },
    },
  };

  it.each<[string, UnknownRecord, UnknownRecord]>([
    [
      'a union of a text and null',
      { anyOf: [{ type: 'string', maxLength: 9 }, { type: 'null' }], default: null, title: 'T', description: 'D' },
      { type: 'string', maxLength: 9, title: 'T', description: 'D' },
    ],
    [
      'one of a number and null',
      { oneOf: [{ type: 'null' }, { type: 'number', minimum: 2 }], default: 3 },
      { type: 'number', minimum: 2, default: 3 },
    ],
    ['a list of types', { type: ['string', 'null'] }, { type: 'string' }],
    ['null among the options', { enum: ['a', null, 'b'], enumNames: ['A', '-', 'B'] }, ab],
    ['a reference', { anyOf: [{ $ref: '#/$defs/Dish' }, { type: 'null' }] }, ab],
    ['a reference to what may be null', { allOf: [{ $ref: '#/$defs/Count' }] }, { type: 'integer', minimum: 1 }],
    ['titled options and null', { oneOf: [titledA, titledB, { const: null, title: 'None' }] }, ab],
    [
      'a single titled option',
      { anyOf: [titledA, { type: 'null' }] },
      { type: 'string', enum: ['a'], enumNames: ['A'] },
    ],
    [
      'a list of references',
      { anyOf: [{ type: 'array', items: { $ref: '#/$defs/Dish' } }, { type: 'null' }] },
      { type: 'array', items: ab, uniqueItems: true },
    ],
  ])('is an ordinary one: %s [elicit-nullable]', (_name, property, read) => {
    expect(readOf(property, more)).toEqual(read);
  });
});

describe('an answer', () => {
  const schema = readFlatForm(
    form(
      {
        name: { type: 'string', maxLength: 2 },
        age: { type: 'integer' },
        size: { type: 'number' },
        at: { type: 'string', format: 'date' },
      },
      { required: ['name'] },
    ),
  );

  it.each([
    [{ name: 'x' }, undefined],
    [{ name: '👍🏽', age: 3, at: 'soon' }, undefined],
    [{}, 'name'],
    [{ name: 'xyz' }, 'name'],
    [{ name: 'x', age: 1.5 }, 'age'],
    [{ name: 'x', age: 2 ** 53 }, 'age'],
    [{ name: 'x', age: -(2 ** 53) }, 'age'],
    [{ name: 'x', age: Number.MAX_SAFE_INTEGER }, undefined],
    [{ name: 'x', size: Number.NaN }, 'size'],
    [{ name: 'x', size: -Infinity }, 'size'],
    [{ name: 'x', size: 1e300 }, undefined],
  ])('%s has a wrong field: %s', (content, wrong) => {
    expect(findWrongField(schema, content)).toBe(wrong);
  });

  it('is undecided where a pattern or a format decides', () => {
    expect(isValid({ type: 'string', pattern: '^a' }, 'b')).toBeUndefined();
    expect(isValid({ type: 'string', format: 'email', minLength: 1 }, '')).toBe(false);
  });

  it('has texts, numbers, true or false, and lists of texts only', () => {
    expect(isFormContent({ a: 'x', b: 1, c: true, d: ['x'] })).toBe(true);
    for (const value of [{ a: null }, { a: {} }, { a: [1] }, [], undefined]) expect(isFormContent(value)).toBe(false);
  });
});
