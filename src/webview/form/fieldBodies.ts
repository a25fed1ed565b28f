import { stringifyExactly } from '../../base/exactIntegers.ts';
import type { ExactValue } from '../../base/json.ts';
import { escapeHidden } from '../../base/visibleText.ts';
import { shownName } from '../../base/visibleText.ts';
import { type ControlValue, jsonText, numberText, readJson, readNumber } from '../../forms/controlText.ts';
import { button, element } from '../dom.ts';
import { createTextEditor } from '../textEditor.ts';
import { createChoicesBody, createSelectBody, createUnionBody } from './choiceBodies.ts';
import { controlAttributes, describeControl, nothingSent } from './controls.ts';
import type { BodyKind, FieldBody, FormNode } from './formParts.ts';
import { ListBody } from './listBody.ts';
import { createMomentPicker, isMoment } from './momentPicker.ts';
import { ObjectBody } from './objectBody.ts';

const bodies: Readonly<Record<BodyKind, (node: FormNode) => FieldBody>> = {
  text: (node) => createTextBody(node, false),
  line: (node) => createTextBody(node, true),
  number: createNumberBody,
  boolean: createSelectBody,
  choice: createSelectBody,
  object: (node) => new ObjectBody(node),
  list: (node) => new ListBody(node),
  choices: createChoicesBody,
  union: createUnionBody,
  json: createJsonBody,
  null: createNullBody,
  isNull: createNullBody,
  isAbsent: (node) => createStateBody(node, nothingSent(node), actionOf(node)),
};

function actionOf({ field: { kind } }: FormNode): string {
  if (kind === 'null') return 'Send null';
  return kind === 'list' ? 'Add Item' : 'Add';
}

/** The control of a value, or the nodes below it. */
export function createBody(kind: BodyKind, node: FormNode): FieldBody {
  const body = bodies[kind](node);
  body.update();
  return body;
}

/** A text; dates and times have a picker beside them. */
function createTextBody(node: FormNode, isLine: boolean): FieldBody {
  const textOf = (): string => (typeof node.place.value === 'string' ? node.place.value : '');
  const editor = createTextEditor({
    id: node.ids.control,
    describedBy: node.ids.describedBy,
    text: textOf(),
    isUnmarked: true,
    isLine,
    onChange: () => node.write(editor.value === '' ? node.form.emptied(node.path) : editor.value),
  });
  const { area } = editor;
  area.classList.add('form-text');
  // It may have become one of another kind: see `ValueNode`.
  area.addEventListener('blur', () => {
    if (node.field.kind === 'text' && node.field.isLine !== isLine) node.form.afterPointerUp(() => node.refresh());
  });
  const made = element('div', { class: 'form-text-line' }, editor.element);
  let picker: ReturnType<typeof createMomentPicker> | undefined;

  function update(): void {
    // The text that was typed stays as it is, with the caret in it.
    if (editor.value !== textOf()) editor.setText(textOf());
    describeControl(area, node);
    area.classList.toggle('is-long', node.field.kind === 'text' && node.field.isLong);
    const format = node.field.kind === 'text' ? node.field.format : undefined;
    if (picker === undefined && isMoment(format)) {
      picker = createMomentPicker(node);
      made.append(picker.element, picker.hint);
    }
    picker?.update(format, textOf());
  }

  return { element: made, control: area, update };
}

/** What the text of a control stands for, or stood for before it was no value. */
function createTypedValue(node: FormNode, control: HTMLInputElement | HTMLTextAreaElement) {
  // As JSON: equal values can come as other objects.
  let shown: string | undefined;
  return {
    /** @param ifAbsent what is wrong with an empty text; `undefined` if nothing */
    write(read: ControlValue, ifAbsent: string | undefined): void {
      const problem = read.kind === 'problem' ? read.message : read.kind === 'absent' ? ifAbsent : undefined;
      node.setInputProblem(problem);
      if (problem !== undefined) return;
      const value = read.kind === 'value' ? read.value : undefined;
      shown = stringifyExactly(value);
      node.write(value);
    },
    update(textOf: (value: ExactValue) => string): void {
      const { value } = node.place;
      const next = stringifyExactly(value);
      if (next !== shown) {
        shown = next;
        control.value = value === undefined ? '' : textOf(value);
        node.setInputProblem(undefined);
      }
      describeControl(control, node);
    },
  };
}

function createNumberBody(node: FormNode): FieldBody {
  const isInteger = (): boolean => node.field.kind === 'number' && node.field.isInteger;
  const input = element('input', {
    ...controlAttributes(node),
    type: 'text',
    inputmode: isInteger() ? 'numeric' : 'decimal',
    autocomplete: 'off',
    class: 'form-short',
    oninput: () => {
      const canBeEmpty = node.layout === 'property' || node.layout === 'extra';
      typed.write(readNumber(input.value, isInteger()), canBeEmpty ? undefined : 'must be a number');
    },
  });
  const typed = createTypedValue(node, input);
  const update = (): void =>
    typed.update((value) => (typeof value === 'number' || typeof value === 'bigint' ? numberText(value) : ''));
  return { element: input, control: input, update };
}

function createJsonBody(node: FormNode): FieldBody {
  const area = element('textarea', {
    ...controlAttributes(node),
    rows: 2,
    class: 'form-text code',
    oninput: () => typed.write(readJson(area.value), node.canBeAbsent ? undefined : 'is required'),
    // It may have become what a field can show: see `ValueNode`.
    onblur: () => node.form.afterPointerUp(() => node.refresh()),
  });
  const typed = createTypedValue(node, area);
  const reason = element('p', { class: 'hint' });
  const update = (): void => {
    if (node.field.kind === 'json') reason.textContent = `${node.field.reason} It is edited as JSON.`;
    typed.update((value) => escapeHidden(jsonText(value)));
  };
  return { element: element('div', { class: 'form-json' }, reason, area), control: area, update };
}

function createNullBody(node: FormNode): FieldBody {
  return createStateBody(node, 'null', node.field.kind === 'null' ? undefined : 'Enter a Value');
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
      if (action !== 'Add Item') return;
      // What is typed replaces the number to begin with.
      if (document.activeElement instanceof HTMLInputElement) document.activeElement.select();
      node.form.say('Item 1 was added.');
    },
  });
  made.id = node.ids.control;
  made.setAttribute('aria-label', `${action}${action === 'Add Item' ? ' to' : ''} ${shownName(node.place.name)}`);
  made.setAttribute('aria-describedby', node.ids.describedBy);
  box.append(made);
  return { element: box, control: made, update: () => {} };
}
