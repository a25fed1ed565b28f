import { describe, expect, it } from 'vitest';
import type { JsonValue, UnknownRecord } from '../../../src/base/json.ts';
import type { SubSchema } from '../../../src/forms/field.ts';
import { FormEngine } from '../../../src/forms/formEngine.ts';
import { simplePattern } from '../../../src/schema/simplePattern.ts';
import { asKind, branchOf, entriesOf, fieldOf, itemsOf, labelsOf, namesOf, propertyIn, rootField } from './fields.ts';

describe('references', () => {
  it('have siblings, which count too: what describes the value comes from the outside first', () => {
    const $defs = { name: { title: 'Name', description: 'inner', type: 'string', minLength: 2 } };
    const schema = { $ref: '#/$defs/name', description: 'outer', maxLength: 3 };
    const field = fieldOf(schema, undefined, { $defs });
    expect(field).toMatchObject({ kind: 'text', description: 'outer', limits: ['2 to 3 characters.'] });
    // It is the name of the type, and not of this value.
    expect(field.title).toBeUndefined();
  });

  it.each<[string, string]>([
    ['a pointer', '#/$defs/a~1b%20c/properties/x'],
    ['an anchor', '#here'],
    ['an anchor of draft-07', '#old'],
    ['a relative address', 'other.json'],
    ['an absolute address', 'https://example.com/other.json#/$defs/y'],
    ['a pointer through an address', 'other.json#/$defs/y'],
  ])('are found by %s', (_name, $ref) => {
    const $defs = {
      'a/b c': { properties: { x: { type: 'integer' } } },
      here: { $anchor: 'here', type: 'integer' },
      old: { $id: '#old', type: 'integer' },
      other: { $id: 'other.json', type: 'integer', $defs: { y: { type: 'integer' } } },
    };
    const beside = { $id: 'https://example.com/root.json', $defs };
    expect(fieldOf({ $ref }, undefined, beside)).toMatchObject({ kind: 'number', isInteger: true });
  });

  it('that go round say nothing, and end', () => {
    for (const schema of [{ $ref: '#' }, { allOf: [{ $ref: '#' }] }, { anyOf: [{ $ref: '#' }, { $ref: '#' }] }])
      expect(['object', 'json']).toContain(rootField(schema, {}).kind);
    const $defs = { a: { anyOf: [{ $ref: '#/$defs/a' }, { type: 'string' }] } };
    expect(fieldOf({ $ref: '#/$defs/a' }, 'x', { $defs }).kind).toBe('text');
  });

  it('mark what leads to itself, and only that', () => {
    const node = {
      type: 'object',
      properties: { next: { $ref: '#/$defs/node' }, list: { type: 'array', items: { $ref: '#/$defs/node' } }, own: {} },
    };
    const beside = { $defs: { node } };
    expect(fieldOf({ $ref: '#/$defs/node' }, {}, beside)).toMatchObject({ isRecursive: true });
    const { engine, schema } = propertyIn({ properties: { a: { $ref: '#/$defs/node' } }, ...beside }, 'a');
    const object = asKind(engine.fieldFor(schema, {}), 'object');
    const fields = object.properties.map((property) => engine.fieldFor(property.schema, undefined));
    expect(fields).toMatchObject([{ isRecursive: true }, { isRecursive: true }, { kind: 'union' }]);
    expect(engine.fieldFor(engine.root, {})).toMatchObject({ isRecursive: false });
  });
});

