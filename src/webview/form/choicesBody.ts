import type { JsonValue } from '../../base/json.ts';
import type { ChoiceField } from '../../forms/field.ts';
import { checkBox, drawChanges, element, markedText } from '../dom.ts';
import type { FieldBody } from './formParts.ts';
import type { FormNode } from './formNode.ts';
import { choicesOf, itemsOf } from './nodeState.ts';
import { shownName } from './shownText.ts';

/** A box for each item that a list may have: see {@link choicesOf}. */
export function createChoicesBody(node: FormNode): FieldBody {
  const list = element('div', { class: 'form-choices', onchange: write });
  let options: ChoiceField['options'] = [];
  let boxes: readonly HTMLInputElement[] = [];
  const draw = drawChanges((drawn: ChoiceField['options']) => {
    const lines = drawn.map(({ label, description }) =>
      checkBox([
        markedText(shownName(label)),
        description !== undefined && element('span', { class: 'hint' }, ' ', markedText(description)),
      ]),
    );
    boxes = lines.map(({ input }) => input);
    list.replaceChildren(...lines.map((line) => line.element));
  });

  function write(): void {
    const chosen = options.flatMap(({ value }, index) => (boxes[index]?.checked === true ? [value] : []));
    const [wanted, before] = [new Set(chosen.map(keyOf)), itemsOf(node)];
    const known = new Set(before.map(keyOf));
    // What was there stays in its order.
    const kept = before.filter((value) => wanted.has(keyOf(value)));
    node.write([...kept, ...chosen.filter((value) => !known.has(keyOf(value)))]);
  }

  return {
    element: list,
    control: undefined,
    update() {
      options = choicesOf(node) ?? options;
      draw(options);
      const items = new Set(itemsOf(node).map(keyOf));
      for (const [index, box] of boxes.entries()) box.checked = items.has(keyOf(options[index]?.value ?? null));
    },
  };
}

function keyOf(value: JsonValue): string {
  return JSON.stringify(value);
}
