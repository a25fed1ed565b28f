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

/** What rows and entries of menus get from a person. */
type Got = 'click' | 'contextmenu' | 'dblclick' | 'keydown';

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
    await repeatUntil("Patchbay's view did not open.", async () => {
      if (await isVisibleSoon(this.container)) return true;
      // A window that is loading may show its last view by itself; a click then hides it again.
      if ((await tab.getAttribute('aria-selected')) !== 'true') await tab.click();
      return false;
    });
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

  async click(name: string | RegExp): Promise<void> {
    await this.#press('click', name, (item) => item.click({ timeout: hoverMs }));
  }

  async doubleClick(name: string | RegExp): Promise<void> {
    await this.#press('dblclick', name, (item) => item.dblclick({ timeout: hoverMs }));
  }

  /** Runs an inline action of an item by its title. */
  async inlineAction(name: string | RegExp, action: string): Promise<void> {
    // Rows that come above take the row away from under the mouse, and its buttons with it.
    await this.#press('click', name, async (item) => {
      await item.hover({ timeout: hoverMs });
      await item.getByRole('button', { name: action }).click({ timeout: hoverMs });
    });
    // Its tooltip would come over the page that opens.
    await this.#page.mouse.move(0, 0);
  }

  /** Runs an entry of an item's context menu. @param submenu that it is in */
  async contextAction(name: string | RegExp, action: string, submenu?: string): Promise<void> {
    const entry = this.#page.getByRole('menuitem', { name: action });
    const outer = this.#page.getByRole('menuitem', { name: submenu ?? action });
    await repeatUntil(`The menu of ${name} did not run ${action}.`, async () => {
      // An editor that opens takes the focus, which closes the menu.
      if (!(await isVisibleSoon(entry))) {
        if (!(await isVisibleSoon(outer)))
          await this.#press('contextmenu', name, (item) => item.click({ button: 'right', timeout: hoverMs }));
        if (!(await isVisibleSoon(outer))) return false;
        // A submenu opens when the mouse stays on its entry.
        if (submenu !== undefined && !(await isDone(outer.hover({ timeout: hoverMs })))) return false;
        if (!(await isVisibleSoon(entry))) return false;
      }
      // A menu ignores a click just after it opens, and a key until it has the focus, which a mouse gives it that comes to an entry.
      if (submenu === undefined) await this.#page.mouse.move(0, 0);
      if (!(await isDone(entry.hover({ timeout: hoverMs })))) return false;
      return this.#hasGot('keydown', () => this.#page.keyboard.press('Enter'));
    });
    await entry.waitFor({ state: 'hidden' });
  }

  /** Presses a row, or something in it, until it has got that. */
  async #press(type: Got, name: string | RegExp, act: (item: Locator) => Promise<void>): Promise<void> {
    await repeatUntil(`The row ${name} got no ${type}.`, async () => {
      // The tooltip of a row lies over the rows below it. Where its row was drawn again, it stays until the mouse leaves the tooltip.
      await this.#page.mouse.move(0, 0);
      if (await this.#hasGot(type, () => act(this.item(name)))) return true;
      await isDone(this.item(name).hover({ force: true, timeout: hoverMs }));
      return false;
    });
  }

  /**
   * False where a row or an entry has not got what was sent to it: a row that is drawn again between the press of the mouse and
   * its release gets no click, and a menu that has just closed gets no key.
   */
  async #hasGot(type: Got, send: () => Promise<void>): Promise<boolean> {
    const before = await this.#page.evaluate(countGot, type);
    return (await isDone(send())) && (await this.#page.evaluate(countGot, type)) > before;
  }

  /** Points at an item until its tooltip shows a text. */
  async tooltip(name: string | RegExp, text: string): Promise<Locator> {
    const tooltip = this.#page.locator('.monaco-hover').filter({ hasText: text });
    await repeatUntil(`The tooltip of ${name} did not show ${text}.`, async () => {
      // A row that is drawn again no longer knows that the mouse is over it.
      await this.#page.mouse.move(0, 0);
      return (await isDone(this.item(name).hover({ timeout: hoverMs }))) && isVisibleSoon(tooltip, tooltipMs);
    });
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
    await repeatUntil(`${name} did not ${expanded ? 'expand' : 'collapse'}.`, async () => {
      if ((await item.getAttribute('aria-expanded')) === String(expanded)) return true;
      // An event of the twistie itself, as a row that is drawn again between pressing and releasing a button swallows the click.
      await item.locator('.monaco-tl-twistie').dispatchEvent('click');
      await isVisibleSoon(changed, expandMs);
      // VS Code undoes what was clicked while it fetched the rows of a refresh; a person clicks again.
      await this.#page.waitForTimeout(undoneMs);
      return false;
    });
  }
}

/** Does again what a person would do again, as long as the driver waits for anything. */
async function repeatUntil(failure: string, act: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + driverTimeoutMs;
  while (!(await act())) if (performance.now() > deadline) throw new Error(failure);
}

const isVisibleSoon = (locator: Locator, timeout = appearMs): Promise<boolean> => isDone(locator.waitFor({ timeout }));

/** False where the wait has run out: the caller goes on. */
async function isDone(waiting: Promise<void>): Promise<boolean> {
  try {
    await waiting;
    return true;
  } catch {
    return false;
  }
}

/** Runs in the window. @returns how many events of a type rows and entries of menus have got since it ran first for that type */
function countGot(type: Got): number {
  const scope: { patchbayGot?: Partial<Record<Got, number>> } = globalThis as object;
  const got = (scope.patchbayGot ??= {});
  if (got[type] === undefined) {
    got[type] = 0;
    const note = (event: Event): void => {
      // Menus are in a shadow tree, outside of which an event has the tree as its target.
      const [target] = event.composedPath();
      const isGot = target instanceof Element && target.closest('.monaco-list-row, [role="menuitem"]') !== null;
      if (isGot) got[type] = (got[type] ?? 0) + 1;
    };
    addEventListener(type, note, { capture: true });
  }
  return got[type];
}
