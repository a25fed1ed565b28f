import type { ExactValue, JsonObject } from '../../base/json.ts';
import { shownName } from '../../base/visibleText.ts';
import type { ListField } from '../../forms/field.ts';
import { memberOf, moveItem, withValueAt } from '../../forms/valueAt.ts';
import { button, countOf, createMoreButton, element } from '../dom.ts';
import { setAttribute } from './controls.ts';
import { iconButton, nameButton } from './fieldMenu.ts';
import type { FieldBody, FormNode, Place } from './formParts.ts';
import { itemsOf, withParents } from './nodeState.ts';

/** Items that are drawn in one step. */
const itemsPerStep = 100;

/** Of more, the browser lays out only those in sight. */
const manyItems = 60;

type Item = { readonly node: FormNode } & Readonly<Record<'up' | 'down' | 'remove', HTMLButtonElement>>;

/** The items of a list, which can be added, removed and moved. */
export class ListBody implements FieldBody {
  readonly element: HTMLElement;
  readonly control = undefined;
  readonly #node: FormNode;
  /** Those that are drawn, from the first. A moved item takes its node along: text that is no value yet is in it. */
  readonly #items: Item[] = [];
  readonly #list = element('div', { class: 'form-items' });
  readonly #more = createMoreButton(itemsPerStep, () => {
    const first = this.#shown;
    this.#show(first + itemsPerStep);
    this.#items[first]?.node.focus();
  });
  readonly #add = button({ label: 'Add Item', icon: 'add', onClick: () => this.#addItem() });
  #shown = itemsPerStep;

  constructor(node: FormNode) {
    this.#node = node;
    this.element = element('div', { class: 'form-list' }, this.#list, this.#more.element, this.#add);
  }

  get #field(): ListField {
    return this.#node.field as ListField;
  }

  get #length(): number {
    return itemsOf(this.#node).length;
  }

  update(): void {
    const field = this.#field;
    const values = itemsOf(this.#node);
    const count = Math.min(values.length, this.#shown);
    for (const { node } of this.#items.splice(count)) node.element.remove();
    for (let index = 0; index < count; index += 1) this.#showItem(index, memberOf(this.#node.place.value, index));
    this.#list.classList.toggle('is-many', count > manyItems);
    this.#more.show(values.length - count);
    this.#add.hidden = values.length >= field.maximumItems || field.itemSchema(values.length) === false;
    setAttribute(this.#add, 'aria-label', `Add Item to ${shownName(this.#node.place.name)}`);
  }

  child(step: string, open: boolean): FormNode | undefined {
    const index = Number(step);
    if (open && index >= this.#shown && index < this.#length) this.#show(index + 1);
    return this.#items[index]?.node;
  }

  #showItem(index: number, value: ExactValue | undefined): void {
    const name = `${this.#node.place.name} ${index + 1}`;
    const place = { schema: this.#field.itemSchema(index), value, name, isRequired: true };
    const known = this.#items[index];
    known?.node.update(place);
    const item = known ?? this.#makeItem(index, place);
    if (known === undefined) {
      this.#items.push(item);
      this.#list.append(item.node.element);
    }
    this.#showTools(item, index);
  }

  #makeItem(index: number, place: Place): Item {
    const up = iconButton('arrow-up', () => this.#move(node, -1));
    const down = iconButton('arrow-down', () => this.#move(node, 1));
    const remove = iconButton('trash', () => this.#removeItem(node));
    const tools = [up, down, remove];
    const node = this.#node.form.createNode({ parent: this.#node, key: index, layout: 'item', place, tools });
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

  #showTools({ node, up, down, remove }: Item, index: number): void {
    const name = shownName(node.place.name);
    const { prefixLength } = this.#field;
    nameButton(up, `Move ${name} Up`);
    nameButton(down, `Move ${name} Down`);
    nameButton(remove, `Remove ${name}`);
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
    const { form, path } = this.#node;
    const from = Number(item.key);
    const to = from + by;
    if (Math.min(from, to) < this.#field.prefixLength || to >= this.#length) return;
    if (to >= this.#items.length) this.#show(to + 1);
    const [first, second] = [this.#items[Math.min(from, to)], this.#items[Math.max(from, to)]];
    if (first === undefined || second === undefined) return;
    const value = moveItem(form.value, path, from, to) as JsonObject;
    form.memory.moveItem(path, from, to);
    form.forgetProblems(path);
    // The element that is moved loses the focus: it is always the other one.
    if (by < 0) item.element.after(first.node.element);
    else item.element.before(second.node.element);
    this.#items.splice(Math.min(from, to), 2, second, first);
    this.#setKeys();
    form.replace(value);
    form.say(`Moved to place ${to + 1} of ${this.#length}.`);
  }

  #removeItem(item: FormNode): void {
    const { form, path } = this.#node;
    const index = Number(item.key);
    const value = withValueAt(form.value, [...path, index], undefined) as JsonObject;
    form.memory.removeItem(path, index);
    form.forgetProblems(path);
    this.#items.splice(index, 1);
    this.#setKeys();
    form.replace(value);
    item.element.remove();
    const next = this.#items[Math.min(index, this.#items.length - 1)];
    if (next === undefined) this.#add.focus();
    else next.node.focus();
    form.say(`Item ${index + 1} was removed. ${countOf(this.#length, 'item')} left.`);
  }

  #addItem(): void {
    const { form, path } = this.#node;
    const index = this.#length;
    this.#shown = Math.max(this.#shown, index + 1);
    const start = form.engine.startValue(this.#field.itemSchema(index));
    const whole = index === 0 ? withParents(this.#node) : form.value;
    form.replace(withValueAt(whole, [...path, index], start) as JsonObject);
    const added = this.#items[index]?.node;
    added?.open();
    added?.focus();
    // What is typed replaces the number to begin with.
    if (document.activeElement instanceof HTMLInputElement) document.activeElement.select();
    form.say(`Item ${index + 1} was added.`);
  }

  #setKeys(): void {
    for (const [index, { node }] of this.#items.entries()) node.key = index;
  }

  #show(count: number): void {
    this.#shown = count;
    this.update();
  }
}
