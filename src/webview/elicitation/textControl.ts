import type { ListField, TextField, TextLimits } from '../../base/formField.ts';
import { counted, element } from '../dom.ts';
import { createTextEditor } from '../textEditor.ts';
import { type ControlOptions, controlAttributes, type FieldControl } from './control.ts';

/** A text field, or the browser's picker for dates and times. */
export function createTextControl(field: TextField, options: ControlOptions): FieldControl {
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
    get isTouched() {
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
export function createListControl(field: ListField, options: ControlOptions): FieldControl {
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
    get isTouched() {
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
  if (maxItems === undefined) return minItems > 1 ? `At least ${counted(minItems, 'text')}.` : '';
  return minItems > 1 ? `${minItems} to ${counted(maxItems, 'text')}.` : `Up to ${counted(maxItems, 'text')}.`;
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
    get isTouched() {
      return isTouched;
    },
    read() {
      if (input.value === '') return undefined;
      // Unchanged defaults are sent as they are.
      if (!isTouched) return field.default;
      return hasTime ? new Date(input.value).toISOString() : input.value;
    },
    fault: () => (input.validity.badInput ? `Enter the whole date${hasTime ? ' and time' : ''}.` : undefined),
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
        ? [`At least ${counted(minLength, 'character')}.`]
        : []
      : [
          minLength > 1
            ? `${minLength} to ${counted(maxLength, 'character')}.`
            : `Up to ${counted(maxLength, 'character')}.`,
        ];
  return [...kind, ...length, ...(pattern === undefined ? [] : [`Pattern: ${pattern}`])].join(' ');
}
