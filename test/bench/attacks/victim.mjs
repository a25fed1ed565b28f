// @ts-check
// A host under one attack: node victim.mjs ID [URL], in a separate process, which may crash.
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { findAttack } from './all.mjs';
import { watchBlocks } from './watchBlocks.mjs';

/** @param {string} path of what `npm run bench` builds, from dist @returns {Promise<any>} */
const load = (path) => import(new URL(`../../../dist/${path}`, import.meta.url).href);
const script = fileURLToPath(new URL('server.mjs', import.meta.url));
const [id = '', url] = process.argv.slice(2);
const attack = findAttack(id);

/** @type {string[]} */
const faults = [];
process.on('uncaughtException', (error) => faults.push(`uncaught: ${error.message}`));
process.on('unhandledRejection', (reason) => faults.push(`unhandled: ${String(reason)}`));

const { createHeadlessHost, createValidator } = await load('headless.mjs');
const core = await load('test/attackCore.mjs');
const patchbay = { timeouts: attack.timeouts ?? {} };
const stdio = (/** @type {string} */ name) => ({ command: process.execPath, args: [script, name, 'stdio'], patchbay });
const host = createHeadlessHost({
  servers: {
    hostile: url === undefined ? stdio(id) : { url, patchbay },
    honest: url === undefined ? stdio('none') : { url: new URL('/honest', url).href, patchbay },
  },
  onSampling: async () => ({ role: 'assistant', content: { type: 'text', text: 'yes' }, model: 'm' }),
  onLog: () => {},
});

/** @type {NonNullable<import('./attack.d.ts').Attack['drive']>} */
async function callTool({ server }) {
  await server.start();
  const result = await server.callTool('attack', {});
  return `${result.content.length} blocks${result.structuredContent === undefined ? '' : ', structured content'}`;
}

/** Errors that the host creates, or passes on, for users; all others are bugs. */
const expected = ['PatchbayError', 'JsonRpcError', 'AbortError'];

async function run() {
  const server = host.getServer('hostile');
  try {
    return await (attack.drive ?? callTool)({ server, core, validator, attack });
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error(String(error));
    if (!expected.includes(name)) faults.push(`${name}: ${message}`);
    return message;
  }
}

const honest = host.getServer('honest');
// Loads the code of the first use before the attack.
await honest.start();
const validator = createValidator();
await validator.validate('honest', { not: {} }, {});
// If this process hangs, the parent measures from the last message.
const beat = setInterval(() => process.send?.({ isAlive: true }), 100);
const blocks = watchBlocks();
await pause(50);
const outcome = await run();
await honest.callTool('attack', {});
validator.dispose();
await host.dispose();
// A delay by a block is visible only in the next turn of the event loop.
await pause(50);
const { blockMs, waitedMs } = blocks.stop();
clearInterval(beat);
process.send?.({
  blockMs,
  waitedMs,
  peakBytes: process.resourceUsage().maxRSS * 1024,
  outcome: [...new Set([...faults, outcome])].join('; '),
  isUnharmed: faults.length === 0,
});
process.disconnect();
