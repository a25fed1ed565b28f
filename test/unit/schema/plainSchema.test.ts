import { expect, it, vi } from 'vitest';
import { SchemaChecker } from '../../../src/checker/schemaChecker.ts';
import { compilePlainSchema } from '../../../src/schema/plainSchema.ts';
import type { JsonSchema } from '../../../src/protocol/mcp/tools.ts';

/** Values for which schemas give different results. */
const values = JSON.parse(`[
  null, true, false, 0, -0, 1, 1.5, 1e300, "", "a", "ab", "👍🏽", "xxxxxxxxx",
  [], [1], [1, 1], [1, "1"], [true, 1], [[1], [1]], ["a", "b", "c"], [[[]], [[1]]],
  {}, { "a": 1 }, { "a": "x" }, { "a": null, "b": 2 }, { "a": "x", "c": {} }, { "c": {}, "b": 2, "a": "x" },
  { "d": 1, "a": "x", "e": 2, "c": {} }, { "a": "x", "b": 2, "d": "x", "c": {} }, { "a": { "a": { "a": 1 } } },
  { "a": { "a": { "a": "x" } }, "b": { "a": "y" } }, { "constructor": 1 }, { "__proto__": 1 }
]`) as readonly unknown[];

const schemas: readonly JsonSchema[] = [
  {},
  { type: 'string' },
  { type: ['string', 'null'] },
  { type: 'integer', minimum: 1 },
  { type: 'number', exclusiveMaximum: 1 },
  { exclusiveMinimum: 0, maximum: 1 },
  { minLength: 1 },
  { minLength: 2, maxLength: 2 },
  { maxLength: 3 },
  { enum: ['a', 1, null, [1], { a: 1 }] },
  { const: 'a' },
  { const: [1] },
  { type: 'array', items: { type: 'integer' }, uniqueItems: true },
  { uniqueItems: true, minItems: 2 },
  { items: false },
  { maxItems: 1 },
  { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
  { required: ['constructor'] },
  { required: ['__proto__'] },
  { properties: { a: true, b: false } },
  { properties: { a: {} }, additionalProperties: false },
  { additionalProperties: { type: 'integer' } },
  {
    properties: { a: { type: ['string', 'null'] }, b: { type: 'integer' }, c: { type: 'object' } },
    required: ['a', 'c'],
    additionalProperties: { type: 'number' },
  },
  { required: ['a', 'c'], additionalProperties: {} },
  { anyOf: [{ type: 'string' }, { type: 'null' }] },
  { anyOf: [{ type: 'string', title: 'T' }, { type: ['null', 'integer'] }], minLength: 2, minimum: 1 },
  { anyOf: [{ type: 'number' }, {}] },
  { anyOf: [{ type: 'integer' }, { type: 'string' }], type: ['number', 'string'] },
  { anyOf: [false, { required: ['a'] }] },
  { anyOf: [{ type: 'string' }, { properties: { b: { type: 'integer' } } }], required: ['a'] },
  { allOf: [{ required: ['a'] }, { properties: { a: { type: 'string' } } }] },
  { enum: ['a', 'b'], const: 'a' },
  { items: { $ref: '#' }, type: 'array' },
  { type: ['object', 'string'], additionalProperties: { $ref: '#' } },
  { $ref: '#/$defs/name', $defs: { name: { type: 'string' } } },
  {
    properties: { a: { $ref: '#/definitions/no.1', title: 'T' } },
    definitions: { 'no.1': { type: ['string', 'null'] } },
  },
  { $ref: '#/$defs/a', minLength: 2, $defs: { a: { $ref: '#/$defs/b' }, b: { type: 'string', maxLength: 9 } } },
  {
    $ref: '#/$defs/tree',
    $defs: { tree: { anyOf: [{ const: 'x' }, { additionalProperties: { $ref: '#/$defs/tree' } }] } },
  },
  {
    $schema: 'http://json-schema.org/draft-07/schema#',
    $ref: '#/$defs/a',
    required: ['a'],
    $defs: { a: { type: 'object' } },
  },
  { $ref: '#/properties/a', properties: { a: { type: ['string', 'object'] } } },
  { $ref: '#/$defs/a%20b', $defs: { 'a b': { type: 'string' }, 'a%20b': { type: 'number' } } },
  // A chain of references that leads back to its start, within a list.
  { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { type: 'array', items: { $ref: '#' } } } },
  { $schema: 'http://json-schema.org/draft-07/schema#', title: 'T', default: 1, 'x-mine': 2, type: 'object' },
];

const complex: readonly JsonSchema[] = [
  { pattern: 'a' },
  { pattern: 'b' },
  { $ref: '#/$defs/missing' },
  { $ref: '#/$defs/a', $defs: { a: { pattern: 'b' } } },
  { $ref: 'https://example.com/x' },
  { $id: 'https://example.com/x', $ref: '#' },
  { not: {} },
  { oneOf: [{}] },
  { if: {} },
  { patternProperties: { a: {} } },
  { propertyNames: {} },
  { contains: {} },
  { prefixItems: [{}] },
  { items: [{}] },
  { dependentSchemas: {} },
  { unevaluatedProperties: false },
  { multipleOf: 2 },
  { minProperties: 1 },
  { anyOf: [{ not: {} }] },
  { anyOf: [] },
  { properties: { a: { pattern: 'a' } } },
  { items: { anyOf: [{ items: { pattern: 'a' } }] } },
  { type: 'strng' },
  { type: 5 },
  { required: 'a' },
  { minimum: '1' },
  { $schema: 'http://json-schema.org/draft-04/schema#' },
];

