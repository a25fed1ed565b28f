import type { JsonValue } from '../../base/json.ts';
import { escapeHidden } from '../../base/visibleText.ts';
import { jsonText, numberText, readJson, readNumber } from '../../forms/controlText.ts';
import type { Field } from '../../forms/field.ts';
import { button, element } from '../dom.ts';
import { createTextEditor } from '../textEditor.ts';
import { controlAttributes, nothingSent, placeholderOf } from './controls.ts';
import type { BodyKind, FieldBody, FormNode } from './formParts.ts';
import { createChoicesBody } from './choicesBody.ts';
import { createListBody } from './listBody.ts';
import { createObjectBody } from './objectBody.ts';
import { createSelectBody } from './selectBody.ts';
import { shownName } from './shownText.ts';
import { createMomentPicker, isMoment, type MomentPicker } from './momentPicker.ts';
import { createUnionBody } from './unionBody.ts';

/** The control of a value, or the nodes below it. */
export function createBody(kind: BodyKind, node: FormNode): FieldBody {
  switch (kind) {
    case 'text':
      return createTextBody(node);
    case 'number':
      return createNumberBody(node);
    case 'boolean':
    case 'choice':
      return createSelectBody(node);
    case 'object':
      return createObjectBody(node);
    case 'list':
      return createListBody(node);
    case 'choices':
      return createChoicesBody(node);
    case 'union':
      return createUnionBody(node);
    case 'json':
      return createJsonBody(node);
    case 'null':
    case 'isNull':
      return createStateBody(node, 'null', node.field.kind === 'null' ? undefined : 'Enter a Value');
    case 'isAbsent':
      return createStateBody(node, nothingSent(node), node.field.kind === 'null' ? 'Send null' : 'Add');
  }
}

/** A text. It can have several lines whatever its schema says; dates and times have a picker beside them. */
function createTextBody(node: FormNode): FieldBody {
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

function createNumberBody(node: FormNode): FieldBody {
  const isInteger = (): boolean => node.field.kind === 'number' && node.field.isInteger;
  const input = element('input', {
    ...controlAttributes(node),
    type: 'text',
    inputmode: isInteger() ? 'numeric' : 'decimal',
    autocomplete: 'off',
    class: 'form-short',
  });
  /** The value that the text stands for, or stood for before it was no number. */
  let shown: JsonValue | undefined;
  input.addEventListener('input', () => {
    const read = readNumber(input.value, isInteger());
    const canBeEmpty = node.layout === 'property' || node.layout === 'extra';
    if (read.kind === 'problem') return node.setInputProblem(read.message);
    if (read.kind === 'absent' && !canBeEmpty) return node.setInputProblem('Enter a number.');
    shown = read.kind === 'value' ? read.value : undefined;
    node.setInputProblem(undefined);
    node.write(shown);
  });
  const update = (_field: Field, value: JsonValue | undefined): void => {
    if (!Object.is(shown, value)) {
      shown = value;
      input.value = typeof value === 'number' ? numberText(value) : '';
      node.setInputProblem(undefined);
    }
    input.placeholder = placeholderOf(node);
    input.ariaRequired = controlAttributes(node)['aria-required'] ?? null;
  };
  update(node.field, node.place.value);
  return { element: input, control: input, update };
}

function createJsonBody(node: FormNode): FieldBody {
  const area = element('textarea', { ...controlAttributes(node), rows: 2, class: 'form-text code' });
  const reason = element('p', { class: 'hint' });
  /** As JSON: equal values can come as other objects. */
  let shown: string | undefined;
  area.addEventListener('input', () => {
    const read = readJson(area.value);
    if (read.kind === 'problem') return node.setInputProblem(read.message);
    if (read.kind === 'absent' && !node.canBeAbsent) return node.setInputProblem('Enter a value as JSON.');
    const value = read.kind === 'value' ? read.value : undefined;
    shown = JSON.stringify(value);
    node.setInputProblem(undefined);
    node.write(value);
  });
  // It may have become what a field can show: see `ValueNode`.
  area.addEventListener('blur', () => node.context.afterPointerUp(() => node.refresh()));
  const update = (field: Field, value: JsonValue | undefined): void => {
    if (field.kind === 'json') reason.textContent = `${field.reason} It is edited as JSON.`;
    const text = JSON.stringify(value);
    if (shown !== text) {
      shown = text;
      area.value = value === undefined ? '' : escapeHidden(jsonText(value));
      node.setInputProblem(undefined);
    }
    area.placeholder = placeholderOf(node);
  };
  update(node.field, node.place.value);
  return { element: element('div', { class: 'form-json' }, reason, area), control: area, update };
}

/** A value that has no control: `null`, or nothing. */
function createStateBody(node: FormNode, words: string, action: string | undefined): FieldBody {
  const state = element('span', { class: 'form-state muted', text: words });
  const box = element('div', { class: 'form-state-line' }, state);
  if (action === undefined) return { element: box, control: undefined, update: () => {} };
  const made = button({
    label: action,
    icon: action === 'Enter a Value' ? 'edit' : 'add',
    onClick() {
      node.bringBack();
      node.focus();
    },
  });
  made.id = node.ids.control;
  made.setAttribute('aria-label', `${action} ${shownName(node.place.name)}`);
  made.setAttribute('aria-describedby', node.ids.describedBy);
  box.append(made);
  return { element: box, control: made, update: () => {} };
}
