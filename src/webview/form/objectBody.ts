import { isRecord, type JsonObject, type JsonValue } from '../../base/json.ts';
import type { Field, ObjectField, SubSchema } from '../../forms/field.ts';
import { memberOf, renameKey, withValueAt } from '../../forms/valueAt.ts';
import { button, element } from '../dom.ts';
import { iconButton, label } from './fieldTools.ts';
import type { FieldBody, FormNode } from './formParts.ts';
import { shownName } from './shownText.ts';

/** The properties of an object, and its entries under names that the person gives. */
export function createObjectBody(node: FormNode): FieldBody {
  const { context } = node;
  const properties = new Map<string, FormNode>();
  const others = new Map<string, FormNode>();
  const propertyList = element('div', { class: 'form-properties' });
  const otherList = element('div', { class: 'form-entries' });
  const empty = element('p', { class: 'hint', text: 'This takes no arguments.' });
  const add = button({ label: 'Add Entry', icon: 'add', onClick: addEntry });
  let field = node.field as ObjectField;

  function update(next: Field, value: JsonValue | undefined): void {
    if (next.kind !== 'object') return;
    field = next;
    syncProperties(value);
    syncOthers(value);
    add.hidden = field.entries === undefined;
    add.setAttribute('aria-label', `Add Entry to ${shownName(node.place.name)}`);
    empty.hidden =
      node.layout !== 'root' || field.properties.length > 0 || field.entries !== undefined || others.size > 0;
  }

  function syncProperties(value: JsonValue | undefined): void {
    const wanted = new Set(field.properties.map(({ key }) => key));
    for (const [key, child] of properties) {
      if (wanted.has(key)) continue;
      child.element.remove();
      properties.delete(key);
    }
    for (const [index, { key, schema, isRequired }] of field.properties.entries()) {
      const place = { schema, value: memberOf(value, key), name: key, isRequired };
      const known = properties.get(key);
      if (known !== undefined) known.update(place);
      else properties.set(key, context.createNode({ context, parent: node, key, layout: 'property', place }));
      const child = properties.get(key)?.element;
      // Moving an element takes the focus from it.
      const at = propertyList.children[index] ?? null;
      if (child !== undefined && child !== at) propertyList.insertBefore(child, at);
    }
  }

  function syncOthers(value: JsonValue | undefined): void {
    const wanted = new Set(field.otherKeys);
    for (const [key, child] of others) {
      if (wanted.has(key)) continue;
      child.element.remove();
      others.delete(key);
    }
    for (const key of field.otherKeys) {
      const schema = field.entrySchema(key);
      const place = {
        schema: schema ?? true,
        value: memberOf(value, key),
        name: key,
        isRequired: schema !== undefined,
      };
      const known = others.get(key);
      if (known !== undefined) known.update(place);
      else {
        const made = makeEntry(key, schema, place);
        others.set(key, made);
        otherList.append(made.element);
      }
    }
  }

  function makeEntry(key: string, schema: SubSchema | undefined, place: FormNode['place']): FormNode {
    const remove = iconButton('trash', () => removeEntry(made));
    label(remove, `Remove ${shownName(key)}`);
    const name = element('input', {
      type: 'text',
      class: 'form-entry-name',
      'aria-label': `Name of the entry ${shownName(key)}`,
    });
    name.value = key;
    name.addEventListener('change', () => rename(made, name));
    const made: FormNode = context.createNode({
      context,
      parent: node,
      key,
      layout: schema === undefined ? 'extra' : 'entry',
      place,
      tools: [remove],
      ...(schema !== undefined && { nameInput: name }),
    });
    return made;
  }

  function rename(child: FormNode, input: HTMLInputElement): void {
    const from = String(child.key);
    const to = input.value;
    if (from === to) return;
    const renamed = renameKey(context.value, node.path, from, to);
    if (!isRecord(renamed) || properties.has(to)) {
      input.value = from;
      return context.say(`There is an entry ${shownName(to)} already.`);
    }
    context.memory.renameKey(node.path, from, to);
    others.delete(from);
    child.key = to;
    others.set(to, child);
    input.ariaLabel = `Name of the entry ${shownName(to)}`;
    context.forgetProblems(node.path);
    context.replace(renamed as JsonObject);
  }

  function removeEntry(child: FormNode): void {
    const keys = [...others.keys()];
    const following = others.get(keys[keys.indexOf(String(child.key)) + 1] ?? '');
    context.inputProblems.delete(child);
    child.write(undefined);
    if (following === undefined) (add.hidden ? node : { focus: () => add.focus() }).focus();
    else following.focus();
    context.say(`${shownName(String(child.key))} was removed.`);
  }

  function addEntry(): void {
    const value = isRecord(node.place.value) ? node.place.value : {};
    let number = 1;
    while (Object.hasOwn(value, `name${number}`)) number += 1;
    const key = `name${number}`;
    const start = context.engine.startValue(field.entries ?? true);
    const whole = withValueAt(context.value, [...node.path, key], start);
    if (isRecord(whole)) context.replace(whole as JsonObject);
    const input = others.get(key)?.element.querySelector<HTMLInputElement>('.form-entry-name');
    input?.focus();
    input?.select();
    context.say('An entry was added.');
  }

  update(node.field, node.place.value);
  return {
    element: element('div', { class: 'form-object' }, empty, propertyList, otherList, add),
    control: undefined,
    update,
    child: (step) => properties.get(step) ?? others.get(step),
  };
}
