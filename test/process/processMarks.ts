import { readdirSync, readFileSync } from 'node:fs';

/**
 * The living processes whose environment holds `mark`. Reads /proc itself, not by the code under test.
 * Linux only; elsewhere it finds nothing.
 */
export function processesWith(mark: string): number[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => readEnvironment(pid).includes(mark))
    .map(Number);
}

function readEnvironment(pid: string): string {
  try {
    // Empty for a zombie.
    return readFileSync(`/proc/${pid}/environ`, 'latin1');
  } catch {
    // It has just ended, or is another user's.
    return '';
  }
}
