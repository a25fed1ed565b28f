import { element, icon } from '../dom.ts';

/** One line of a menu; `undefined` is a line between groups. */
export type MenuItem = { readonly label: string; readonly run: () => void } | undefined;

/** A button that opens a menu. Arrow keys, Home, End and letters move in it; Escape and Tab close it. */
export interface MenuButton {
  readonly element: HTMLElement;
  readonly button: HTMLButtonElement;
}

/** @param items asked for each time the menu opens */
export function createMenuButton(label: string, items: () => readonly MenuItem[]): MenuButton {
  const opener = element(
    'button',
    {
      type: 'button',
      class: 'form-tool form-more',
      title: label,
      'aria-label': label,
      'aria-haspopup': 'menu',
      'aria-expanded': 'false',
    },
    icon('ellipsis'),
  );
  const box = element('div', { class: 'form-menu-anchor' }, opener);
  let menu: HTMLElement | undefined;

  function close(): void {
    // Removing it takes the focus from it, which closes it too.
    const closing = menu;
    menu = undefined;
    closing?.remove();
    opener.setAttribute('aria-expanded', 'false');
  }

  function open(isLast: boolean): void {
    close();
    menu = drawMenu(opener.ariaLabel ?? label, items(), (item) => {
      opener.focus();
      close();
      item.run();
    });
    box.append(menu);
    opener.setAttribute('aria-expanded', 'true');
    const lines = linesOf(menu);
    // Chromium scrolls to what gets the focus, not to the rest of the menu.
    menu.scrollIntoView({ block: 'nearest' });
    (isLast ? lines.at(-1) : lines[0])?.focus();
  }

  opener.addEventListener('click', () => (menu === undefined ? open(false) : close()));
  box.addEventListener('keydown', (event) => {
    if (menu === undefined) {
      if (event.altKey || (event.key !== 'ArrowDown' && event.key !== 'ArrowUp')) return;
      open(event.key === 'ArrowUp');
    } else if (event.key === 'Escape') {
      opener.focus();
      close();
    } else if (event.key === 'Tab') {
      // The browser goes on from the button.
      opener.focus();
      return close();
    } else if (!moveFocus(linesOf(menu), event.key)) return;
    event.preventDefault();
    event.stopPropagation();
  });
  box.addEventListener('focusout', (event) => {
    if (!(event.relatedTarget instanceof Node && box.contains(event.relatedTarget))) close();
  });
  return { element: box, button: opener };
}

function drawMenu(
  label: string,
  items: readonly MenuItem[],
  onChoose: (item: NonNullable<MenuItem>) => void,
): HTMLElement {
  const lines = items.map((item) => {
    if (item === undefined) return element('div', { class: 'form-menu-line', role: 'separator' });
    const line = element('button', { type: 'button', role: 'menuitem', tabindex: -1, text: item.label });
    line.addEventListener('click', () => onChoose(item));
    return line;
  });
  return element('div', { class: 'form-menu', role: 'menu', 'aria-label': label }, ...lines);
}

function linesOf(menu: HTMLElement): readonly HTMLElement[] {
  return [...menu.querySelectorAll<HTMLElement>('[role=menuitem]')];
}

/** @returns whether the key is one of the menu's */
function moveFocus(lines: readonly HTMLElement[], key: string): boolean {
  const at = lines.findIndex((line) => line === document.activeElement);
  const target = targetOf(lines, at, key);
  target?.focus();
  return target !== undefined || key.startsWith('Arrow');
}

function targetOf(lines: readonly HTMLElement[], at: number, key: string): HTMLElement | undefined {
  switch (key) {
    case 'ArrowDown':
      return lines[(at + 1) % lines.length];
    case 'ArrowUp':
      return lines.at(at <= 0 ? -1 : at - 1);
    case 'Home':
      return lines[0];
    case 'End':
      return lines.at(-1);
    default: {
      if (key.length !== 1 || key === ' ') return undefined;
      const following = [...lines.slice(at + 1), ...lines.slice(0, at + 1)];
      return following.find((line) => line.textContent.toLowerCase().startsWith(key.toLowerCase()));
    }
  }
}
