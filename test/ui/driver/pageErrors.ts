import type { ConsoleMessage, Page } from 'playwright-core';

/** Errors that the window and its webviews report while a test runs. */
export class PageErrors {
  readonly #all: string[] = [];
  readonly #policyViolations: string[] = [];

  readonly #page: Page;
  readonly #onConsole = (message: ConsoleMessage): void => this.#add(message);
  readonly #onError = (error: Error): void => void this.#all.push(error.message);

  constructor(page: Page) {
    this.#page = page;
    page.on('console', this.#onConsole).on('pageerror', this.#onError);
  }

  /** Errors from then on belong to the next window of the page. */
  stop(): void {
    this.#page.off('console', this.#onConsole).off('pageerror', this.#onError);
  }

  /** Every console error and uncaught exception so far. VS Code itself causes a few. */
  get all(): readonly string[] {
    return this.#all;
  }

  /** Violations of the content security policy of a webview so far. */
  get policyViolations(): readonly string[] {
    return this.#policyViolations;
  }

  #add(message: ConsoleMessage): void {
    if (message.type() !== 'error') return;
    const text = `${message.text()} (${message.location().url})`;
    this.#all.push(text);
    if (isPolicyViolation(message)) this.#policyViolations.push(text);
  }
}

/** The workbench violates its own policy in places; only violations in a webview's document count. */
function isPolicyViolation(message: ConsoleMessage): boolean {
  return /Content Security Policy/i.test(message.text()) && message.location().url.includes('/webview/');
}
