import type {
  BooleanField,
  ChoiceField,
  ChoicesField,
  FormField,
  FormValue,
  ListField,
  NumberField,
  TextField,
} from '../../base/formField.ts';
import { readableText } from '../../base/visibleText.ts';
import { type Attributes, element, exactText, icon, uniqueId } from '../dom.ts';
import { createTextEditor } from '../textEditor.ts';

/** The input of one field. */
export interface FieldControl {
  readonly element: HTMLElement;
  /** Gets the focus, and is marked as invalid. */
  readonly input: HTMLElement;
  /** There are several inputs, which need a legend instead of a label. */
  readonly isGroup: boolean;
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

/** A text field, or the browser's picker for dates and times. */
function createTextControl(field: TextField, options: ControlOptions): FieldControl {
  if (field.format === 'date' || field.format === 'date-time') return createDateControl(field, options);
  return createEditorControl(field, options, {
    text: field.default ?? '',
    read(text, isEdited) {
      if (text !== '') return text;
      // The person removed the default, and an empty text is a valid value.
      const isEmptied = isEdited && field.default !== undefined && !field.isRequired;
      return isEmptied && !field.minLength && field.format === undefined && field.pattern === undefined
        ? ''
        : undefined;
    },
  });
}

/** A text field for a list of texts, one per line. */
function createListControl(field: ListField, options: ControlOptions): FieldControl {
  const preset = field.default ?? [];
  return createEditorControl(field, options, {
    text: preset.join('\n'),
    rows: 2,
    read(text, isEdited) {
      // Unchanged defaults are sent as they are, because a text can contain a line break.
      if (!isEdited) return field.default;
      const lines = text.split('\n').filter((line) => line !== '');
      // The person removed the default, and an empty list is a valid value.
      return lines.length > 0 || (preset.length > 0 && !field.isRequired && !field.minItems) ? lines : undefined;
    },
  });
}

/** @param control `read` gets the current text, and whether the person has edited it */
function createEditorControl(
  { isRequired }: FormField,
  { id, describedBy, onChange }: ControlOptions,
  control: {
    readonly text: string;
    readonly rows?: number;
    readonly read: (text: string, isEdited: boolean) => FormValue | undefined;
  },
): FieldControl {
  const { text, rows = 1, read } = control;
  let isEdited = false;
  const editor = createTextEditor({
    id,
    describedBy,
    text,
    rows,
    onChange() {
      isEdited = true;
      onChange();
    },
  });
  editor.area.required = isRequired;
  return {
    element: editor.element,
    input: editor.area,
    isGroup: false,
    get isEdited() {
      return isEdited;
    },
    read: () => read(editor.value, isEdited),
    reset() {
      editor.reset();
      isEdited = false;
    },
  };
}

function createDateControl(field: TextField, options: ControlOptions): FieldControl {
  const hasTime = field.format === 'date-time';
  const preset = hasTime ? toLocalTime(field.default) : (field.default ?? '');
  const type = hasTime ? 'datetime-local' : 'date';
  return createInputControl(field, options, {
    attributes: { type, value: preset, ...(hasTime && { step: 1 }) },
    badInput: `Enter the whole date${hasTime ? ' and time' : ''}.`,
    read(text, isEdited) {
      // Unchanged defaults are sent as they are.
      if (!isEdited) return field.default;
      return hasTime ? new Date(text).toISOString() : text;
    },
  });
}

function createNumberControl(field: NumberField, options: ControlOptions): FieldControl {
  const { minimum, maximum, isInteger } = field;
  return createInputControl(field, options, {
    attributes: { type: 'number', min: minimum, max: maximum, step: isInteger ? 1 : 'any', value: field.default },
    badInput: 'Enter a number.',
    read: Number,
  });
}

/** @param control `badInput` is shown for text that the browser cannot read; `read` gets text that is not empty */
function createInputControl(
  field: FormField,
  options: ControlOptions,
  control: {
    readonly attributes: Attributes;
    readonly badInput: string;
    readonly read: (text: string, isEdited: boolean) => FormValue | undefined;
  },
): FieldControl {
  const { attributes, badInput, read } = control;
  const input = element('input', { ...controlAttributes(field, options), ...attributes });
  let isEdited = false;
  input.addEventListener('input', () => {
    isEdited = true;
    options.onChange();
  });
  return {
    element: input,
    input,
    isGroup: false,
    get isEdited() {
      return isEdited;
    },
    read: () => (input.value === '' ? undefined : read(input.value, isEdited)),
    inputProblem: () => (input.validity.badInput ? badInput : undefined),
    reset() {
      input.value = input.defaultValue;
      isEdited = false;
    },
  };
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
  let isEdited = false;
  function reset(): void {
    isEdited = false;
    for (const { input, value } of boxes) input.checked = field.default?.includes(value) === true;
  }
  reset();
  list.addEventListener('change', () => {
    isEdited = true;
    onChange();
  });
  return {
    element: list,
    input: boxes[0]?.input ?? list,
    isGroup: true,
    get isEdited() {
      return isEdited;
    },
    read() {
      const chosen = boxes.filter(({ input }) => input.checked).map(({ value }) => value);
      // An empty list is a value only if the person removed the default choices.
      return chosen.length > 0 || (isEdited && !field.isRequired) ? chosen : undefined;
    },
    reset,
  };
}

/** Attributes that every native control of the form has. */
function controlAttributes(field: FormField, { id, describedBy }: ControlOptions) {
  return { id, 'aria-describedby': describedBy, required: field.isRequired };
}

/** The format of `datetime-local`, in local time; empty if `text` is not a time. */
function toLocalTime(text: string | undefined): string {
  const time = new Date(text ?? '');
  if (Number.isNaN(time.getTime())) return '';
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}
