import type { Locator, Page } from 'playwright-core';

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

  /** Everything the dialog says. */
  async text(): Promise<string> {
    await this.dialog.waitFor();
    return this.dialog.innerText();
  }

  /** Answers the dialog with one of its buttons. */
  async press(button: string): Promise<void> {
    await this.dialog.getByRole('button', { name: button, exact: true }).click();
    await this.dialog.waitFor({ state: 'detached' });
  }
}
