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

/** The columns of the table. */
const columns = /** @type {const} */ ({
  floor: 'floor',
  patchbay: 'Patchbay',
  sdk2: 'SDK v2',
  sdk1: 'SDK v1',
});

/**
 * How many times as fast as others Patchbay is, or how many times as small.
 *
 * @param {Readonly<Record<string, number>>} values milliseconds or bytes, less is better
 */
function compare(values) {
  const own = values['patchbay'] ?? Number.NaN;
  const sdks = [values['sdk2'], values['sdk1']].filter((value) => value !== undefined);
  return {
    floor: values['floor'] === undefined ? undefined : values['floor'] / own,
    sdk: sdks.length === 0 ? undefined : Math.min(...sdks) / own,
  };
}

/** @param {Measured} row */
function summarize({ samples, ...row }) {
  const clients = Object.fromEntries(Object.entries(samples).map(([name, values]) => [name, summarizeSamples(values)]));
  const medians = Object.fromEntries(Object.entries(clients).map(([name, { median }]) => [name, median]));
  return { ...row, clients, ratios: compare(medians) };
}

/**
 * Prints the results, a line for each row: medians with the quartiles, then the ratios of the medians.
 *
 * @param {readonly Measured[]} measured
 * @param {Readonly<Record<string, number>> | undefined} code bytes by client
 */
export function printTable(measured, code) {
  const rows = measured.map(summarize);
  const names = Object.keys(columns);
  /** @param {ReturnType<typeof compare>} ratios */
  const ratioCells = ({ floor, sdk }) => [floor, sdk].map((ratio) => ratio?.toFixed(2) ?? '–');
  const lines = rows.map(({ title, unit, clients, ratios }) => [
    `${title}, ${unit}`,
    ...names.map((name) => (clients[name] === undefined ? '–' : withQuartiles(clients[name]))),
    ...ratioCells(ratios),
  ]);
  if (code !== undefined) {
    const sizes = names.map((name) => (code[name] === undefined ? '–' : shorten(code[name] / 1000)));
    lines.push(['code loaded for one stdio server, minified, kB', ...sizes, ...ratioCells(compare(code))]);
  }
  printLines([['', ...Object.values(columns), '× floor', '× SDK'], ...lines]);
  console.log(`
Medians, and in brackets the quartiles. floor: a bare loop, over HTTP on node:http.
× floor, × SDK: how many times as fast as the bare loop, and as the better SDK, Patchbay is (1 = equal, more = faster).
HTTP calls one after another: client and server share a core, where the system has taskset.`);
  return rows;
}

/** Says where to find what a client printed, if it printed something. @param {string} name @param {string} output */
export function printOutput(name, output) {
  const count = output.split('\n').length - 1;
  if (count > 0)
    console.log(`${name} printed ${count.toLocaleString('en')} lines, such as warnings: .bench/${name}.log`);
}

/**
 * Prints the results in VS Code, a line for each row: medians with their quartiles, and the ratio to the floor; then the
 * files it loads.
 *
 * @param {readonly import('./editor/patchbayWindow.ts').EditorRow[]} measured
 * @param {import('./codeSize.mjs').Bundles} bundles
 */
export function printEditor(measured, bundles) {
  const rows = measured.map(({ samples, floor, ...row }) => {
    const own = summarizeSamples(samples);
    const bare = floor === undefined ? undefined : summarizeSamples(floor);
    return { ...row, ...own, floor: bare, ratio: bare === undefined ? undefined : own.median / bare.median };
  });
  const lines = rows.map(({ title, unit, budget, floor, ratio, ...values }) => [
    title,
    `${withQuartiles(values)} ${unit}`,
    floor === undefined ? '' : `${withQuartiles(floor)} ${unit}`,
    ratio === undefined ? '' : ratio.toFixed(2),
    budget === undefined ? '' : `≤ ${budget}`,
    budget === undefined ? '' : (ratio ?? values.median) <= budget ? 'met' : 'missed',
  ]);
  console.log();
  printLines([['in VS Code', 'median (quartiles)', 'floor', '× floor', 'budget', ''], ...lines]);
  console.log('\n× floor: the time of Patchbay divided by that of the same without its own work, in the same window.');
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

/** The most that something may cost on the way of a call. */
const costBudget = 1.05;

/**
 * Prints what something costs on the way of a call: the ratio of its time to that without it, in pairs.
 *
 * @param {readonly import('./measureCosts.mjs').CostRow[]} measured
 */
export function printCosts(measured) {
  const rows = measured.map((row) => {
    const ratio = summarizeSamples(row.on.map((value, index) => value / (row.off[index] ?? Number.NaN)));
    return { ...row, ratio };
  });
  console.log();
  printLines([
    ['cost on the way of a call', 'off, ms', 'on', 'ratio', 'budget', ''],
    ...rows.map(({ title, off, on, ratio: { median, low, high } }) => [
      title,
      withQuartiles(summarizeSamples(off)),
      withQuartiles(summarizeSamples(on)),
      `${median.toFixed(3)} (${low.toFixed(3)}–${high.toFixed(3)})`,
      `≤ ${costBudget}`,
      median <= costBudget ? 'met' : 'missed',
    ]),
  ]);
  return rows;
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

/** @param {{ median: number, low: number, high: number }} value */
function withQuartiles({ median, low, high }) {
  return `${shorten(median)} (${shorten(low)}–${shorten(high)})`;
}

/** @param {number} value */
function shorten(value) {
  return value >= 10 ? Math.round(value).toLocaleString('en') : value.toPrecision(2);
}
