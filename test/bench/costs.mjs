// @ts-check
// What keeping the traffic, and recording, cost on the way of a call: two connections of one process, in turns, with and without. CPU
// time is taken, which other load of the machine affects less, and the time that calls take. Run by measureCosts.mjs, in a separate process.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serverCommand } from './serverCommand.mjs';

/** @param {string} path of what `npm run bench` builds, from dist @returns {Promise<any>} */
const load = (path) => import(new URL(`../../dist/${path}`, import.meta.url).href);

const rounds = 41;
const warmUps = 10;
const inTurn = 500;
const [batches, inFlight] = [4, 500];

/** @typedef {{ callTool(name: string, args: object): Promise<unknown> }} Server */

/** @type {Readonly<Record<string, { calls: number, call: (server: Server) => Promise<unknown> }>>} */
const ways = {
  [`${inTurn} calls, one after another`]: {
    calls: inTurn,
    call: async (server) => {
      for (let call = 0; call < inTurn; call += 1) await server.callTool('echo', { text: 'hello' });
    },
  },
  [`${batches * inFlight} calls, ${inFlight} in flight`]: {
    calls: batches * inFlight,
    call: async (server) => {
      for (let batch = 0; batch < batches; batch += 1)
        await Promise.all(Array.from({ length: inFlight }, () => server.callTool('echo', { text: 'hello' })));
    },
  },
};

/**
 * @param {() => Promise<unknown>} run
 * @param {() => Promise<unknown> | undefined} [putOff] what comes in the next pause
 * @returns {Promise<{ cpu: number, time: number }>} milliseconds of all threads, and those until the last answer is there
 */
async function measureRun(run, putOff) {
  const [before, start] = [process.cpuUsage(), performance.now()];
  await run();
  const time = performance.now() - start;
  await putOff?.();
  const { user, system } = process.cpuUsage(before);
  return { cpu: (user + system) / 1_000, time };
}

/** @param {any} tap @param {Record<string, string>} env of the server */
async function connect(tap, env) {
  const { createHeadlessHost } = await load('headless.mjs');
  const servers = { bench: { ...serverCommand(10), env, patchbay: { revision: '2025-11-25' } } };
  const host = createHeadlessHost({ servers, ...(tap !== undefined && { tap }) });
  const server = host.getServer('bench');
  await server.start();
  return { server, host };
}

/**
 * @typedef {object} Kept
 * @property {any} tap
 * @property {(lines: number) => Promise<void>} [written] what is put off until there is a pause is a part of the cost
 * @property {Record<string, string>} [env] of the server
 */

/** Each way has connections of its own: a recording has a maximum size. @param {string} what @param {() => Kept} keep */
async function measure(what, keep) {
  const rows = [];
  for (const [way, { calls, call }] of Object.entries(ways)) {
    const { tap, written, env = {} } = keep();
    const [off, on] = [await connect(undefined, env), await connect(tap, env)];
    /** @type {Record<'cpu' | 'time', { off: number[], on: number[] }>} */
    const samples = { cpu: { off: [], on: [] }, time: { off: [], on: [] } };
    let lines = 0;
    const runOff = () => measureRun(() => call(off.server));
    const runOn = () =>
      measureRun(
        () => call(on.server),
        () => written?.((lines += 2 * calls)),
      );
    for (let round = 0; round < warmUps + rounds; round += 1) {
      // The order changes, as the first of a round finds the machine in another state than the second.
      const first = round % 2 === 0 ? await runOff() : undefined;
      const second = await runOn();
      const value = first ?? (await runOff());
      if (round < warmUps) continue;
      for (const unit of /** @type {const} */ (['cpu', 'time'])) {
        samples[unit].off.push(value[unit]);
        samples[unit].on.push(second[unit]);
      }
    }
    rows.push({ title: `${what}, CPU: ${way}`, ...samples.cpu }, { title: `${what}, time: ${way}`, ...samples.time });
    await Promise.all([off.host.dispose(), on.host.dispose()]);
  }
  return rows;
}

const { keepTraffic, recordSession } = await load('test/benchCore.mjs');
const folder = await mkdtemp(join(tmpdir(), 'patchbay-bench-'));
const wanted = process.argv.slice(2);
const file = join(folder, 'bench.mcp-session.jsonl');
/** @type {Readonly<Record<import('./measureCosts.mjs').Cost, () => Kept>>} */
const taps = {
  traffic: () => ({ tap: keepTraffic().tap }),
  recording: () => recordSession(file),
  // All that is written is searched for it, in any spelling.
  'recording-secret': () => ({ ...recordSession(file), env: { SHOP_TOKEN: 'tk-20b81f6ac7d94e35' } }),
};
try {
  for (const [what, tap] of Object.entries(taps)) if (wanted.includes(what)) process.send?.(await measure(what, tap));
} finally {
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}
process.disconnect?.();
