import { describe, expect, it } from 'vitest';
import {
  argumentText,
  optionalProperties,
  parseArguments,
  schemaSkeleton,
} from '../../../../src/host/tools/argumentText.ts';
import type { Tool } from '../../../../src/protocol/mcp/tools.ts';

describe('schemaSkeleton', () => {
  it('has what is required or has a default, empty of its kind', () => {
    const schema = {
      type: 'object',
      properties: {
        name: { type: 'string' },
        count: { type: 'integer', minimum: 2 },
        tags: { type: 'array', minItems: 1, items: { $ref: '#/$defs/tag' } },
        place: {
          oneOf: [{ type: 'object', properties: { lat: { type: 'number' } }, required: ['lat'] }, { type: 'string' }],
        },
        mode: { enum: ['fast', 'slow'] },
        note: { type: 'string' },
        limit: { type: 'integer', default: 10 },
        maybe: { type: ['null', 'boolean'] },
      },
      required: ['name', 'count', 'tags', 'place', 'mode', 'maybe', 'undescribed'],
      $defs: { tag: { type: 'string', examples: ['red'] } },
    };
    expect(schemaSkeleton(schema)).toEqual({
      name: '',
      count: 2,
      tags: ['red'],
      place: { lat: 0 },
      mode: 'fast',
      limit: 10,
      maybe: false,
      undescribed: null,
    });
    expect(optionalProperties(schema)).toEqual(['note']);
  });

  it('leaves out what is null unless somebody writes it, and begins what is required of its kind', () => {
    const schema = {
      type: 'object',
      properties: {
        note: { anyOf: [{ type: 'string' }, { type: 'null' }], default: null },
        place: { anyOf: [{ type: 'null' }, { $ref: '#/$defs/place' }] },
      },
      required: ['place'],
      $defs: { place: { type: 'object', properties: { lat: { type: 'number' } }, required: ['lat'] } },
    };
    expect(schemaSkeleton(schema)).toEqual({ place: { lat: 0 } });
    expect(optionalProperties(schema)).toEqual(['note']);
  });

  it('begins no more than a person can look through, whatever a schema makes of itself', () => {
    const names = Array.from({ length: 12 }, (_, index) => `p${index}`);
    const itself = {
      type: 'object',
      required: names,
      properties: Object.fromEntries(names.map((name) => [name, { $ref: '#' }])),
    };
    expect(JSON.stringify(schemaSkeleton(itself)).length).toBeLessThan(100_000);
    const many = { type: 'object', required: Array.from({ length: 100_000 }, (_, index) => `p${index}`) };
    expect(Object.keys(schemaSkeleton(many) as object).length).toBeLessThanOrEqual(500);
    const deep: unknown = JSON.parse('['.repeat(1_000) + ']'.repeat(1_000));
    expect(schemaSkeleton({ type: 'object', properties: { a: { default: deep } } })).toEqual({ a: null });
  });

  it('copies nothing for each of the many that refer to one great thing', () => {
    const names = Array.from({ length: 20_000 }, (_, index) => `p${index}`);
    const great = Object.fromEntries(names.map((name) => [name, 1]));
    const refer = (reference: string) =>
      Object.fromEntries(names.map((name) => [name, { $ref: reference, description: 'x' }]));
    const schema = {
      type: 'object',
      required: names.slice(0, 600),
      properties: refer('#/$defs/list'),
      $defs: { great, list: { type: 'object', required: names, properties: refer('#/$defs/great') } },
    };
    expect(JSON.stringify(schemaSkeleton(schema)).length).toBeLessThan(100_000);
    expect(optionalProperties(schema)).toHaveLength(19_400);
  });

  it('ends for schemas that contain themselves or lead nowhere', () => {
    const tree = {
      $defs: { node: { type: 'object', properties: { next: { $ref: '#/$defs/node' } }, required: ['next'] } },
      $ref: '#/$defs/node',
    };
    expect(JSON.stringify(schemaSkeleton(tree)).length).toBeLessThan(500);
    expect(schemaSkeleton({ $ref: '#' })).toBeNull();
    expect(
      schemaSkeleton({ type: 'object', properties: { a: { $ref: 'https://example.com/a' } }, required: ['a'] }),
    ).toEqual({ a: null });
  });
});

describe('argumentText', () => {
  const tool: Tool = {
    name: 'find\n}',
    inputSchema: { type: 'object', properties: { a: { type: 'string' }, b: {} }, required: ['a'] },
  };

  it('begins a document that can be read back, whatever the names', () => {
    const text = argumentText('demo', tool);
    expect(text).toContain('// Optional: b');
    expect(parseArguments(text)).toMatchObject({ kind: 'ok', args: { a: '' } });
    expect(parseArguments(argumentText('demo', tool, { a: [1, { b: null }] }))).toMatchObject({
      args: { a: [1, { b: null }] },
    });
  });
});

describe('parseArguments', () => {
  it('takes comments and trailing commas', () => {
    expect(parseArguments('// c\n{ "a": [1, 2,], /* d */ }')).toMatchObject({ kind: 'ok', args: { a: [1, 2] } });
  });

  it.each([
    ['', 'Value expected.'],
    ['[1]', 'Arguments are an object: { … }.'],
    ['{ "a": }', 'Value expected.'],
    ['{ "a" 1 }', 'Colon expected.'],
  ])('says what is wrong with %j', (text, message) => {
    const parsed = parseArguments(text);
    expect(parsed.kind === 'broken' && parsed.problems.map((problem) => problem.message)).toContain(message);
  });

  it('finds the place of a problem, or the nearest there is', () => {
    const text = '{ "list": [1, "two"], "inner": {} }';
    const parsed = parseArguments(text);
    if (parsed.kind !== 'ok') throw new Error('broken');
    const at = (path: string[]): string => {
      const { offset, length, message } = parsed.locate({ path, message: 'is wrong' });
      return `${text.slice(offset, offset + length)} ${message}`;
    };
    expect(at(['list', '1'])).toBe('"two" is wrong');
    expect(at(['inner', 'name'])).toBe('{} name is wrong');
    expect(at(['missing'])).toBe('{ missing is wrong');
    expect(at([])).toBe('{ is wrong');
  });
});
