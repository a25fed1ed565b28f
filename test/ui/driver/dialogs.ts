import type { Locator, Page } from 'playwright-core';

/** A dialog that is answered within a second asks again. Nothing that it shows says when the second is over, in milliseconds. */
const readingMs = 1_100;

/** Modal dialogs. */
export class Dialogs {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** The dialog, while one is open. */
  get dialog(): Locator {
    return this.#page.locator('.monaco-dialog-box');
  }

  /** The whole text of the dialog. */
  async text(): Promise<string> {
    await this.dialog.waitFor();
    return this.dialog.innerText();
  }

  /** Answers the dialog with Enter, which presses the button that has the keyboard. */
  accept(): Promise<void> {
    return this.#answer(this.dialog, () => this.#page.keyboard.press('Enter'));
  }

  /** Answers the dialog with one of its buttons. */
  press(button: string): Promise<void> {
    const choice = this.dialog.getByRole('button', { name: button, exact: true });
    return this.#answer(choice, () => choice.click());
  }

  async #answer(shown: Locator, act: () => Promise<void>): Promise<void> {
    await shown.waitFor();
    await this.#page.waitForTimeout(readingMs);
    // Another dialog may follow at once: wait for this one to close.
    const dialog = await this.dialog.elementHandle();
    await act();
    await dialog?.waitForElementState('hidden');
  }
}