describe('null', () => {
  it.each<[string, UnknownRecord, string]>([
    ['a type list', { type: ['object', 'null'] }, 'object'],
    ['anyOf with a reference', { anyOf: [{ $ref: '#/$defs/a' }, { type: 'null' }] }, 'choice'],
    ['oneOf of several', { oneOf: [{ type: 'string' }, { type: 'number' }, { const: null }] }, 'union'],
    ['an enum', { enum: ['a', null] }, 'choice'],
    ['a list of constants', { oneOf: [{ const: 1, title: 'One' }, { type: 'null' }] }, 'choice'],
    ['OpenAPI', { type: 'integer', nullable: true }, 'number'],
    ['an enum of OpenAPI', { type: 'string', enum: ['a'], nullable: true }, 'choice'],
    ['allOf', { allOf: [{ type: ['string', 'null'] }, { type: ['string', 'null'], minLength: 1 }] }, 'text'],
    ['everything', {}, 'union'],
  ])('is a value of its own with %s', (_name, schema, kind) => {
    const beside = { $defs: { a: { enum: ['p', 'q'] } } };
    for (const value of [undefined, null])
      expect(fieldOf(schema, value, beside)).toMatchObject({ kind, isNullable: true });
  });

  it('is none where another part forbids it', () => {
    expect(fieldOf({ type: 'string', enum: ['a', null] })).toMatchObject({ isNullable: false });
    expect(fieldOf({ allOf: [{ type: ['string', 'null'] }, { type: 'string' }] })).toMatchObject({ isNullable: false });
  });

  it('is told of by the union, not by its branches', () => {
    const anyOf = [{ type: ['string', 'null'] }, { type: 'number' }];
    const { engine, schema } = propertyIn({ properties: { a: { anyOf } } }, 'a');
    const union = asKind(engine.fieldFor(schema, 'x'), 'union');
    expect([union.isNullable, branchOf(engine, union, 0, 'x').isNullable]).toEqual([true, false]);
    expect(asKind(engine.fieldFor(schema, null), 'union').chosen).toBeUndefined();
  });

  it('alone has a field of its own', () => {
    expect(fieldOf({ enum: [null] })).toMatchObject({ kind: 'null' });
    expect(new FormEngine({}).startValue({ type: 'null' })).toBeNull();
  });
});

describe('unions', () => {
  it('are named by title, constant, reference or kind, each differently', () => {
    const object = (properties: UnknownRecord, more: UnknownRecord = {}) => ({ type: 'object', properties, ...more });
    const anyOf = [
      object({ kind: { const: 'x' } }, { title: 'Title' }),
      object({ kind: { const: 'y' } }),
      { $ref: '#/$defs/named' },
      { $ref: '#/$defs/titled' },
      { type: 'array', items: { type: 'string' } },
      object({ p: {}, q: {} }, { required: ['p'] }),
      object({ r: {} }),
      { enum: ['one', 'two'] },
      { type: 'integer' },
      { type: 'string', format: 'date' },
      { type: 'string', format: 'time' },
      { type: 'boolean' },
      { type: 'boolean' },
    ];
    const $defs = { named: object({}), titled: object({ kind: { const: 'z' } }, { title: 'Titled' }) };
    expect(labelsOf(fieldOf({ anyOf }, undefined, { $defs })).join(', ')).toBe(
      'Title, kind: y, named, Titled, List of texts, Object: p, Object: r, one or two, Whole number, Text: date, ' +
        'Text: time, True or false, True or false (2)',
    );
  });

  it('are none with a single branch, and lists of values with constants only', () => {
    expect(fieldOf({ anyOf: [{ type: 'string', minLength: 1 }] })).toMatchObject({ kind: 'text' });
    expect(fieldOf({ anyOf: [{ type: 'string' }, false] })).toMatchObject({ kind: 'text' });
    expect(fieldOf({ anyOf: [{ enum: ['a', 'b'] }, { const: 'c', title: 'C', description: 'd' }] })).toMatchObject({
      kind: 'choice',
      options: [
        { value: 'a', label: 'a' },
        { value: 'b', label: 'b' },
        { value: 'c', label: 'C', description: 'd' },
      ],
    });
  });

  it('choose what fits, then what the value is most like', () => {
    const branch = (names: readonly string[]) => ({
      type: 'object',
      properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
      required: names,
      additionalProperties: false,
    });
    const schema = { anyOf: [branch(['a', 'b']), branch(['b', 'c']), { type: 'array', items: { type: 'number' } }] };
    const chosen = (value: JsonValue) => asKind(fieldOf(schema, value), 'union').chosen;
    expect([{ b: 'x', c: 'y' }, { c: 'y' }, { c: 4 }, [], {}].map(chosen)).toEqual([1, 1, 1, 2, 0]);
    expect(fieldOf(schema, 'x')).toMatchObject({
      kind: 'json',
      isMisfit: true,
      reason: 'The schema asks for an object or a list, and the value is a text.',
    });
  });

  it('within unions are chosen one after the other', () => {
    const schema = {
      oneOf: [{ type: 'string' }, { oneOf: [{ type: 'integer' }, { type: 'array', items: { type: 'string' } }] }],
    };
    const { engine, schema: at } = propertyIn({ properties: { a: schema } }, 'a');
    const outer = asKind(engine.fieldFor(at, ['x']), 'union');
    const inner = asKind(branchOf(engine, outer, 1, ['x']), 'union');
    expect([outer.chosen, inner.chosen, branchOf(engine, inner, 1, ['x']).kind]).toEqual([1, 1, 'list']);
  });

  it('of kinds leave each kind what is said of it', () => {
    const schema = { type: ['string', 'array'], maxLength: 4, items: { type: 'number' }, description: 'd' };
    const { engine, schema: at } = propertyIn({ properties: { a: schema } }, 'a');
    const union = asKind(engine.fieldFor(at, 'x'), 'union');
    expect([union.description, labelsOf(union), union.chosen]).toEqual(['d', ['Text', 'List'], 0]);
    expect(branchOf(engine, union, 0, 'x')).toMatchObject({ kind: 'text', limits: ['At most 4 characters.'] });
    expect(branchOf(engine, union, 0, 'x').description).toBeUndefined();
    expect(itemsOf(asKind(branchOf(engine, union, 1), 'list'), 1)).toEqual([{ type: 'number' }]);
  });
});

