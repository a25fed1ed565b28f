import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { JsonValue, UnknownRecord } from '../../../src/base/json.ts';
import { SchemaChecker } from '../../../src/checker/schemaChecker.ts';
import { QuickCheck, type Verdict } from '../../../src/schema/quickCheck.ts';
import { someSchema, someValue } from '../forms/arbitrarySchemas.ts';

function verdictOf(schema: UnknownRecord, value: JsonValue): Verdict {
  return new QuickCheck(schema).verdict(schema, value);
}

const longText = 'x'.repeat(100_000);
const many = <T>(length: number, value: T): T[] => Array.from({ length }, () => value);
const longList = many(1_000, 1);
const doubling = Object.fromEntries(
  Array.from({ length: 60 }, (_, index) => {
    const $ref = `#/$defs/a${index + 1}`;
    return [`a${index}`, { anyOf: [{ $ref }, { $ref, minLength: 2 }] }];
  }),
);
const longObject = Object.fromEntries(longList.entries());

it('decides nothing that the checker process decides otherwise', { timeout: 60_000 }, () => {
  const checker = new SchemaChecker();
  let key = 0;
  let decided = 0;
  fc.assert(
    fc.property(someSchema, fc.array(someValue, { maxLength: 6 }), (schema, values) => {
      // The checker passes over a property of that name, a required one without a name, and `contains` in some empty lists.
      fc.pre(
        !/__proto__|"contains"|"required":.[^\]]*""|"dependentRequired":.[^}]*""/.test(
          JSON.stringify([schema, values]),
        ),
      );
      key += 1;
      for (const value of values) {
        const verdict = verdictOf(schema, value);
        const { kind } = checker.checkFirst({ id: 0, key, schema, value, firstOnly: true });
        if (verdict === undefined || kind === 'unsupported') continue;
        decided += 1;
        expect([schema, value, verdict]).toEqual([schema, value, kind === 'valid']);
      }
    }),
    { numRuns: 200 },
  );
  expect(decided).toBeGreaterThan(100);
});

it.each<[UnknownRecord, JsonValue, Verdict]>([
  [{ type: 'string', pattern: '^a' }, 'b', undefined],
  [{ not: { pattern: 'a' } }, 'b', undefined],
  [{ type: 'string', format: 'email' }, 'b', true],
  [{ anyOf: [{ pattern: '^a' }, { type: 'string' }] }, 'b', true],
  [{ type: 'number', pattern: '^a' }, 'b', false],
  [{ $ref: '#/$defs/none' }, 'b', undefined],
  [{ $ref: 'https://example.com/a.json', type: 'number' }, 'b', false],
  [{ oneOf: [{ pattern: '^a' }, { pattern: '^b' }] }, 'b', undefined],
  [{ uniqueItems: true }, [1, 1], undefined],
  [{ minimum: 1, exclusiveMinimum: true }, 1, false],
  [{ type: 'any' }, 'b', true],
  [{ contains: { type: 'number' } }, [], false],
  [{ contains: { pattern: 'a' }, maxContains: 1 }, ['b', 'c'], undefined],
  [{ maxLength: 1 }, '👍', true],
])('says what is certain: %j for %j is %s', (schema, value, verdict) => {
  expect(verdictOf(schema, value)).toBe(verdict);
});

it.each<[string, UnknownRecord, JsonValue, boolean?]>([
  ['a circle', { $ref: '#' }, {}],
  ['circles', { anyOf: [{ $ref: '#' }, { $ref: '#' }] }, 'x'],
  ['references that double the work with each step', { $ref: '#/$defs/a0', $defs: doubling }, 'x'],
  ['names that are never there', { items: { required: many(9_000, 'x') } }, [{ x: 1 }, {}], false],
  [
    'long lists of what depends on a name',
    { items: { dependentRequired: { a: many(9_000, 'a') } } },
    Array.from({ length: 40 }, () => ({ a: 1 })),
  ],
  ['a long text again and again', { enum: many(40, `${longText}y`) }, `${longText}x`],
  [
    'long lists again and again',
    { contains: { enum: Array.from({ length: 18 }, () => [...longList, 2]) } },
    Array.from({ length: 40 }, () => [...longList, 1]),
  ],
  ['an object beside small ones', { enum: Array.from({ length: 9_000 }, () => ({})) }, longObject],
  ['more members than a schema may have', { $defs: Array.from({ length: 20_000 }, () => 0), type: 'number' }, 'x'],
  ['a long text', { anyOf: Array.from({ length: 9_000 }, () => ({ minLength: 2_000_000 })) }, 'x'.repeat(1_000_000)],
])('stops within its steps: %s [schema-bounds]', (_name, schema, value, verdict) => {
  expect(verdictOf(schema, value)).toBe(verdict);
});

it('lists the patterns of a schema once [schema-bounds]', () => {
  let lists = 0;
  const patternProperties = new Proxy<UnknownRecord>(
    { a: true, b: true },
    {
      ownKeys(patterns) {
        lists += 1;
        return Reflect.ownKeys(patterns);
      },
    },
  );
  const items = { patternProperties, additionalProperties: false };
  const value = Array.from({ length: 100 }, () => ({ c: 1 }));
  const check = new QuickCheck({ items });
  lists = 0;
  expect(check.verdict({ items }, value)).toBeUndefined();
  // Once more for the size of the schema.
  expect(lists).toBeLessThanOrEqual(2);
});

it('accepts nothing that it does not check, and has no steps left for it', () => {
  const schema = { enum: Array.from({ length: 20_001 }, (_, index) => index) };
  const budget = { left: 1_000_000 };
  expect(new QuickCheck(schema).accepts(schema, 3, budget)).toBeUndefined();
  expect(budget.left).toBe(0);
});

it('looks once at each part of a value where alternatives are nested [schema-bounds]', () => {
  let schema: UnknownRecord = { type: 'string' };
  let value: JsonValue = 'x';
  for (let level = 0; level < 40; level += 1) {
    schema = { anyOf: [schema, { properties: { a: schema }, required: ['a'] }] };
    value = { a: value };
  }
  expect(verdictOf(schema, value)).toBe(true);
});
