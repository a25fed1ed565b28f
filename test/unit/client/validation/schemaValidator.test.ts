import { expect, it } from 'vitest';
import { describeProblem } from '../../../../src/base/schemaCheck.ts';
import type { JsonSchema } from '../../../../src/protocol/mcp/tools.ts';
import { createLocalValidator } from '../../../fixtures/schemaChecker.ts';

async function problemsOf(schema: JsonSchema, value: unknown): Promise<readonly string[]> {
  const result = await createLocalValidator().validate('demo', schema, value);
  if (result.kind === 'unsupported') throw new Error(result.reason);
  return result.kind === 'valid' ? [] : result.problems.map((problem) => describeProblem(problem, value, 'It'));
}

async function reasonOf(schema: JsonSchema, value: unknown = {}): Promise<string | undefined> {
  const result = await createLocalValidator().validate('demo', schema, value);
  return result.kind === 'unsupported' ? result.reason : undefined;
}

it('says in words what is wrong, and where', async () => {
  const schema = {
    type: 'object',
    properties: {
      steps: { type: 'integer', minimum: 1, maximum: 100 },
      unit: { enum: ['metric', 'imperial'] },
      mail: { type: 'string', format: 'email', maxLength: 5 },
      tags: { type: 'array', items: { type: 'string' } },
    },
    required: ['name'],
    additionalProperties: false,
  };
  const value = { steps: 0, unit: 'x', mail: 'nobody', tags: ['a', 2], extra: true };
  expect(await problemsOf(schema, value)).toEqual([
    '“name” is required.',
    '“extra” is not known here.',
    '“steps” must be at least 1.',
    '“unit” must be one of "metric", "imperial".',
    '“mail” must have at most 5 characters.',
    '“tags › item 2” must be a text.',
  ]);
});

it('tells what is missing from what is there and wrong', async () => {
  const text = { type: 'string' };
  const edit = { type: 'object', properties: { from: text, to: text }, required: ['from', 'to'] };
  const schema = { type: 'object', properties: { edits: { type: 'array', items: edit } }, required: ['edits'] };
  expect(await createLocalValidator().validate('demo', schema, {})).toEqual({
    kind: 'invalid',
    problems: [{ path: ['edits'], message: 'is required', isMissing: true }],
  });
  expect(await createLocalValidator().validate('demo', schema, { edits: [{ from: 1 }] })).toEqual({
    kind: 'invalid',
    problems: [
      { path: ['edits', '0', 'to'], message: 'is required', isMissing: true },
      { path: ['edits', '0', 'from'], message: 'must be a text' },
    ],
  });
});

it('takes 2020-12 where nothing is said and other dialects by name [schema-dialects]', async () => {
  const tuple = { type: 'array', prefixItems: [{ type: 'string' }] };
  expect(await problemsOf(tuple, [1])).toEqual(['“item 1” must be a text.']);
  for (const draft of ['http://json-schema.org/draft-07/schema#', 'http://json-schema.org/draft-06/schema#']) {
    expect(await problemsOf({ $schema: draft, ...tuple }, [1]), draft).toEqual([]);
    expect(await problemsOf({ $schema: draft, items: [{ type: 'string' }] }, [1]), draft).toEqual([
      '“item 1” must be a text.',
    ]);
  }
  const old = { $schema: 'https://json-schema.org/draft/2019-09/schema', items: [{ type: 'string' }] };
  expect(await problemsOf(old, [1])).toEqual(['“item 1” must be a text.']);
  expect(await reasonOf({ $schema: 'http://json-schema.org/draft-04/schema#' })).toContain('draft-04');
});

it('keeps schemas of different tools apart, same $id or not', async () => {
  const validator = createLocalValidator();
  const schema = (type: string): JsonSchema => ({
    $id: 'https://example.com/input',
    $defs: { a: { type } },
    $ref: '#/$defs/a',
  });
  expect(await validator.validate('demo', schema('string'), 'x')).toEqual({ kind: 'valid' });
  expect((await validator.validate('demo', schema('number'), 'x')).kind).toBe('invalid');
});

it('fetches nothing: a reference elsewhere makes the schema unusable [schema-no-fetch]', async () => {
  expect(await reasonOf({ properties: { a: { $ref: 'https://example.com/other.json' } } })).toContain(
    'https://example.com/other.json',
  );
});

it('never rejects for a schema that makes no sense', async () => {
  expect(await reasonOf({ type: 'strng' })).toContain('the schema is invalid: "type" must be a type');
  let deep: JsonSchema = {};
  for (let level = 0; level < 1_000; level += 1) deep = { properties: { a: deep } };
  expect(await reasonOf(deep)).toContain('too large');
  expect(await reasonOf({ $ref: '#' })).toBe('the schema cannot be used: Maximum call stack size exceeded');
  const loop = { $defs: { a: { $ref: '#/$defs/a' } }, $ref: '#/$defs/a' };
  expect(['valid', 'unsupported']).toContain((await createLocalValidator().validate('demo', loop, 1)).kind);
});

it('follows references, to the whole schema too', async () => {
  const tree = { type: 'object', properties: { child: { $ref: '#' }, name: { $ref: '#/$defs/name' } } };
  const schema = { ...tree, $defs: { name: { type: 'string' } }, required: ['name'] };
  expect(await problemsOf(schema, { name: 'a', child: { name: 1 } })).toEqual(['“child › name” must be a text.']);
});

it('counts no property that every object of JavaScript has', async () => {
  const schema = { properties: { toString: { type: 'string' } }, required: ['constructor'], not: false };
  expect(await problemsOf(schema, {})).toEqual(['“constructor” is required.']);
});

it('keeps what it says short, whatever the schema and the value', async () => {
  const long = 'x'.repeat(5_000);
  const [problem = ''] = await problemsOf({ properties: { [long]: { enum: [long] } } }, { [long]: 1 });
  expect(problem.length).toBeLessThan(1_000);
  const values = Array.from({ length: 200 }, () => 1);
  expect(await problemsOf({ items: { type: 'string' } }, values)).toHaveLength(50);
});

it('says that a value of a size that blocks is not checked', async () => {
  const schema = { not: { type: 'null' } };
  const many = Array.from({ length: 100_000 }, () => 1);
  for (const value of [many, ['x'.repeat(4_000_001)]])
    expect(await reasonOf(schema, value)).toBe('it is too large to be checked');
});

it('ignores formats and keywords it does not know', async () => {
  expect(await problemsOf({ type: 'string', format: 'made-up', 'x-mcp-header': 'A' }, 'x')).toEqual([]);
});

it('changes neither schema nor value', async () => {
  const schema = Object.freeze({ type: 'object', properties: Object.freeze({ a: Object.freeze({ default: 1 }) }) });
  const value = Object.freeze({});
  expect(await problemsOf(schema, value)).toEqual([]);
});

it('runs patterns as JavaScript does, and lets pass what is no pattern there', async () => {
  expect(await problemsOf({ type: 'string', pattern: '^[\\w-.]+$' }, '!')).toHaveLength(1);
  expect(await problemsOf({ type: 'string', pattern: '^(?=a)(a|b)*$' }, 'abc')).toHaveLength(1);
  expect(await problemsOf({ type: 'string', pattern: '(?i)a' }, '!')).toEqual([]);
});

it('tells the patterns of one schema apart', async () => {
  const schema = { properties: { a: { pattern: '^a$' }, b: { pattern: '^b$' } } };
  expect(await problemsOf(schema, { a: 'a', b: 'a' })).toEqual(['“b” must match pattern "^b$".']);
});
