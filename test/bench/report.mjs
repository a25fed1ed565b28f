// @ts-check
import { basename } from 'node:path';

/**
 * @typedef {object} Measured
 * @property {string} id
 * @property {string} title
 * @property {string} unit
 * @property {Record<string, number[]>} samples of each client
 */

/** @param {readonly number[]} values @param {number} share 0 to 1 */
function quantile(values, share) {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (sorted.length - 1) * share;
  const below = sorted[Math.floor(at)] ?? Number.NaN;
  const above = sorted[Math.ceil(at)] ?? Number.NaN;
  return below + (above - below) * (at % 1);
}

/** @param {readonly number[]} samples */
function summarizeSamples(samples) {
  const [median, low, high] = [0.5, 0.25, 0.75].map((share) => quantile(samples, share));
  return { median: median ?? Number.NaN, low: low ?? Number.NaN, high: high ?? Number.NaN, samples };
}

/** @param {Measured} row */
function summarize({ samples, ...row }) {
  const clients = Object.fromEntries(Object.entries(samples).map(([name, values]) => [name, summarizeSamples(values)]));
  const own = clients['patchbay']?.median ?? Number.NaN;
  /** How many times as fast as another client, or as small. @param {string} name */
  const against = (name) => (clients[name] === undefined ? undefined : clients[name].median / own);
  return { ...row, clients, ratios: { floor: against('floor'), sdk2: against('sdk2'), sdk1: against('sdk1') } };
}

/**
 * Prints the results, a line for each row: medians with the middle half of all samples, then the ratios to Patchbay.
 *
 * @param {readonly Measured[]} measured
 * @param {Readonly<Record<string, number>> | undefined} code bytes by client
 */
export function printTable(measured, code) {
  const rows = measured.map(summarize);
  const names = ['floor', 'patchbay', 'sdk2', 'sdk1'];
  const head = ['', ...names, '× floor', '× SDK v2', '× SDK v1'];
  const lines = rows.map(({ title, unit, clients, ratios }) => [
    title,
    ...names.map((name) =>
      clients[name] === undefined ? '–' : `${shorten(clients[name].median)} ${unit} ±${spread(clients[name])}`,
    ),
    ...[ratios.floor, ratios.sdk2, ratios.sdk1].map((ratio) => (ratio === undefined ? '–' : ratio.toFixed(2))),
  ]);
  if (code !== undefined) {
    const own = code['patchbay'] ?? Number.NaN;
    const sizes = names.map((name) => (code[name] === undefined ? '–' : `${shorten(code[name] / 1000)} kB`));
    const ratios = ['floor', 'sdk2', 'sdk1'].map((name) =>
      code[name] === undefined ? '–' : (code[name] / own).toFixed(2),
    );
    lines.push(['code loaded for one stdio server, minified', ...sizes, ...ratios]);
  }
  printLines([head, ...lines]);
  console.log('\n× floor, × SDK: how many times as fast as that client Patchbay is (1 = equal, more = faster).');
  return rows;
}

/**
 * Prints the results in VS Code, a line for each row, then the files it loads.
 *
 * @param {readonly import('./editor/measureEditor.ts').EditorRow[]} measured
 * @param {import('./codeSize.mjs').Bundles} bundles
 */
export function printEditor(measured, bundles) {
  const rows = measured.map(({ samples, ...row }) => ({ ...row, ...summarizeSamples(samples) }));
  const lines = rows.map(({ title, unit, budget, ...values }) => [
    title,
    `${shorten(values.median)} ${unit} ±${spread(values)}`,
    budget === undefined ? '' : `≤ ${budget}`,
    budget === undefined ? '' : values.median <= budget ? 'met' : 'missed',
  ]);
  console.log();
  printLines([['in VS Code', 'median', 'budget', ''], ...lines]);
  console.log();
  const kilobytes = (/** @type {number} */ bytes) => `${shorten(bytes / 1_000)} kB`;
  printLines([
    ['code loaded at activation, minified', kilobytes(bundles.activation)],
    ...bundles.files
      .filter(({ bytes }) => bytes >= 5_000)
      .map(({ path, bytes, isAtActivation }) => [
        `  ${basename(path)}${isAtActivation ? '' : ', loaded on use'}`,
        kilobytes(bytes),
      ]),
  ]);
  return { rows, bundles };
}

/**
 * Prints the outcome of each attack, and whether it was within the budget.
 *
 * @param {readonly import('./attacks/attack.d.ts').AttackRow[]} rows
 * @param {{ blockMs: number, peakBytes: number }} budget
 */
export function printAttacks(rows, budget) {
  const lines = rows.map(({ title, blockMs, waitedMs, peakBytes, outcome, isUnharmed }) => [
    title,
    shorten(blockMs),
    shorten(waitedMs),
    Number.isNaN(peakBytes) ? '–' : shorten(peakBytes / 1e6),
    isUnharmed && blockMs <= budget.blockMs && peakBytes <= budget.peakBytes ? 'held' : 'MISSED',
    outcome.replaceAll(/\s+/g, ' ').slice(0, 110),
  ]);
  printLines([['', 'longest block, ms', 'with waiting', 'peak, MB', '', 'outcome'], ...lines], 1);
  const held = lines.filter(([, , , , verdict]) => verdict === 'held').length;
  console.log(
    `\n${held} of ${rows.length} held: no block over ${budget.blockMs} ms, no peak over ${budget.peakBytes / 1e6} MB.`,
  );
}

/** Prints a table: the first column to the left, the others to the right, but `leftLast` of the last. @param {readonly (readonly string[])[]} lines */
function printLines(lines, leftLast = 0) {
  const widths = (lines[0] ?? []).map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  for (const line of lines) {
    console.log(
      line
        .map((cell, column) => {
          const isLeft = column === 0 || column >= line.length - leftLast;
          return isLeft ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0);
        })
        .join('  '),
    );
  }
}

/** Half the middle half, in percent of the median. @param {{ median: number, low: number, high: number }} value */
function spread({ median, low, high }) {
  if (median === 0) return '0%';
  return `${Math.round(((high - low) / 2 / median) * 100)}%`;
}

/** @param {number} value */
function shorten(value) {
  return value >= 10 ? Math.round(value).toLocaleString('en') : value.toPrecision(2);
}
