// @ts-check
// Checks one value against one schema repeatedly, with the validator of each client.
/** @type {any} */
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
const value = { name: 'a', count: 1, tags: ['x', 'y'], nested: { ok: true } };

/** @type {Record<string, () => Promise<() => unknown>>} */
const checkers = {
  async floor() {
    const { Ajv2020 } = await import('ajv/dist/2020.js');
    const validate = new Ajv2020().compile(schema);
    return () => validate(value);
  },
  async patchbay() {
    const { createValidator } = await import(new URL('../../dist/headless.mjs', import.meta.url).href);
    const validator = createValidator();
    // Synchronously if possible, as in real use, otherwise with a promise.
    return () => {
      const validation = validator.validate('bench', schema, value);
      return validation instanceof Promise
        ? validation.then(({ kind }) => kind === 'valid')
        : validation.kind === 'valid';
    };
  },
  async sdk2() {
    const { AjvJsonSchemaValidator } = await import('@modelcontextprotocol/client/validators/ajv');
    const validate = new AjvJsonSchemaValidator().getValidator(schema);
    return () => validate(value).valid;
  },
  async sdk1() {
    const { AjvJsonSchemaValidator } = await import('@modelcontextprotocol/sdk/validation/ajv');
    const validate = new AjvJsonSchemaValidator().getValidator(schema);
    return () => validate(value).valid;
  },
};

/**
 * @param {string} client
 * @returns {Promise<number>} milliseconds for 10,000 checks
 */
export async function runValidation(client) {
  const check = await checkers[client]?.();
  if (check === undefined) throw new Error(`${client} has no validator.`);
  // Some compile the schema with the first value.
  await check();
  const startedAt = performance.now();
  for (let round = 0; round < 10_000; round += 1) if ((await check()) !== true) throw new Error('Not valid.');
  return performance.now() - startedAt;
}
