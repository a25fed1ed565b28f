// @ts-check
/** @typedef {import('./attack.d.ts').Attack} Attack */

const megabyte = 1_000_000;

/** Starts the server and counts its lists. @param {import('./attack.d.ts').Subject} subject */
async function list({ server }) {
  await server.start();
  const { tools, resources } = server;
  return `${tools.length} tools, ${resources.length} resources`;
}

/** @param {string} id @param {string} title @param {(io: import('./attack.d.ts').ServerIo) => unknown} answer @returns {Attack} */
function toolsAttack(id, title, answer) {
  return { id, title, answers: { 'tools/list': answer }, drive: list, timeouts: { requestMs: 20_000 } };
}

const inputSchema = { type: 'object' };
let pages = 0;

/** @type {readonly Attack[]} */
export const listAttacks = [
  toolsAttack('list-endless', 'endless pages of 20 MB', () => ({
    tools: [{ name: `tool-${(pages += 1)}`, description: 'x'.repeat(20 * megabyte), inputSchema }],
    nextCursor: String(pages),
  })),
  toolsAttack('list-pages', 'endless empty pages', () => ({ tools: [], nextCursor: String((pages += 1)) })),
  toolsAttack('list-cursors', 'cursors of 10 MB', () => ({
    tools: [],
    nextCursor: String((pages += 1)).padEnd(10 * megabyte),
  })),
  toolsAttack('list-names', '50 tools with names of 2 MB', () => ({
    tools: Array.from({ length: 50 }, (_, index) => ({ name: `${index}`.padEnd(2 * megabyte, 'x'), inputSchema })),
  })),
  toolsAttack('list-tools', '400,000 tools', () => ({
    tools: Array.from({ length: 400_000 }, (_, index) => ({ name: `tool-${index}`, inputSchema })),
  })),
  toolsAttack('list-broken', '500,000 tools that are none', () => ({
    tools: Array.from({ length: 500_000 }, () => 1),
  })),
  {
    id: 'list-uris',
    title: '50 resources with URIs of 1 MB',
    capabilities: { resources: {} },
    answers: {
      'resources/list': () => ({
        resources: Array.from({ length: 50 }, (_, index) => ({
          name: `${index}`,
          uri: `file:///${index}/${'x'.repeat(megabyte)}`,
        })),
      }),
    },
    drive: list,
  },
  {
    id: 'list-instructions',
    title: 'a name, a version and instructions of 15 MB each',
    answers: {
      initialize: ({ params }) => ({
        protocolVersion: params['protocolVersion'],
        capabilities: { tools: {} },
        serverInfo: { name: 'n'.repeat(15 * megabyte), version: 'v'.repeat(15 * megabyte) },
        instructions: 'i'.repeat(15 * megabyte),
      }),
    },
    drive: list,
  },
];
