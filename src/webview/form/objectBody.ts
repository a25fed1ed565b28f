import { isRecord, type JsonObject, type JsonValue } from '../../base/json.ts';
import type { Field, ObjectField, SubSchema } from '../../forms/field.ts';
import { memberOf, renameKey, withValueAt } from '../../forms/valueAt.ts';
import { button, element } from '../dom.ts';
import { afterNextFrame, setAttribute, showMoreButton } from './controls.ts';
import { createEntryName, type EntryName } from './entryName.ts';
import { iconButton, label } from './fieldTools.ts';
import type { FieldBody, FormNode } from './formParts.ts';
import { withParents } from './nodeState.ts';
import { shownName } from './shownText.ts';

/** Properties, and entries, that are drawn before the person asks for more. */
const rowsPerStep = 300;

/** Of these, the first are there at once and the others follow with the next frames: a screen shows no more. */
const rowsPerFrame = 40;

/** Of more, the browser lays out only those in sight. */
const manyRows = 60;

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
  readonly #names = new Map<FormNode, EntryName>();
  readonly #propertyList = element('div', { class: 'form-properties' });
  readonly #otherList = element('div', { class: 'form-entries' });
  readonly #empty = element('p', { class: 'hint', text: 'This takes no arguments.' });
  readonly #more = button({ label: 'Show More', kind: 'quiet', onClick: () => this.#show(this.#shown + rowsPerStep) });
  readonly #add = button({ label: 'Add Entry', icon: 'add', onClick: () => this.#addEntry() });
  #field: ObjectField;
  #shown = rowsPerStep;
  #drawn = rowsPerFrame;
  #isDrawing = false;

  constructor(node: FormNode) {
    this.#node = node;
    this.#field = node.field as ObjectField;
    const parts = [this.#empty, this.#propertyList, this.#otherList, this.#more, this.#add];
    this.element = element('div', { class: 'form-object' }, ...parts);
    this.update(node.field, node.place.value);
  }

  update(next: Field, value: JsonValue | undefined): void {
    if (next.kind !== 'object') return;
    this.#field = next;
    this.#showProperties(value);
    this.#showOthers(value);
    const { layout, place } = this.#node;
    const count = Math.max(next.properties.length, next.otherKeys.length);
    showMoreButton(this.#more, count - this.#shown, rowsPerStep);
    if (count > this.#drawn && this.#drawn < this.#shown) this.#drawRest();
    this.#add.hidden = next.entries === undefined;
    setAttribute(this.#add, 'aria-label', `Add Entry to ${shownName(place.name)}`);
    const isEmpty = next.properties.length === 0 && next.entries === undefined && this.#others.size === 0;
    this.#empty.hidden = layout !== 'root' || !isEmpty;
  }

  child(step: string, open: boolean): FormNode | undefined {
    const { properties, otherKeys } = this.#field;
    const index = Math.max(
      properties.findIndex(({ key }) => key === step),
      otherKeys.indexOf(step),
    );
    if (open && index >= this.#count) this.#show(Math.max(index + 1, this.#shown));
    return this.#properties.get(step) ?? this.#others.get(step);
  }

  get #count(): number {
    return Math.min(this.#shown, this.#drawn);
  }

  #show(count: number): void {
    this.#shown = count;
    this.#drawn = count;
    this.update(this.#field, this.#node.place.value);
  }

  #drawRest(): void {
    if (this.#isDrawing) return;
    this.#isDrawing = true;
    afterNextFrame(() => {
      this.#isDrawing = false;
      this.#drawn += rowsPerFrame;
      this.update(this.#field, this.#node.place.value);
      this.#node.context.redrawn();
    });
  }

  #showProperties(value: JsonValue | undefined): void {
    const properties = this.#field.properties.slice(0, this.#count);
    removeOthers(this.#properties, new Set(properties.map(({ key }) => key)));
    const elements = properties.map(({ key, schema, isRequired }) => {
      const place = { schema, value: memberOf(value, key), name: key, isRequired };
      return this.#showProperty(key, place).element;
    });
    arrange(this.#propertyList, elements);
    this.#propertyList.classList.toggle('is-many', elements.length > manyRows);
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
    const keys = this.#field.otherKeys.slice(0, this.#count);
    removeOthers(this.#others, new Set(keys));
    const elements = keys.map((key) => this.#showOther(key, memberOf(value, key)).element);
    arrange(this.#otherList, elements);
  }

  #showOther(key: string, value: JsonValue | undefined): FormNode {
    const schema = this.#field.entrySchema(key);
    const place = { schema: schema ?? true, value, name: key, isRequired: schema !== undefined };
    const known = this.#others.get(key);
    // The schema allows what it did not before, or no longer.
    if (known === undefined || (known.layout === 'extra') !== (schema === undefined)) {
      known?.element.remove();
      return this.#makeEntry(key, schema, place);
    }
    known.update(place);
    return known;
  }

  #makeEntry(key: string, schema: SubSchema | undefined, place: FormNode['place']): FormNode {
    const { context } = this.#node;
    const remove = iconButton('trash', () => this.#removeEntry(made));
    label(remove, `Remove ${shownName(key)}`);
    const name = createEntryName(key, (to) => this.#rename(made, to, remove));
    const layout = schema === undefined ? 'extra' : 'entry';
    const given = { context, parent: this.#node, key, layout, place, tools: [remove] } as const;
    const made = context.createNode(schema === undefined ? given : { ...given, nameInput: name.element });
    this.#names.set(made, name);
    this.#others.set(key, made);
    return made;
  }

  /** @returns what is against the new name */
  #rename(child: FormNode, to: string, remove: HTMLElement): string | undefined {
    const { context, path } = this.#node;
    const from = String(child.key);
    const renamed = renameKey(context.value, path, from, to);
    if (renamed === undefined || this.#properties.has(to)) {
      const fault = `There is an entry ${shownName(to)} already.`;
      context.say(fault);
      return fault;
    }
    context.memory.renameKey(path, from, to);
    this.#others.delete(from);
    child.key = to;
    this.#others.set(to, child);
    this.#names.get(child)?.show(to);
    label(remove, `Remove ${shownName(to)}`);
    context.forgetProblems(path);
    context.replace(renamed as JsonObject);
    return undefined;
  }

  #removeEntry(child: FormNode): void {
    const { context } = this.#node;
    const keys = this.#field.otherKeys;
    const at = keys.indexOf(String(child.key));
    const next = this.#others.get(keys[at + 1] ?? '') ?? this.#others.get(keys[at - 1] ?? '');
    child.write(undefined);
    if (next !== undefined && next !== child) next.focus();
    else if (this.#add.hidden) this.#node.focus();
    else this.#add.focus();
    context.say(`${shownName(String(child.key))} was removed.`);
  }

  #addEntry(): void {
    const { context, path, place } = this.#node;
    const value = isRecord(place.value) ? place.value : {};
    let number = 1;
    while (Object.hasOwn(value, `name${number}`) || this.#properties.has(`name${number}`)) number += 1;
    const key = `name${number}`;
    this.#shown = Math.max(this.#shown, this.#field.otherKeys.length + 1);
    this.#drawn = this.#shown;
    const start = context.engine.startValue(this.#field.entries ?? true);
    const whole = place.value === undefined ? withValueAt(withParents(this.#node), path, {}) : context.value;
    context.replace(withValueAt(whole, [...path, key], start) as JsonObject);
    const made = this.#others.get(key);
    const input = made === undefined ? undefined : this.#names.get(made)?.input;
    made?.open();
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

/** Puts elements in order. One that has the focus is not moved, since that would take the focus from it. */
function arrange(list: HTMLElement, elements: readonly HTMLElement[]): void {
  let after: Element | null = list.firstElementChild;
  for (const each of elements) {
    if (each === after) after = each.nextElementSibling;
    else if (!each.isConnected || !each.contains(document.activeElement)) list.insertBefore(each, after);
    else after = each.nextElementSibling;
  }
}
