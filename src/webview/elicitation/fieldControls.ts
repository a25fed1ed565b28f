import type {
  BooleanField,
  ChoiceField,
  ChoicesField,
  FormField,
  FormValue,
  ListField,
  NumberField,
  TextField,
  TextLimits,
} from '../../base/formField.ts';
import { readableText } from '../../base/visibleText.ts';
import { element, exactText, formatCount, icon, uniqueId } from '../dom.ts';
import { createTextEditor } from '../textEditor.ts';

/** Creates the native control for the kind of `field`. */
export function createFieldControl(field: FormField, options: ControlOptions): FieldControl {
  switch (field.kind) {
    case 'text':
      return createTextControl(field, options);
    case 'number':
      return createNumberControl(field, options);
    case 'boolean':
      return createBooleanControl(field, options);
    case 'choice':
      return createChoiceControl(field, options);
    case 'choices':
      return createChoicesControl(field, options);
    case 'list':
      return createListControl(field, options);
  }
}

/** The input of one field. */
export interface FieldControl {
  readonly element: HTMLElement;
  /** Gets the focus, and is marked as invalid. */
  readonly input: HTMLElement;
  /** There are several inputs, which need a legend instead of a label. */
  readonly isGroup: boolean;
  /** The limits of the value as a sentence; empty if there are none. */
  readonly limits: string;
  /** The person has changed the value. */
  readonly isEdited: boolean;
  /** The current value; `undefined` if the field is left out. */
  read(): FormValue | undefined;
  /** Why the input is not a value at all, as a sentence, for instance half a date. */
  inputProblem?(): string | undefined;
  /** Restores the default. */
  reset(): void;
}

/** How a control is connected to its row. */
export interface ControlOptions {
  readonly id: string;
  readonly describedBy: string;
  readonly onChange: () => void;
}

/** Attributes that every native control of the form has. */
function controlAttributes(field: FormField, { id, describedBy }: ControlOptions) {
  return { id, 'aria-describedby': describedBy, required: field.isRequired };
}

/** A text field, or the browser's picker for dates and times. */
function createTextControl(field: TextField, options: ControlOptions): FieldControl {
  if (field.format === 'date' || field.format === 'date-time') return createDateControl(field, options);
  let isTouched = false;
  const editor = createTextEditor({
    id: options.id,
    describedBy: options.describedBy,
    text: field.default ?? '',
    onChange: () => {
      isTouched = true;
      options.onChange();
    },
  });
  editor.area.required = field.isRequired;
  return {
    element: editor.element,
    input: editor.area,
    isGroup: false,
    limits: limitsOf(field),
    get isEdited() {
      return isTouched;
    },
    read() {
      if (editor.value !== '') return editor.value;
      // The person removed the default, and an empty text is a valid value.
      const isEmptied = isTouched && field.default !== undefined && !field.isRequired;
      return isEmptied && !field.minLength && field.format === undefined && field.pattern === undefined
        ? ''
        : undefined;
    },
    reset: () => {
      editor.reset();
      isTouched = false;
    },
  };
}

/** A text field for a list of texts, one per line. */
function createListControl(field: ListField, options: ControlOptions): FieldControl {
  const preset = field.default ?? [];
  let isTouched = false;
  const editor = createTextEditor({
    id: options.id,
    describedBy: options.describedBy,
    text: preset.join('\n'),
    rows: 2,
    onChange: () => {
      isTouched = true;
      options.onChange();
    },
  });
  editor.area.required = field.isRequired;
  return {
    element: editor.element,
    input: editor.area,
    isGroup: false,
    limits: ['One a line.', countText(field), limitsOf(field.entries)].filter((part) => part !== '').join(' '),
    get isEdited() {
      return isTouched;
    },
    read() {
      // Unchanged defaults are sent as they are, because a text can contain a line break.
      if (!isTouched) return field.default;
      const lines = editor.value.split('\n').filter((line) => line !== '');
      // The person removed the default, and an empty list is a valid value.
      return lines.length > 0 || (preset.length > 0 && !field.isRequired && !field.minItems) ? lines : undefined;
    },
    reset: () => {
      editor.reset();
      isTouched = false;
    },
  };
}

