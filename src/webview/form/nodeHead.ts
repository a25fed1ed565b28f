import type { Field } from '../../forms/field.ts';
import { element, icon, markedText } from '../dom.ts';
import type { FormNode } from './formParts.ts';
import { shownName } from './shownText.ts';

/** What the first line of a node says now. */
export interface HeadState {
  /** There are several controls: the label is no `label` of one. */
  readonly isGroup: boolean;
  /** `undefined`: it cannot be closed. */
  readonly isOpen: boolean | undefined;
  /** How many items, or what is in a closed part. */
  readonly summary: string;
}

/** The first line of a node: its label, which opens and closes a group, and what the schema says about it in a word. */
export interface NodeHead {
  readonly element: HTMLElement;
  readonly toggle: HTMLButtonElement;
  update(state: HeadState): void;
}

/** @param nameInput in place of the label, for the name of an entry */
export function createNodeHead(node: FormNode, onToggle: () => void, nameInput?: HTMLElement): NodeHead {
  const toggle = element('button', { type: 'button', class: 'form-toggle', 'aria-expanded': 'false' });
  toggle.addEventListener('click', onToggle);
  const words = element('span', { class: 'form-words' });
  const summary = element('span', { class: 'form-summary muted' });
  const made = element('div', { class: 'form-name' }, ...(nameInput === undefined ? [] : [nameInput]), words, summary);
  let drawn = '';

  function draw({ isGroup, isOpen }: HeadState): void {
    const { name, key } = labelOf(node);
    const facts = factsOf(node);
    const signature = JSON.stringify([name, key, facts, isGroup, isOpen === undefined]);
    // The line stays as it is while its words are the same: the focus may be in it.
    if (signature === drawn) return;
    drawn = signature;
    const label = labelElement(node, isGroup);
    if (isOpen !== undefined) {
      toggle.replaceChildren(icon('chevron-right'), icon('chevron-down'), label);
      words.replaceChildren(toggle, ...keyElements(key), ...facts.map(factElement));
    } else words.replaceChildren(label, ...keyElements(key), ...facts.map(factElement));
  }

  return {
    element: made,
    toggle,
    update(state) {
      draw(state);
      toggle.setAttribute('aria-expanded', String(state.isOpen === true));
      if (summary.textContent !== state.summary) summary.replaceChildren(...markedText(state.summary));
    },
  };
}

/** The words of the label, and the key beside a title that is another word. */
function labelOf({ place: { name }, field: { title }, layout }: FormNode): { name: string; key: string | undefined } {
  if (layout !== 'property' && layout !== 'extra') return { name, key: undefined };
  if (title === undefined || title.trim() === '') return { name, key: undefined };
  return { name: title, key: title.toLowerCase() === name.toLowerCase() ? undefined : name };
}

function labelElement(node: FormNode, isGroup: boolean): HTMLElement {
  const { ids, layout, place, field } = node;
  const attributes = { id: ids.label, class: 'field-label', dir: 'auto' };
  const text = isGroup ? element('span', attributes) : element('label', { ...attributes, for: ids.control });
  if (layout === 'item') {
    const [words, number] = splitNumber(place.name);
    const title = field.title === undefined || !isGroup ? words : shownName(field.title);
    const hidden = element('span', { class: isGroup ? '' : 'screen-reader-only' }, `${title} `);
    text.append(hidden, number);
  } else text.append(...markedText(shownName(labelOf(node).name)));
  if (layout === 'root' || layout === 'entry' || layout === 'branch') text.className = 'screen-reader-only';
  if (layout === 'entry' || layout === 'branch') text.prepend('Value of ');
  return text;
}

/** Splits "tags 3". */
function splitNumber(name: string): readonly [string, string] {
  const at = name.lastIndexOf(' ');
  return [shownName(name.slice(0, Math.max(0, at))), name.slice(at + 1)];
}

interface Fact {
  readonly text: string;
  readonly title?: string;
  readonly isBadge: boolean;
}

function factsOf({ place, field, layout }: FormNode): readonly Fact[] {
  if (layout === 'branch' || layout === 'root') return [];
  const facts: Fact[] = [];
  if (place.isRequired && layout === 'property') facts.push({ text: 'required', isBadge: false });
  if (layout === 'extra') facts.push({ text: 'Not in the schema', isBadge: true });
  return [...facts, ...badgesOf(field)];
}

function badgesOf({ isDeprecated, isReadOnly }: Field): readonly Fact[] {
  const badges: Fact[] = [];
  if (isDeprecated) badges.push({ text: 'Deprecated', title: 'The server advises against it.', isBadge: true });
  if (isReadOnly) badges.push({ text: 'Read-only', title: 'The server sets it itself.', isBadge: true });
  return badges;
}

function factElement({ text, title, isBadge }: Fact): HTMLElement {
  return element('span', { class: isBadge ? 'form-badge' : 'required', title, text });
}

function keyElements(key: string | undefined): readonly HTMLElement[] {
  if (key === undefined) return [];
  return [element('code', { class: 'form-key', dir: 'auto' }, ...markedText(shownName(key)))];
}
