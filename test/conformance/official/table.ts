import type { ScenarioRun } from './runs.ts';

export type Mark = 'passed' | 'failed' | 'not run';

const signs: Readonly<Record<Mark, string>> = { passed: '✓', failed: '✗', 'not run': '–' };

/** A table of scenarios and revisions, for the terminal. */
export interface Table {
  set(run: ScenarioRun, mark: Mark): void;
  toString(): string;
}

export function createTable(): Table {
  const rows = new Map<string, Map<string, Mark>>();
  const columns = new Set<string>();

  function toString(): string {
    const width = Math.max(...[...rows.keys()].map(({ length }) => length));
    const names = [...columns].toSorted();
    const line = (title: string, cells: readonly string[]): string =>
      [title.padEnd(width), ...cells.map((cell, index) => cell.padStart(names[index]?.length ?? 0))].join('  ');
    const marks = [...rows.values()].flatMap((row) => [...row.values()]);
    const count = (mark: Mark): number => marks.filter((candidate) => candidate === mark).length;
    return [
      line('', names),
      ...[...rows].map(([scenario, row]) =>
        line(
          scenario,
          names.map((name) => (row.has(name) ? signs[row.get(name) ?? 'not run'] : '')),
        ),
      ),
      `${count('passed')} passed, ${count('failed')} failed, ${count('not run')} not run (–)`,
    ].join('\n');
  }

  return {
    set({ scenario, revision }, mark) {
      columns.add(revision);
      const row = rows.get(scenario) ?? new Map<string, Mark>();
      rows.set(scenario, row.set(revision, mark));
    },
    toString,
  };
}
