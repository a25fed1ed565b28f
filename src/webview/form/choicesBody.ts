import type { JsonValue } from '../../base/json.ts';
import type { ChoiceField, Field } from '../../forms/field.ts';
import { element, markedText, uniqueId } from '../dom.ts';
import type { FieldBody, FormNode } from './formParts.ts';
import { choicesOf } from './nodeState.ts';
import { shownName } from './shownText.ts';

/** A box for each item that a list may have: see {@link choicesOf}. */
export function createChoicesBody(node: FormNode): FieldBody {
  const list = element('div', { class: 'form-choices' });
  let options: ChoiceField['options'] = [];
  let boxes: readonly HTMLInputElement[] = [];
  let drawn = '';

  list.addEventListener('change', () => {
    const chosen = new Set(options.filter((_option, index) => boxes[index]?.checked).map(({ value }) => keyOf(value)));
    const before = itemsOf(node.place.value);
    const known = new Set(before.map(keyOf));
    // What was there stays in its order.
    const added = options
      .map(({ value }) => value)
      .filter((value) => chosen.has(keyOf(value)) && !known.has(keyOf(value)));
    node.write([...before.filter((value) => chosen.has(keyOf(value))), ...added]);
  });

  function update(_field: Field, value: JsonValue | undefined): void {
    options = choicesOf(node) ?? options;
    const signature = JSON.stringify(options);
    if (signature !== drawn) {
      drawn = signature;
      const lines = options.map(drawBox);
      boxes = lines.map(({ box }) => box);
      list.replaceChildren(...lines.map((line) => line.element));
    }
    const chosen = new Set(itemsOf(value).map(keyOf));
    for (const [index, box] of boxes.entries()) box.checked = chosen.has(keyOf(options[index]?.value ?? null));
  }

  update(node.field, node.place.value);
  return { element: list, control: undefined, update };
}

function drawBox({ label, description }: ChoiceField['options'][number]): {
  readonly box: HTMLInputElement;
  readonly element: HTMLElement;
} {
  const id = uniqueId('choice');
  const box = element('input', { id, type: 'checkbox' });
  const about = description === undefined ? [] : [element('span', { class: 'hint' }, ' ', ...markedText(description))];
  const words = element('label', { for: id, dir: 'auto' }, ...markedText(shownName(label)), ...about);
  return { box, element: element('div', { class: 'check' }, box, words) };
}

function itemsOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? (value as readonly JsonValue[]) : [];
}

function keyOf(value: JsonValue): string {
  return JSON.stringify(value);
}
