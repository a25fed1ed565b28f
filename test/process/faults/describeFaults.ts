import { describe, expect, it } from 'vitest';
import { faults, type Fault, phases, type Phase } from './cells.mjs';

/** Windows stops no process for a while, and the test sees what is left of a killed host on Linux alone. */
function canHappen({ id, at }: Fault): boolean {
  if (at === 'host' && id !== 'clock') return process.platform === 'linux';
  return id !== 'stop' || process.platform !== 'win32';
}

/**
 * Runs every cell of the faults that happen to `at`; what a user sees must contain the words of the cell.
 * @param watch takes a server through the fault, and gives what can be seen
 */
export function describeFaults(
  at: Fault['at'],
  watch: (fault: Fault, phase: Phase) => Promise<string>,
  { isConcurrent = true } = {},
): void {
  const own = faults.filter((fault) => fault.at === at && canHappen(fault));
  describe.each(own.map((fault) => [fault.name, fault] as const))('fault | %s', (_name, fault) => {
    for (const phase of phases) {
      const { sees } = fault.cells[phase];
      if (sees === undefined) continue;
      (isConcurrent ? it.concurrent : it)(phase, async () => {
        const seen = await watch(fault, phase);
        for (const words of sees) expect(seen).toContain(words);
      });
    }
  });
}
