import { element, formatNumber, setText, uniqueId } from '../dom.ts';

/** A field for a whole number within bounds, which says what is wrong with the text in it. */
export function createNumberField(
  label: string,
  value: number,
  { minimum, maximum }: { readonly minimum: number; readonly maximum: number },
  hint: string,
  onChange?: () => void,
) {
  const id = uniqueId('number');
  const input = element('input', {
    id,
    type: 'number',
    min: minimum,
    max: maximum,
    step: 1,
    value,
    'aria-describedby': `${id}-hint ${id}-problem`,
    oninput: changed,
  });
  const problem = element('p', { id: `${id}-problem`, class: 'problem', role: 'alert' });

  function read(): number | undefined {
    const number = input.value.trim() === '' ? Number.NaN : Number(input.value);
    return Number.isInteger(number) && number >= minimum && number <= maximum ? number : undefined;
  }

  function changed(): void {
    const isValid = read() !== undefined;
    input.setAttribute('aria-invalid', String(!isValid));
    setText(problem, isValid ? '' : `Enter a whole number from ${formatNumber(minimum)} to ${formatNumber(maximum)}.`);
    onChange?.();
  }

  return {
    element: element(
      'div',
      { class: 'field' },
      element('label', { for: id, class: 'field-label', text: label }),
      input,
      element('p', { id: `${id}-hint`, class: 'hint', text: hint }),
      problem,
    ),
    /** `undefined` while the text is not a whole number between the bounds; the field then shows a message. */
    get value() {
      return read();
    },
    focus: () => input.focus(),
  };
}
