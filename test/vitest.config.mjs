// @ts-check
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const minute = 60_000;

const setupFiles = ['test/fixtures/checkSentMessages.ts'];

/**
 * @param {string} name also the folder under test/
 * @param {import('vitest/config').TestProjectInlineConfiguration['test']} options
 * @returns {import('vitest/config').TestProjectInlineConfiguration}
 */
function project(name, options) {
  // Long enough for a busy machine: speed is measured by the benchmark, not by tests.
  const expect = { poll: { timeout: minute / 2 } };
  const alias = { vscode: fileURLToPath(new URL('fixtures/vscode.ts', import.meta.url)) };
  return { test: { name, include: [`test/${name}/**/*.test.ts`], expect, alias, ...options } };
}

// They wait for processes more than they work. A number of workers of its own needs a group of its own.
const processes = { maxWorkers: Math.max(3, availableParallelism() - 1), sequence: { groupOrder: 1 } };

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      project('unit', { setupFiles, testTimeout: minute, hookTimeout: minute }),
      project('process', { ...processes, setupFiles, testTimeout: minute, hookTimeout: minute }),
      // Once more on the adapter for hosts without Node.
      project('fetch', {
        ...processes,
        include: ['test/process/{http,auth,models}/**/*.test.ts'],
        exclude: ['test/process/http/{nodeHttpClient,sockets}.test.ts', 'test/process/models/headlessModels.test.ts'],
        env: { PATCHBAY_TEST_HTTP: 'fetch' },
        setupFiles,
        testTimeout: minute,
        hookTimeout: minute,
      }),
      // The official suite starts two processes for each of its tests.
      project('conformance', { setupFiles, testTimeout: 4 * minute, hookTimeout: 2 * minute, maxConcurrency: 2 }),
      project('webview', { testTimeout: minute, hookTimeout: minute }),
      // Each file opens a VS Code and a browser, which two cores are busy with. The same timeout as in its driver.
      project('ui', {
        testTimeout: 5 * minute,
        hookTimeout: 10 * minute,
        expect: { poll: { timeout: 1.5 * minute } },
        maxWorkers: 2,
        sequence: { groupOrder: 2 },
      }),
    ],
  },
});
