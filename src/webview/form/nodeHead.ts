import { shownName } from '../../base/visibleText.ts';
import { drawChanges, element, fill, icon, markedText } from '../dom.ts';
import type { FormNode } from './formParts.ts';

/**
 * The first line of a node: its label, which opens and closes a group, and what the schema says about it in a word.
 * @param nameInput in place of the label, for the name of an entry
 */
export function createNodeHead(node: FormNode, onToggle: () => void, nameInput?: HTMLElement) {
  const toggle = element('button', {
    type: 'button',
    class: 'form-toggle',
    'aria-expanded': 'false',
    onclick: onToggle,
  });
  const words = element('span', { class: 'form-words' });
  const summary = element('span', { class: 'form-summary muted' });
  // The line stays as it is while its words are the same: the focus may be in it.
  const draw = drawChanges(([[name, key], facts, isGroup, canClose]: Words) => {
    const label = labelElement(node, name, isGroup);
    if (canClose) fill(toggle, icon('chevron-right'), icon('chevron-down'), label);
    fill(
      words,
      canClose ? toggle : label,
      key !== undefined && element('code', { class: 'form-key', dir: 'auto' }, markedText(shownName(key))),
      facts.map((fact) => fact && element('span', { class: fact[1], title: fact[2], text: fact[0] })),
    );
  });
  return {
    element: element('div', { class: 'form-name' }, nameInput, words, summary),
    toggle,
    /**
     * @param isOpen `undefined`: it cannot be closed
     * @param text how many items, or what is in a closed part
     */
    update(isGroup: boolean, isOpen: boolean | undefined, text: string): void {
      draw([labelOf(node), factsOf(node), isGroup, isOpen !== undefined]);
      toggle.ariaExpanded = String(isOpen === true);
      if (summary.textContent !== text) fill(summary, markedText(text));
    },
  };
}

/** The words of the label, and the key beside a title that is another word. */
function labelOf({ place: { name }, field: { title = '' }, layout }: FormNode): readonly [string, string?] {
  if ((layout !== 'property' && layout !== 'extra') || title.trim() === '') return [name];
  return title.toLowerCase() === name.toLowerCase() ? [title] : [title, name];
}

function labelElement({ ids, layout, place, field }: FormNode, name: string, isGroup: boolean): HTMLElement {
  const attributes = { id: ids.label, class: 'field-label', dir: 'auto' };
  const text = isGroup ? element('span', attributes) : element('label', { ...attributes, for: ids.control });
  if (layout === 'item') {
    // "tags 3"
    const [, words = '', number = ''] = /^(.*) (.*)$/s.exec(place.name) ?? [];
    const title = shownName((isGroup ? field.title : undefined) ?? words);
    const hidden = element('span', { class: isGroup ? '' : 'screen-reader-only' }, `${title} `);
    text.append(hidden, number);
  } else text.append(...markedText(shownName(name)));
  if (layout === 'root' || layout === 'entry' || layout === 'branch') text.className = 'screen-reader-only';
  if (layout === 'entry' || layout === 'branch') text.prepend('Value of ');
  return text;
}

/** A word with its class, and what it means. */
type Fact = readonly [text: string, className: string, title?: string];

/** `isGroup`: there are several controls, so that the label is no `label` of one. */
type Words = readonly [
  label: ReturnType<typeof labelOf>,
  facts: readonly (Fact | false)[],
  isGroup: boolean,
  canClose: boolean,
];

function factsOf({ place, field, layout }: FormNode): readonly (Fact | false)[] {
  if (layout === 'branch' || layout === 'root') return [];
  return [
    place.isRequired && layout === 'property' && ['required', 'required'],
    layout === 'extra' && ['Not in the schema', 'form-badge'],
    field.isDeprecated && ['Deprecated', 'form-badge', 'The server advises against it.'],
    field.isReadOnly && ['Read-only', 'form-badge', 'The server sets it itself.'],
  ];
}
