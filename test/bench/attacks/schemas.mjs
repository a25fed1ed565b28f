// @ts-check
/** @typedef {import('./attack.d.ts').Attack} Attack */

/** @param {string} id @param {string} title @param {Record<string, unknown>} outputSchema @param {unknown} value @returns {Attack} */
function schemaAttack(id, title, outputSchema, value) {
  return {
    id,
    title,
    tool: { outputSchema },
    answers: { 'tools/call': () => ({ content: [], structuredContent: value }) },
    async drive({ server, validator }) {
      await server.start();
      const { structuredContent } = await server.callTool('attack', {});
      if (structuredContent === undefined) return 'the result was lost';
      // The headless host returns results unchecked; the editor checks them.
      const checked = await validator.validate('hostile', outputSchema, value);
      return checked.kind === 'unsupported' ? `result kept, not checked: ${checked.reason}` : `result ${checked.kind}`;
    },
  };
}

/** @param {unknown} leaf @param {number} depth */
function nest(leaf, depth) {
  let value = leaf;
  for (let level = 0; level < depth; level += 1) value = { x: value };
  return value;
}

const branch = { properties: { x: { $ref: '#' } }, required: ['y'] };

/** Three steps of `count` references each, so that one value fails `count` to the third times. @param {number} count */
function references(count) {
  const to = (/** @type {string} */ name) => Array.from({ length: count }, () => ({ $ref: `#/$defs/${name}` }));
  return {
    type: 'object',
    allOf: to('a'),
    $defs: { a: { allOf: to('b') }, b: { allOf: to('c') }, c: { required: ['y'] } },
  };
}

/** @param {object} items */
const list = (items) => ({ type: 'object', properties: { list: { type: 'array', ...items } } });

/** @type {readonly Attack[]} */
export const schemaAttacks = [
  schemaAttack('schema-any-of', 'recursive anyOf, 24 deep', { type: 'object', anyOf: [branch, branch] }, nest({}, 24)),
  schemaAttack(
    'schema-pattern',
    'pattern ^(a?){28}$',
    { type: 'object', properties: { x: { type: 'string', pattern: '^(a?){28}$' } } },
    { x: `${'a'.repeat(28)}b` },
  ),
  schemaAttack(
    'schema-slow-patterns',
    'a slow pattern over 10,000 strings',
    list({ items: { type: 'string', pattern: '^(a?){14}$' } }),
    { list: Array.from({ length: 10_000 }, (_, index) => `${'a'.repeat(14)}${index}`) },
  ),
  schemaAttack('schema-references-20kb', '20 kB of references', references(330), { x: 'y' }),
  schemaAttack('schema-references-40kb', '40 kB of references', references(660), { x: 'y' }),
  schemaAttack('schema-unique-items', 'uniqueItems over 40,000 numbers', list({ uniqueItems: true }), {
    list: Array.from({ length: 40_000 }, (_, index) => index),
  }),
  schemaAttack(
    'schema-unique-objects',
    'uniqueItems over 10,000 objects',
    list({ uniqueItems: true, items: { type: 'object' } }),
    { list: Array.from({ length: 10_000 }, (_, index) => ({ index })) },
  ),
  schemaAttack(
    'schema-long-object',
    '1,000 options for an object with 20,000 names',
    { type: 'object', anyOf: Array.from({ length: 1_000 }, () => ({ additionalProperties: { type: 'string' } })) },
    Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`name${index}`, index])),
  ),
  schemaAttack('schema-itself', '{"$ref":"#"}', { type: 'object', $ref: '#' }, { x: 'y' }),
  schemaAttack(
    'schema-deep',
    'a schema nested 1,000 deep',
    JSON.parse(`${'{"type":"object","properties":{"x":'.repeat(1_000)}{}${'}}'.repeat(1_000)}`),
    { x: 'y' },
  ),
];
