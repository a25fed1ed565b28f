import { resolve } from 'node:path';
import * as fc from 'fast-check';
import { SchemaChecker } from '../../../src/checker/schemaChecker.ts';
import { compilePlainSchema } from '../../../src/schema/plainSchema.ts';
import type { SchemaValidator } from '../../../src/client/validation/schemaValidator.ts';
import { createValidator } from '../../../src/headless.ts';
import { isRecord, type JsonObject } from '../../../src/base/json.ts';
import { FormEngine } from '../../../src/forms/formEngine.ts';
import type { JsonSchema } from '../../../src/protocol/mcp/tools.ts';
import { hostileValue, tellingNames } from '../arbitraries.ts';
import type { Target } from '../target.ts';

interface SchemaCase {
  readonly schema: JsonSchema;
  readonly value: unknown;
}

const keywords = (some: fc.Arbitrary<unknown>): Readonly<Record<string, fc.Arbitrary<unknown>>> => ({
  type: fc.constantFrom<unknown>('object', 'array', 'string', 'integer', 'null', 'any', ['string', 'null'], 1),
  $ref: fc.constantFrom('#', '#/$defs/a', '#/$defs/b', '#/properties/a', 'https://example.com/x', '#missing', '#/%'),
  $schema: fc.constantFrom(
    'https://json-schema.org/draft/2020-12/schema',
    'http://json-schema.org/draft-07/schema#',
    'x',
  ),
  $id: fc.constantFrom('https://example.com/x', 'x', ''),
  $defs: named(some),
  properties: named(some),
  items: some,
  prefixItems: fc.array(some, { maxLength: 2 }),
  anyOf: fc.array(some, { maxLength: 2 }),
  oneOf: fc.array(some, { maxLength: 2 }),
  allOf: fc.array(some, { maxLength: 2 }),
  not: some,
  if: some,
  then: some,
  additionalProperties: fc.oneof(fc.boolean(), some),
  required: fc.oneof(fc.subarray(['a', 'b', '__proto__']), hostileValue),
  enum: fc.oneof(fc.array(hostileValue, { maxLength: 3 }), hostileValue),
  const: hostileValue,
  default: hostileValue,
  pattern: fc.constantFrom('^a+$', '(', '^(a|a)*$', '\\p{L}', '[', '(?<a>.)', ''),
  format: fc.constantFrom('date', 'email', 'uri', 'regex', 'nope', 'date-time'),
  minimum: fc.oneof(fc.double(), hostileValue),
  multipleOf: fc.constantFrom(0, -1, 0.1, 1e-300),
  maxLength: fc.oneof(fc.integer(), hostileValue),
  uniqueItems: fc.oneof(fc.boolean(), hostileValue),
  title: hostileValue,
  description: hostileValue,
});

function named(some: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.dictionary(fc.constantFrom('a', 'b', ...tellingNames), some, { maxKeys: 2, noNullPrototype: true });
}

/** A few keywords, nested to that depth. */
function schemaOf(depth: number): fc.Arbitrary<JsonSchema> {
  const some = depth === 0 ? hostileValue : fc.oneof({ weight: 4, arbitrary: schemaOf(depth - 1) }, hostileValue);
  const members = Object.entries(keywords(some)).map(([name, member]) => fc.tuple(fc.constant(name), member));
  return fc.array(fc.oneof(...members), { maxLength: 4 }).map((entries) => Object.fromEntries(entries));
}

const value = fc.oneof(
  fc.dictionary(fc.constantFrom('a', 'b', 'c', ...tellingNames), hostileValue, { maxKeys: 3, noNullPrototype: true }),
  hostileValue,
);
const cases: fc.Arbitrary<SchemaCase> = fc.record({ schema: schemaOf(3), value });
const harmless = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] };

export const schemasTarget: Target<SchemaCase> = {
  name: 'schemas',
  title: 'schemas of tools and values for them: validation, and the fields of a form',
  async open() {
    const validator = createValidator({ script: resolve('dist/schemaChecker.cjs') });
    return {
      cases,
      run: (input) => run(input, validator),
      async close() {
        validator.dispose();
        return [];
      },
    };
  },
};

async function run(input: SchemaCase, validator: SchemaValidator): Promise<void> {
  const before = JSON.stringify(input);
  const { kind } = await validator.validate('hostile', input.schema, input.value);
  if (!['valid', 'invalid', 'unsupported'].includes(kind)) throw new Error(`The outcome is ${kind}.`);
  if (JSON.stringify(input) !== before) throw new Error('Validation changed the schema or the value.');
  const others = await Promise.all([
    validator.validate('other', harmless, { a: 'x' }),
    validator.validate('other', harmless, {}),
  ]);
  if (others.map((other) => other.kind).join() !== 'valid,invalid')
    throw new Error(`Another schema is checked wrongly now: ${JSON.stringify(others)}`);
  if (!isSameForBoth(input)) throw new Error('A value is valid in this process, but not in the checker process.');
  showForm(input);
}

/** What this process calls valid must be valid for ajv too. */
function isSameForBoth(input: SchemaCase): boolean {
  if (compilePlainSchema(input.schema)?.(input.value) !== true) return true;
  return new SchemaChecker().checkFirst({ ...input, id: 1, key: 1, firstOnly: true }).kind !== 'invalid';
}

/** Makes a form of the value, which takes any schema. */
function showForm(input: SchemaCase): void {
  const engine = new FormEngine(input.schema);
  engine.fieldFor(engine.root, isRecord(input.value) ? (input.value as JsonObject) : {});
}
