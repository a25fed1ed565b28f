import { describe, expect, it } from 'vitest';
import { isSafePattern } from '../../../src/base/safePattern.ts';
import { describeProblem } from '../../../src/client/schemaProblem.ts';
import { createSchemaValidator } from '../../../src/client/schemaValidator.ts';
import type { JsonSchema } from '../../../src/protocol/mcp/tools.ts';

async function problemsOf(schema: JsonSchema, value: unknown): Promise<readonly string[]> {
  const result = await createSchemaValidator().validate(schema, value);
  if (result.kind === 'unsupported') throw new Error(result.reason);
  return result.kind === 'valid' ? [] : result.problems.map(describeProblem);
}

async function reasonOf(schema: JsonSchema, value: unknown = {}): Promise<string | undefined> {
  const result = await createSchemaValidator().validate(schema, value);
  return result.kind === 'unsupported' ? result.reason : undefined;
}

describe('schemaValidator', () => {
  it('says in words what is wrong, and where', async () => {
    const schema = {
      type: 'object',
      properties: {
        steps: { type: 'integer', minimum: 1, maximum: 100 },
        unit: { enum: ['metric', 'imperial'] },
        mail: { type: 'string', format: 'email' },
        tags: { type: 'array', items: { type: 'string' } },
      },
      required: ['name'],
      additionalProperties: false,
    };
    const value = { steps: 0, unit: 'x', mail: 'nobody', tags: ['a', 2], extra: true };
    expect(await problemsOf(schema, value)).toEqual([
      'name: is required',
      'extra: is not known here',
      'steps: must be at least 1',
      'unit: must be one of "metric", "imperial"',
      'mail: must be a valid email',
      'tags.1: must be string',
    ]);
  });

  it('takes 2020-12 where nothing is said and other dialects by name [schema-dialects]', async () => {
    const tuple = { type: 'array', prefixItems: [{ type: 'string' }] };
    expect(await problemsOf(tuple, [1])).toEqual(['0: must be string']);
    for (const draft of ['http://json-schema.org/draft-07/schema#', 'http://json-schema.org/draft-06/schema#']) {
      expect(await problemsOf({ $schema: draft, ...tuple }, [1]), draft).toEqual([]);
      expect(await problemsOf({ $schema: draft, items: [{ type: 'string' }] }, [1]), draft).toEqual([
        '0: must be string',
      ]);
    }
    const old = { $schema: 'https://json-schema.org/draft/2019-09/schema', items: [{ type: 'string' }] };
    expect(await problemsOf(old, [1])).toEqual(['0: must be string']);
    expect(await reasonOf({ $schema: 'http://json-schema.org/draft-04/schema#' })).toContain('draft-04');
  });

  it('keeps schemas of different tools apart, same $id or not', async () => {
    const validator = createSchemaValidator();
    const schema = (type: string): JsonSchema => ({
      $id: 'https://example.com/input',
      $defs: { a: { type } },
      $ref: '#/$defs/a',
    });
    expect(await validator.validate(schema('string'), 'x')).toEqual({ kind: 'valid' });
    expect((await validator.validate(schema('number'), 'x')).kind).toBe('invalid');
  });

  it('fetches nothing: a reference elsewhere makes the schema unusable [schema-no-fetch]', async () => {
    expect(await reasonOf({ properties: { a: { $ref: 'https://example.com/other.json' } } })).toContain(
      'https://example.com/other.json',
    );
  });

  it('never rejects for a schema that makes no sense', async () => {
    expect(await reasonOf({ type: 'strng' })).toContain('cannot be used');
    let deep: JsonSchema = {};
    for (let level = 0; level < 1_000; level += 1) deep = { properties: { a: deep } };
    expect(await reasonOf(deep)).toContain('too large');
    const loop = { $defs: { a: { $ref: '#/$defs/a' } }, $ref: '#/$defs/a' };
    expect(['valid', 'unsupported']).toContain((await createSchemaValidator().validate(loop, 1)).kind);
  });

  it('ignores formats and keywords it does not know', async () => {
    expect(await problemsOf({ type: 'string', format: 'made-up', 'x-mcp-header': 'A' }, 'x')).toEqual([]);
  });

  it('changes neither schema nor value', async () => {
    const schema = Object.freeze({ type: 'object', properties: Object.freeze({ a: Object.freeze({ default: 1 }) }) });
    const value = Object.freeze({});
    expect(await problemsOf(schema, value)).toEqual([]);
  });

  it('is not stopped by a pattern that takes exponential time [schema-bounds]', async () => {
    expect(await problemsOf({ type: 'string', pattern: '^(a+)+$' }, `${'a'.repeat(50)}!`)).toEqual([]);
    expect(await problemsOf({ type: 'string', pattern: '^[\\w-.]+$' }, '!')).toHaveLength(1);
    expect(await problemsOf({ type: 'string', pattern: '(?i)a' }, '!')).toEqual([]);
    expect(await problemsOf({ type: 'string', pattern: `${'a*'.repeat(10)}$` }, `${'a'.repeat(9_000)}!`)).toEqual([]);
  });

  it('tells the patterns of one schema apart', async () => {
    const schema = { properties: { a: { pattern: '^a$' }, b: { pattern: '^b$' } } };
    expect(await problemsOf(schema, { a: 'a', b: 'a' })).toEqual(['b: must match pattern "^b$"']);
  });
});

describe('isSafePattern', () => {
  it.each([
    '^[a-z]+$',
    '^\\d{4}-\\d{2}-\\d{2}$',
    '^(?:a|b)$',
    '^(\\+|-)?\\d+$'.replace('|-', ''),
    '^#[(+*]{3,6}$',
    '^\\(a\\)+$',
    '^(abc)+$',
  ])('lets %s through', (pattern) => expect(isSafePattern(pattern)).toBe(true));

  it.each(['(a+)+', '(a|a)*', '((a*))*', '(?:(?:x{2,}))+y', '(?<n>a|b){1,}', '(a)\\1', '((ab)*c)*', '(a*?)+'])(
    'stops %s',
    (pattern) => expect(isSafePattern(pattern)).toBe(false),
  );
});
