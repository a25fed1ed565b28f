import { type Browser, chromium } from 'playwright-core';
import { chromiumArguments, ensureChromium } from '../../tools/vscodeHost/chromium.mjs';

let launching: Promise<Browser> | undefined;

/**
 * The headless Chromium of this process, which all test files that run in it share: a file opens a context of its own, with its own
 * storage. It ends with the process.
 */
export async function sharedBrowser(): Promise<Browser> {
  const browser = await (launching ??= launch());
  if (browser.isConnected()) return browser;
  launching = undefined;
  return sharedBrowser();
}

/** Ends it. For programs that go on after their last page. */
export async function closeSharedBrowser(): Promise<void> {
  const browser = await launching;
  launching = undefined;
  await browser?.close();
}

async function launch(): Promise<Browser> {
  const executablePath = await ensureChromium((message) => console.log(`[browser] ${message}`));
  return chromium.launch({
    executablePath,
    headless: process.env['PATCHBAY_HEADED'] === undefined,
    args: chromiumArguments,
  });
}
