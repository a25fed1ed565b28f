import { element, icon } from '../dom.ts';

/** A button with only a codicon; its name is set by {@link nameButton}. */
export function iconButton(name: string, onClick: () => void): HTMLButtonElement {
  return element('button', { type: 'button', class: 'form-tool', onclick: onClick }, icon(name));
}

/** Names a control that shows no words, for eyes and ears. */
export function nameButton(target: HTMLElement, text: string): void {
  if (target.ariaLabel === text) return;
  target.ariaLabel = text;
  target.title = text;
}

/** One line of a menu; `undefined` is a line between groups. */
export type MenuItem = { readonly label: string; readonly run: () => void } | undefined;

/**
 * A button that opens a menu. Arrow keys, Home, End and letters move in it; Escape and Tab close it.
 * @param items asked for each time the menu opens
 */
export function createMenuButton(label: string, items: () => readonly MenuItem[]) {
  const opener = iconButton('ellipsis', () => (menu === undefined ? open() : close()));
  opener.classList.add('form-more');
  opener.ariaHasPopup = 'menu';
  opener.ariaExpanded = 'false';
  nameButton(opener, label);
  const box = element('div', { class: 'form-menu-anchor', onkeydown, onfocusout }, opener);
  let menu: HTMLElement | undefined;
  /** What the menu was opened from, which has the focus after it. */
  let origin: HTMLElement = opener;
  let lines: readonly HTMLElement[] = [];

  function close(): void {
    // Removing it takes the focus from it, which closes it too.
    const closing = menu;
    menu = undefined;
    closing?.remove();
    opener.ariaExpanded = 'false';
  }

  function open(isLast = false, from: HTMLElement = opener): void {
    close();
    origin = from;
    const drawn = items().map((item) => {
      if (item === undefined) return element('div', { class: 'form-menu-line', role: 'separator' });
      const onclick = (): void => {
        origin.focus();
        close();
        item.run();
      };
      const attributes = { type: 'button', role: 'menuitem', tabindex: -1, text: item.label, onclick };
      const line = element('button', attributes);
      // One line is the chosen one, by pointer and by keyboard alike.
      line.addEventListener('pointermove', () => line.focus({ preventScroll: true }));
      return line;
    });
    lines = drawn.filter((line) => line.role === 'menuitem');
    const name = opener.ariaLabel ?? label;
    menu = element('div', { class: 'form-menu', role: 'menu', 'aria-label': name, oncontextmenu }, drawn);
    box.append(menu);
    opener.ariaExpanded = 'true';
    // Chromium scrolls to what gets the focus, not to the rest of the menu.
    menu.scrollIntoView({ block: 'nearest' });
    (isLast ? lines.at(-1) : lines[0])?.focus();
  }

  function onkeydown(event: KeyboardEvent): void {
    if (menu === undefined) {
      if (event.altKey || (event.key !== 'ArrowDown' && event.key !== 'ArrowUp')) return;
      open(event.key === 'ArrowUp');
    } else if (event.key === 'Escape') {
      origin.focus();
      close();
    } else if (event.key === 'Tab') {
      // The browser goes on from there.
      origin.focus();
      return close();
    } else if (!moveFocus(lines, event.key)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  function onfocusout({ relatedTarget }: FocusEvent): void {
    if (!(relatedTarget instanceof Node && box.contains(relatedTarget))) close();
  }

  return { element: box, button: opener, open: (from?: HTMLElement): void => open(false, from) };
}

/** On Windows, the key for context menus asks for one when it is released: here, where it has just opened this menu. */
function oncontextmenu(event: Event): void {
  event.preventDefault();
}

/** @returns whether the key is one of the menu's */
function moveFocus(lines: readonly HTMLElement[], key: string): boolean {
  const at = lines.findIndex((line) => line === document.activeElement);
  const following = [...lines.slice(at + 1), ...lines.slice(0, at + 1)];
  const targets = new Map([
    ['ArrowDown', following[0]],
    ['ArrowUp', lines.at(at <= 0 ? -1 : at - 1)],
    ['Home', lines[0]],
    ['End', lines.at(-1)],
  ]);
  const isLetter = key.length === 1 && key !== ' ';
  const startsWithIt = (line: HTMLElement): boolean => line.textContent.toLowerCase().startsWith(key.toLowerCase());
  const target = targets.get(key) ?? (isLetter ? following.find(startsWithIt) : undefined);
  target?.focus();
  return target !== undefined || key.startsWith('Arrow');
}
