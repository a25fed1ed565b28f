import type { Locator, Page } from 'playwright-core';
import type { QuickInput } from './quickInput.ts';

/** Notifications. Tests look for them in the notification centre, as pop-ups close by themselves. */
export class Notifications {
  readonly #page: Page;
  readonly #quickInput: QuickInput;

  constructor(page: Page, quickInput: QuickInput) {
    this.#page = page;
    this.#quickInput = quickInput;
  }

  /** Opens the centre. */
  async show(): Promise<void> {
    if (await this.#centre.isVisible()) return;
    await this.#quickInput.runCommand('Notifications: Show Notifications');
    await this.#centre.waitFor();
  }

  /** The notification that holds a text. Open the centre first. */
  item(text: string | RegExp): Locator {
    return this.#centre.locator('.notification-list-item').filter({ hasText: text }).first();
  }

  /** Waits for a notification and presses one of its buttons. */
  async press(text: string | RegExp, button: string): Promise<void> {
    await this.show();
    const item = this.item(text);
    await item.hover();
    await item.getByRole('button', { name: button, exact: true }).click();
  }

  async clear(): Promise<void> {
    await this.#quickInput.runCommand('Notifications: Clear All Notifications');
  }

  get #centre(): Locator {
    return this.#page.locator('.notifications-center');
  }
}
