import { isRecord, type JsonValue } from '../../base/json.ts';
import type { Field } from '../../forms/field.ts';
import type { FillSource } from '../../shared/toolMessages.ts';
import { element, icon } from '../dom.ts';
import { createMenuButton, type MenuItem } from './fieldMenu.ts';
import type { FormNode } from './formParts.ts';
import { shownName, shownValue } from './shownText.ts';

/** Examples that a menu lists. */
const mostSuggestions = 8;

/** The buttons of a node: to leave its value out, and the menu with everything else. */
export interface FieldTools {
  readonly element: HTMLElement;
  update(): void;
}

/** @param more further buttons, for instance to remove an item */
export function createFieldTools(node: FormNode, more: readonly HTMLElement[]): FieldTools {
  const leaveOut = iconButton('close', () => {
    node.putAside(undefined);
    node.focus();
    node.context.say(`${shownName(node.place.name)} is not sent.`);
  });
  const menu = createMenuButton('', () => itemsOf(node));
  const made = element('div', { class: 'form-tools' });
  // A branch is left out, and filled, by its union.
  const own = node.layout === 'branch' || node.layout === 'root' ? [] : [leaveOut, menu.element];
  made.append(...own, ...more);
  return {
    element: made,
    update() {
      const name = shownName(node.place.name);
      leaveOut.hidden = !node.canBeAbsent || node.place.isRequired || hasOwnState(node);
      label(leaveOut, `Don't send ${name}`);
      menu.element.hidden = !hasItems(node);
      label(menu.button, `More for ${name}`);
    },
  };
}

/** Nothing is sent already, or the control itself has a line for that. */
function hasOwnState({ place, field }: FormNode): boolean {
  return place.value === undefined || field.kind === 'boolean' || field.kind === 'choice';
}

/** A button with only a codicon; its name is set by {@link label}. */
export function iconButton(name: string, onClick: () => void): HTMLButtonElement {
  const made = element('button', { type: 'button', class: 'form-tool' }, icon(name));
  made.addEventListener('click', onClick);
  return made;
}

/** Names a button that has only a codicon, for eyes and ears. */
export function label(target: HTMLElement, text: string): void {
  if (target.ariaLabel === text) return;
  target.ariaLabel = text;
  target.title = text;
}

function hasItems(node: FormNode): boolean {
  const { context, field, canBeAbsent } = node;
  return (
    context.onFill !== undefined ||
    field.default !== undefined ||
    field.examples.length > 0 ||
    field.isNullable ||
    canBeAbsent
  );
}

function itemsOf(node: FormNode): readonly MenuItem[] {
  const groups = [fillItems(node), suggestedItems(node), stateItems(node)].filter((group) => group.length > 0);
  if (groups.length === 0) return [{ label: 'Nothing to Offer', run: () => {} }];
  return groups.flatMap((group, index) => (index === 0 ? group : [undefined, ...group]));
}

/** Where the value can come from. */
function fillItems(node: FormNode): readonly MenuItem[] {
  const { onFill } = node.context;
  if (onFill === undefined || !isFillable(node.field)) return [];
  const fill = (text: string, source: FillSource): MenuItem => ({ label: text, run: () => onFill(node.path, source) });
  return [
    fill('From Selection', 'selection'),
    fill('From Clipboard', 'clipboard'),
    fill('From File…', 'file'),
    ...(isPath(node) ? [fill('Path of a File…', 'path')] : []),
    fill('From Open Resource…', 'resource'),
    fill('Recent Value…', 'recent'),
  ];
}

/** There is no text that makes sense of `true`, or of one of three values. */
function isFillable({ kind }: Field): boolean {
  return kind !== 'boolean' && kind !== 'choice' && kind !== 'null';
}

function isPath({ field, place }: FormNode): boolean {
  if (field.kind !== 'text') return false;
  return /path|file|dir|folder|uri/i.test(place.name) || /^(uri|iri|path|file)/.test(field.format ?? '');
}

function suggestedItems(node: FormNode): readonly MenuItem[] {
  const { field } = node;
  const use = (text: string, value: JsonValue): MenuItem => ({ label: text, run: () => give(node, value) });
  const examples = field.examples.slice(0, mostSuggestions);
  return [
    ...examples.map((value) => use(`Example: ${shownValue(value)}`, value)),
    ...(field.default === undefined ? [] : [use(`Use Default: ${shownValue(field.default)}`, field.default)]),
  ];
}

/** Empty, null and absent, where they are not what the value is already. */
function stateItems(node: FormNode): readonly MenuItem[] {
  const { field, place, canBeAbsent } = node;
  const items: MenuItem[] = [];
  const empty = emptyOf(field);
  if (empty !== undefined && !isEmpty(place.value, empty.value))
    items.push({ label: empty.label, run: () => give(node, empty.value) });
  if (field.isNullable && place.value !== null) items.push({ label: 'Use null', run: () => set(node, null) });
  if (canBeAbsent && place.value !== undefined) items.push({ label: "Don't Send", run: () => set(node, undefined) });
  return items;
}

function emptyOf({ kind }: Field): { readonly label: string; readonly value: JsonValue } | undefined {
  switch (kind) {
    case 'text':
      return { label: 'Use Empty Text', value: '' };
    case 'object':
      return { label: 'Use Empty Object', value: {} };
    case 'list':
      return { label: 'Use Empty List', value: [] };
    case 'number':
    case 'boolean':
    case 'choice':
    case 'null':
    case 'union':
    case 'json':
      return undefined;
  }
}

function isEmpty(value: JsonValue | undefined, empty: JsonValue): boolean {
  if (typeof empty === 'string') return value === '';
  if (Array.isArray(empty)) return Array.isArray(value) && value.length === 0;
  return isRecord(value) && Object.keys(value).length === 0;
}

function give(node: FormNode, value: JsonValue): void {
  node.write(value);
  node.focus();
  node.context.say(`${shownName(node.place.name)} is now ${shownValue(value)}.`);
}

function set(node: FormNode, value: null | undefined): void {
  node.putAside(value);
  node.focus();
  node.context.say(`${shownName(node.place.name)} is ${value === null ? 'null' : 'not sent'}.`);
}
