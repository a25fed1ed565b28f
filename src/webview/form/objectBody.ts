import { isRecord, type JsonObject } from '../../base/json.ts';
import { shownName } from '../../base/visibleText.ts';
import type { ObjectField } from '../../forms/field.ts';
import { memberOf, renameKey, withValueAt } from '../../forms/valueAt.ts';
import { arrange, button, createMoreButton, element, uniqueId } from '../dom.ts';
import { afterNextFrame, setAttribute } from './controls.ts';
import { iconButton, nameButton } from './fieldMenu.ts';
import type { FieldBody, FormNode, Place } from './formParts.ts';
import { withParents } from './nodeState.ts';

/** Properties, and entries, that are drawn before the person asks for more. */
const rowsPerStep = 300;

/** Of these, the first are there at once and the others follow with the next frames: a screen shows no more. */
const rowsPerFrame = 40;

/** Of more, the browser lays out only those in sight. */
const manyRows = 60;

/** The properties of an object, and its entries under names that the person gives. */
export class ObjectBody implements FieldBody {
  readonly element: HTMLElement;
  readonly control = undefined;
  readonly #node: FormNode;
  #properties: ReadonlyMap<string, FormNode> = new Map<string, FormNode>();
  #others: ReadonlyMap<string, FormNode> = new Map<string, FormNode>();
  /** Where the names of entries are edited. */
  readonly #names = new Map<FormNode, ReturnType<typeof createEntryName>>();
  readonly #propertyList = element('div', { class: 'form-properties' });
  readonly #otherList = element('div', { class: 'form-entries' });
  readonly #empty = element('p', { class: 'hint', text: 'This takes no arguments.' });
  readonly #more = createMoreButton(rowsPerStep, () => this.#show(this.#shown + rowsPerStep));
  readonly #add = button({ label: 'Add Entry', icon: 'add', onClick: () => this.#addEntry() });
  #shown = rowsPerStep;
  #drawn = rowsPerFrame;
  #isDrawing = false;

  constructor(node: FormNode) {
    this.#node = node;
    const parts = [this.#empty, this.#propertyList, this.#otherList, this.#more.element, this.#add];
    this.element = element('div', { class: 'form-object' }, parts);
  }

  get #field(): ObjectField {
    return this.#node.field as ObjectField;
  }