it('schemas that are put together are the same objects each time, so that a page knows what has not changed', () => {
  const schema: UnknownRecord = {
    type: 'object',
    properties: { kind: { enum: ['a', 'b'] }, x: { type: 'string' } },
    allOf: [{ properties: { x: { minLength: 1 } } }],
    if: { properties: { kind: { const: 'a' } } },
    then: { properties: { x: { maxLength: 4 } } },
    patternProperties: { '^(a|b)+$': { type: 'string' }, '(c|d)': { type: 'number' } },
  };
  const engine = new FormEngine(schema);
  const at = (value: JsonValue): SubSchema | undefined => {
    const object = asKind(engine.fieldFor(engine.root, value), 'object');
    return object.properties.find(({ key }) => key === 'x')?.schema;
  };
  expect(at({ kind: 'a', x: '1' })).toBe(at({ kind: 'a', x: '12' }));
  expect(at({ kind: 'a' })).not.toBe(at({ kind: 'b' }));
  expect(engine.fieldFor(at({ kind: 'a' }) ?? false, 'x').limits).toEqual(['1 to 4 characters.']);
  const entry = (value: JsonValue) => asKind(engine.fieldFor(engine.root, value), 'object').entrySchema('q');
  expect(entry({ q: 1 })).toBe(entry({ q: 2 }));
});

describe('maps', () => {
  it('have a schema for each key: a pattern that surely matches counts, one that is not understood may', () => {
    const patternProperties = { '^x-': { type: 'string' }, '^(y|z)': { type: 'number' } };
    const open = asKind(rootField({ type: 'object', patternProperties }, { 'x-a': 1, other: 2 }), 'object');
    expect(entriesOf(open, 'x-a')).toEqual({
      entries: { anyOf: [{ type: 'string' }, { type: 'number' }] },
      key: { type: 'string' },
      others: ['x-a', 'other'],
    });
    expect(open.entrySchema('other')).toEqual({ anyOf: [{ type: 'number' }, true] });
    const named = { patternProperties: { '^x-': { type: 'string' } }, additionalProperties: false };
    const closed = asKind(rootField({ type: 'object', ...named }), 'object');
    expect([closed.entrySchema('x-a'), closed.entrySchema('a')]).toEqual([{ type: 'string' }, undefined]);
    expect(closed.limits).toEqual(['Names match ^x-']);
  });

  it('with an enumeration of names have these as properties', () => {
    const field = rootField({
      type: 'object',
      propertyNames: { enum: ['a', 'b'] },
      additionalProperties: { type: 'number' },
      required: ['a'],
    });
    expect(namesOf(field)).toEqual(['a!', 'b']);
    expect(asKind(field, 'object').entries).toBeUndefined();
  });

  it('offer entries where the schema speaks of them, or has no properties', () => {
    const entries = (schema: UnknownRecord) => asKind(rootField({ type: 'object', ...schema }), 'object').entries;
    const string = { type: 'string' };
    expect(entries({})).toBe(true);
    expect([entries({ properties: { a: {} } }), entries({ additionalProperties: false })]).toEqual([
      undefined,
      undefined,
    ]);
    expect(entries({ properties: { a: {} }, additionalProperties: string })).toEqual(string);
    expect(entries({ allOf: [{ properties: { a: {} } }], unevaluatedProperties: string })).toEqual(string);
    // What is not forbidden is allowed, even if it is not offered.
    expect(asKind(rootField({ type: 'object', properties: { a: {} } }), 'object').entrySchema('b')).toBe(true);
  });

  it('have no property that is forbidden', () => {
    const schema = { type: 'object', properties: { a: {}, b: false }, required: ['c'] };
    const field = asKind(rootField(schema, { b: 1 }), 'object');
    expect([namesOf(field), field.otherKeys, field.entrySchema('b')]).toEqual([['a', 'c!'], ['b'], undefined]);
  });
});

