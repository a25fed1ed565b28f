import { isDeepStrictEqual } from 'node:util';
import type { Locator, Page } from 'playwright-core';
import { patienceMs } from './patience.ts';

/** How long to wait for the effect of a key before it is taken for lost. */
const soonMs = 6_000;

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

  /** Runs a command from the palette by its full title. Where the palette does not show it soon, it is opened again. */
  async runCommand(title: string): Promise<void> {
    for (let tries = 1; ; tries++) {
      await this.#openPalette(`>${title}`);
      try {
        return await this.#take(title, soonMs);
      } catch (error) {
        if (tries === 5) throw error;
      }
    }
  }

  /**
   * A menu that is closing, or a window that is loading, swallows the key: it is pressed until the box is there and takes the
   * text.
   */
  async #openPalette(text: string): Promise<void> {
    for (let tries = 0; tries < 5; tries++) {
      await this.#page.keyboard.press('F1');
      try {
        await this.field.waitFor({ timeout: soonMs });
        await this.field.fill(text, { timeout: soonMs });
        return;
      } catch {
        await this.#page.keyboard.press('Escape');
      }
    }
    await this.field.waitFor();
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

  #take(label: string, timeout?: number): Promise<void> {
    return this.#takeRow({ has: this.#page.getByText(label, { exact: true }) }, timeout);
  }

  /** The list may still be changing, so the keyboard says what is chosen, not a place to click at. */
  async #takeRow(wanted: Parameters<Locator['filter']>[0], timeout = patienceMs): Promise<void> {
    await this.rows.filter(wanted).first().waitFor({ timeout });
    const chosen = this.widget.locator('.monaco-list-row.focused').filter(wanted);
    while (!(await chosen.isVisible())) await this.field.press('ArrowDown', { timeout });
    await this.#enter(timeout);
  }

  /** Replaces what is in the field. */
  async type(text: string): Promise<void> {
    await this.field.waitFor();
    await this.field.fill(text);
  }

  /** Ticks the row that holds a text, where several can be chosen. */
  async check(text: string): Promise<void> {
    while ((await this.row(text).getAttribute('aria-checked')) !== 'true') {
      await this.row(text).click();
      await this.#page.waitForTimeout(200);
    }
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

  /** Presses Enter. A box that has just opened may lose the key: it is pressed again until something follows. */
  async accept(): Promise<void> {
    await this.#enter(patienceMs);
  }

  async #enter(timeout: number): Promise<void> {
    await this.field.waitFor({ timeout });
    const before = await this.#settledContent();
    for (let tries = 0; tries < 3; tries++) {
      await this.field.press('Enter', { timeout });
      if (await this.#isAnsweredSoon(before)) return;
    }
  }

  /** The content, once it has stayed the same for a moment. */
  async #settledContent(): Promise<Content> {
    const deadline = performance.now() + soonMs;
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
   * Whether another question follows, or none. While any of its rows is still there it is the same question: a server may
   * suggest more, and VS Code may draw a row again.
   */
  async #isAnsweredSoon(before: Content): Promise<boolean> {
    const deadline = performance.now() + soonMs;
    while (performance.now() < deadline) {
      const now = await this.#settledContent();
      const isGone = before.rows.length > 0 && !before.rows.some((row) => now.rows.includes(row));
      if (now.asked !== before.asked || isGone) return true;
    }
    return false;
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
