import { afterAll, afterEach } from 'vitest';
import type { Workbench } from './workbench.ts';

/**
 * For each test of the suite that failed, and for the suite where it could not be set up: prints what the window shows and
 * what Patchbay has logged, and takes a picture, named after the test. To be called below the hook that closes the window,
 * as vitest runs the last such hook first.
 */
export function reportFailures(window: () => Workbench | undefined): void {
  afterEach(({ task }) => reportFailure(window(), task));
  // oxlint-disable-next-line no-empty-pattern -- vitest takes nothing else here.
  afterAll(({}, suite) => reportFailure(window(), suite));
}

async function reportFailure(
  window: Workbench | undefined,
  { name, result }: { readonly name: string; readonly result?: { readonly state: string } | undefined },
): Promise<void> {
  if (result?.state !== 'fail' || window === undefined) return;
  const [shown, logs] = await Promise.all([window.shownText(), window.recentLogs()]);
  console.error(`“${name}” has failed. The window shows:\n${shown}\nThe logs end with:\n${logs}`);
  await window.screenshot(`failed-${name.replace(/\W+/g, '-').slice(0, 80)}`);
}
