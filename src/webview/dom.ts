import type { ShownPlace } from '../shared/stackPlaces.ts';
import { splitHidden } from '../base/hiddenCharacters.ts';
import { formatCount } from '../base/truncate.ts';

/**
 * Attributes by name: `true` sets an empty attribute, `false` and `undefined` set none. `text` is the element's text,
 * never HTML. A function listens to the event after its "on".
 */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined | ((event: never) => void)>>;

/** What is in an element; `undefined` and `false` stand for nothing. */
export type Child = Node | string | false | undefined | readonly Child[];

/** Creates an element. Pass text from a server as `text` or as a string child, so that it is never parsed as HTML. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === 'text') made.textContent = String(value);
    else if (typeof value === 'function') made.addEventListener(name.slice(2), value as EventListener);
    else if (value === true) made.setAttribute(name, '');
    else if (value !== false && value !== undefined) made.setAttribute(name, String(value));
  }
  made.append(...nodesOf(children));
  return made;
}

export function append(target: HTMLElement, ...children: readonly Child[]): void {
  target.append(...nodesOf(children));
}

export function fill(target: HTMLElement, ...children: readonly Child[]): void {
  target.replaceChildren(...nodesOf(children));
}

function nodesOf(children: readonly Child[]): (Node | string)[] {
  return children.flatMap((child) => {
    if (child === undefined || child === false) return [];
    return typeof child === 'string' || child instanceof Node ? [child] : nodesOf(child);
  });
}

/** Puts elements in order. Those that stay are not moved: that would take the focus from them. */
export function arrange(list: HTMLElement, wanted: readonly HTMLElement[]): void {
  const staying = new Set<Element>(wanted);
  for (const each of Array.from(list.children)) if (!staying.has(each)) each.remove();
  let next = list.firstElementChild;
  for (const each of wanted) {
    if (each !== next && (!each.isConnected || !each.contains(document.activeElement))) list.insertBefore(each, next);
    else next = each.nextElementSibling;
  }
}

/** Makes a function that draws only what is not drawn already: what stays keeps the focus, and is not read out again. */
export function drawChanges<T>(draw: (value: T) => void): (value: T) => void {
  let drawn: string | undefined;
  return (value) => {
    const next = JSON.stringify(value) ?? '';
    if (next === drawn) return;
    drawn = next;
    draw(value);
  };
}

/** Screen readers read each change of a text, also to the same. */
export function setText(target: HTMLElement, text: string): void {
  if (target.textContent !== text) target.textContent = text;
}

/** A codicon, hidden from screen readers. */
export function icon(name: string): HTMLElement {
  return element('span', { class: `codicon codicon-${name}`, 'aria-hidden': 'true' });
}

interface ButtonOptions {
  readonly label: string;
  readonly icon?: string;
  readonly kind?: 'primary' | 'secondary' | 'quiet';
  /** The tooltip, for instance the keyboard shortcut. */
  readonly title?: string;
  readonly onClick: () => void;
}

/** A native button with an optional codicon before its label. */
export function button({ label, icon: name, kind = 'secondary', title, onClick }: ButtonOptions): HTMLButtonElement {
  const attributes = { type: 'button', class: `button ${kind}`, title, onclick: onClick };
  return element('button', attributes, name !== undefined && icon(name), element('span', { text: label }));
}

/** Changes the words of a {@link button}. */
export function relabel(target: HTMLButtonElement, label: string): void {
  const words = target.querySelector<HTMLElement>('span:last-child');
  if (words !== null) setText(words, label);
}

/** A button that shows its icon alone; its label is a tooltip. */
export function iconButton(label: string, iconName: string, onClick: () => void): HTMLButtonElement {
  const attributes = { type: 'button', class: 'button quiet icon-only', title: label, 'aria-label': label };
  return element('button', { ...attributes, onclick: onClick }, icon(iconName));
}

