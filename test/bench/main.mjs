// @ts-check
// Compares clients with one server, then measures in VS Code:
//   node test/bench/main.mjs [part of a row's id, editor, or a part of it such as editor-lists …]
//   node test/bench/main.mjs attacks [part of an attack's id …]
//   node test/bench/main.mjs soak [traffic [minutes]]
//
// The clients run every row in turns, round after round, so that other load of the machine affects all of them; the
// first rounds are warm-ups and do not count. Tables are printed; .bench/latest.json has all samples, .bench/CLIENT.log what
// a client printed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { attackBudget, runAttacks } from './attacks/runAttacks.mjs';
import { measureBundles, measureCode } from './codeSize.mjs';
import { onOneCore } from './cores.mjs';
import { printAttacks, printCosts, printEditor, printOutput, printTable } from './report.mjs';
import { clientsOf, rows } from './rows.mjs';
import { costs, measureCosts } from './measureCosts.mjs';
import { runSoak, runTrafficSoak } from './runSoak.mjs';
import { serverCommand } from './serverCommand.mjs';
import { startWorker } from './startWorker.mjs';

/**
 * @typedef {import('./rows.mjs').ClientName} ClientName
 * @typedef {ReadonlyMap<ClientName, import('./startWorker.mjs').Worker>} Workers
 */

/** The HTTP server all share. */
async function startServer() {
  const { command, args } = serverCommand(10, 'http');
  const server = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const [line] = await once(server.stdout, 'data');
  return { url: String(line).trim(), pid: Number(server.pid), stop: () => server.stdin.end() };
}

/** @param {import('./rows.mjs').Row} row @param {Workers} workers @param {string} url of the HTTP server */
async function measure(row, workers, url) {
  const names = clientsOf(row);
  /** @type {Record<string, number[]>} */
  const samples = Object.fromEntries(names.map((name) => [name, []]));
  const { warmUps = 1 } = row;
  for (let round = 0; round < warmUps + row.rounds; round += 1) {
    // The order changes, as the first client of a round finds the machine in another state than the last.
    for (let turn = 0; turn < names.length; turn += 1) {
      const name = /** @type {ClientName} */ (names[(round + turn) % names.length]);
      const value = row.isFresh ? await runFresh(row, name, url) : await workers.get(name)?.run(row.id);
      if (round >= warmUps && value !== undefined) samples[name]?.push(value);
    }
  }
  process.stderr.write(`${row.title}\n`);
  return { id: row.id, title: row.title, unit: row.unit, samples };
}

/** @param {import('./rows.mjs').Row} row @param {ClientName} name @param {string} url of the HTTP server */
async function runFresh(row, name, url) {
  const worker = await startWorker(name, url, `${name}-fresh`);
  try {
    return await worker.run(row.id);
  } finally {
    worker.stop();
  }
}

/** @param {readonly import('./rows.mjs').Row[]} wanted @param {boolean} isWhole */
async function compareClients(wanted, isWhole) {
  const server = await startServer();
  const names = new Set(wanted.flatMap(clientsOf));
  /** @type {Workers} */
  const workers = new Map(
    await Promise.all(
      [...names].map(async (name) => /** @type {const} */ ([name, await startWorker(name, server.url)])),
    ),
  );
  try {
    const measured = [];
    const processes = [server.pid, ...[...workers.values()].map(({ pid }) => pid)];
    for (const row of wanted) {
      const run = () => measure(row, workers, server.url);
      measured.push(row.isOnOneCore ? await onOneCore(processes, run) : await run());
    }
    const code = isWhole ? await measureCode() : undefined;
    const table = printTable(measured, code);
    for (const [name, worker] of workers) printOutput(name, await worker.output());
    return { rows: table, code };
  } finally {
    for (const worker of workers.values()) worker.stop();
    server.stop();
  }
}

/** @param {(id: string) => boolean} isWanted */
async function lookAtEditor(isWanted) {
  const bundle = new URL('../../dist/test/benchEditor.mjs', import.meta.url);
  /** @type {typeof import('./editor/measureEditor.ts')} */
  const { editorParts, measureEditor } = await import(bundle.href);
  const parts = editorParts.filter(isWanted);
  if (parts.length === 0) return undefined;
  const measured = await measureEditor(parts, (tools, prompts) => serverCommand(tools, 'stdio', prompts));
  return printEditor(measured, await measureBundles());
}

/** @param {readonly string[]} filters parts of ids; all when there are none */
async function runAll(filters) {
  const isWanted = wantedBy(filters);
  const wanted = rows.filter(({ id }) => isWanted(id));
  const compared = wanted.length === 0 ? undefined : await compareClients(wanted, filters.length === 0);
  const asked = costs.filter((cost) => isWanted(`cost-${cost}`));
  const cost = asked.length === 0 ? undefined : printCosts(await measureCosts(asked));
  const editor = await lookAtEditor(isWanted);
  return { ...compared, cost, editor };
}

/** @param {readonly string[]} filters parts of ids; all when there are none */
async function runHostile(filters) {
  const attacks = await runAttacks(wantedBy(filters));
  printAttacks(attacks, attackBudget);
  return { attacks };
}

/** @param {readonly string[]} filters @returns {(id: string) => boolean} */
function wantedBy(filters) {
  return (id) => filters.length === 0 || filters.some((filter) => id.includes(filter));
}

// Node reads the certificates for tens of milliseconds at each start, and not all clients hand the variable to servers.
delete process.env['NODE_EXTRA_CA_CERTS'];
await mkdir('.bench', { recursive: true });
const [first, ...rest] = process.argv.slice(2);
const machine = { node: process.version, platform: process.platform, cpus: cpus().length };
const measured =
  first === 'attacks'
    ? await runHostile(rest)
    : first === 'soak'
      ? { soak: rest[0] === 'traffic' ? await runTrafficSoak(rest.slice(1)) : await runSoak() }
      : await runAll(process.argv.slice(2));
await writeFile('.bench/latest.json', `${JSON.stringify({ machine, ...measured }, undefined, 2)}\n`);
