import type { JsonObject, JsonValue } from '../../base/json.ts';
import type { Field, ListField } from '../../forms/field.ts';
import { moveItem, withValueAt } from '../../forms/valueAt.ts';
import { button, countOf, element } from '../dom.ts';
import { setAttribute, showMoreButton } from './controls.ts';
import { iconButton, label } from './fieldTools.ts';
import type { FieldBody, FormNode } from './formParts.ts';
import { withParents } from './nodeState.ts';
import { shownName } from './shownText.ts';

/** Items that are drawn in one step. */
const itemsPerStep = 100;

/** Of more, the browser lays out only those in sight. */
const manyItems = 60;

/** The items of a list, which can be added, removed and moved. */
export function createListBody(node: FormNode): FieldBody {
  return new ListBody(node);
}

/** An item with its buttons. */
interface Item {
  readonly node: FormNode;
  readonly up: HTMLButtonElement;
  readonly down: HTMLButtonElement;
  readonly remove: HTMLButtonElement;
}

class ListBody implements FieldBody {
  readonly element: HTMLElement;
  readonly control = undefined;
  readonly #node: FormNode;
  /** Those that are drawn, from the first. A moved item takes its node along: text that is no value yet is in it. */
  readonly #items: Item[] = [];
  readonly #list = element('div', { class: 'form-items' });
  readonly #more = button({ label: 'Show More', kind: 'quiet', onClick: () => this.#showMore() });
  readonly #add = button({ label: 'Add Item', icon: 'add', onClick: () => this.#addItem() });
  #field: ListField;
  #shown = itemsPerStep;

  constructor(node: FormNode) {
    this.#node = node;
    this.#field = node.field as ListField;
    this.element = element('div', { class: 'form-list' }, this.#list, this.#more, this.#add);
    this.update(node.field, node.place.value);
  }

  get #length(): number {
    const { value } = this.#node.place;
    return Array.isArray(value) ? value.length : 0;
  }

  update(next: Field, value: JsonValue | undefined): void {
    if (next.kind !== 'list') return;
    this.#field = next;
    const values: readonly JsonValue[] = Array.isArray(value) ? (value as readonly JsonValue[]) : [];
    const count = Math.min(values.length, this.#shown);
    for (const { node } of this.#items.splice(count)) node.element.remove();
    for (let index = 0; index < count; index += 1) this.#showItem(index, values[index]);
    this.#list.classList.toggle('is-many', count > manyItems);
    showMoreButton(this.#more, values.length - count, itemsPerStep);
    this.#add.hidden = values.length >= next.maximumItems || next.itemSchema(values.length) === false;
    setAttribute(this.#add, 'aria-label', `Add Item to ${shownName(this.#node.place.name)}`);
  }

  child(step: string, open: boolean): FormNode | undefined {
    const index = Number(step);
    if (open && index >= this.#shown && index < this.#length) this.#show(index + 1);
    return this.#items[index]?.node;
  }

  #showItem(index: number, value: JsonValue | undefined): void {
    const name = `${this.#node.place.name} ${index + 1}`;
    const place = { schema: this.#field.itemSchema(index), value, name, isRequired: true };
    const known = this.#items[index];
    if (known === undefined) {
      const made = this.#makeItem(index, place);
      this.#items.push(made);
      this.#list.append(made.node.element);
    } else known.node.update(place);
    this.#showTools(index);
  }

  #makeItem(index: number, place: FormNode['place']): Item {
    const up = iconButton('arrow-up', () => this.#move(node, -1));
    const down = iconButton('arrow-down', () => this.#move(node, 1));
    const remove = iconButton('trash', () => this.#removeItem(node));
    const { context } = this.#node;
    const tools = [up, down, remove];
    const node = context.createNode({ context, parent: this.#node, key: index, layout: 'item', place, tools });
    node.element.addEventListener('keydown', (event) => {
      if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
      // There, these keys open the list.
      if (event.target instanceof HTMLSelectElement) return;
      event.preventDefault();
      event.stopPropagation();
      this.#move(node, event.key === 'ArrowUp' ? -1 : 1);
    });
    return { node, up, down, remove };
  }

  #showTools(index: number): void {
    const item = this.#items[index];
    if (item === undefined) return;
    const { node, up, down, remove } = item;
    const name = shownName(node.place.name);
    const { prefixLength } = this.#field;
    label(up, `Move ${name} Up`);
    label(down, `Move ${name} Down`);
    label(remove, `Remove ${name}`);
    const isFixed = index < prefixLength;
    up.hidden = isFixed;
    down.hidden = isFixed;
    // They stay in the order of Tab, so that the focus stays where it is.
    up.ariaDisabled = String(index <= prefixLength);
    down.ariaDisabled = String(index === this.#length - 1);
    // Without it, the items after would come to places that are not theirs.
    remove.hidden = isFixed && index < this.#length - 1;
  }

  #move(item: FormNode, by: number): void {
    const { context, path } = this.#node;
    const from = Number(item.key);
    const to = from + by;
    if (Math.min(from, to) < this.#field.prefixLength || to >= this.#length) return;
    if (to >= this.#items.length) this.#show(to + 1);
    const [first, second] = [this.#items[Math.min(from, to)], this.#items[Math.max(from, to)]];
    if (first === undefined || second === undefined) return;
    const value = moveItem(context.value, path, from, to) as JsonObject;
    context.memory.moveItem(path, from, to);
    context.forgetProblems(path);
    // The element that is moved loses the focus: it is always the other one.
    if (by < 0) item.element.after(first.node.element);
    else item.element.before(second.node.element);
    this.#items.splice(Math.min(from, to), 2, second, first);
    this.#setKeys();
    context.replace(value);
    context.say(`Moved to place ${to + 1} of ${this.#length}.`);
  }

  #removeItem(item: FormNode): void {
    const { context, path } = this.#node;
    const index = Number(item.key);
    const value = withValueAt(context.value, [...path, index], undefined) as JsonObject;
    context.memory.removeItem(path, index);
    context.forgetProblems(path);
    this.#items.splice(index, 1);
    this.#setKeys();
    context.replace(value);
    item.element.remove();
    const next = this.#items[Math.min(index, this.#items.length - 1)];
    if (next === undefined) this.#add.focus();
    else next.node.focus();
    context.say(`Item ${index + 1} was removed. ${countOf(this.#length, 'item')} left.`);
  }

  #addItem(): void {
    const { context, path } = this.#node;
    const index = this.#length;
    this.#shown = Math.max(this.#shown, index + 1);
    const start = context.engine.startValue(this.#field.itemSchema(index));
    const whole = index === 0 ? withParents(this.#node) : context.value;
    context.replace(withValueAt(whole, [...path, index], start) as JsonObject);
    const added = this.#items[index]?.node;
    added?.open();
    added?.focus();
    // What is typed replaces the number to begin with.
    if (document.activeElement instanceof HTMLInputElement) document.activeElement.select();
    context.say(`Item ${index + 1} was added.`);
  }

  #setKeys(): void {
    for (const [index, { node }] of this.#items.entries()) node.key = index;
  }

  #showMore(): void {
    const first = this.#shown;
    this.#show(this.#shown + itemsPerStep);
    this.#items[first]?.node.focus();
  }

  #show(count: number): void {
    this.#shown = count;
    this.update(this.#field, this.#node.place.value);
  }
}
