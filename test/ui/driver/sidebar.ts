import type { Locator, Page } from 'playwright-core';
import { driverTimeoutMs } from './timeouts.ts';

const appearMs = 500;
/** VS Code waits before it shows a tooltip, and requests its content only then. */
const tooltipMs = 5_000;
/** The mouse comes to an entry or a button late in a window that another one hides. */
const hoverMs = 5_000;
/** The longest wait for a row to expand before it is clicked again. */
const expandMs = 3_000;
/** After a server has changed, its rows are fetched again within this time. */
const undoneMs = 300;

/** Patchbay's view of servers in the side bar. */
export class Sidebar {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** Shows the view by clicks on Patchbay's icon, unless it is shown. */
  async open(): Promise<void> {
    const tab = this.#page.locator('.activitybar').getByRole('tab', { name: /^Patchbay/ });
    await tab.waitFor();
    const deadline = performance.now() + driverTimeoutMs;
    while (!(await isVisibleSoon(this.container))) {
      if (performance.now() > deadline) throw new Error("Patchbay's view did not open.");
      // A window that is loading may show its last view by itself; a click then hides it again.
      if ((await tab.getAttribute('aria-selected')) !== 'true') await tab.click();
    }
  }

  /** The view. */
  get container(): Locator {
    return this.#page.locator('.part.sidebar [id="workbench.view.extension.patchbay"]');
  }

  /** An item by the label it shows: all of it as a string, or a part of it as an expression. */
  item(name: string | RegExp): Locator {
    const label = this.#page.locator('.monaco-icon-label');
    const text = typeof name === 'string' ? label.getByText(name, { exact: true }) : label.filter({ hasText: name });
    return this.container.locator('[role="treeitem"]').filter({ has: text }).first();
  }

  /** Expands an item by its twistie: a click on its label may do something else. */
  async expand(name: string | RegExp): Promise<void> {
    await this.#setExpanded(name, true);
  }

  async collapse(name: string | RegExp): Promise<void> {
    await this.#setExpanded(name, false);
  }

  /** Leaves its place to the other views. */
  async collapseView(name: string): Promise<void> {
    const header = this.container.getByRole('button', { name: `${name} Section`, exact: true });
    await header.waitFor();
    if ((await header.getAttribute('aria-expanded')) === 'true') await header.click();
    await header.and(this.#page.locator('[aria-expanded="false"]')).waitFor();
  }

  /** Runs an inline action of an item by its title. */
  async inlineAction(name: string | RegExp, action: string): Promise<void> {
    const item = this.item(name);
    const button = item.getByRole('button', { name: action });
    const deadline = performance.now() + driverTimeoutMs;
    do {
      if (performance.now() > deadline) throw new Error(`The row ${name} did not show ${action}.`);
      await item.hover();
      // Rows that come above take the row away from under the mouse, and its buttons with it.
    } while (!(await this.#hasClicked(() => isDone(button.click({ timeout: hoverMs })))));
  }

  /** False also where a row was drawn again between the press of the mouse and its release: the button has got no click then. */
  async #hasClicked(click: () => Promise<boolean>): Promise<boolean> {
    const before = await this.#page.evaluate(countClicks);
    return (await click()) && (await this.#page.evaluate(countClicks)) > before;
  }

  /** Runs an entry of an item's context menu. */
  async contextAction(name: string | RegExp, action: string): Promise<void> {
    const entry = this.#page.getByRole('menuitem', { name: action });
    const deadline = performance.now() + driverTimeoutMs;
    do {
      if (performance.now() > deadline) throw new Error(`The menu of ${name} did not show ${action}.`);
      await this.item(name).click({ button: 'right' });
      // An editor that opens takes the focus, which closes the menu.
    } while (!(await isVisibleSoon(entry)));
    do {
      if (performance.now() > deadline) throw new Error(`The menu of ${name} did not run ${action}.`);
      // A menu ignores a click just after it opens, and a key until it has the focus, which a mouse gives it that comes to an entry.
      await this.#page.mouse.move(0, 0);
      // The key of the round before may close it late.
      if (await isHoveredSoon(entry)) await this.#page.keyboard.press('Enter');
    } while (!(await isHiddenSoon(entry)));
  }

  /** Points at an item until its tooltip shows a text. */
  async tooltip(name: string | RegExp, text: string): Promise<Locator> {
    const tooltip = this.#page.locator('.monaco-hover').filter({ hasText: text });
    const deadline = performance.now() + driverTimeoutMs;
    do {
      if (performance.now() > deadline) throw new Error(`The tooltip of ${name} did not show ${text}.`);
      // A row that is drawn again no longer knows that the mouse is over it.
      await this.#page.mouse.move(0, 0);
      await this.item(name).hover();
    } while (!(await isVisibleSoon(tooltip, tooltipMs)));
    return tooltip;
  }

  /** The texts of all items on screen, from top to bottom. */
  async itemTexts(): Promise<string[]> {
    const items = await this.container.locator('[role="treeitem"]').all();
    return Promise.all(items.map((item) => item.innerText()));
  }

  async #setExpanded(name: string | RegExp, expanded: boolean): Promise<void> {
    const item = this.item(name);
    await item.waitFor();
    const changed = this.container.locator(`[role="treeitem"][aria-expanded="${expanded}"]`).and(item);
    const deadline = performance.now() + driverTimeoutMs;
    while ((await item.getAttribute('aria-expanded')) !== String(expanded)) {
      if (performance.now() > deadline) throw new Error(`${name} did not ${expanded ? 'expand' : 'collapse'}.`);
      // An event of the twistie itself, as a row that is drawn again between pressing and releasing a button swallows the click.
      await item.locator('.monaco-tl-twistie').dispatchEvent('click');
      await isVisibleSoon(changed, expandMs);
      // VS Code undoes what was clicked while it fetched the rows of a refresh; a person clicks again.
      await this.#page.waitForTimeout(undoneMs);
    }
  }
}

const isVisibleSoon = (locator: Locator, timeout = appearMs): Promise<boolean> => isSoon(locator, 'visible', timeout);
const isHiddenSoon = (locator: Locator): Promise<boolean> => isSoon(locator, 'hidden', appearMs);

const isHoveredSoon = (locator: Locator): Promise<boolean> => isDone(locator.hover({ timeout: hoverMs }));

function isSoon(locator: Locator, state: 'hidden' | 'visible', timeout: number): Promise<boolean> {
  return isDone(locator.waitFor({ state, timeout }));
}

/** False where the wait has run out: the caller goes on. */
async function isDone(waiting: Promise<void>): Promise<boolean> {
  try {
    await waiting;
    return true;
  } catch {
    return false;
  }
}

/** Runs in the window. @returns how many clicks the buttons of rows have got since it ran first */
function countClicks(): number {
  const scope: { patchbayClicks?: number } = globalThis as object;
  if (scope.patchbayClicks === undefined) {
    scope.patchbayClicks = 0;
    const note = ({ target }: Event): void => {
      const isButton = target instanceof Element && target.closest('.monaco-list-row .action-item') !== null;
      if (isButton) scope.patchbayClicks = (scope.patchbayClicks ?? 0) + 1;
    };
    addEventListener('click', note, { capture: true });
  }
  return scope.patchbayClicks;
}