it.each(schemas)('calls valid only what ajv does: %j', (schema) => {
  const check = compilePlainSchema(schema);
  const checker = new SchemaChecker();
  const verdicts = values.map((value, id) => {
    const { kind } = checker.checkFirst({ id, key: 1, schema, value, firstOnly: true });
    return { value, isPlain: check?.(value) === true, isValid: kind === 'valid' };
  });
  expect(verdicts.filter(({ isPlain, isValid }) => isPlain && !isValid)).toEqual([]);
  // It accepts some values too.
  if (verdicts.some(({ isValid }) => isValid) && schema['const'] === undefined)
    expect(verdicts.some(({ isPlain }) => isPlain)).toBe(true);
});

it.each(complex)('leaves other schemas to the process that checks: %j', (schema) => {
  expect(compilePlainSchema(schema)).toBeUndefined();
});

it('looks at no more of a value than it may, whatever the schema [schema-bounds]', () => {
  let looks = 0;
  const list = new Proxy(
    Array.from({ length: 3_000_000 }, () => 1),
    {
      get(target, key) {
        looks += 1;
        return Reflect.get(target, key) as unknown;
      },
    },
  );
  const many = Array.from({ length: 400 }, (_, index) => ({ const: index + 10 }));
  for (const schema of [{ items: { type: 'integer' } }, { items: { anyOf: many } }, { items: { enum: [2, 3] } }]) {
    expect(compilePlainSchema(schema)?.(list)).toBe(false);
    expect(looks).toBeLessThan(300_000);
    looks = 0;
  }
});

it.each([
  { $ref: '#' },
  { allOf: [{ $ref: '#' }] },
  { anyOf: [{ $ref: '#' }, { $ref: '#' }] },
  { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } },
])('decides nothing for a schema that refers to itself without end: %j [schema-bounds]', (schema) => {
  expect(compilePlainSchema(schema)?.({})).toBe(false);
});

it('takes the names of options for an annotation, as forms have them for yes and no', () => {
  const check = compilePlainSchema({ type: 'boolean', enum: [true, false], enumNames: ['Yes', 'No'] });
  expect(check?.(false)).toBe(true);
});

it('reads nested values as deep as the stack allows, and no further', () => {
  let value: unknown = [];
  for (let level = 0; level < 100_000; level += 1) value = [value];
  const check = compilePlainSchema({ type: 'array', items: { $ref: '#' } });
  expect(check?.(value)).toBe(false);
  expect(check?.([[[]]])).toBe(true);
});

it('stops where each level of a value doubles the work [schema-bounds]', () => {
  let value: unknown = 1;
  for (let level = 0; level < 40; level += 1) value = [value];
  const lists = { type: 'array', items: { $ref: '#' } };
  expect(compilePlainSchema({ anyOf: [lists, lists] })?.(value)).toBe(false);
});

it('takes one step for a choice of types', () => {
  const list = Array.from({ length: 60_000 }, () => null);
  expect(compilePlainSchema({ items: { anyOf: [{ type: 'string' }, { type: 'null' }] } })?.(list)).toBe(true);
});

it('searches no property by name where the value has those of the schema in order', () => {
  const properties = { a: { type: 'string' }, b: { type: 'integer' }, c: { type: 'boolean' } };
  const check = compilePlainSchema({ properties, required: ['a'], additionalProperties: false });
  const search = vi.spyOn(Map.prototype, 'get');
  try {
    expect(check?.({ a: 'x', b: 1, c: true })).toBe(true);
    expect(search).not.toHaveBeenCalled();
    expect(check?.({ c: true, a: 'x' })).toBe(true);
    expect(search).toHaveBeenCalled();
  } finally {
    search.mockRestore();
  }
});

it('lists the names of a long object a few times only, whatever the schema [schema-bounds]', () => {
  let listed = 0;
  const long = new Proxy(Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`name${index}`, 1])), {
    ownKeys(target) {
      listed += 1;
      return Reflect.ownKeys(target);
    },
  });
  const options = Array.from({ length: 1_000 }, () => ({ additionalProperties: { type: 'string' } }));
  expect(compilePlainSchema({ anyOf: options })?.(long)).toBe(false);
  expect(listed).toBeLessThan(50);
});

it('compares no long strings, since a schema could compare them thousands of times [schema-bounds]', () => {
  const long = 'x'.repeat(1_001);
  for (const schema of [{ const: long }, { enum: [long] }]) expect(compilePlainSchema(schema)?.(long)).toBe(false);
  expect(compilePlainSchema({ uniqueItems: true })?.([long, 'x'])).toBe(false);
  expect(compilePlainSchema({ const: long.slice(1) })?.(long.slice(1))).toBe(true);
});

it('fills no set with many values of a stranger: hashes of numbers can be foreseen [schema-bounds]', () => {
  const numbers = Array.from({ length: 101 }, (_, index) => index * 65_536);
  expect(compilePlainSchema({ enum: numbers })).toBeUndefined();
  expect(compilePlainSchema({ uniqueItems: true })?.(numbers)).toBe(false);
  expect(compilePlainSchema({ uniqueItems: true })?.(numbers.slice(1))).toBe(true);
});
