import { describe, expect, it } from 'vitest';
import { createSchemaChecker } from '../../../../src/checker/schemaChecker.ts';
import { compilePlainSchema } from '../../../../src/client/validation/plainSchema.ts';
import type { JsonSchema } from '../../../../src/protocol/mcp/tools.ts';

/** Values for which schemas give different results. */
const values: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -0,
  1,
  1.5,
  1e300,
  '',
  'a',
  'ab',
  '👍🏽',
  'x'.repeat(9),
  [],
  [1],
  [1, 1],
  [1, '1'],
  [true, 1],
  [[1], [1]],
  ['a', 'b', 'c'],
  {},
  { a: 1 },
  { a: 'x' },
  { a: null, b: 2 },
  { a: 'x', c: {} },
  { constructor: 1 },
  JSON.parse('{ "__proto__": 1 }'),
];

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
  { anyOf: [{ type: 'string' }, { type: 'null' }] },
  { anyOf: [false, { required: ['a'] }] },
  { $schema: 'http://json-schema.org/draft-07/schema#', title: 'T', default: 1, 'x-mine': 2, type: 'object' },
];

const complex: readonly JsonSchema[] = [
  { pattern: 'a' },
  { format: 'email' },
  { $ref: '#' },
  { not: {} },
  { oneOf: [{}] },
  { allOf: [{}] },
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
  { anyOf: [{ $ref: '#' }] },
  { properties: { a: { pattern: 'a' } } },
  { items: { anyOf: [{ items: { format: 'uri' } }] } },
  { type: 'strng' },
  { type: 5 },
  { required: 'a' },
  { minimum: '1' },
  { $schema: 'http://json-schema.org/draft-04/schema#' },
];

describe('compilePlainSchema', () => {
  it.each(schemas)('calls valid only what ajv does: %j', (schema) => {
    const check = compilePlainSchema(schema);
    const checker = createSchemaChecker();
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

  it('fills no set with many values of a stranger: hashes of numbers can be foreseen [schema-bounds]', () => {
    const numbers = Array.from({ length: 101 }, (_, index) => index * 65_536);
    expect(compilePlainSchema({ enum: numbers })).toBeUndefined();
    expect(compilePlainSchema({ uniqueItems: true })?.(numbers)).toBe(false);
    expect(compilePlainSchema({ uniqueItems: true })?.(numbers.slice(1))).toBe(true);
  });
});
