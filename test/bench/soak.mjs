// @ts-check
// Uses a host for a long time: node --expose-gc soak.mjs, in a separate process. Reports its measurements over IPC.
import { readdirSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/**
 * @typedef {object} SoakPlan
 * @property {number} servers
 * @property {number} calls of all servers together
 * @property {number} restarts of all servers together; each comes while calls are under way
 *
 * @typedef {object} Outcomes
 * @property {number} calls
 * @property {number} answered with what was asked for
 * @property {number} refused with an error for people, as their server was being restarted
 * @property {number} wrong with anything else
 * @property {number} restarts
 *
 * @typedef {object} Sample what is in use once all is quiet
 * @property {number} heapBytes
 * @property {number} handles that keep the process alive
 * @property {number} files open
 * @property {number} listeners of the process
 */

export const soakPlan = { servers: 20, calls: 100_000, restarts: 1_000 };
const script = fileURLToPath(new URL('../fixtures/servers/scriptedServer.mjs', import.meta.url));
const expectedErrors = ['PatchbayError', 'JsonRpcError', 'AbortError'];

/**
 * Starts servers. In each round, calls all of them and restarts each during its calls.
 *
 * @param {typeof import('../../src/headless.ts').createHeadlessHost} createHost
 * @param {SoakPlan} plan
 * @param {(round: number, rounds: number) => void | Promise<void>} [onRound] called at the end of each, when all is quiet
 * @returns {Promise<Outcomes>}
 */
export async function soak(createHost, plan, onRound = () => {}) {
  const labels = Array.from({ length: plan.servers }, (_, index) => `server ${index}`);
  const definition = { command: process.execPath, args: [script], patchbay: { revision: '2025-11-25' } };
  const host = createHost({ servers: Object.fromEntries(labels.map((label) => [label, definition])) });
  const rounds = plan.restarts / plan.servers;
  const callsOfServer = plan.calls / plan.servers / rounds;
  const outcomes = { calls: 0, answered: 0, refused: 0, wrong: 0, restarts: 0 };
  try {
    await Promise.all(labels.map(async (label) => await host.getServer(label)?.start()));
    for (let round = 0; round < rounds; round += 1) {
      await Promise.all(
        labels.map((label) => useServer(host.getServer(label), `${label}, ${round}`, callsOfServer, outcomes)),
      );
      await onRound(round + 1, rounds);
    }
  } finally {
    await host.dispose();
  }
  return outcomes;
}

/**
 * Most calls are made before a restart, some when it begins.
 *
 * @param {import('../../src/headless.ts').HeadlessServer | undefined} server
 * @param {string} name
 * @param {number} calls
 * @param {Outcomes} outcomes
 */
async function useServer(server, name, calls, outcomes) {
  if (server === undefined) throw new Error('no server');
  const call = async (/** @type {number} */ index) => {
    outcomes.calls += 1;
    const text = `${name}, ${index}`;
    try {
      const { content } = await server.callTool('echo', { text });
      const [block] = content;
      outcomes[block?.type === 'text' && block.text === JSON.stringify({ text }) ? 'answered' : 'wrong'] += 1;
    } catch (error) {
      outcomes[error instanceof Error && expectedErrors.includes(error.name) ? 'refused' : 'wrong'] += 1;
    }
  };
  const early = Math.ceil(calls * 0.9);
  await Promise.all(Array.from({ length: early }, (_, index) => call(index)));
  const late = Array.from({ length: calls - early }, (_, index) => call(early + index));
  await server.stop();
  await Promise.all(late);
  await server.start();
  outcomes.restarts += 1;
}

/** @returns {Promise<Sample>} */
async function takeSample() {
  // The output of ended servers is read completely.
  await pause(200);
  for (let round = 0; round < 4; round += 1) globalThis.gc?.();
  return {
    heapBytes: process.memoryUsage().heapUsed,
    handles: process.getActiveResourcesInfo().length,
    files: process.platform === 'linux' ? readdirSync('/proc/self/fd').length : 0,
    listeners: process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0),
  };
}

async function main() {
  const { createHeadlessHost } = await import(new URL('../../dist/headless.mjs', import.meta.url).href);
  /** @type {Sample[]} */
  const samples = [];
  /** @type {string[]} */
  const warnings = [];
  process.on('warning', ({ message }) => warnings.push(message));
  const outcomes = await soak(createHeadlessHost, soakPlan, async (round, rounds) => {
    if (round % Math.ceil(rounds / 10) !== 0) return;
    samples.push(await takeSample());
    process.stderr.write(`round ${round} of ${rounds}\n`);
  });
  process.send?.({ outcomes, samples, warnings });
  process.disconnect();
}

if (process.send !== undefined && process.argv[1] === fileURLToPath(import.meta.url)) await main();
