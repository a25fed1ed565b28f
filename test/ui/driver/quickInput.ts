import { isDeepStrictEqual } from 'node:util';
import type { Locator, Page } from 'playwright-core';
import { driverTimeoutMs } from './timeouts.ts';

/** The longest wait for a box that keeps changing, in milliseconds. */
const settleMs = 6_000;

/** A key or a click that has done nothing for this long is lost, in milliseconds. */
const keyTimeoutMs = 5_000;

interface Content {
  /** The question, and what is typed; empty when the box is closed. */
  readonly asked: string;
  readonly rows: readonly string[];
}

/** The box at the top of the window: palette, quick picks and input boxes. */
export class QuickInput {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** The whole box, while it is open. */
  get widget(): Locator {
    return this.#page.locator('.quick-input-widget').filter({ visible: true });
  }

  /** The field to type into. */
  get field(): Locator {
    return this.widget.locator('.quick-input-box input');
  }

  /** The rows on screen; a long list has more. */
  get rows(): Locator {
    return this.widget.locator('.quick-input-list .monaco-list-row');
  }

  /** The row whose label, description or detail holds a text. */
  row(text: string): Locator {
    return this.rows.filter({ hasText: text }).first();
  }

  /** Runs a command from the palette by its full title. */
  async runCommand(title: string): Promise<void> {
    await this.openPalette();
    await this.type(`>${title}`);
    await this.#take(title);
  }

  /** Opens the palette with its key. */
  async openPalette(): Promise<void> {
    // A menu that is still closing would receive the key.
    await this.#page.locator('.context-view .monaco-menu').waitFor({ state: 'hidden' });
    const deadline = performance.now() + driverTimeoutMs;
    await this.#page.keyboard.press('F1');
    for (;;) {
      try {
        await this.field.waitFor({ timeout: keyTimeoutMs });
        return;
      } catch (error) {
        if (performance.now() > deadline) throw error;
        // A webview takes the focus before it has loaded the code that passes keys on to the window. No other key may be lost.
        if (await this.#isWebviewFocused()) await this.#page.keyboard.press('F1');
      }
    }
  }

  #isWebviewFocused(): Promise<boolean> {
    return this.#page.evaluate(() => document.activeElement?.matches('iframe.webview') === true);
  }

  /**
   * Types to filter the rows and takes the one that shows exactly a label.
   * @param filter What to type; the label unless given.
   */
  async choose(label: string, filter = label): Promise<void> {
    await this.type(filter);
    await this.#take(label);
  }

  /** Chooses the row that holds a text. */
  async pick(text: string): Promise<void> {
    await this.#takeRow({ hasText: text });
  }

  /** Clicks the row that holds a text, where the same question may come back at once: what follows is for the test to wait for. */
  async click(text: string): Promise<void> {
    await this.#click(this.row(text));
  }

  #take(label: string): Promise<void> {
    return this.#takeRow({ has: this.#page.getByText(label, { exact: true }) });
  }

  /**
   * Clicks a row. The list may still be changing, so the click is an event of the row, not a place to point at, and it does
   * not depend on what has the focus.
   */
  async #takeRow(wanted: Parameters<Locator['filter']>[0]): Promise<void> {
    const row = this.rows.filter(wanted).first();
    const before = await this.#click(row);
    await this.#waitForAnswer(before, () =>
      row.evaluateAll((rows) =>
        rows.forEach((found) => found.dispatchEvent(new MouseEvent('click', { bubbles: true }))),
      ),
    );
  }

  /** @returns the content before the click */
  async #click(row: Locator): Promise<Content> {
    await row.waitFor();
    const before = await this.#settledContent();
    await row.dispatchEvent('click');
    return before;
  }

  /** Replaces what is in the field. */
  async type(text: string): Promise<void> {
    await this.field.waitFor();
    await this.field.fill(text);
  }

  /** Ticks the row that holds a text, where several can be chosen. */
  async check(text: string): Promise<void> {
    const row = this.row(text);
    await row.waitFor();
    await this.#settledContent();
    if ((await row.getAttribute('aria-checked')) !== 'true') await row.click();
    await row.and(this.#page.locator('[aria-checked="true"]')).waitFor();
  }

  /**
   * Answers one of several questions in a row: the field of the one before looks the same until it is replaced.
   * @param question part of its title
   */
  async answer(question: string, value: string): Promise<void> {
    await this.widget.locator('.quick-input-title', { hasText: question }).waitFor();
    await this.type(value);
    await this.accept();
  }

  /** Presses Enter once the box has stayed the same for a moment, and waits for what follows. */
  async accept(): Promise<void> {
    await this.field.waitFor();
    const before = await this.#settledContent();
    await this.field.press('Enter');
    await this.#waitForAnswer(before, () => this.#page.keyboard.press('Enter'));
  }

  /** The content, once it has stayed the same for a moment. */
  async #settledContent(): Promise<Content> {
    const deadline = performance.now() + settleMs;
    let content = await this.#content();
    while (performance.now() < deadline) {
      await this.#page.waitForTimeout(100);
      const before = content;
      content = await this.#content();
      if (isDeepStrictEqual(content, before)) break;
    }
    return content;
  }

  /**
   * Resolves when another question follows, or none. While any of its rows is still there it is the same question: a server
   * may suggest more, and VS Code may draw a row again.
   * @param again answers once more: a list whose active row has just gone takes no answer for a moment, as it may be meant for that row
   */
  async #waitForAnswer(before: Content, again: () => Promise<void>): Promise<void> {
    const deadline = performance.now() + driverTimeoutMs;
    let answered = performance.now();
    while (performance.now() < deadline) {
      const now = await this.#settledContent();
      const isGone = before.rows.length > 0 && !before.rows.some((row) => now.rows.includes(row));
      if (now.asked !== before.asked || isGone) return;
      if (performance.now() - answered < keyTimeoutMs) continue;
      answered = performance.now();
      await again();
    }
    throw new Error(`Nothing followed the answer to: ${before.asked}`);
  }

  #content(): Promise<Content> {
    return this.#page.evaluate(() => {
      const widget = document.querySelector<HTMLElement>('.quick-input-widget');
      if (widget === null || widget.getClientRects().length === 0) return { asked: '', rows: [] };
      const textsOf = (selector: string): string[] =>
        [...widget.querySelectorAll<HTMLElement>(selector)].map(({ innerText }) => innerText);
      const field = widget.querySelector<HTMLInputElement>('.quick-input-box input');
      const asked = [...textsOf('.quick-input-title, .quick-input-message'), field?.placeholder, `> ${field?.value}`];
      return { asked: asked.join('\n'), rows: textsOf('.monaco-list-row') };
    });
  }

  async back(): Promise<void> {
    await this.widget.getByRole('button', { name: 'Back' }).click();
  }

  async cancel(): Promise<void> {
    await this.field.press('Escape');
  }

  /** What the box asks: its title and the message under the field. */
  async prompt(): Promise<string> {
    await this.field.waitFor();
    const parts = await this.widget.locator('.quick-input-title, .quick-input-message').allInnerTexts();
    return parts.join('\n').trim();
  }

  async waitUntilClosed(): Promise<void> {
    await this.widget.waitFor({ state: 'detached' });
  }
}
