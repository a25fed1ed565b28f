import type { JsonValue } from '../../base/json.ts';
import { jsonText, numberText, readJson, readNumber } from '../../forms/controlText.ts';
import type { Field } from '../../forms/field.ts';
import { button, element, icon } from '../dom.ts';
import type { BodyKind, FieldBody, FormNode } from './formParts.ts';
import { createListBody } from './listBody.ts';
import { createObjectBody } from './objectBody.ts';
import { shownName, shownValue } from './shownText.ts';
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
    case 'union':
      return createUnionBody(node);
    case 'json':
      return createJsonBody(node);
    case 'null':
    case 'isNull':
      return createStateBody(node, 'null', node.field.kind === 'null' ? undefined : 'Enter a Value');
    case 'isAbsent':
      return createStateBody(node, 'not sent', node.field.kind === 'null' ? 'Send null' : 'Add');
  }
}

/** What an empty control stands for: nothing that is sent, or an empty text. */
function placeholderOf({ field, place }: FormNode): string {
  if (place.value === '') return 'empty text';
  if (place.value !== undefined) return '';
  return field.default === undefined ? 'not sent' : `not sent (default: ${shownValue(field.default)})`;
}

function createTextBody(node: FormNode): FieldBody {
  const area = element('textarea', { ...controlAttributes(node), rows: 1, dir: 'auto', class: 'form-text' });
  area.addEventListener('input', () => {
    fitRows(area);
    node.write(area.value);
  });
  const update = (_field: Field, value: JsonValue | undefined): void => {
    const text = typeof value === 'string' ? value : '';
    // A text field has line breaks of its own: what it shows already stays as it is.
    if (area.value !== text.replaceAll(/\r\n?/g, '\n')) area.value = text;
    area.placeholder = placeholderOf(node);
    fitRows(area);
  };
  update(node.field, node.place.value);
  return { element: area, control: area, update };
}

function createNumberBody(node: FormNode): FieldBody {
  const isInteger = (): boolean => node.field.kind === 'number' && node.field.isInteger;
  const input = element('input', {
    ...controlAttributes(node),
    type: 'text',
    inputmode: isInteger() ? 'numeric' : 'decimal',
    class: 'form-short',
  });
  input.addEventListener('input', () => {
    const read = readNumber(input.value, isInteger());
    if (read.kind === 'value') {
      node.setInputProblem(undefined);
      node.write(read.value);
    } else if (read.kind === 'absent' && node.layout !== 'item' && node.layout !== 'entry') {
      node.setInputProblem(undefined);
      node.write(undefined);
    } else node.setInputProblem(read.kind === 'problem' ? read.message : 'Enter a number.');
  });
  const update = (_field: Field, value: JsonValue | undefined): void => {
    const read = readNumber(input.value, false);
    const shown = read.kind === 'value' ? read.value : undefined;
    const isTyping = node.context.inputProblems.has(node);
    if (!isTyping && !Object.is(shown, value)) input.value = typeof value === 'number' ? numberText(value) : '';
    input.placeholder = placeholderOf(node);
  };
  update(node.field, node.place.value);
  return { element: input, control: input, update };
}

/** Options by position: 0 is "not sent". */
function createSelectBody(node: FormNode): FieldBody {
  const select = element('select', controlAttributes(node));
  let values: readonly JsonValue[] = [];
  select.addEventListener('change', () => node.write(values[Number(select.value)]));
  const update = (field: Field, value: JsonValue | undefined): void => {
    const options =
      field.kind === 'choice' ? field.options : [true, false].map((each) => ({ value: each, label: String(each) }));
    values = options.map((option) => option.value);
    const empty = element('option', { value: -1, text: placeholderOf(node) || 'not sent' });
    const isOptional = node.canBeAbsent && !node.place.isRequired;
    select.replaceChildren(
      ...(isOptional || value === undefined ? [empty] : []),
      ...options.map(({ label }, index) => element('option', { value: index, text: shownName(label) })),
    );
    const text = JSON.stringify(value);
    select.value = String(values.findIndex((each) => JSON.stringify(each) === text));
  };
  update(node.field, node.place.value);
  return { element: element('div', { class: 'select' }, select, icon('chevron-down')), control: select, update };
}

function createJsonBody(node: FormNode): FieldBody {
  const area = element('textarea', { ...controlAttributes(node), rows: 2, class: 'form-text code' });
  const reason = element('p', { class: 'hint' });
  let shown: JsonValue | undefined;
  area.addEventListener('input', () => {
    const read = readJson(area.value);
    node.setInputProblem(read.kind === 'problem' ? read.message : undefined);
    if (read.kind === 'problem') return;
    shown = read.kind === 'value' ? read.value : undefined;
    node.write(shown);
  });
  const update = (field: Field, value: JsonValue | undefined): void => {
    reason.textContent = field.kind === 'json' ? `${field.reason} It is edited as JSON.` : '';
    if (JSON.stringify(shown) !== JSON.stringify(value) && !node.context.inputProblems.has(node))
      area.value = value === undefined ? '' : jsonText(value);
    shown = value;
    area.placeholder = placeholderOf(node);
  };
  update(node.field, node.place.value);
  return { element: element('div', {}, reason, area), control: area, update };
}

/** A value that has no control: `null`, or nothing. */
function createStateBody(node: FormNode, words: string, action: string | undefined): FieldBody {
  const state = element('span', { class: 'form-state muted', text: words });
  const box = element('div', { class: 'form-state-line' }, state);
  if (action === undefined) return { element: box, control: undefined, update: () => {} };
  const made = button({
    label: action,
    icon: action === 'Add' ? 'add' : 'edit',
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

/** What every native control has. */
function controlAttributes({ ids, place, layout }: FormNode) {
  return {
    id: ids.control,
    'aria-describedby': ids.describedBy,
    'aria-required': place.isRequired && layout === 'property' ? 'true' : undefined,
    spellcheck: 'false',
  };
}

/** For browsers without the CSS property `field-sizing`. */
function fitRows(area: HTMLTextAreaElement): void {
  if (CSS.supports('field-sizing', 'content')) return;
  area.rows = Math.min(16, area.value.split('\n').length);
}
