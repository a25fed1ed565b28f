import type { BooleanField, ChoiceField, ChoicesField } from '../../base/formField.ts';
import { readableText } from '../../base/visibleText.ts';
import { element, icon, uniqueId } from '../dom.ts';
import { exactText } from '../exactText.ts';
import { type ControlOptions, controlAttributes, type FieldControl } from './control.ts';

/**
 * A check box; an unchecked box sends `false`. If the field is optional and has no default, the box is indeterminate until the
 * person presses it, and no value is sent.
 */
export function createBooleanControl(field: BooleanField, { id, describedBy, onChange }: ControlOptions): FieldControl {
  const isPreset = field.default === true;
  const isOpen = field.default === undefined && !field.isRequired;
  const input = element('input', { id, 'aria-describedby': describedBy, type: 'checkbox' });
  const label = element('label', { for: id }, exactText(field.title ?? field.name, 'exact inline'));
  function reset(): void {
    input.checked = isPreset;
    input.indeterminate = isOpen;
  }
  reset();
  input.addEventListener('change', onChange);
  return {
    element: element('div', { class: 'check' }, input, label),
    input,
    isGroup: false,
    limits: '',
    isTouched: false,
    read: () => (input.indeterminate ? undefined : input.checked),
    reset,
  };
}

/** A drop-down list for one of several values. */
export function createChoiceControl(field: ChoiceField, options: ControlOptions): FieldControl {
  const select = element('select', controlAttributes(field, options));
  // Options are identified by index, because a value of the server can be empty too.
  select.append(element('option', { value: '', text: field.isRequired ? 'Choose…' : 'No choice' }));
  for (const [index, { label }] of field.options.entries())
    select.append(element('option', { value: index, text: readableText(label) }));
  function reset(): void {
    select.selectedIndex = 1 + field.options.findIndex(({ value }) => value === field.default);
  }
  reset();
  select.addEventListener('change', options.onChange);
  return {
    element: element('div', { class: 'select' }, select, icon('chevron-down')),
    input: select,
    isGroup: false,
    limits: '',
    isTouched: false,
    read: () => field.options[select.selectedIndex - 1]?.value,
    reset,
  };
}

/** Check boxes for any number of values. */
export function createChoicesControl(field: ChoicesField, { onChange }: ControlOptions): FieldControl {
  const boxes = field.options.map(({ value, label }) => {
    const id = uniqueId('option');
    const input = element('input', { id, type: 'checkbox' });
    const text = element('label', { for: id }, exactText(label, 'exact inline'));
    return { value, input, element: element('div', { class: 'check' }, input, text) };
  });
  const list = element('div', { class: 'options', tabindex: -1 }, ...boxes.map((box) => box.element));
  let isTouched = false;
  function reset(): void {
    isTouched = false;
    for (const { input, value } of boxes) input.checked = field.default?.includes(value) === true;
  }
  reset();
  list.addEventListener('change', () => {
    isTouched = true;
    onChange();
  });
  return {
    element: list,
    input: boxes[0]?.input ?? list,
    isGroup: true,
    limits: choicesText(field),
    get isTouched() {
      return isTouched;
    },
    read() {
      const chosen = boxes.filter(({ input }) => input.checked).map(({ value }) => value);
      // An empty list is a value only if the person removed the default choices.
      return chosen.length > 0 || (isTouched && !field.isRequired) ? chosen : undefined;
    },
    reset,
  };
}

function choicesText({ minItems = 0, maxItems }: ChoicesField): string {
  if (maxItems === undefined) return minItems === 0 ? '' : `Choose at least ${minItems}.`;
  return minItems === 0 ? `Choose up to ${maxItems}.` : `Choose ${minItems} to ${maxItems}.`;
}
