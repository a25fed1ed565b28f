// @ts-check
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { SlowestFirst } from './tools/slowestFirst.mjs';

const minute = 60_000;
const root = fileURLToPath(new URL('..', import.meta.url));
const setupFiles = ['test/fixtures/checkSentMessages.ts'];

/** In one worker, tests of the logic share what stands in for VS Code's API. */
const unitSetup = [...setupFiles, 'test/fixtures/resetEditor.ts'];

/** A file that replaces a module, such as VS Code's API, needs a module graph of its own. All others share one in each worker. */
const replacing = readdirSync(join(root, 'test/unit'), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.test.ts'))
  // As a pattern, which has no backslashes on Windows either.
  .map((path) => `test/unit/${path.replaceAll('\\', '/')}`)
  .filter((path) => readFileSync(join(root, path), 'utf8').includes('vi.mock('));

/**
 * @param {string} name also the folder under test/
 * @param {import('vitest/config').TestProjectInlineConfiguration['test']} options
 * @returns {import('vitest/config').TestProjectInlineConfiguration}
 */
function project(name, options) {
  // Long enough for a busy machine: speed is measured by the benchmark, not by tests.
  const expect = { poll: { timeout: minute / 2 } };
  const alias = { vscode: fileURLToPath(new URL('fixtures/vscode.ts', import.meta.url)) };
  const timeouts = { testTimeout: minute, hookTimeout: minute };
  return { test: { name, include: [`test/${name}/**/*.test.ts`], expect, alias, ...timeouts, ...options } };
}

// They wait for processes more than they work. A number of workers of its own needs a group of its own.
const processes = { maxWorkers: Math.max(3, availableParallelism() - 1), sequence: { groupOrder: 1 } };

/** Windows and pages, beside which processes run: more at a time would only wait for each other. */
const windows = { maxWorkers: 2, sequence: { groupOrder: 2 } };

export default defineConfig({
  root,
  test: {
    maxWorkers: Math.max(2, availableParallelism() - 1),
    sequence: { sequencer: SlowestFirst },
    projects: [
      project('unit', { setupFiles: unitSetup, isolate: false, exclude: replacing }),
      project('unit-replacing', { setupFiles: unitSetup, include: replacing }),
      project('process', { ...processes, setupFiles }),
      // The official suite starts two processes for each of its tests.
      project('conformance', { setupFiles, testTimeout: 4 * minute, hookTimeout: 2 * minute, maxConcurrency: 2 }),
      // The same timeout as in the driver. A worker keeps its browser and its servers of VS Code for the next file.
      project('ui', {
        ...windows,
        include: ['test/{webview,ui}/**/*.test.ts'],
        isolate: false,
        testTimeout: 5 * minute,
        hookTimeout: 10 * minute,
        expect: { poll: { timeout: 1.5 * minute } },
      }),
    ],
  },
});