  update(): void {
    // What is drawn in later frames may come after the value has become another.
    if (this.#node.field.kind !== 'object') return;
    const { properties, otherKeys, entries } = this.#field;
    this.#showProperties();
    this.#showOthers();
    const { layout, place } = this.#node;
    const count = Math.max(properties.length, otherKeys.length);
    this.#more.show(count - this.#shown);
    if (count > this.#drawn && this.#drawn < this.#shown) this.#drawRest();
    this.#add.hidden = entries === undefined;
    setAttribute(this.#add, 'aria-label', `Add Entry to ${shownName(place.name)}`);
    const isEmpty = properties.length === 0 && entries === undefined && this.#others.size === 0;
    this.#empty.hidden = layout !== 'root' || !isEmpty;
  }

  child(step: string, open: boolean): FormNode | undefined {
    const { properties, otherKeys } = this.#field;
    const index = Math.max(properties.map(({ key }) => key).indexOf(step), otherKeys.indexOf(step));
    if (open && index >= this.#count) this.#show(Math.max(index + 1, this.#shown));
    return this.#properties.get(step) ?? this.#others.get(step);
  }

  get #count(): number {
    return Math.min(this.#shown, this.#drawn);
  }

  #show(count: number): void {
    this.#shown = count;
    this.#drawn = count;
    this.update();
  }

  #drawRest(): void {
    if (this.#isDrawing) return;
    this.#isDrawing = true;
    afterNextFrame(() => {
      this.#isDrawing = false;
      this.#drawn += rowsPerFrame;
      this.update();
      this.#node.form.redrawn();
    });
  }

  #showProperties(): void {
    const parent = this.#node;
    const nodes = this.#field.properties.slice(0, this.#count).map(({ key, schema, isRequired }) => {
      const place = { schema, value: memberOf(parent.place.value, key), name: key, isRequired };
      const known = this.#properties.get(key);
      known?.update(place);
      return [key, known ?? parent.form.createNode({ parent, key, layout: 'property', place })] as const;
    });
    this.#properties = new Map(nodes);
    arrangeNodes(this.#propertyList, this.#properties);
    this.#propertyList.classList.toggle('is-many', nodes.length > manyRows);
  }

  #showOthers(): void {
    const keys = this.#field.otherKeys.slice(0, this.#count);
    this.#others = new Map(keys.map((key) => [key, this.#showOther(key)]));
    arrangeNodes(this.#otherList, this.#others);
  }

  #showOther(key: string): FormNode {
    const schema = this.#field.entrySchema(key);
    const value = memberOf(this.#node.place.value, key);
    const place = { schema: schema ?? true, value, name: key, isRequired: schema !== undefined };
    const known = this.#others.get(key);
    // The schema may allow what it did not before, or no longer.
    if (known === undefined || (known.layout === 'extra') !== (schema === undefined))
      return this.#makeEntry(key, place);
    known.update(place);
    return known;
  }

  #makeEntry(key: string, place: Place): FormNode {
    const remove = iconButton('trash', () => this.#removeEntry(made));
    nameButton(remove, `Remove ${shownName(key)}`);
    const name = createEntryName(key, (to) => this.#rename(made, to, remove));
    const layout = place.isRequired ? 'entry' : 'extra';
    const nameInput = place.isRequired ? name.element : undefined;
    const tools = [remove];
    const made = this.#node.form.createNode({ parent: this.#node, key, layout, place, tools, nameInput });
    this.#names.set(made, name);
    return made;
  }

  /** @returns what is against the new name */
  #rename(child: FormNode, to: string, remove: HTMLElement): string | undefined {
    const { form, path } = this.#node;
    const from = String(child.key);
    const renamed = renameKey(form.value, path, from, to);
    if (renamed === undefined || this.#properties.has(to)) {
      const fault = `There is already an entry ${shownName(to)}.`;
      form.say(fault);
      return fault;
    }
    form.memory.renameKey(path, from, to);
    this.#others = new Map([...this.#others].map(([key, node]) => [key === from ? to : key, node]));
    child.key = to;
    this.#names.get(child)?.show(to);
    nameButton(remove, `Remove ${shownName(to)}`);
    form.forgetProblems(path);
    form.replace(renamed as JsonObject);
    return undefined;
  }

  #removeEntry(child: FormNode): void {
    const keys = this.#field.otherKeys;
    const at = keys.indexOf(String(child.key));
    const next = this.#others.get(keys[at + 1] ?? '') ?? this.#others.get(keys[at - 1] ?? '');
    child.write(undefined);
    if (next !== undefined && next !== child) next.focus();
    else if (this.#add.hidden) this.#node.focus();
    else this.#add.focus();
    this.#node.form.say(`${shownName(String(child.key))} was removed.`);
  }

  #addEntry(): void {
    const { form, path, place } = this.#node;
    const value = isRecord(place.value) ? place.value : {};
    let number = 1;
    while (Object.hasOwn(value, `name${number}`) || this.#properties.has(`name${number}`)) number += 1;
    const key = `name${number}`;
    this.#shown = Math.max(this.#shown, this.#field.otherKeys.length + 1);
    this.#drawn = this.#shown;
    const start = form.engine.startValue(this.#field.entries ?? true);
    const whole = place.value === undefined ? withValueAt(withParents(this.#node), path, {}) : form.value;
    form.replace(withValueAt(whole, [...path, key], start) as JsonObject);
    const made = this.#others.get(key);
    const input = made === undefined ? undefined : this.#names.get(made)?.input;
    made?.open();
    input?.focus();
    input?.select();
    form.say('An entry was added.');
  }
}

function arrangeNodes(list: HTMLElement, nodes: ReadonlyMap<string, FormNode>): void {
  const rows = [...nodes.values()].map((node) => node.element);
  arrange(list, rows);
}

/** Where the name of an entry is edited. @param onRename gives what is against the new name, as a sentence, or `undefined` */
function createEntryName(name: string, onRename: (to: string) => string | undefined) {
  const problem = element('p', { id: uniqueId('name'), class: 'problem' });
  const input = element('input', {
    type: 'text',
    class: 'form-entry-name',
    spellcheck: 'false',
    autocomplete: 'off',
    'aria-describedby': problem.id,
    oninput: () => problem.replaceChildren(),
    onchange() {
      const fault = input.value === shown ? undefined : onRename(input.value);
      problem.textContent = fault ?? '';
      if (fault !== undefined) input.value = shown;
    },
  });
  let shown = '';

  function show(next: string): void {
    input.value = next;
    input.ariaLabel = `Name of the entry ${shownName(next)}`;
    // The field drops line breaks: a name is new only if its text is.
    shown = input.value;
  }

  show(name);
  return { element: element('div', { class: 'form-entry-edit' }, input, problem), input, show };
}
