// @ts-check
import { faults, phases } from '../../process/faults/cells.mjs';
import { readTests } from './results.mjs';

/**
 * Prints what a user sees of each fault in each phase, from the results of the fault tests:
 * ✓ shown, ✗ something else was shown, – nothing to show, with the reason.
 *
 * @returns {Promise<void>}
 */
export async function printFaults() {
  const tests = await readTests(/^process\.json$/);
  const results = new Map(tests.map(({ ancestors, title, passed }) => [[...ancestors, title].join(' | '), passed]));
  for (const { name, cells } of faults) {
    const marks = phases.map((phase) => results.get(`fault | ${name} | ${phase}`));
    if (marks.every((mark) => mark === undefined)) continue;
    console.log(`\n${name}`);
    for (const [index, phase] of phases.entries()) {
      const { sees = [], none } = cells[phase];
      const mark = marks[index];
      console.log(`  ${mark === undefined ? '–' : mark ? '✓' : '✗'} ${phase.padEnd(9)} ${none ?? sees.join(' · ')}`);
    }
  }
}
