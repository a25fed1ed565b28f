import type { NumberField } from '../../base/formField.ts';
import { element } from '../dom.ts';
import { type ControlOptions, controlAttributes, type FieldControl } from './control.ts';

/** An input for a number. */
export function createNumberControl(field: NumberField, options: ControlOptions): FieldControl {
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
    get isTouched() {
      return isTouched;
    },
    read: () => (input.value === '' ? undefined : Number(input.value)),
    fault: () => (input.validity.badInput ? 'Enter a number.' : undefined),
    reset: () => (input.value = input.defaultValue),
  };
}

function rangeText(noun: string, minimum: number | undefined, maximum: number | undefined): string {
  if (minimum !== undefined && maximum !== undefined) return `${noun} from ${minimum} to ${maximum}.`;
  if (minimum !== undefined) return `${noun} of at least ${minimum}.`;
  return maximum === undefined ? '' : `${noun} of at most ${maximum}.`;
}
