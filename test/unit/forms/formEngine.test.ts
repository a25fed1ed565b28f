import { describe, expect, it } from 'vitest';
import type { JsonValue, UnknownRecord } from '../../../src/base/json.ts';
import { FormEngine } from '../../../src/forms/formEngine.ts';
import { fieldOf, labelsOf, namesOf, rootField } from './fields.ts';

function choice(...options: readonly (readonly [JsonValue, string])[]): object {
  return { kind: 'choice', options: options.map(([value, label]) => ({ value, label })) };
}

describe('the field of a schema', () => {
  it.each<[string, UnknownRecord, object]>([
    ['text', { type: 'string' }, { kind: 'text', isLong: false }],
    ['long text', { type: 'string', contentMediaType: 'text/markdown' }, { kind: 'text', isLong: true }],
    ['text of a format', { type: 'string', format: 'email' }, { kind: 'text', format: 'email', isLong: false }],
    [
      'integer',
      { type: 'integer', minimum: 1, maximum: 3 },
      { kind: 'number', isInteger: true, limits: ['From 1 to 3.'] },
    ],
    ['boolean', { type: 'boolean', default: true }, { kind: 'boolean', default: true }],
    ['enum', { enum: ['a', 2] }, choice(['a', 'a'], [2, '2'])],
    ['const', { const: 'x' }, choice(['x', 'x'])],
    ['titled', { oneOf: [{ const: 1, title: 'One' }] }, choice([1, 'One'])],
    ['names', { enum: ['a'], enumNames: ['A'] }, choice(['a', 'A'])],
    ['list', { type: 'array', items: {}, uniqueItems: true }, { kind: 'list', limits: ['Each item once.'] }],
    ['deprecated', { type: 'string', deprecated: true, readOnly: true }, { isDeprecated: true, isReadOnly: true }],
    [
      'allOf',
      { allOf: [{ type: 'string' }, { title: 'T' }, { maxLength: 4 }] },
      { kind: 'text', title: 'T', isLong: false },
    ],
    ['false', { not: {}, allOf: [false] }, { kind: 'json', reason: 'Its schema allows no value.' }],
  ])('is right for %s', (_name, schema, expected) => {
    expect(fieldOf(schema)).toMatchObject(expected);
  });

  it.each<[UnknownRecord, boolean]>([
    [{ format: 'uri' }, true],
    [{ format: 'markdown', maxLength: 50 }, false],
    [{}, false],
    [{ maxLength: 100 }, true],
    [{ maxLength: 101 }, false],
    [{ maxLength: 100, default: 'a\nb' }, false],
    [{ pattern: '^[a-z_]+(-\\d{2,4})?$', maxLength: 5_000 }, true],
    [{ pattern: '^[^,]+$' }, false],
    [{ pattern: '^\\s*a$' }, false],
    [{ pattern: '^[\\s\\S]*$' }, false],
    [{ pattern: '^a|b$' }, false],
    [{ pattern: 'a$' }, false],
    [{ pattern: '^a\\$' }, false],
    [{ pattern: `^${'('.repeat(2_000)}$` }, false],
  ])('is a line where no line break is to be expected: %j', (schema, isLine) => {
    const text = { type: 'string', ...schema };
    expect(fieldOf(text)).toMatchObject({ kind: 'text', isLine });
    expect(fieldOf(text, 'one line')).toMatchObject({ isLine });
    expect(fieldOf(text, 'two\nlines')).toMatchObject({ isLine: false });
  });

  it('offers every kind where the schema says nothing', () => {
    expect(labelsOf(fieldOf({}))).toEqual(['Text', 'Number', 'True or false', 'Object', 'List']);
    expect(fieldOf({})).toMatchObject({ isNullable: true });
    expect(fieldOf({}, [1])).toMatchObject({ chosen: 4 });
    expect(labelsOf(fieldOf({ type: ['string', 'integer', 'null'] }))).toEqual(['Text', 'Whole number']);
  });

  it('is JSON for a value that does not fit, for that value alone', () => {
    expect(fieldOf({ type: 'string' }, 4)).toMatchObject({ kind: 'json', isMisfit: true });
    expect(fieldOf({ enum: ['a'] }, 'b')).toMatchObject({ kind: 'json', isMisfit: true });
    expect(fieldOf({ type: 'integer' }, 0.5)).toMatchObject({ kind: 'number' });
    expect(fieldOf({ type: 'string' }, 'a\nb')).toMatchObject({ kind: 'text', isLong: true });
  });
});

