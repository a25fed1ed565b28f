import type { Page } from 'playwright-core';
import type { Workbench } from '../../ui/driver/workbench.ts';

/** An element of the page: found by a selector, and with a text. */
export interface Sight {
  readonly selector: string;
  readonly text: string;
}

/**
 * Measures in the page itself, to the frame: from the last key or click of `act` to the frame in which `sight` is there.
 * @returns milliseconds
 */
export async function timeFromInput(page: Page, act: () => Promise<void>, sight: Sight): Promise<number> {
  // The listeners are there before the key is pressed: it takes another way to the page.
  const watch = await page.evaluateHandle(({ selector, text }) => {
    const appeared = new Promise<number>((resolve) => {
      let startedAt: number | undefined;
      // A click that the driver dispatches has no pointer.
      const inputs = ['pointerdown', 'keydown', 'click'];
      const note = (): void => {
        startedAt = performance.now();
      };
      for (const input of inputs) addEventListener(input, note, true);
      const look = (): void => {
        const isThere = [...document.querySelectorAll(selector)].some((element) => element.textContent.includes(text));
        if (startedAt === undefined || !isThere) return void requestAnimationFrame(look);
        for (const input of inputs) removeEventListener(input, note, true);
        resolve(performance.now() - startedAt);
      };
      look();
    });
    return { appeared };
  }, sight);
  await act();
  return watch.evaluate(({ appeared }) => appeared);
}

/** Loads the window again. @returns milliseconds from then to the frame in which `sight` is there */
export async function timeFromReload({ page, companion }: Workbench, sight: Sight): Promise<number> {
  await companion.leave();
  await page.reload({ waitUntil: 'commit' });
  const found = await page.waitForFunction(
    ({ selector, text }) => {
      const isThere = [...document.querySelectorAll(selector)].some((element) => element.textContent.includes(text));
      return isThere && performance.now();
    },
    sight,
    { timeout: 2 * 60_000 },
  );
  return Number(await found.jsonValue());
}
