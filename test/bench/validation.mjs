// @ts-check
// Checks values against schemas repeatedly, with the validator of each client.
/** @typedef {Record<string, any>} Schema */
/** @typedef {(value: unknown) => unknown} Check tells whether the value is valid, or gives a promise of it */

/** @type {Schema} */
const schema = {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 1 },
    count: { type: 'integer', minimum: 0 },
    tags: { type: 'array', items: { type: 'string' }, uniqueItems: true },
    nested: { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] },
  },
  required: ['name', 'count'],
  additionalProperties: false,
};
const result = { name: 'a', count: 1, tags: ['x', 'y'], nested: { ok: true } };

/** As libraries in TypeScript make them. @type {Schema} */
const forecast = {
  type: 'object',
  properties: {
    place: { type: 'string' },
    unit: { enum: ['C', 'F'] },
    hours: {
      type: 'array',
      items: {
        type: 'object',
        properties: { at: { type: 'string' }, degrees: { type: 'number' }, wind: { type: ['number', 'null'] } },
        required: ['at', 'degrees'],
        additionalProperties: false,
      },
    },
  },
  required: ['place', 'hours'],
  additionalProperties: false,
};

/** As libraries in Python make them. @type {Schema} */
const search = {
  $defs: {
    Hit: {
      properties: {
        id: { title: 'Id', type: 'string' },
        score: { title: 'Score', type: 'number', minimum: 0, maximum: 1 },
        title: { anyOf: [{ type: 'string' }, { type: 'null' }], default: null, title: 'Title' },
      },
      required: ['id', 'score'],
      title: 'Hit',
      type: 'object',
    },
  },
  properties: {
    total: { title: 'Total', type: 'integer' },
    hits: { items: { $ref: '#/$defs/Hit' }, title: 'Hits', type: 'array' },
  },
  required: ['total', 'hits'],
  title: 'Result',
  type: 'object',
};

/** @template T @param {number} length @param {(index: number) => T} create @returns {T[]} */
const list = (length, create) => Array.from({ length }, (_, index) => create(index));

/** Results of three tools, of different sizes, some without optional members. @returns {[schema: Schema, value: unknown][]} */
function differentResults() {
  const results = list(50, (index) => [
    [schema, { ...result, name: `name ${index}`, count: index, ...(index % 3 === 0 && { tags: undefined }) }],
    [
      forecast,
      { place: `place ${index}`, hours: list(index % 5, (hour) => ({ at: `${hour}:00`, degrees: hour / 2 })) },
    ],
    [
      search,
      { total: index, hits: list(index % 4, (hit) => ({ id: `${index}-${hit}`, score: hit / 8, title: null })) },
    ],
  ]);
  // As they come from a server.
  return JSON.parse(JSON.stringify(results.flat()));
}

/** Gives a function that compiles schemas. @type {Record<string, () => Promise<(schema: Schema) => Check>>} */
const validators = {
  async floor() {
    const { Ajv2020 } = await import('ajv/dist/2020.js');
    return (compiled) => new Ajv2020({ strict: false }).compile(compiled);
  },
  async patchbay() {
    const { createValidator } = await import(new URL('../../dist/headless.mjs', import.meta.url).href);
    const validator = createValidator();
    // Synchronously if possible, as in real use, otherwise with a promise.
    return (compiled) => (checked) => {
      const validation = validator.validate('bench', compiled, checked);
      return validation instanceof Promise
        ? validation.then(({ kind }) => kind === 'valid')
        : validation.kind === 'valid';
    };
  },
  async sdk2() {
    const { AjvJsonSchemaValidator } = await import('@modelcontextprotocol/client/validators/ajv');
    return (compiled) => {
      const validate = new AjvJsonSchemaValidator().getValidator(compiled);
      return (checked) => validate(checked).valid;
    };
  },
  async sdk1() {
    const { AjvJsonSchemaValidator } = await import('@modelcontextprotocol/sdk/validation/ajv');
    return (compiled) => {
      const validate = new AjvJsonSchemaValidator().getValidator(compiled);
      return (checked) => validate(checked).valid;
    };
  },
};

/** @type {Map<boolean, Promise<readonly { check: Check, checked: unknown }[]>>} */
const prepared = new Map();

/** @param {string} client @param {boolean} isVaried @returns results with their checks, which are compiled once for all rounds */
async function prepare(client, isVaried) {
  const compile = await validators[client]?.();
  if (compile === undefined) throw new Error(`${client} has no validator.`);
  /** @type {Map<string, Check>} */
  const compiled = new Map();
  return (isVaried ? differentResults() : [[schema, result]]).map(([its, checked]) => {
    const text = JSON.stringify(its);
    const check = compiled.get(text) ?? compile(its);
    compiled.set(text, check);
    return { check, checked };
  });
}

/**
 * @param {string} client
 * @param {boolean} isVaried results of several tools in turns, instead of one again and again
 * @returns {Promise<number>} milliseconds for 10,000 checks
 */
export async function runValidation(client, isVaried) {
  const preparing = prepared.get(isVaried) ?? prepare(client, isVaried);
  prepared.set(isVaried, preparing);
  const results = await preparing;
  const rounds = Math.round(10_000 / results.length);
  const startedAt = performance.now();
  for (let round = 0; round < rounds; round += 1)
    for (const { check, checked } of results) if ((await check(checked)) !== true) throw new Error('Not valid.');
  return performance.now() - startedAt;
}
