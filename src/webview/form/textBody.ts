import type { JsonValue } from '../../base/json.ts';
import type { Field } from '../../forms/field.ts';
import { element } from '../dom.ts';
import { createTextEditor } from '../textEditor.ts';
import { controlAttributes, placeholderOf } from './controls.ts';
import type { FieldBody, FormNode } from './formParts.ts';
import { createMomentPicker, isMoment, type MomentPicker } from './momentPicker.ts';

/** A text. It can have several lines whatever its schema says; dates and times have a picker beside them. */
export function createTextBody(node: FormNode): FieldBody {
  const textOf = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');
  const { context, ids } = node;
  const editor = createTextEditor({
    id: ids.control,
    describedBy: ids.describedBy,
    text: textOf(node.place.value),
    isUnmarked: true,
    onChange: () => node.write(editor.value === '' ? context.emptied(node.path) : editor.value),
  });
  const { area } = editor;
  area.classList.add('form-text');
  const made = element('div', { class: 'form-text-line' }, editor.element);
  let picker: MomentPicker | undefined;

  function update(field: Field, value: JsonValue | undefined): void {
    // The text that was typed stays as it is, with the caret in it.
    if (editor.value !== textOf(value)) editor.setText(textOf(value));
    area.placeholder = placeholderOf(node);
    area.ariaRequired = controlAttributes(node)['aria-required'] ?? null;
    const format = field.kind === 'text' ? field.format : undefined;
    if (picker === undefined && isMoment(format)) {
      picker = createMomentPicker(node);
      made.append(picker.element, picker.hint);
    }
    picker?.update(format, textOf(value));
  }

  update(node.field, node.place.value);
  return { element: made, control: area, update };
}