function countText({ minItems = 0, maxItems }: ListField): string {
  if (maxItems === undefined) return minItems > 1 ? `At least ${formatCount(minItems, 'text')}.` : '';
  return minItems > 1 ? `${minItems} to ${formatCount(maxItems, 'text')}.` : `Up to ${formatCount(maxItems, 'text')}.`;
}

function createDateControl(field: TextField, options: ControlOptions): FieldControl {
  const hasTime = field.format === 'date-time';
  const preset = hasTime ? toLocalTime(field.default) : (field.default ?? '');
  const input = element('input', {
    ...controlAttributes(field, options),
    type: hasTime ? 'datetime-local' : 'date',
    value: preset,
    ...(hasTime && { step: 1 }),
  });
  let isTouched = false;
  input.addEventListener('input', () => {
    isTouched = true;
    options.onChange();
  });
  return {
    element: input,
    input,
    isGroup: false,
    limits: hasTime ? `In your time zone, ${Intl.DateTimeFormat().resolvedOptions().timeZone}.` : '',
    get isEdited() {
      return isTouched;
    },
    read() {
      if (input.value === '') return undefined;
      // Unchanged defaults are sent as they are.
      if (!isTouched) return field.default;
      return hasTime ? new Date(input.value).toISOString() : input.value;
    },
    inputProblem: () => (input.validity.badInput ? `Enter the whole date${hasTime ? ' and time' : ''}.` : undefined),
    reset() {
      input.value = input.defaultValue;
      isTouched = false;
    },
  };
}

/** The format of `datetime-local`, in local time; empty if `text` is not a time. */
function toLocalTime(text: string | undefined): string {
  const time = new Date(text ?? '');
  if (Number.isNaN(time.getTime())) return '';
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}

function limitsOf({ format, minLength = 0, maxLength, pattern }: TextLimits): string {
  const kind =
    format === 'email' ? ['An email address.'] : format === 'uri' ? ['A whole address, such as https://….'] : [];
  const length =
    maxLength === undefined
      ? minLength > 1
        ? [`At least ${formatCount(minLength, 'character')}.`]
        : []
      : [
          minLength > 1
            ? `${minLength} to ${formatCount(maxLength, 'character')}.`
            : `Up to ${formatCount(maxLength, 'character')}.`,
        ];
  return [...kind, ...length, ...(pattern === undefined ? [] : [`Pattern: ${pattern}`])].join(' ');
}

/** An input for a number. */
function createNumberControl(field: NumberField, options: ControlOptions): FieldControl {
  const { minimum, maximum, isInteger } = field;
  const input = element('input', {
    ...controlAttributes(field, options),
    type: 'number',
    min: minimum,
    max: maximum,
    step: isInteger ? 1 : 'any',
    value: field.default,
  });
  let isTouched = false;
  input.addEventListener('input', () => {
    isTouched = true;
    options.onChange();
  });
  return {
    element: input,
    input,
    isGroup: false,
    limits: rangeText(isInteger ? 'A whole number' : 'A number', minimum, maximum),
    get isEdited() {
      return isTouched;
    },
    read: () => (input.value === '' ? undefined : Number(input.value)),
    inputProblem: () => (input.validity.badInput ? 'Enter a number.' : undefined),
    reset: () => (input.value = input.defaultValue),
  };
}

function rangeText(noun: string, minimum: number | undefined, maximum: number | undefined): string {
  if (minimum !== undefined && maximum !== undefined) return `${noun} from ${minimum} to ${maximum}.`;
  if (minimum !== undefined) return `${noun} of at least ${minimum}.`;
  return maximum === undefined ? '' : `${noun} of at most ${maximum}.`;
}

/**
 * A check box; an unchecked box sends `false`. If the field is optional and has no default, the box is indeterminate until the
 * person presses it, and no value is sent.
 */
function createBooleanControl(field: BooleanField, { id, describedBy, onChange }: ControlOptions): FieldControl {
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
    isEdited: false,
    read: () => (input.indeterminate ? undefined : input.checked),
    reset,
  };
}

/** A drop-down list for one of several values. */
function createChoiceControl(field: ChoiceField, options: ControlOptions): FieldControl {
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
    isEdited: false,
    read: () => field.options[select.selectedIndex - 1]?.value,
    reset,
  };
}

/** Check boxes for any number of values. */
function createChoicesControl(field: ChoicesField, { onChange }: ControlOptions): FieldControl {
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
    get isEdited() {
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
