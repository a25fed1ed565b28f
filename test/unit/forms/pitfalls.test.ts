import { describe, expect, it } from 'vitest';
import type { JsonValue, UnknownRecord } from '../../../src/base/json.ts';
import { FormEngine } from '../../../src/forms/formEngine.ts';
import { asKind, branchOf, fieldOf, labelsOf, namesOf, propertyIn, rootField } from './fields.ts';

// The pitfalls that a study of form libraries found, as far as they are the engine's. The others are tests of the page.

/** Each level doubles what a validator has to try. */
function nestedUnions(levels: number): UnknownRecord {
  let schema: UnknownRecord = { type: 'string' };
  for (let level = 0; level < levels; level += 1)
    schema = { anyOf: [{ $ref: '#/$defs/x' }, schema, { type: 'object', properties: { a: schema }, required: ['a'] }] };
  return { type: 'object', properties: { a: schema }, $defs: { x: { type: 'integer' } } };
}

describe('pitfall 1: regular expressions of servers', () => {
  const evil = '^(a+)+$';
  const text = `${'a'.repeat(60)}!`;

  it('are never run, whether of values or of names', () => {
    const schema = {
      type: 'object',
      oneOf: [
        { properties: { a: { type: 'string', pattern: evil } }, required: ['a'] },
        { patternProperties: { [evil]: { type: 'string' } }, propertyNames: { pattern: evil } },
      ],
      if: { properties: { a: { pattern: evil, format: evil } } },
      then: { properties: { b: {} } },
    };
    expect(rootField(schema, { a: text, [text]: text })).toMatchObject({ kind: 'union', chosen: 0 });
    const map = asKind(rootField({ type: 'object', patternProperties: { [evil]: { type: 'string' } } }), 'object');
    expect(map.entrySchema(text)).toEqual({ anyOf: [{ type: 'string' }, true] });
  });

  it('are shown, also those that are no regular expressions', () => {
    expect(fieldOf({ type: 'string', pattern: '(' }, 'x')).toMatchObject({ kind: 'text', limits: ['Pattern: ('] });
  });
});

it('pitfall 2: nested alternatives of many levels take bounded time, and each level is a choice', () => {
  const { engine, schema } = propertyIn(nestedUnions(22), 'a');
  let value: JsonValue = 'x';
  for (let level = 0; level < 22; level += 1) value = { a: value };
  const field = asKind(engine.fieldFor(schema, value), 'union');
  expect(field).toMatchObject({ chosen: 2 });
  expect(asKind(engine.fieldFor(field.branches[1]?.schema ?? false, 'x'), 'union').branches).toHaveLength(3);
});

it('pitfall 3: the validator knows no dynamic references: one that can only mean one schema is followed, others are JSON', () => {
  const tree = {
    $dynamicAnchor: 'node',
    type: 'object',
    properties: { list: { type: 'array', items: { $dynamicRef: '#node' } } },
  };
  const { engine, schema } = propertyIn(tree, 'list');
  const list = asKind(engine.fieldFor(schema, [{}]), 'list');
  expect(engine.fieldFor(list.itemSchema(0), {})).toMatchObject({ kind: 'object' });
  const $defs = { x: { $dynamicAnchor: 'node' }, y: { $dynamicAnchor: 'node' } };
  expect(fieldOf({ $dynamicRef: '#node' }, undefined, { $defs })).toMatchObject({
    kind: 'json',
    reason: 'Its schema has a reference that depends on where it is used.',
  });
});

describe('pitfall 4: what cannot be drawn', () => {
  const schema = {
    type: 'object',
    properties: {
      missing: { $ref: '#/$defs/none' },
      remote: { $ref: 'https://example.com/a.json' },
      junk: 'string',
      branch: { anyOf: [{ type: 'string' }, { $ref: '#/none' }] },
      text: { type: 'string' },
    },
  };
  const root = asKind(rootField(schema), 'object');
  const engine = new FormEngine(schema);
  const fieldAt = (index: number, value?: JsonValue) => engine.fieldFor(root.properties[index]?.schema ?? false, value);

  it('is JSON for that part alone, and says why', () => {
    expect(root.properties.map((_, index) => fieldAt(index).kind)).toEqual(['json', 'json', 'json', 'union', 'text']);
    expect([0, 1, 2].map((index) => asKind(fieldAt(index), 'json').reason)).toEqual([
      'Its schema refers to #/$defs/none, which is not there.',
      'Its schema is at https://example.com/a.json, which is not read.',
      'Its schema is not valid.',
    ]);
    const union = asKind(fieldAt(3, { x: 1 }), 'union');
    expect(union.chosen).toBe(1);
    expect(branchOf(engine, union, 1, { x: 1 })).toMatchObject({ kind: 'json', isMisfit: false });
    expect(asKind(fieldAt(3, 'x'), 'union').chosen).toBe(0);
  });

  it('can be a value that the schema does not allow: another one makes a field of it', () => {
    const reason = 'The schema asks for a text, and the value is a list.';
    expect(fieldAt(4, [1])).toMatchObject({ kind: 'json', isMisfit: true, reason });
    expect(fieldAt(4, null)).toMatchObject({ kind: 'json', isMisfit: true });
  });
});

