// @ts-check
// Uses a host for an hour with its traffic kept: node --expose-gc soakTraffic.mjs [MINUTES]. Prints what is in use each minute, after
// a collection, and whether it stays the same once the log is full.
import { setTimeout as pause } from 'node:timers/promises';
import { serverCommand } from './serverCommand.mjs';

/** @param {string} path of what `npm run bench` builds, from dist @returns {Promise<any>} */
const load = (path) => import(new URL(`../../dist/${path}`, import.meta.url).href);

/** The rest of the machine stays usable: a burst of calls in each beat, and in every so manieth what follows. */
const plan = { beatMs: 100, callsOfBeat: 30, stormBeats: 50, stormSize: 1_000, restartBeats: 300, lookBeats: 600 };
/** The growth of an hour that counts as none, as a share of what is in use. */
const tolerance = 0.03;

/**
 * @typedef {object} Sample
 * @property {number} minute
 * @property {number} heapMB
 * @property {number} outsideMB beside the heap, such as buffers
 * @property {number} keptMB by the estimate of the log
 * @property {number} calls
 * @property {number} failed
 * @property {boolean} isFull
 */

async function main(minutes = 60) {
  const [{ createHeadlessHost }, { keepTraffic }] = await Promise.all([
    load('headless.mjs'),
    load('test/benchCore.mjs'),
  ]);
  const { tap, log, openView } = keepTraffic();
  const labels = ['one', 'two', 'three'];
  const definition = { ...serverCommand(10), patchbay: { revision: '2025-11-25' } };
  const host = createHeadlessHost({ servers: Object.fromEntries(labels.map((label) => [label, definition])), tap });
  const servers = labels.map((label) => host.getServer(label));
  await Promise.all(servers.map((server) => server.start()));
  const counts = { calls: 0, failed: 0 };
  /** @type {Sample[]} */
  const samples = [];
  const startedAt = performance.now();
  for (let beat = 1; samples.length < minutes; beat += 1) {
    const server = servers[beat % servers.length];
    await callOften(server, beat, counts);
    if (beat % plan.restartBeats === 0) await server.stop().then(() => server.start());
    if (beat % plan.lookBeats === 0) await look(openView());
    if (performance.now() - startedAt >= (samples.length + 1) * 60_000) samples.push(takeSample(log, samples, counts));
    await pause(plan.beatMs);
  }
  await host.dispose();
  return judge(samples);
}

/** @param {any} server @param {number} beat @param {{ calls: number, failed: number }} counts */
async function callOften(server, beat, counts) {
  const calls = Array.from({ length: plan.callsOfBeat }, (_, index) =>
    server.callTool('echo', { text: `${beat}, ${index}` }),
  );
  if (beat % plan.stormBeats === 0) calls.push(server.callTool('storm', { count: plan.stormSize }));
  const settled = await Promise.allSettled(calls);
  counts.calls += settled.length;
  counts.failed += settled.filter(({ status }) => status === 'rejected').length;
}

/** A person opens the traffic, and closes it. @param {any} view */
async function look(view) {
  view.set({ filter: 'tool:echo', showsPings: false, sort: 'slowest' });
  while (view.update()) await pause(0);
  if (view.count === 0) throw new Error('The traffic has no calls.');
  view.dispose();
}

/** @param {any} log @param {readonly Sample[]} samples @param {{ calls: number, failed: number }} counts @returns {Sample} */
function takeSample(log, samples, { calls, failed }) {
  for (let round = 0; round < 4; round += 1) globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  const megabytes = (/** @type {number} */ bytes) => Math.round(bytes / 10_000) / 100;
  const used = { heapMB: megabytes(heapUsed), outsideMB: megabytes(external), keptMB: megabytes(log.weight) };
  const sample = { minute: samples.length + 1, ...used, calls, failed, isFull: log.isCut };
  console.log(JSON.stringify(sample));
  return sample;
}

/** @param {readonly Sample[]} samples @returns {boolean} */
function judge(samples) {
  const full = samples.filter(({ isFull }) => isFull).slice(1);
  const slope = slopeOf(full.map(({ minute, heapMB, outsideMB }) => [minute, heapMB + outsideMB]));
  const mean = full.reduce((sum, { heapMB, outsideMB }) => sum + heapMB + outsideMB, 0) / full.length;
  const growth = (slope * 60) / mean;
  const isFlat = full.length >= 5 && growth < tolerance && samples.every(({ failed }) => failed === 0);
  const percent = (growth * 100).toFixed(2);
  console.log(
    `${isFlat ? 'flat' : 'MISSED'}: ${mean.toFixed(1)} MB, ${percent} % in an hour, ${full.length} samples of a full log`,
  );
  return isFlat;
}

/** Of the line that is nearest to points. @param {readonly (readonly number[])[]} points */
function slopeOf(points) {
  const mean = (/** @type {number} */ at) => points.reduce((sum, point) => sum + (point[at] ?? 0), 0) / points.length;
  const [x, y] = [mean(0), mean(1)];
  const over = points.reduce((sum, [a = 0, b = 0]) => sum + (a - x) * (b - y), 0);
  return over / points.reduce((sum, [a = 0]) => sum + (a - x) ** 2, 0);
}

const [minutes = '60'] = process.argv.slice(2);
process.exitCode = (await main(Number(minutes))) ? 0 : 1;
