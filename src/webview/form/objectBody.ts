import { isRecord, type JsonObject, type JsonValue } from '../../base/json.ts';
import type { Field, ObjectField, SubSchema } from '../../forms/field.ts';
import { memberOf, renameKey, withValueAt } from '../../forms/valueAt.ts';
import { button, element } from '../dom.ts';
import { iconButton, label } from './fieldTools.ts';
import type { FieldBody, FormNode } from './formParts.ts';
import { shownName } from './shownText.ts';

/** The properties of an object, and its entries under names that the person gives. */
export function createObjectBody(node: FormNode): FieldBody {
  return new ObjectBody(node);
}

class ObjectBody implements FieldBody {
  readonly element: HTMLElement;
  readonly control = undefined;
  readonly #node: FormNode;
  readonly #properties = new Map<string, FormNode>();
  readonly #others = new Map<string, FormNode>();
  readonly #propertyList = element('div', { class: 'form-properties' });
  readonly #otherList = element('div', { class: 'form-entries' });
  readonly #empty = element('p', { class: 'hint', text: 'This takes no arguments.' });
  readonly #add = button({ label: 'Add Entry', icon: 'add', onClick: () => this.#addEntry() });
  #field: ObjectField;

  constructor(node: FormNode) {
    this.#node = node;
    this.#field = node.field as ObjectField;
    const parts = [this.#empty, this.#propertyList, this.#otherList, this.#add];
    this.element = element('div', { class: 'form-object' }, ...parts);
    this.update(node.field, node.place.value);
  }

  update(next: Field, value: JsonValue | undefined): void {
    if (next.kind !== 'object') return;
    this.#field = next;
    this.#showProperties(value);
    this.#showOthers(value);
    const { layout, place } = this.#node;
    this.#add.hidden = next.entries === undefined;
    this.#add.setAttribute('aria-label', `Add Entry to ${shownName(place.name)}`);
    const isEmpty = next.properties.length === 0 && next.entries === undefined && this.#others.size === 0;
    this.#empty.hidden = layout !== 'root' || !isEmpty;
  }

  child(step: string): FormNode | undefined {
    return this.#properties.get(step) ?? this.#others.get(step);
  }

  #showProperties(value: JsonValue | undefined): void {
    const { properties } = this.#field;
    removeOthers(this.#properties, new Set(properties.map(({ key }) => key)));
    for (const [index, { key, schema, isRequired }] of properties.entries()) {
      const place = { schema, value: memberOf(value, key), name: key, isRequired };
      const child = this.#showProperty(key, place).element;
      const at = this.#propertyList.children[index] ?? null;
      // Moving an element takes the focus from it.
      if (child !== at) this.#propertyList.insertBefore(child, at);
    }
  }

  #showProperty(key: string, place: FormNode['place']): FormNode {
    const known = this.#properties.get(key);
    known?.update(place);
    if (known !== undefined) return known;
    const { context } = this.#node;
    const made = context.createNode({ context, parent: this.#node, key, layout: 'property', place });
    this.#properties.set(key, made);
    return made;
  }

  #showOthers(value: JsonValue | undefined): void {
    const { otherKeys } = this.#field;
    removeOthers(this.#others, new Set(otherKeys));
    for (const key of otherKeys) {
      const schema = this.#field.entrySchema(key);
      const place = {
        schema: schema ?? true,
        value: memberOf(value, key),
        name: key,
        isRequired: schema !== undefined,
      };
      const known = this.#others.get(key);
      if (known === undefined) this.#otherList.append(this.#makeEntry(key, schema, place).element);
      else known.update(place);
    }
  }

  #makeEntry(key: string, schema: SubSchema | undefined, place: FormNode['place']): FormNode {
    const { context } = this.#node;
    const remove = iconButton('trash', () => this.#removeEntry(made));
    label(remove, `Remove ${shownName(key)}`);
    const attributes = { type: 'text', class: 'form-entry-name', 'aria-label': `Name of the entry ${shownName(key)}` };
    const nameInput = element('input', attributes);
    nameInput.value = key;
    nameInput.addEventListener('change', () => this.#rename(made, nameInput));
    const layout = schema === undefined ? 'extra' : 'entry';
    const given = { context, parent: this.#node, key, layout, place, tools: [remove] } as const;
    const made = context.createNode(schema === undefined ? given : { ...given, nameInput });
    this.#others.set(key, made);
    return made;
  }

  #rename(child: FormNode, input: HTMLInputElement): void {
    const { context, path } = this.#node;
    const from = String(child.key);
    const to = input.value;
    if (from === to) return;
    const renamed = renameKey(context.value, path, from, to);
    if (renamed === undefined || this.#properties.has(to)) {
      input.value = from;
      return context.say(`There is an entry ${shownName(to)} already.`);
    }
    context.memory.renameKey(path, from, to);
    this.#others.delete(from);
    child.key = to;
    this.#others.set(to, child);
    input.ariaLabel = `Name of the entry ${shownName(to)}`;
    context.forgetProblems(path);
    context.replace(renamed as JsonObject);
  }

  #removeEntry(child: FormNode): void {
    const { context } = this.#node;
    const keys = [...this.#others.keys()];
    const following = this.#others.get(keys[keys.indexOf(String(child.key)) + 1] ?? '');
    context.inputProblems.delete(child);
    child.write(undefined);
    if (following !== undefined) following.focus();
    else if (this.#add.hidden) this.#node.focus();
    else this.#add.focus();
    context.say(`${shownName(String(child.key))} was removed.`);
  }

  #addEntry(): void {
    const { context, path, place } = this.#node;
    const value = isRecord(place.value) ? place.value : {};
    let number = 1;
    while (Object.hasOwn(value, `name${number}`)) number += 1;
    const key = `name${number}`;
    const start = context.engine.startValue(this.#field.entries ?? true);
    context.replace(withValueAt(context.value, [...path, key], start) as JsonObject);
    const input = this.#others.get(key)?.element.querySelector<HTMLInputElement>('.form-entry-name');
    input?.focus();
    input?.select();
    context.say('An entry was added.');
  }
}

function removeOthers(nodes: Map<string, FormNode>, wanted: ReadonlySet<string>): void {
  for (const [key, child] of nodes) {
    if (wanted.has(key)) continue;
    child.element.remove();
    nodes.delete(key);
  }
}