describe('pitfall 7: values of branches', () => {
  it('need no choice where alternatives only ask for more: that is a sentence', () => {
    const schema = {
      type: 'object',
      properties: { a: {}, b: {}, c: {} },
      anyOf: [{ required: ['a'] }, { type: 'object', required: ['b', 'c'] }],
    };
    const limits = ['At least one of these is needed: a, b with c.'];
    expect(rootField(schema)).toMatchObject({ kind: 'object', limits });
  });

  it('stay in the branch of the person where several fit, and leave it only for a value that is not of it', () => {
    const branch = (kind: string) => ({
      type: 'object',
      properties: { kind: { const: kind }, name: { type: 'string' } },
    });
    const union = { oneOf: [branch('a'), branch('b'), { type: 'string' }] };
    const chosen = (value: JsonValue, person?: number) =>
      asKind(rootField({ ...union }, value, person), 'union').chosen;
    expect([chosen({}), chosen({}, 1), chosen({ name: 4 }, 1)]).toEqual([0, 1, 1]);
    expect([chosen({ kind: 'b' }), chosen({ kind: 'b' }, 0), chosen('x', 1)]).toEqual([1, 1, 2]);
  });
});

it('pitfall 8: what is left when a condition no longer holds is listed as not in the schema', () => {
  const schema = {
    type: 'object',
    properties: { kind: { enum: ['a', 'b'] } },
    if: { properties: { kind: { const: 'a' } } },
    then: { properties: { only: { type: 'string' } } },
    unevaluatedProperties: false,
  };
  expect(asKind(rootField(schema, { kind: 'a', only: 'x' }), 'object').otherKeys).toEqual([]);
  const after = asKind(rootField(schema, { kind: 'b', only: 'x' }), 'object');
  expect([after.isLive, after.otherKeys, after.entrySchema('only')]).toEqual([true, ['only'], undefined]);
});

it('pitfall 9: keys can be any text, also where a property has one value only', () => {
  expect(namesOf(rootField({ type: 'object', required: ['toString'] }))).toEqual(['toString!']);
  const properties = JSON.parse('{ "__proto__": { "const": 1 } }') as UnknownRecord;
  const start = new FormEngine({ type: 'object', properties, required: ['__proto__'] });
  expect(Object.entries(start.startValue(start.root) as object)).toEqual([['__proto__', 1]]);
});

it('pitfall 12: schemas of no stated dialect may use keywords of all of them', () => {
  const schema = {
    type: 'object',
    properties: { a: { items: [{ type: 'string' }], additionalItems: { $ref: '#/definitions/n' } } },
    definitions: { n: { type: 'number' } },
    dependencies: { a: ['b'], c: { required: ['d'] } },
  };
  expect(namesOf(rootField(schema, { a: [], c: 1 }))).toEqual(['a', 'd!', 'b!']);
  const { engine, schema: property } = propertyIn(schema, 'a');
  const list = asKind(engine.fieldFor(property, []), 'list');
  expect([list.prefixLength, engine.fieldFor(list.itemSchema(1), 1).kind]).toEqual([1, 'number']);
});

it('pitfall 13: several unions in one schema follow one another at the same path', () => {
  const schema = {
    type: 'object',
    oneOf: [
      { title: 'A', properties: { a: {} } },
      { title: 'B', properties: { b: {} } },
    ],
    allOf: [
      {
        anyOf: [
          { title: 'C', properties: { c: {} } },
          { title: 'D', properties: { d: {} } },
        ],
      },
    ],
  };
  const engine = new FormEngine(schema);
  const first = asKind(engine.fieldFor(engine.root, {}, 1), 'union');
  const second = asKind(branchOf(engine, first, 1, {}), 'union');
  expect([labelsOf(first), labelsOf(second)]).toEqual([
    ['A', 'B'],
    ['C', 'D'],
  ]);
  expect(namesOf(branchOf(engine, second, 0, {}))).toEqual(['b', 'c']);
});
