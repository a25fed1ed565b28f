// @ts-check
/** @typedef {import('./attack.d.ts').Attack} Attack */

/** @param {object} message */
const line = (message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`;

/** Writes `text` `times` times, as fast as it is read. @param {(data: string | Buffer) => Promise<void>} write @param {string} text @param {number} times */
async function flood(write, text, times) {
  const chunk = Buffer.from(text.repeat(1_000));
  for (let sent = 0; sent < times; sent += 1_000) await write(chunk);
}

/** @param {string} id @param {string} title @param {string} text @param {number} times @param {object} [capabilities] @returns {Attack} */
function floodAttack(id, title, text, times, capabilities = {}) {
  return {
    id,
    title,
    capabilities,
    answers: {
      'tools/call': async (io) => {
        await flood((data) => io.write(data), text, times);
        return { content: [] };
      },
    },
  };
}

/** @param {string} method @param {object} [params] */
const notification = (method, params = {}) => line({ method: `notifications/${method}`, params });

/** @type {readonly Attack[]} */
export const floodAttacks = [
  floodAttack(
    'flood-logs',
    '1,000,000 log messages',
    notification('message', { level: 'error', data: 'x' }),
    1_000_000,
    {
      logging: {},
    },
  ),
  floodAttack('flood-tools', '1,000,000 changed lists', notification('tools/list_changed'), 1_000_000, {
    tools: { listChanged: true },
  }),
  floodAttack(
    'flood-resources',
    '1,000,000 updated resources',
    notification('resources/updated', { uri: 'file:///a' }),
    1_000_000,
    { resources: { subscribe: true } },
  ),
  floodAttack(
    'flood-progress',
    '1,000,000 notifications of progress',
    notification('progress', { progressToken: 1, progress: 1 }),
    1_000_000,
  ),
  floodAttack('flood-unknown', '1,000,000 unknown notifications', notification('nobody/knows'), 1_000_000),
  floodAttack('flood-noise', '2,000,000 lines that are no messages', 'this is no message\n', 2_000_000),
  floodAttack('flood-empty', '50,000,000 empty lines', '\n'.repeat(50), 1_000_000),
  floodAttack('flood-answers', '1,000,000 answers to nothing', line({ id: 'nothing', result: {} }), 1_000_000),
  floodAttack('flood-pings', '300,000 requests with the same id', line({ id: 1, method: 'ping' }), 300_000),
  floodAttack(
    'flood-sampling',
    '100,000 requests for a model',
    line({
      id: 1,
      method: 'sampling/createMessage',
      params: { maxTokens: 1, messages: [{ role: 'user', content: { type: 'text', text: 'x' } }] },
    }),
    100_000,
  ),
  {
    id: 'flood-line',
    title: 'a line of 400 MB',
    answers: {
      'tools/call': async (io) => {
        await flood((data) => io.write(data), 'x'.repeat(400), 1_000_000);
        await io.write('\n');
        return { content: [] };
      },
    },
  },
  {
    id: 'flood-duplicates',
    title: 'each answer 200,000 times',
    answers: {
      'tools/call': (io) => flood((data) => io.write(data), line({ id: io.id, result: { content: [] } }), 200_000),
    },
  },
  {
    id: 'flood-stderr',
    title: '200 MB on stderr, without a line break and with many',
    answers: {
      'tools/call': async (io) => {
        await flood((data) => io.stderr(data), 'x'.repeat(100), 1_000_000);
        await flood((data) => io.stderr(data), `${'y'.repeat(99)}\n`, 1_000_000);
        return { content: [] };
      },
    },
  },
];
