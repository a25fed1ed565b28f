import { afterAll, afterEach } from 'vitest';
import type { Workbench } from './workbench.ts';

/**
 * Takes a picture of the window after each test of the suite that failed, named after the test, and where the suite could
 * not be set up, named after the suite. To be called below the hook that closes the window: vitest runs the last one first.
 */
export function pictureFailures(window: () => Workbench | undefined): void {
  afterEach(({ task }) => pictureFailure(window(), task));
  // oxlint-disable-next-line no-empty-pattern -- vitest takes nothing else here.
  afterAll(({}, suite) => pictureFailure(window(), suite));
}

async function pictureFailure(
  window: Workbench | undefined,
  { name, result }: { readonly name: string; readonly result?: { readonly state: string } | undefined },
): Promise<void> {
  if (result?.state !== 'fail') return;
  await window?.screenshot(`failed-${name.replace(/\W+/g, '-').slice(0, 80)}`);
}
