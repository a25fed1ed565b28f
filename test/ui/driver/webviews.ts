import type { Frame, Page } from 'playwright-core';
import { driverTimeoutMs } from './timeouts.ts';

/** The documents of webviews. Each is two frames below the window's. */
export class Webviews {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /**
   * Waits for the webview that shows an element.
   * @param selector Finds the element in the webview's own document.
   */
  async frame(selector: string): Promise<Frame> {
    const deadline = performance.now() + driverTimeoutMs;
    while (performance.now() < deadline) {
      const [frame] = await this.frames(selector);
      if (frame !== undefined) return frame;
      await this.#page.waitForTimeout(100);
    }
    throw new Error(`No webview shows ${selector}. ${this.#documents().length} webviews are open.`);
  }

  /** The webviews that show an element now. What is behind another tab is loaded too, and not shown. */
  async frames(selector: string): Promise<Frame[]> {
    const frames = this.#documents();
    const shown = await Promise.all(frames.map((frame) => isShown(frame, selector)));
    return frames.filter((_frame, index) => shown[index]);
  }

  /** Resolves when no webview shows an element any more. */
  async waitUntilGone(selector: string): Promise<void> {
    const deadline = performance.now() + driverTimeoutMs;
    while (performance.now() < deadline) {
      if ((await this.frames(selector)).length === 0) return;
      await this.#page.waitForTimeout(100);
    }
    throw new Error(`A webview still shows ${selector}.`);
  }

  #documents(): Frame[] {
    return this.#page.frames().filter((frame) => frame.url().includes('/webview/') && frame.parentFrame() !== null);
  }
}

async function isShown(frame: Frame, selector: string): Promise<boolean> {
  try {
    const place = await frame.parentFrame()?.frameElement();
    return (await place?.isVisible()) === true && (await frame.locator(selector).first().isVisible());
  } catch {
    // The frame was replaced in the meantime.
    return false;
  }
}
