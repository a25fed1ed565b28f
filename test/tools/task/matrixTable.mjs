// @ts-check
import { readTests } from './results.mjs';

/** Names of the transports in the matrix suite, with their names in the table. */
const transports = { stdio: 'stdio', 'Streamable HTTP': 'HTTP', 'HTTP+SSE': 'SSE' };

/**
 * Prints which feature works in which revision over which transport, from the results of the matrix suite:
 * ✓ shown with every partner, ✗ failed with one, – not defined by the specification.
 *
 * @returns {Promise<void>}
 */
export async function printMatrix() {
  /** @type {Map<string, Map<string, boolean>>} */
  const rows = new Map();
  /** @type {Set<string>} */
  const revisions = new Set();
  for (const { title, ancestors, passed } of await readTests(/^process\.json$/)) {
    const [column = '', partner] = ancestors;
    const revision = / \| (\d{4}-\d\d-\d\d)$/.exec(column)?.[1];
    if (revision === undefined || partner === undefined) continue;
    const feature = title.replace(/ \[.*/, '');
    const row = rows.get(feature) ?? new Map();
    row.set(column, passed && row.get(column) !== false);
    rows.set(feature, row);
    revisions.add(revision);
  }
  if (rows.size > 0)
    printTable(
      rows,
      [...revisions].toSorted((one, other) => one.localeCompare(other)),
    );
}

/**
 * @param {ReadonlyMap<string, ReadonlyMap<string, boolean>>} rows by feature, then by column
 * @param {readonly string[]} revisions
 */
function printTable(rows, revisions) {
  const width = Math.max(...[...rows.keys()].map((feature) => feature.length));
  const heads = Object.values(transports).join(' ');
  console.log(`\n${[''.padEnd(width), ...revisions.map((revision) => revision.padEnd(heads.length))].join('   ')}`);
  console.log([''.padEnd(width), ...revisions.map(() => heads)].join('   '));
  for (const [feature, row] of rows) {
    const groups = revisions.map((revision) =>
      Object.entries(transports)
        .map(([name, head]) => mark(row.get(`${name} | ${revision}`)).padEnd(head.length))
        .join(' '),
    );
    console.log([feature.padEnd(width), ...groups].join('   '));
  }
}

/** @param {boolean | undefined} works */
function mark(works) {
  if (works === undefined) return '–';
  return works ? '✓' : '✗';
}