describe('objects and lists', () => {
  it('ask again for conditions when the value changes', () => {
    const schema = {
      type: 'object',
      properties: { kind: { enum: ['a', 'b'] } },
      if: { properties: { kind: { const: 'a' } }, required: ['kind'] },
      ['then']: { properties: { only: { type: 'string' } }, required: ['only'] },
      else: { properties: { other: {} } },
      dependentSchemas: { kind: { properties: { more: {} } } },
      dependentRequired: { kind: ['kind'] },
    };
    expect(rootField(schema, {})).toMatchObject({ isLive: true });
    expect(namesOf(rootField(schema, {}))).toEqual(['kind', 'other']);
    expect(namesOf(rootField(schema, { kind: 'a' }))).toEqual(['kind!', 'only!', 'more']);
    expect(namesOf(rootField(schema, { kind: 'b' }))).toEqual(['kind!', 'other', 'more']);
  });

  it('have places of their own at the start of a list, in both dialects', () => {
    const rest = { type: 'number' };
    for (const schema of [
      { type: 'array', prefixItems: [{ type: 'string' }], items: rest },
      { type: 'array', items: [{ type: 'string' }], additionalItems: rest },
    ]) {
      const field = rootField(schema, []);
      if (field.kind !== 'list') throw new Error('no list');
      expect([field.itemSchema(0), field.itemSchema(1)]).toMatchObject([{ type: 'string' }, rest]);
      expect(field.prefixLength).toBe(1);
    }
    const closed = rootField({ type: 'array', prefixItems: [{}, {}], items: false });
    expect(closed).toMatchObject({ maximumItems: 2 });
  });

  it('keep keys that are special elsewhere', () => {
    const properties = JSON.parse(
      '{ "__proto__": { "type": "number" }, "": {}, "a/b": {}, "constructor": {} }',
    ) as object;
    expect(namesOf(rootField({ type: 'object', properties }))).toEqual(['__proto__', '', 'a/b', 'constructor']);
    expect(rootField({ type: 'object', properties: {} }, JSON.parse('{ "__proto__": 1 }') as JsonValue)).toMatchObject({
      otherKeys: ['__proto__'],
    });
  });
});

describe('hostile schemas', () => {
  const definitions = Object.fromEntries(
    Array.from({ length: 40 }, (_, index) => [
      `d${index}`,
      { allOf: [{ $ref: `#/$defs/d${index + 1}` }, { $ref: `#/$defs/d${index + 1}` }] },
    ]),
  );
  let deep: UnknownRecord = { type: 'string' };
  for (let level = 0; level < 3_000; level += 1) deep = { type: 'object', properties: { a: deep } };

  it.each<[string, UnknownRecord]>([
    ['references that double', { $ref: '#/$defs/d0', $defs: definitions }],
    ['a reference to itself', { $ref: '#' }],
    ['itself in allOf', { allOf: [{ $ref: '#' }] }],
    ['depth', deep],
    ['many properties', { properties: Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`p${at}`, {}])) }],
    ['an id twice', { $defs: { a: { $id: 'x' }, b: { $id: 'x' } }, properties: { a: { $ref: '#/$defs/a' } } }],
    [
      'keywords of wrong kinds',
      { type: 4, properties: [], required: 'a', oneOf: {}, enum: 'x', items: 7, allOf: [null, 3] },
    ],
  ])('never throw and never hang: %s', (_name, schema) => {
    const engine = new FormEngine(schema);
    for (const value of [undefined, {}, { a: { a: 'x' } }, 'x', null, [1]]) {
      expect(engine.fieldFor(engine.root, value).kind).toBeTypeOf('string');
    }
    expect(engine.startValue(engine.root)).toBeDefined();
  });
});
