import type { ConsoleMessage, Page } from 'playwright-core';

/** What the window and its webviews report as broken while a test runs. */
export class PageErrors {
  readonly #all: string[] = [];
  readonly #policyViolations: string[] = [];

  constructor(page: Page) {
    page.on('console', (message) => this.#add(message));
    page.on('pageerror', (error) => this.#all.push(error.message));
  }

  /** Every console error and uncaught exception so far. VS Code has a few of its own. */
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

/** The workbench itself breaks its own policy in places; only what happens in a webview's document is Patchbay's. */
function isPolicyViolation(message: ConsoleMessage): boolean {
  return /Content Security Policy/i.test(message.text()) && message.location().url.includes('/webview/');
}
