// @ts-check
// No test runner knows requirements: they are compared with the names of the tests that passed.
import { readFile } from 'node:fs/promises';
import { readTests } from './results.mjs';

/** What tests name in brackets at the end of their names. */
const tag = /(?<= )\[([a-z0-9/-]+)\]/g;

/**
 * Every behaviour of test/requirements.ts has to be shown by a test that passed, and by none that failed.
 *
 * @returns {Promise<import('./results.mjs').Tally>} a behaviour counts as one
 */
export async function checkRequirements() {
  const tests = await readTests(/^(unit|process|conformance|ui)\.json$/);
  const tagged = tests.flatMap(({ title, passed }) => [...title.matchAll(tag)].map(([, id = '']) => ({ id, passed })));
  const shown = new Set(tagged.filter(({ passed }) => passed).map(({ id }) => id));
  const broken = new Set(tagged.filter(({ passed }) => !passed).map(({ id }) => id));
  const requirements = await readRequirements();
  const missing = requirements.filter(({ id }) => !shown.has(id) || broken.has(id));
  for (const { id, level, section, what } of missing) {
    console.error(`Not shown by a passed test: [${id}] ${level} ${what} (${section})`);
  }
  return { passed: requirements.length - missing.length, failed: missing.length };
}

/** @returns {Promise<readonly import('../../requirements.ts').Requirement[]>} */
async function readRequirements() {
  // Imported here, as this file is loaded before anything is installed.
  const { transform } = await import('esbuild');
  const source = await readFile('test/requirements.ts', 'utf8');
  const { code } = await transform(source, { loader: 'ts' });
  const { requirements } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  return requirements;
}
