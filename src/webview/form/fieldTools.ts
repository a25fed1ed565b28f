import { type ExactValue, isRecord, type JsonValue } from '../../base/json.ts';
import { shownName } from '../../base/visibleText.ts';
import type { Field } from '../../forms/field.ts';
import type { FillSource } from '../../shared/toolMessages.ts';
import { element } from '../dom.ts';
import { setAttribute } from './controls.ts';
import { createMenuButton, iconButton, type MenuItem, nameButton } from './fieldMenu.ts';
import type { FormNode } from './formParts.ts';
import { shownValue } from './shownText.ts';

/** Examples that a menu lists. */
const mostSuggestions = 8;

/** Opens the menu of the field that has the focus; so does the key for context menus. */
const menuKeys = 'Shift+F10';

/**
 * The buttons of a node: to leave its value out, and the menu with everything else. Tab passes them by, on its way from box to box.
 * @param more further buttons, for instance to remove an item
 */
export function createFieldTools(node: FormNode, more: readonly HTMLElement[]) {
  const leaveOut = iconButton('close', () => set(node, undefined));
  const menu = createMenuButton('', () => itemsOf(node));
  leaveOut.tabIndex = -1;
  setAttribute(menu.button, 'aria-keyshortcuts', menuKeys);
  // A branch is left out, and filled, by its union.
  const hasOwn = node.layout !== 'branch' && node.layout !== 'root';
  const hasMenu = (): boolean => hasOwn && !menu.element.hidden;
  // What is in a branch is in its union.
  const isOwn = (target: HTMLElement): boolean => target.closest('.form-node:not(.form-branch)') === node.element;

  return {
    element: element('div', { class: 'form-tools' }, hasOwn && [leaveOut, menu.element], more),
    /** How the menu is opened from within the node; `undefined` where there is none. */
    get keys(): string | undefined {
      return hasMenu() ? menuKeys : undefined;
    },
    onkeydown(event: KeyboardEvent): void {
      const { key, shiftKey, ctrlKey, altKey, metaKey, target } = event;
      const isMenuKey = key === 'ContextMenu' || (key === 'F10' && shiftKey);
      if (!isMenuKey || ctrlKey || altKey || metaKey || !hasMenu()) return;
      if (!(target instanceof HTMLElement) || !isOwn(target)) return;
      // The editor would show its own menu.
      event.preventDefault();
      event.stopPropagation();
      if (target === menu.button || !menu.element.contains(target)) menu.open(target);
    },
    /** @param isStop Tab stops at the menu: nothing else in the node can have the focus */
    setTabStop(isStop: boolean): void {
      menu.button.tabIndex = isStop ? 0 : -1;
    },
    update(): void {
      const { place, field, form, canBeAbsent } = node;
      const name = shownName(place.name);
      // Nothing is sent already, or the control itself has a line for that.
      const hasOwnState = place.value === undefined || field.kind === 'boolean' || field.kind === 'choice';
      leaveOut.hidden = !canBeAbsent || place.isRequired || hasOwnState;
      nameButton(leaveOut, `Don't send ${name}`);
      const hasSuggestions = field.default !== undefined || field.examples.length > 0;
      menu.element.hidden = form.onFill === undefined && !hasSuggestions && !field.isNullable && !canBeAbsent;
      nameButton(menu.button, `More for ${name}`);
      menu.button.title = `More for ${name} (${menuKeys})`;
    },
  };
}

function itemsOf(node: FormNode): readonly MenuItem[] {
  const groups = [fillItems(node), suggestedItems(node), stateItems(node)].filter((group) => group.length > 0);
  if (groups.length === 0) return [{ label: 'Nothing to Offer', run: () => {} }];
  return groups.flatMap((group, index) => (index === 0 ? group : [undefined, ...group]));
}

/** Where the value can come from. */
function fillItems({ form: { onFill }, field, place, path }: FormNode): readonly MenuItem[] {
  // There is no text that makes sense of `true`, or of one of three values.
  if (onFill === undefined || field.kind === 'boolean' || field.kind === 'choice' || field.kind === 'null') return [];
  const item = (text: string, source: FillSource): MenuItem => ({ label: text, run: () => onFill(path, source) });
  const isPath =
    field.kind === 'text' &&
    (/path|file|dir|folder|uri/i.test(place.name) || /^(uri|iri|path|file)/.test(field.format ?? ''));
  return [
    item('From Selection', 'selection'),
    item('From Clipboard', 'clipboard'),
    item('From File…', 'file'),
    ...(isPath ? [item('Path of a File…', 'path')] : []),
    item('From Open Resource…', 'resource'),
    item('Recent Value…', 'recent'),
  ];
}

function suggestedItems(node: FormNode): readonly MenuItem[] {
  const { examples, default: preset } = node.field;
  const use = (text: string, value: ExactValue): MenuItem => ({
    label: `${text}: ${shownValue(value)}`,
    run: () => give(node, value),
  });
  return [
    ...examples.slice(0, mostSuggestions).map((value) => use('Example', value)),
    ...(preset === undefined ? [] : [use('Use Default', preset)]),
  ];
}

const empties: Readonly<Partial<Record<Field['kind'], { readonly label: string; readonly value: JsonValue }>>> = {
  text: { label: 'Use Empty Text', value: '' },
  object: { label: 'Use Empty Object', value: {} },
  list: { label: 'Use Empty List', value: [] },
};

/** Empty, null and absent, where they are not what the value is already. */
function stateItems(node: FormNode): readonly MenuItem[] {
  const { field, place, canBeAbsent } = node;
  const { value } = place;
  const empty = isEmpty(value) ? undefined : empties[field.kind];
  return [
    ...(empty === undefined ? [] : [{ label: empty.label, run: () => give(node, empty.value) }]),
    ...(field.isNullable && value !== null ? [{ label: 'Use null', run: () => set(node, null) }] : []),
    ...(canBeAbsent && value !== undefined ? [{ label: "Don't Send", run: () => set(node, undefined) }] : []),
  ];
}

function isEmpty(value: ExactValue | undefined): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return isRecord(value) ? Object.keys(value).length === 0 : value === '';
}

function give(node: FormNode, value: ExactValue): void {
  node.write(value);
  node.focus();
  node.form.say(`${shownName(node.place.name)} is now ${shownValue(value)}.`);
}

function set(node: FormNode, value: null | undefined): void {
  node.putAside(value);
  node.focus();
  node.form.say(`${shownName(node.place.name)} is ${value === null ? 'null' : 'not sent'}.`);
}
