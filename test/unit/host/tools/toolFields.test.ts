import { describe, expect, it } from 'vitest';
import { checkAnswer } from '../../../../src/host/input/argumentFlow.ts';
import { parseField, toArguments, toolFields } from '../../../../src/host/tools/toolFields.ts';
import { toArgumentFields } from '../../../../src/host/tools/toolForm.ts';
import type { JsonSchema } from '../../../../src/protocol/mcp/tools.ts';
import { createLocalValidator } from '../../../fixtures/schemaChecker.ts';

const weather: JsonSchema = {
  type: 'object',
  properties: {
    city: { type: 'string', title: 'City', minLength: 2 },
    days: { type: 'integer', minimum: 1, maximum: 5, default: 3 },
    factor: { type: ['number', 'null'] },
    unit: { enum: ['metric', 'imperial'] },
    alerts: { type: 'boolean' },
    level: { type: 'integer', enum: [1, 2] },
  },
  required: ['city'],
};

function fieldsOf(schema: JsonSchema) {
  const fields = toolFields(schema);
  if (fields === undefined) throw new Error('not flat');
  return fields;
}

describe('toolFields', () => {
  it('finds a field for each property of a flat object', () => {
    const fields = fieldsOf(weather);
    expect(fields.map(({ name, type, isRequired }) => [name, type, isRequired])).toEqual([
      ['city', 'string', true],
      ['days', 'integer', false],
      ['factor', 'number', false],
      ['unit', 'string', false],
      ['alerts', 'boolean', false],
      ['level', 'integer', false],
    ]);
    expect(fields[0]?.title).toBe('City');
    expect(fields[1]?.initial).toBe('3');
    expect([...(fields[4]?.choices ?? [])]).toEqual([
      ['true', true],
      ['false', false],
    ]);
  });

  it('has nothing to ask where a tool takes nothing', () => {
    expect(toolFields({ type: 'object', properties: {} })).toEqual([]);
    expect(toolFields({ type: 'object', additionalProperties: false })).toEqual([]);
  });

  it.each<[string, JsonSchema]>([
    ['anything', { type: 'object' }],
    ['a list', { type: 'object', properties: { a: { type: 'array' } } }],
    ['an object within', { type: 'object', properties: { a: { type: 'object' } } }],
    ['several types', { type: 'object', properties: { a: { type: ['string', 'number'] } } }],
    ['a required null', { type: 'object', properties: { a: { type: ['string', 'null'] } }, required: ['a'] }],
    ['a reference', { type: 'object', properties: { a: { $ref: '#/$defs/a' } } }],
    ['a choice of shapes', { type: 'object', properties: { a: { type: 'string' } }, oneOf: [] }],
    ['what is required but not described', { type: 'object', properties: {}, required: ['a'] }],
    ['no type', { type: 'object', properties: { a: {} } }],
    [
      'too many',
      { type: 'object', properties: Object.fromEntries(Array.from({ length: 30 }, (_, i) => [i, { type: 'string' }])) },
    ],
  ])('leaves %s to the editor', (_, schema) => {
    expect(toolFields(schema)).toBeUndefined();
  });
});

describe('toArguments', () => {
  it('gives each value its type and leaves out what was left out', () => {
    const texts = { city: 'Oslo', days: ' 2 ', factor: '-1.5e3', unit: 'metric', alerts: 'false', level: '2' };
    expect(toArguments(fieldsOf(weather), texts)).toEqual({
      city: 'Oslo',
      days: 2,
      factor: -1500,
      unit: 'metric',
      alerts: false,
      level: 2,
    });
    expect(toArguments(fieldsOf(weather), { city: '' })).toEqual({ city: '' });
  });
});

describe('what is typed', () => {
  const check = async (name: string, text: string): Promise<string | undefined> => {
    const field = toArgumentFields('demo', fieldsOf(weather), createLocalValidator()).find(
      (each) => each.name === name,
    );
    return field && checkAnswer(field, text);
  };

  it.each([
    ['city', 'Oslo', undefined],
    ['city', 'O', 'City must NOT have fewer than 2 characters.'],
    ['city', '', 'City must NOT have fewer than 2 characters.'],
    ['days', '2', undefined],
    ['days', '', undefined],
    ['days', '0', 'days must be at least 1.'],
    ['days', '1.5', 'days must be a whole number.'],
    ['days', 'two', 'days must be a number.'],
    ['days', '0x10', 'days must be a number.'],
    ['unit', 'kelvin', 'Choose one of the values below.'],
    ['alerts', 'true', undefined],
  ])('%s = "%s" gives %s', async (name, text, problem) => {
    expect(await check(name, text)).toBe(problem);
  });

  it('is no number when it is endless', () => {
    const [, days] = fieldsOf(weather);
    if (days === undefined) throw new Error('no field');
    expect(parseField(days, '9e999')).toHaveProperty('problem');
  });
});
