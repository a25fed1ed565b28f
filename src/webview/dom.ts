import { splitHidden } from '../base/hiddenCharacters.ts';
import { formatCount } from '../base/truncate.ts';

/**
 * Attributes by name: `true` sets an empty attribute, `false` and `undefined` set none. `text` is the element's text,
 * never HTML.
 */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** Creates an element. Pass text from a server as `text` or as a string child, so that it is never parsed as HTML. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === 'text') made.textContent = String(value);
    else if (value === true) made.setAttribute(name, '');
    else if (value !== false && value !== undefined) made.setAttribute(name, String(value));
  }
  made.append(...children);
  return made;
}

/** A codicon, hidden from screen readers. */
export function icon(name: string): HTMLElement {
  return element('span', { class: `codicon codicon-${name}`, 'aria-hidden': 'true' });
}

export interface ButtonOptions {
  readonly label: string;
  readonly icon?: string;
  readonly kind?: 'primary' | 'secondary' | 'quiet';
  /** The tooltip, for instance the keyboard shortcut. */
  readonly title?: string;
  readonly onClick: () => void;
}

/** A native button with an optional codicon before its label. */
export function button(options: ButtonOptions): HTMLButtonElement {
  const made = element(
    'button',
    { type: 'button', class: `button ${options.kind ?? 'secondary'}`, title: options.title },
    ...(options.icon === undefined ? [] : [icon(options.icon)]),
    element('span', { text: options.label }),
  );
  made.addEventListener('click', options.onClick);
  return made;
}

/** A button that shows its icon alone; its label is a tooltip. */
export function iconButton(label: string, iconName: string, onClick: () => void): HTMLButtonElement {
  const attributes = { type: 'button', class: 'button quiet icon-only', title: label, 'aria-label': label };
  const made = element('button', attributes, icon(iconName));
  made.addEventListener('click', onClick);
  return made;
}

let identifiers = 0;

/** An `id` attribute that is unique on the page, for labels and descriptions to refer to. */
export function uniqueId(prefix: string): string {
  identifiers += 1;
  return `${prefix}-${identifiers}`;
}

/** A number with the thousands separators of English. */
export function formatNumber(value: number): string {
  return value.toLocaleString('en-US');
}

/** A number with its noun: "1 request", "2 requests". */
export function countOf(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** Formats milliseconds as "340 ms", "1.2 s" or "3 min 20 s". */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 1_000) return `${Math.round(milliseconds)} ms`;
  const seconds = milliseconds / 1_000;
  if (seconds < 60) return `${seconds.toLocaleString('en-US', { maximumFractionDigits: 1 })} s`;
  return `${formatNumber(Math.floor(seconds / 60))} min ${Math.floor(seconds % 60)} s`;
}

/** Formats a number of bytes in bytes, kB or MB (powers of 1,000). */
export function formatBytes(bytes: number): string {
  if (bytes < 1_000) return countOf(bytes, 'byte');
  const [value, unit] = bytes < 1_000_000 ? [bytes / 1_000, 'kB'] : [bytes / 1_000_000, 'MB'];
  return `${value.toLocaleString('en-US', { maximumFractionDigits: 1 })} ${unit}`;
}

/** An element with exactly `text`: spaces and line breaks are kept, hidden characters are shown as marks. */
export function exactText(text: string, className = 'exact'): HTMLElement {
  // Code takes a part of the window's height and scrolls, also by keyboard.
  const tabindex = className.split(' ').includes('code') ? 0 : undefined;
  // A block with its own direction cannot be reordered by bidirectional text around it.
  return element('pre', { class: className, dir: 'auto', tabindex }, ...markedText(text));
}

/** A text of a server as it came: line breaks and columns stay, and nothing in it is taken for Markdown. */
export function plainText(text: string): HTMLElement {
  return exactText(text, 'exact plain');
}

/** Splits `text` for `append`: plain text, and a mark in place of each run of hidden characters. */
export function markedText(text: string): (Node | string)[] {
  return splitHidden(text).map((piece) =>
    piece.kind === 'plain'
      ? piece.text
      : element('span', { class: 'hidden-character', title: piece.name, text: piece.mark }),
  );
}
