// @ts-check
// Runs rows with one client, in a separate process: code that one client loads does not help another.
import { rows } from './rows.mjs';
import { runValidation } from './validation.mjs';

const [name = '', url = ''] = process.argv.slice(2);
const implementation = await import(`./clients/${name}.mjs`);
/** @type {Map<string, Promise<import('./client.d.ts').BenchClient>>} */
const connected = new Map();

/** @type {import('./rows.mjs').RunTools} */
const tools = {
  connect: (target, how = 'connect') => (implementation[how] ?? implementation.connect)(target),
  url,
  memory() {
    for (let round = 0; round < 4; round += 1) globalThis.gc?.();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  },
  peakMemory: () => process.resourceUsage().maxRSS * 1024,
};

/** @param {import('./rows.mjs').Row} row */
async function run(row) {
  if (row.id.startsWith('validation')) return await runValidation(name, row.id === 'validation-varied');
  const peer = row.target === undefined ? undefined : await reach(row.target, row.connectWith ?? 'connect');
  if (row.leavesMuch) globalThis.gc?.();
  const startedAt = performance.now();
  const given = await row.run(/** @type {import('./client.d.ts').BenchClient} */ (peer), tools);
  return given ?? performance.now() - startedAt;
}

/** One connection for each target, shared by the rows. @param {NonNullable<import('./rows.mjs').Row['target']>} to @param {NonNullable<import('./rows.mjs').Row['connectWith']>} how */
function reach(to, how) {
  const target = typeof to === 'function' ? to(url) : to;
  const key = JSON.stringify([target, how]);
  const client = connected.get(key) ?? tools.connect(target, how);
  connected.set(key, client);
  return client;
}

/** @param {string} id */
async function serve(id) {
  const row = rows.find((candidate) => candidate.id === id);
  try {
    process.send?.({ value: row && (await run(row)) });
  } catch (error) {
    process.send?.({ error: error instanceof Error ? error.message : String(error) });
  }
}

process.on('message', (/** @type {{ row: string }} */ message) => void serve(message.row));
process.on('disconnect', () => process.exit());
process.send?.({ ready: true });