it.each<[UnknownRecord, JsonValue]>([
  [{ type: 'string', default: 'x', minLength: 3 }, ''],
  [{ type: 'integer', minimum: 2.5 }, 3],
  [{ type: 'number', exclusiveMinimum: 1, default: 7 }, 7],
  [{ type: 'number', maximum: -4 }, -4],
  [{ type: 'boolean', default: true }, false],
  [{ type: 'array', minItems: 3, items: { type: 'string' } }, []],
  [{ enum: ['b', 'c'] }, 'b'],
  [{ type: ['string', 'null'] }, ''],
  [{ $ref: '#/none' }, null],
  [
    { oneOf: [{ properties: { k: { const: 'a' }, n: { const: 1 } }, required: ['k'] }, { type: 'string' }] },
    { k: 'a' },
  ],
])('values to begin with of %j', (schema, expected) => {
  expect(new FormEngine({}).startValue(schema)).toEqual(expected);
});

it.each<[UnknownRecord, readonly string[]]>([
  [{ type: 'string', minLength: 3 }, ['At least 3 characters.']],
  [{ type: 'string', minLength: 1, maxLength: 1 }, ['Exactly 1 character.']],
  [{ type: 'string', format: 'email', pattern: 'a' }, ['An email address.', 'Pattern: a']],
  [{ type: 'string', format: 'unknown' }, []],
  [{ type: 'string', contentEncoding: 'base64' }, ['Encoded as Base64.']],
  [{ type: 'integer', minimum: 1, maximum: 10, multipleOf: 3 }, ['From 1 to 10.', 'A multiple of 3.']],
  [{ type: 'integer', minimum: -(2 ** 53 - 1), maximum: 2 ** 53 - 1 }, []],
  [{ type: 'number', exclusiveMinimum: 0, maximum: 1 }, ['More than 0 and at most 1.']],
  [{ allOf: [{ minimum: 1 }, { minimum: 3 }], type: 'number' }, ['At least 3.']],
  [{ type: 'array', minItems: 1, maxItems: 2, contains: { const: 'a' } }, ['1 to 2 items.', 'At least 1 item is "a".']],
  [{ type: 'object', minProperties: 1 }, ['At least 1 entry.']],
  [{ propertyNames: { minLength: 2, pattern: '^a' } }, ['Names: at least 2 characters, pattern: ^a']],
])('limits in words of %j', (schema, limits) => {
  expect(fieldOf(schema).limits).toEqual(limits);
});

describe('a pattern that is understood without running it', () => {
  it.each<[string, string, boolean | undefined]>([
    ['^x-', 'x-a', true],
    ['^x-', 'ax-', false],
    ['a$', 'ba', true],
    ['^[a-z_][a-z0-9_]*$', 'a_1', true],
    ['^[a-z_][a-z0-9_]*$', '1a', false],
    ['^[^/]+$', 'a/b', false],
    ['^\\d{2,3}$', '1234', false],
    ['^\\d{2,3}$', '123', true],
    ['^a.c?$', 'ab', true],
    ['', 'x', true],
    ['^.*$', '', true],
    ['^[a\\-z]$', '-', true],
    ['b', 'abc', true],
    ['^(a+)+$', 'a', undefined],
    ['a|b', 'a', undefined],
    ['\\bx', 'x', undefined],
    ['[', 'x', undefined],
    ['a+?', 'a', undefined],
    ['\\p{L}', 'a', undefined],
    ['^a{0003}$', 'a', undefined],
  ])('%s for %s', (pattern, text, expected) => {
    expect(simplePattern(pattern)(text)).toBe(expected);
    if (expected !== undefined) expect(new RegExp(pattern, 'u').test(text)).toBe(expected);
  });

  it('are left where more characters would have to be looked at than are left', () => {
    const budget = { left: 1_000 };
    const matches = simplePattern(`^${'.*'.repeat(90)}$`);
    expect(matches('ab', budget)).toBe(true);
    expect(matches('a'.repeat(190), budget)).toBe(undefined);
    expect(matches('ab', budget)).toBe(undefined);
  });
});
