// @ts-check
/** @typedef {import('./attack.d.ts').Attack} Attack */
/** @typedef {import('./attack.d.ts').Subject} Subject */

/** An attack without a server: by files, or by content before it is shown. @param {string} id @param {string} title @param {(core: Subject['core']) => string} run @returns {Attack} */
const local = (id, title, run) => ({ id, title, drive: async ({ core }) => run(core) });

/** @param {number} depth @param {unknown} leaf */
const nested = (depth, leaf) => JSON.parse(`${'{"x":'.repeat(depth)}${JSON.stringify(leaf)}${'}'.repeat(depth)}`);

/** @param {Subject['core']} core @param {object} result */
function view(core, result) {
  /** @type {any} */
  const document = { key: 'k', title: 't', server: 's', result: { kind: 'tool', result }, actions: [] };
  const { notices } = core.toResultView(document);
  return notices.at(-1) ?? 'shown whole';
}

/** @param {Subject['core']} core @param {string} text */
function configuration(core, text) {
  const { servers, problems } = core.parseConfiguration(text, 'mcpJson');
  return `${servers.length} servers, ${problems.length} problems: ${problems[0]?.message ?? ''}`;
}

const members = Array.from({ length: 40_000 }, (_, index) => `"k${index}":1`).join(',');

/** @type {readonly Attack[]} */
export const viewAttacks = [
  local('view-deep', '1 MB nested 900 deep, to be shown', (core) =>
    view(core, { content: [], isError: false, structuredContent: nested(900, 'x'.repeat(1_000_000)) }),
  ),
  local('view-deep-many', '200,000 members nested 900 deep, to be shown', (core) => {
    const structuredContent = nested(900, Array(200_000).fill(1));
    return view(core, { content: [], isError: false, structuredContent });
  }),
  local('view-backticks', '400 kB of backticks, as Markdown', (core) => {
    const text = '` '.repeat(200_000);
    const block = /** @type {const} */ ({ type: 'resource', resource: { uri: 'file:///a', text } });
    return `${core.toolResultToMarkdown({ content: [block], isError: false }).length} characters`;
  }),
  local('view-fields', 'a form of a schema that holds itself', (core) => {
    const $ref = '#/properties/a';
    const engine = new core.FormEngine({ properties: { a: { $ref }, b: { anyOf: [{ $ref }] } } });
    return `a field of kind ${engine.fieldFor(engine.root, { a: {}, b: {} }).kind}`;
  }),
  local('template', 'a URI template as long as a list may have', (core) => {
    const { variables } = core.parseUriTemplate('{a,b}'.repeat(1_638));
    return `${variables.length} variables`;
  }),
  local('configuration-keys', 'a configuration of 40,000 keys', (core) =>
    configuration(core, `{"mcpServers":{"a":{"command":"x","env":{${members}}}}}`),
  ),
  local('configuration-servers', 'a configuration of 40,000 servers', (core) =>
    configuration(core, `{"mcpServers":{${members}}}`),
  ),
  local('configuration-deep', 'a configuration nested 1,500 deep', (core) =>
    configuration(core, `{"mcpServers":{"a":${'{"mcpServers":{"command":'.repeat(1_500)}1${'}}'.repeat(1_500)}}}`),
  ),
  local('configuration-variables', 'a configuration of 1 MB of ${', (core) =>
    configuration(core, JSON.stringify({ mcpServers: { a: { command: '${'.repeat(500_000) } } })),
  ),
];
