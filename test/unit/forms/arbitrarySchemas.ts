import * as fc from 'fast-check';
import type { JsonValue, UnknownRecord } from '../../../src/base/json.ts';

// Schemas put together at random of all keywords, and values that often fit them.

const keys = ['a', 'b', 'c', 'x-1', '__proto__', '', 'constructor'];
const key = fc.constantFrom(...keys);
const scalar: fc.Arbitrary<JsonValue> = fc.constantFrom<JsonValue>('', 'a', 'x-1', 0, 1, 2.5, -3, true, false, null);

/** Values of few kinds, keys and texts, so that they fit often. */
export const someValue: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'value' },
    scalar,
    fc.dictionary(key, tie('value'), { maxKeys: 3, noNullPrototype: true }) as fc.Arbitrary<JsonValue>,
    fc.array(tie('value'), { maxLength: 3 }),
  ),
})).value;

const types = ['string', 'number', 'integer', 'boolean', 'null', 'object', 'array'];
const count = fc.integer({ min: 0, max: 3 });

function keywordsOf(some: fc.Arbitrary<unknown>): Readonly<Record<string, fc.Arbitrary<unknown>>> {
  const schema = fc.oneof({ weight: 6, arbitrary: some }, fc.boolean());
  const schemas = fc.array(schema, { minLength: 1, maxLength: 3 });
  const named = fc.dictionary(key, schema, { maxKeys: 3, noNullPrototype: true });
  return {
    type: fc.oneof(
      fc.constantFrom(...types),
      fc.uniqueArray(fc.constantFrom(...types), { minLength: 1, maxLength: 3 }),
    ),
    properties: named,
    required: fc.uniqueArray(key, { maxLength: 2 }),
    additionalProperties: schema,
    unevaluatedProperties: schema,
    patternProperties: fc.dictionary(fc.constantFrom('^x-', 'a', '^(a|b)$'), schema, {
      maxKeys: 2,
      noNullPrototype: true,
    }),
    propertyNames: fc.oneof(
      fc.uniqueArray(key, { minLength: 1 }).map((names) => ({ enum: names })),
      fc.constant({ maxLength: 3 }),
    ),
    minProperties: count,
    items: schema,
    prefixItems: schemas,
    unevaluatedItems: schema,
    contains: schema,
    minItems: count,
    uniqueItems: fc.boolean(),
    enum: fc.array(someValue, { minLength: 1, maxLength: 3 }),
    const: someValue,
    minLength: count,
    maximum: count,
    exclusiveMinimum: count,
    multipleOf: fc.constantFrom(1, 0.5),
    allOf: schemas,
    anyOf: schemas,
    oneOf: schemas,
    not: schema,
    $ref: fc.constantFrom('#/$defs/a', '#/$defs/b', '#named'),
    if: schema,
    then: schema,
    else: schema,
    dependentSchemas: named,
    dependentRequired: fc.dictionary(key, fc.uniqueArray(key, { maxLength: 2 }), { maxKeys: 2, noNullPrototype: true }),
    default: someValue,
    title: fc.constantFrom('T', ''),
  };
}

function someKeywords(some: fc.Arbitrary<unknown>): fc.Arbitrary<UnknownRecord> {
  const members = Object.entries(keywordsOf(some)).map(([name, member]) => fc.tuple(fc.constant(name), member));
  return fc.array(fc.oneof(...members), { minLength: 1, maxLength: 4 }).map((entries) => Object.fromEntries(entries));
}

function nested(depth: number): fc.Arbitrary<UnknownRecord> {
  return depth === 0 ? someKeywords(fc.constantFrom({}, true, { type: 'string' })) : someKeywords(nested(depth - 1));
}

/** A schema with definitions that it refers to. */
export const someSchema: fc.Arbitrary<UnknownRecord> = fc
  .tuple(nested(2), nested(1), nested(1), nested(0))
  .map(([schema, a, b, named]) => ({ ...schema, $defs: { a, b, named: { ...named, $anchor: 'named' } } }));
