/** Attributes by name; `true` sets an empty one, `false` and `undefined` none. `text` is the element's text, never HTML. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** Makes an element. Text from a server goes in as `text` or a string child, so it is never markup. */
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

/** A codicon that says nothing to a screen reader. */
export function icon(name: string): HTMLElement {
  return element('span', { class: `codicon codicon-${name}`, 'aria-hidden': 'true' });
}

export interface ButtonOptions {
  readonly label: string;
  readonly icon?: string;
  readonly kind?: 'primary' | 'secondary' | 'quiet';
  /** Shown on hover, for instance the keys. */
  readonly title?: string;
  readonly onClick: () => void;
}

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

let identifiers = 0;

/** An id for labels to point at, unique on the page. */
export function uniqueId(prefix: string): string {
  identifiers += 1;
  return `${prefix}-${identifiers}`;
}

export function formatNumber(value: number): string {
  return value.toLocaleString('en-US');
}

/** "1 request", "2 requests". */
export function counted(count: number, noun: string): string {
  return `${formatNumber(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** Milliseconds in the unit that reads best. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 1_000) return `${Math.round(milliseconds)} ms`;
  const seconds = milliseconds / 1_000;
  if (seconds < 60) return `${seconds.toLocaleString('en-US', { maximumFractionDigits: 1 })} s`;
  return `${formatNumber(Math.floor(seconds / 60))} min ${Math.floor(seconds % 60)} s`;
}

/** Bytes in the unit that reads best. */
export function formatBytes(bytes: number): string {
  if (bytes < 1_000) return counted(bytes, 'byte');
  const [value, unit] = bytes < 1_000_000 ? [bytes / 1_000, 'kB'] : [bytes / 1_000_000, 'MB'];
  return `${value.toLocaleString('en-US', { maximumFractionDigits: 1 })} ${unit}`;
}
