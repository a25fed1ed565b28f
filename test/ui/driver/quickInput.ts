import type { Locator, Page } from 'playwright-core';

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
    await this.#openPalette(`>${title}`);
    await this.choose(title, `>${title}`);
  }

  /**
   * A menu that is closing, or a window that is loading, swallows the key, and an editor that opens closes the box: press the
   * key until the box is there and takes the text.
   */
  async #openPalette(text: string): Promise<void> {
    for (let tries = 0; tries < 5; tries++) {
      await this.#page.keyboard.press('F1');
      try {
        await this.field.waitFor({ timeout: 6000 });
        await this.field.fill(text, { timeout: 6000 });
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
    const exact = this.#page.getByText(label, { exact: true });
    await this.rows.filter({ has: exact }).first().waitFor();
    // The list may still be changing, so the keyboard says what is chosen, not a place to click at.
    const chosen = this.widget.locator('.monaco-list-row.focused').filter({ has: exact });
    while (!(await chosen.isVisible())) await this.field.press('ArrowDown');
    await this.accept();
  }

  /** Replaces what is in the field. */
  async type(text: string): Promise<void> {
    await this.field.waitFor();
    await this.field.fill(text);
  }

  /** Chooses the row that holds a text. */
  async pick(text: string): Promise<void> {
    await this.row(text).click();
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

  async accept(): Promise<void> {
    await this.field.press('Enter');
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
