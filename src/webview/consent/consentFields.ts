import { element, formatNumber, icon, uniqueId } from '../dom.ts';

/** The initial value, its bounds and the texts around the field. */
export interface NumberFieldOptions {
  readonly label: string;
  readonly value: number;
  readonly minimum: number;
  readonly maximum: number;
  readonly hint?: string;
  readonly onChange?: () => void;
}

/** Creates the field with `options.value` in it. */
export function createNumberField(options: NumberFieldOptions) {
  const { minimum, maximum } = options;
  const id = uniqueId('number');
  const input = element('input', {
    id,
    type: 'number',
    min: minimum,
    max: maximum,
    step: 1,
    value: options.value,
    'aria-describedby': `${id}-hint ${id}-problem`,
  });
  const problem = element('p', { id: `${id}-problem`, class: 'problem', role: 'alert' });

  function read(): number | undefined {
    const value = input.value.trim() === '' ? Number.NaN : Number(input.value);
    return Number.isInteger(value) && value >= minimum && value <= maximum ? value : undefined;
  }

  input.addEventListener('input', () => {
    const isValid = read() !== undefined;
    input.setAttribute('aria-invalid', String(!isValid));
    const text = isValid ? '' : `Enter a whole number from ${formatNumber(minimum)} to ${formatNumber(maximum)}.`;
    if (problem.textContent !== text) problem.textContent = text;
    options.onChange?.();
  });
  return {
    element: element(
      'div',
      { class: 'field' },
      element('label', { for: id, class: 'field-label', text: options.label }),
      input,
      element('p', { id: `${id}-hint`, class: 'hint', text: options.hint ?? '' }),
      problem,
    ),
    /** `undefined` while the text is not a whole number between the bounds; the field then shows a message. */
    get value() {
      return read();
    },
    focus: () => input.focus(),
  };
}

/** Creates the box, checked or not. */
export function createCheckBox(options: {
  readonly label: string;
  readonly isChecked: boolean;
  readonly onChange?: () => void;
}) {
  const id = uniqueId('check');
  const input = element('input', { id, type: 'checkbox', checked: options.isChecked });
  input.addEventListener('change', () => options.onChange?.());
  return {
    element: element('div', { class: 'check' }, input, element('label', { for: id, text: options.label })),
    get isChecked() {
      return input.checked;
    },
  };
}

/** A field to choose one of some texts. */
export interface SelectField<T extends string> {
  readonly element: HTMLElement;
  readonly value: T;
}

/** Creates the field with the first option chosen. */
export function createSelectField<T extends string>(options: {
  readonly label: string;
  readonly options: readonly [T, ...T[]];
  readonly labelOf: (value: T) => string;
  readonly onChange: () => void;
}): SelectField<T> {
  const { label, options: values, labelOf, onChange } = options;
  const id = uniqueId('choice');
  const select = element(
    'select',
    { id },
    ...values.map((value) => element('option', { value, text: labelOf(value) })),
  );
  select.addEventListener('change', onChange);
  return {
    element: element(
      'div',
      { class: 'field' },
      element('label', { for: id, class: 'field-label', text: label }),
      element('div', { class: 'select' }, select, icon('chevron-down')),
    ),
    get value() {
      return values[select.selectedIndex] ?? values[0];
    },
  };
}
