import type { Frame, Locator } from 'playwright-core';
import { driverTimeoutMs } from './timeouts.ts';
import type { Webviews } from './webviews.ts';
import type { Workbench } from './workbench.ts';

/** The tabs of apps. */
export class Apps {
  readonly #window: Workbench;

  constructor(window: Workbench) {
    this.#window = window;
  }

  /** Starts a server, and waits for its tools. */
  async start(label: string): Promise<void> {
    await this.#window.startServer(label);
    const row = this.#window.page.locator('.monaco-list-row', { hasText: label });
    await row
      .filter({ hasText: /\d tools?/ })
      .first()
      .waitFor();
  }

  /** The page around the app of a tool. @param webviews of another window that the tab is in */
  page(tool: string, webviews: Webviews = this.#window.webviews): Promise<Frame> {
    return webviews.frame(`.strip:has-text("tool ${tool}")`);
  }

  /** The app's own document, once it shows an element. @param webviews of another window that the tab is in */
  async document(tool: string, selector: string, webviews?: Webviews): Promise<Frame> {
    const deadline = performance.now() + driverTimeoutMs;
    while (performance.now() < deadline) {
      const [frame] = (await this.page(tool, webviews)).childFrames();
      if (frame !== undefined && (await isVisible(frame, selector))) return frame;
      await this.#window.page.waitForTimeout(50);
    }
    throw new Error(`The app of ${tool} shows no ${selector}.`);
  }

  /** Calls a tool by its name for people, as its form is filled in. @param filter what to type into the list of tools */
  async call(title: string, filter = title): Promise<Frame> {
    const form = await this.#window.chooseTool(title, filter);
    const hasFields = (await form.locator('.form').locator('input, select, textarea').count()) > 0;
    if (hasFields) await form.getByRole('button', { name: 'Call', exact: true }).click();
    return form;
  }

  /**
   * Clicks on something in an app, as a person does who wants to type there. Resolves once the app has the keyboard: the page around
   * it takes that back for a moment after a click, and wants one more where keys came right before, after which the field has to be
   * clicked again.
   */
  async typeInto(tool: string, place: Locator): Promise<void> {
    const page = await this.page(tool);
    await place.click();
    const cover = page.locator('.cover');
    const hasKeyboard = async (): Promise<boolean> => {
      await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 50)));
      return place.evaluate(({ ownerDocument }) => ownerDocument.hasFocus());
    };
    const isPassedBy = (): Promise<boolean> =>
      place.evaluate((field) => field instanceof HTMLInputElement && field.ownerDocument.activeElement !== field);
    do {
      while (!(await hasKeyboard())) if (await cover.isVisible()) await cover.click();
      if (await isPassedBy()) await place.click();
    } while (!(await hasKeyboard()) || (await isPassedBy()));
  }

  /** The question above the app of a tool. */
  async question(tool: string): Promise<Locator> {
    for (;;) {
      const page = await this.page(tool);
      const question = page.getByRole('alertdialog');
      try {
        await question.waitFor();
        return question;
      } catch (error) {
        // VS Code has loaded the page of a tab anew that has just been opened.
        if (!page.isDetached()) throw error;
      }
    }
  }

  /** Answers the question above the app of a tool, once its buttons can be pressed. */
  async answer(tool: string, button: string): Promise<void> {
    const question = await this.question(tool);
    await question.getByRole('button', { name: button, exact: true, disabled: false }).click();
    await question.waitFor({ state: 'hidden' });
  }

  /** Chooses one of the actions of the app in the active tab. */
  async act(tool: string, action: string): Promise<void> {
    const page = await this.page(tool);
    await page.getByRole('button', { name: 'More Actions…' }).click();
    await this.#window.quickInput.pick(action);
  }
}

async function isVisible(frame: Frame, selector: string): Promise<boolean> {
  try {
    return await frame.locator(selector).first().isVisible();
  } catch {
    // The frame was replaced in the meantime.
    return false;
  }
}
