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
  const { context } = node;
  const items: FormNode[] = [];
  const list = element('div', { class: 'form-items' });
  const more = button({ label: 'Show More', kind: 'quiet', onClick: showMore });
  const add = button({ label: 'Add Item', icon: 'add', onClick: addItem });
  let field = node.field as ListField;
  let shown = itemsPerStep;

  const length = (): number => (Array.isArray(node.place.value) ? node.place.value.length : 0);

  function update(next: Field, value: JsonValue | undefined): void {
    if (next.kind !== 'list') return;
    field = next;
    const values: readonly JsonValue[] = Array.isArray(value) ? (value as readonly JsonValue[]) : [];
    const count = Math.min(values.length, shown);
    for (const removed of items.splice(count)) {
      context.inputProblems.delete(removed);
      removed.element.remove();
    }
    for (let index = 0; index < count; index += 1) {
      const place = placeOf(index, values[index]);
      const known = items[index];
      if (known !== undefined) known.update(place);
      else {
        const made = makeItem(index, place);
        items.push(made);
        list.append(made.element);
      }
    }
    more.hidden = count === values.length;
    more
      .querySelector('span')
      ?.replaceChildren(`Show ${formatNumber(Math.min(itemsPerStep, values.length - count))} More`);
    const isFull = values.length >= field.maximumItems || field.itemSchema(values.length) === false;
    add.hidden = isFull;
    add.setAttribute('aria-label', `Add Item to ${shownName(node.place.name)}`);
  }

  function placeOf(index: number, value: JsonValue | undefined): FormNode['place'] {
    const name = `${node.place.name} ${index + 1}`;
    return { schema: field.itemSchema(index), value, name, isRequired: true };
  }

  function makeItem(index: number, place: FormNode['place']): FormNode {
    const up = iconButton('arrow-up', () => move(made, -1));
    const down = iconButton('arrow-down', () => move(made, 1));
    const remove = iconButton('trash', () => removeItem(made));
    const made: FormNode = context.createNode({
      context,
      parent: node,
      key: index,
      layout: 'item',
      place,
      tools: [up, down, remove],
    });
    const name = shownName(place.name);
    label(up, `Move ${name} Up`);
    label(down, `Move ${name} Down`);
    label(remove, `Remove ${name}`);
    made.element.addEventListener('keydown', (event) => {
      if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
      event.preventDefault();
      event.stopPropagation();
      move(made, event.key === 'ArrowUp' ? -1 : 1);
    });
    return made;
  }

  function move(item: FormNode, by: number): void {
    const from = Number(item.key);
    const to = from + by;
    if (Math.min(from, to) < field.prefixLength || to >= length()) return;
    context.memory.moveItem(node.path, from, to);
    context.forgetProblems(node.path);
    context.replace(moveItem(context.value, node.path, from, to) as JsonObject);
    items[to]?.focus();
    context.say(`Moved to place ${to + 1} of ${length()}.`);
  }

  function removeItem(item: FormNode): void {
    const index = Number(item.key);
    context.memory.removeItem(node.path, index);
    context.forgetProblems(node.path);
    context.replace(withValueAt(context.value, [...node.path, index], undefined) as JsonObject);
    const next = items[Math.min(index, items.length - 1)];
    if (next === undefined) add.focus();
    else next.focus();
    context.say(`Item ${index + 1} was removed. ${length()} are left.`);
  }

  function addItem(): void {
    const index = length();
    shown = Math.max(shown, index + 1);
    const start = context.engine.startValue(field.itemSchema(index));
    context.replace(withValueAt(context.value, [...node.path, index], start) as JsonObject);
    items[index]?.focus();
    context.say(`Item ${index + 1} was added.`);
  }

  function showMore(): void {
    const first = shown;
    shown += itemsPerStep;
    update(field, node.place.value);
    items[first]?.focus();
  }

  update(node.field, node.place.value);
  return {
    element: element('div', { class: 'form-list' }, list, more, add),
    control: undefined,
    update,
    child(step, open) {
      const index = Number(step);
      if (open && index >= shown && index < length()) {
        shown = index + 1;
        update(field, node.place.value);
      }
      return items[index];
    },
  };
}
