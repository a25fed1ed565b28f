import { afterAll, afterEach, beforeAll } from 'vitest';
import { Apps } from './apps.ts';
import type { OpenOptions } from './editorServer.ts';
import { openVSCode } from './openVSCode.ts';
import type { Workbench } from './workbench.ts';

/** The window of the suite that runs. */
export let window: Workbench;
/** The apps in it. */
export let apps: Apps;

/**
 * Opens a window before the tests of a suite, and closes it after them. For each test that failed, and for the suite where it could
 * not be set up: prints what the window shows and what Patchbay has logged, and takes a picture, named after the test.
 * @param options called once, before the window is opened
 * @param prepare called once it is open
 */
export function useWindow(options: () => OpenOptions | Promise<OpenOptions>, prepare?: () => Promise<unknown>): void {
  let opened: Workbench | undefined;
  beforeAll(async () => {
    window = opened = await openVSCode(await options());
    apps = new Apps(window);
    await prepare?.();
  });
  // Vitest runs the last of these hooks first.
  afterAll(() => opened?.close());
  afterEach(({ task }) => reportFailure(opened, task));
  // oxlint-disable-next-line no-empty-pattern -- vitest takes nothing else here.
  afterAll(({}, suite) => reportFailure(opened, suite));
}

async function reportFailure(
  shown: Workbench | undefined,
  { name, result }: { readonly name: string; readonly result?: { readonly state: string } | undefined },
): Promise<void> {
  if (result?.state !== 'fail' || shown === undefined) return;
  const [text, logs] = await Promise.all([shown.shownText(), shown.recentLogs()]);
  console.error(`“${name}” has failed. The window shows:\n${text}\nThe logs end with:\n${logs}`);
  await shown.screenshotOfFailure(name);
}
