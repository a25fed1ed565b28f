import { describe, expect, it } from 'vitest';
import { checkAnswer } from '../../../../src/host/arguments/argumentItems.ts';
import { parseField, toArgumentFields, toArguments, toolFields } from '../../../../src/host/tools/toolFields.ts';
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
    ['several types and null', { type: 'object', properties: { a: { type: ['string', 'number', 'null'] } } }],
    ['a union', { type: 'object', properties: { a: { anyOf: [{ type: 'string' }, { type: 'number' }] } } }],
    ['a list of objects', { type: 'object', properties: { a: { type: 'array', items: { type: 'object' } } } }],
    ['a list in a list', { type: 'object', properties: { a: { type: 'array', items: { type: 'array' } } } }],
    ['a reference that leads nowhere', { type: 'object', properties: { a: { $ref: '#/$defs/a' } } }],
    ['a reference elsewhere', { type: 'object', properties: { a: { $ref: 'https://example.com/a' } } }],
    ['a reference to itself', { type: 'object', properties: { a: { $ref: '#/properties/a' } } }],
    [
      'a wrapper that contradicts its content',
      {
        type: 'object',
        properties: { a: { minLength: 1, anyOf: [{ type: 'string', minLength: 2 }, { type: 'null' }] } },
      },
    ],
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

/** Optional arguments as FastMCP (pydantic), zod and TypeBox write them. */
describe('an argument that may be null', () => {
  const nullable: JsonSchema = {
    type: 'object',
    properties: {
      query: { anyOf: [{ type: 'string', minLength: 2 }, { type: 'null' }], default: null, title: 'Query' },
      limit: { anyOf: [{ type: 'integer', maximum: 9 }, { type: 'null' }], default: 5 },
      exact: { oneOf: [{ type: 'boolean' }, { type: 'null' }], default: null },
      order: { anyOf: [{ $ref: '#/$defs/Order' }, { type: 'null' }], default: null },
      scheme: { anyOf: [{ enum: ['dark', 'light'], type: 'string' }, { const: null }] },
      version: { anyOf: [{ const: 'v1' }, { type: 'null' }] },
      tags: { anyOf: [{ items: { type: 'string', minLength: 2 }, type: 'array' }, { type: 'null' }], default: null },
      orders: { items: { $ref: '#/$defs/Order' }, type: ['array', 'null'] },
      owner: { type: ['string', 'null'] },
    },
    required: ['owner'],
    $defs: { Order: { enum: ['up', 'down'], title: 'Order', type: 'string' } },
  };

  it('is an ordinary optional one', () => {
    expect(
      fieldsOf(nullable).map(({ name, title, type, choices, initial, isRequired }) => [
        name,
        title,
        type,
        choices && [...choices.keys()],
        initial,
        isRequired,
      ]),
    ).toEqual([
      ['query', 'Query', 'string', undefined, undefined, false],
      ['limit', 'limit', 'integer', undefined, '5', false],
      ['exact', 'exact', 'boolean', ['true', 'false'], undefined, false],
      ['order', 'order', 'string', ['up', 'down'], undefined, false],
      ['scheme', 'scheme', 'string', ['dark', 'light'], undefined, false],
      ['version', 'version', 'string', ['v1'], undefined, false],
      ['tags', 'tags', 'list', undefined, undefined, false],
      ['orders', 'orders', 'list', ['up', 'down'], undefined, false],
      ['owner', 'owner', 'string', undefined, undefined, true],
    ]);
  });

  it('is not sent where nobody filled it in, and is null where it has to be there', () => {
    expect(toArguments(fieldsOf(nullable), {})).toEqual({ owner: null });
    const owner = toArgumentFields('demo', fieldsOf(nullable), createLocalValidator()).at(-1);
    expect(owner).toMatchObject({ isRequired: false, leftOut: 'null is sent' });
  });

  it('is checked by what it refers to, each text of a list too', async () => {
    const fields = toArgumentFields('demo', fieldsOf(nullable), createLocalValidator());
    const [query, limit, , , , , tags] = fields;
    if (query === undefined || limit === undefined || tags === undefined) throw new Error('no field');
    expect(await checkAnswer(query, 'x')).toBe('Query must have at least 2 characters.');
    expect(await checkAnswer(limit, '10')).toBe('limit must be at most 9.');
    expect(await tags.checkEntry?.('x')).toBe('tags must have at least 2 characters.');
    expect(await tags.checkEntry?.('xy')).toBeUndefined();
    expect(await checkAnswer(tags, '["xy"]')).toBeUndefined();
    expect(toArguments(fieldsOf(nullable), { tags: '["xy","z,"]' })).toEqual({ tags: ['xy', 'z,'], owner: null });
  });
});

describe('a default', () => {
  it('is filled in, and only told where the values are fixed: what nobody chose is not sent', () => {
    const fields = toArgumentFields(
      'demo',
      fieldsOf({
        properties: {
          days: { type: 'integer', default: 3 },
          alerts: { type: 'boolean', default: false },
          unit: { enum: ['c', 'f'], default: 'f' },
        },
        required: ['unit'],
      }),
      createLocalValidator(),
    );
    expect(fields.map(({ initial, leftOut }) => [initial, leftOut])).toEqual([
      ['3', undefined],
      [undefined, 'the default is false'],
      ['f', undefined],
    ]);
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
    ['city', 'O', 'City must have at least 2 characters.'],
    ['city', '', 'City must have at least 2 characters.'],
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
