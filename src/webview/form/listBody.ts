import type { JsonObject, JsonValue } from '../../base/json.ts';
import type { Field, ListField } from '../../forms/field.ts';
import { moveItem, withValueAt } from '../../forms/valueAt.ts';
import { button, element, formatNumber } from '../dom.ts';
import { iconButton, label } from './fieldTools.ts';
import type { FieldBody, FormNode } from './formParts.ts';
import { shownName } from './shownText.ts';

/** Items that are drawn in one step. */
const itemsPerStep = 100;

/** The items of a list, which can be added, removed and moved. */
export function createListBody(node: FormNode): FieldBody {
  return new ListBody(node);
}

class ListBody implements FieldBody {
  readonly element: HTMLElement;
  readonly control = undefined;
  readonly #node: FormNode;
  readonly #items: FormNode[] = [];
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
    for (const removed of this.#items.splice(count)) {
      this.#node.context.inputProblems.delete(removed);
      removed.element.remove();
    }
    for (let index = 0; index < count; index += 1) this.#showItem(index, values[index]);
    const left = values.length - count;
    this.#more.hidden = left === 0;
    this.#more.querySelector('span')?.replaceChildren(`Show ${formatNumber(Math.min(itemsPerStep, left))} More`);
    this.#add.hidden = values.length >= next.maximumItems || next.itemSchema(values.length) === false;
    this.#add.setAttribute('aria-label', `Add Item to ${shownName(this.#node.place.name)}`);
  }

  child(step: string, open: boolean): FormNode | undefined {
    const index = Number(step);
    if (open && index >= this.#shown && index < this.#length) {
      this.#shown = index + 1;
      this.update(this.#field, this.#node.place.value);
    }
    return this.#items[index];
  }

  #showItem(index: number, value: JsonValue | undefined): void {
    const name = `${this.#node.place.name} ${index + 1}`;
    const place = { schema: this.#field.itemSchema(index), value, name, isRequired: true };
    const known = this.#items[index];
    if (known !== undefined) return known.update(place);
    const made = this.#makeItem(index, place);
    this.#items.push(made);
    this.#list.append(made.element);
  }

  #makeItem(index: number, place: FormNode['place']): FormNode {
    const up = iconButton('arrow-up', () => this.#move(made, -1));
    const down = iconButton('arrow-down', () => this.#move(made, 1));
    const remove = iconButton('trash', () => this.#removeItem(made));
    const { context } = this.#node;
    const tools = [up, down, remove];
    const made = context.createNode({ context, parent: this.#node, key: index, layout: 'item', place, tools });
    const name = shownName(place.name);
    label(up, `Move ${name} Up`);
    label(down, `Move ${name} Down`);
    label(remove, `Remove ${name}`);
    made.element.addEventListener('keydown', (event) => {
      if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
      event.preventDefault();
      event.stopPropagation();
      this.#move(made, event.key === 'ArrowUp' ? -1 : 1);
    });
    return made;
  }

  #move(item: FormNode, by: number): void {
    const { context, path } = this.#node;
    const from = Number(item.key);
    const to = from + by;
    if (Math.min(from, to) < this.#field.prefixLength || to >= this.#length) return;
    context.memory.moveItem(path, from, to);
    context.forgetProblems(path);
    context.replace(moveItem(context.value, path, from, to) as JsonObject);
    this.#items[to]?.focus();
    context.say(`Moved to place ${to + 1} of ${this.#length}.`);
  }

  #removeItem(item: FormNode): void {
    const { context, path } = this.#node;
    const index = Number(item.key);
    context.memory.removeItem(path, index);
    context.forgetProblems(path);
    context.replace(withValueAt(context.value, [...path, index], undefined) as JsonObject);
    const next = this.#items[Math.min(index, this.#items.length - 1)];
    if (next === undefined) this.#add.focus();
    else next.focus();
    context.say(`Item ${index + 1} was removed. ${this.#length} are left.`);
  }

  #addItem(): void {
    const { context, path } = this.#node;
    const index = this.#length;
    this.#shown = Math.max(this.#shown, index + 1);
    const start = context.engine.startValue(this.#field.itemSchema(index));
    context.replace(withValueAt(context.value, [...path, index], start) as JsonObject);
    this.#items[index]?.focus();
    context.say(`Item ${index + 1} was added.`);
  }

  #showMore(): void {
    const first = this.#shown;
    this.#shown += itemsPerStep;
    this.update(this.#field, this.#node.place.value);
    this.#items[first]?.focus();
  }
}