export function linkButton(onClick: () => void, ...children: readonly Child[]): HTMLButtonElement {
  return element('button', { type: 'button', class: 'link', onclick: onClick }, ...children);
}

/** A button that draws more of a long list; it hides itself where nothing is left. */
export function createMoreButton(step: number, onClick: () => void, noun = '') {
  const made = button({ label: '', kind: 'quiet', onClick });
  return {
    element: made,
    /** @param note stands behind the words */
    show(left: number, note = ''): void {
      made.hidden = left <= 0;
      relabel(made, left <= 0 ? '' : `Show ${formatNumber(Math.min(left, step))} More${noun}${note}`);
    },
  };
}

/** A drop-down list with the look of the editor's. */
export function selectBox(select: HTMLSelectElement): HTMLElement {
  return element('div', { class: 'select' }, select, icon('chevron-down'));
}

export function checkBox(label: Child, isChecked = false) {
  const id = uniqueId('check');
  const input = element('input', { id, type: 'checkbox', checked: isChecked, autocomplete: 'off' });
  return {
    input,
    element: element('div', { class: 'check' }, input, element('label', { for: id, dir: 'auto' }, label)),
  };
}

/** A field to search in what is on the page. @param label for screen readers */
export function searchField(placeholder: string, label: string, onInput: (text: string) => void): HTMLElement[] {
  const id = uniqueId('search');
  const oninput = (): void => onInput(field.value);
  const field = element('input', { id, type: 'search', placeholder, autocomplete: 'off', oninput });
  return [element('label', { class: 'screen-reader-only', for: id, text: label }), field];
}

/** A sentence that stands out. Its text is the last child. */
export function banner(kind: 'info' | 'warning' | 'error', text: string | HTMLElement, iconName?: string): HTMLElement {
  const shown = typeof text === 'string' ? element('span', { text }) : text;
  return element('div', { class: `banner ${kind}` }, icon(iconName ?? kind), shown);
}

let identifiers = 0;

/** An `id` attribute that is unique on the page, for labels and descriptions to refer to. */
export function uniqueId(prefix: string): string {
  identifiers += 1;
  return `${prefix}-${identifiers}`;
}

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

/** The same within a line. */
export function inlineText(text: string, className = ''): HTMLElement {
  return exactText(text, `exact inline ${className}`.trimEnd());
}

/** A text of a server as it came: line breaks and columns stay, and nothing in it is taken for Markdown. */
export function plainText(text: string): HTMLElement {
  return exactText(text, 'exact plain');
}

/** A description by a server: a sentence as prose, lines of its own (a docstring, a table) with their columns. */
export function descriptionText(text: string): HTMLElement {
  return text.trim().includes('\n') ? plainText(text) : exactText(text);
}

/** Draws places in files as links, wherever exact text under `root` names them. @param open gets the index of a place */
export function linkPlaces(root: ParentNode, places: readonly ShownPlace[], open: (index: number) => void): void {
  if (places.length === 0) return;
  // One that is a part of another comes after it.
  const ordered = places.toSorted((one, other) => other.text.length - one.text.length);
  for (const block of root.querySelectorAll('pre.exact'))
    for (const node of Array.from(block.childNodes))
      if (node instanceof Text) node.replaceWith(...linked(node.data, ordered, open));
}

function linked(text: string, places: readonly ShownPlace[], open: (index: number) => void): (Node | string)[] {
  const [place, ...others] = places;
  if (place === undefined) return [text];
  return text.split(place.text).flatMap((part, count) => {
    const link = linkButton(() => open(place.index), place.text);
    link.title = 'Open the file at this line';
    return [...(count > 0 ? [link] : []), ...linked(part, others, open)];
  });
}

/** Splits `text` for `append`: plain text, and a mark in place of each run of hidden characters. */
export function markedText(text: string): (Node | string)[] {
  return splitHidden(text).map((piece) =>
    piece.kind === 'plain'
      ? piece.text
      : element('span', { class: 'hidden-character', title: piece.name, text: piece.mark }),
  );
}
