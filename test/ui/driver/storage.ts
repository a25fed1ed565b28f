import type { Page } from 'playwright-core';
import { driverTimeoutMs } from './timeouts.ts';

/** VS Code writes what extensions store 100 ms after the last change. */
const settleMs = 400;

/**
 * Resolves when VS Code writes nothing more to its storage: a reload loses what an extension has stored just before. A person
 * is not that fast.
 */
export async function untilStored(page: Page, expected = /(?:)/): Promise<void> {
  const deadline = performance.now() + driverTimeoutMs;
  let before = await page.evaluate(storedState);
  for (;;) {
    await page.waitForTimeout(settleMs);
    const now = await page.evaluate(storedState);
    if (now === before && expected.test(now)) return;
    if (performance.now() > deadline)
      throw new Error(`VS Code keeps writing to its storage, or never wrote ${expected.source}.`);
    before = now;
  }
}

/** Runs in the page. @returns all that VS Code has stored, the state of extensions included */
async function storedState(): Promise<string> {
  const resultOf = <T>(request: IDBRequest<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      request.addEventListener('success', () => resolve(request.result));
      request.addEventListener('error', () => reject(request.error ?? new Error('The database could not be read.')));
    });
  const state: unknown[] = [];
  for (const { name = '' } of await indexedDB.databases()) {
    if (!name.startsWith('vscode-web-state-db')) continue;
    const database = await resultOf(indexedDB.open(name));
    try {
      state.push(await resultOf(database.transaction('ItemTable').objectStore('ItemTable').getAll()));
    } finally {
      database.close();
    }
  }
  if (state.length === 0) throw new Error('VS Code keeps what it stores somewhere else now.');
  return JSON.stringify(state);
}
