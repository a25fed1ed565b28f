import type { ConsentView } from '../../shared/consentMessages.ts';
import { element, exactText, formatNumber, icon, uniqueId } from '../dom.ts';

/** The field that selects the model which gets the request. */
export interface ModelChoice {
  readonly element: HTMLElement;
  /** The id of the chosen model, empty while none is chosen. */
  readonly model: string;
  /** The display name of the chosen model, empty while none is chosen. */
  readonly modelName: string;
  focus(): void;
}

/** Creates the field with the suggested model chosen, or a note if there are no models. */
export function createModelChoice(view: ConsentView): ModelChoice {
  if (view.models.length === 0) return noModels();
  const id = uniqueId('model');
  const reason = element('p', { class: 'hint', id: `${id}-reason` });
  const select = element('select', { id, 'aria-describedby': reason.id });
  if (view.suggestedModel === undefined) select.append(element('option', { value: '', text: 'Choose a model…' }));
  for (const model of view.models) {
    const text = model.detail === '' ? model.name : `${model.name} (${model.detail})`;
    select.append(element('option', { value: model.id, text, selected: model.id === view.suggestedModel }));
  }

  function explain(): void {
    const isSuggested = select.value === view.suggestedModel && view.suggestedBecause !== undefined;
    reason.replaceChildren(
      ...(isSuggested ? ['Suggested: ', exactText(`${view.suggestedBecause}.`, 'exact inline')] : []),
    );
  }

  select.addEventListener('change', explain);
  explain();
  const field = element('div', { class: 'select' }, select, icon('chevron-down'));
  return {
    element: element(
      'div',
      { class: 'field' },
      element('label', { for: id, class: 'field-label', text: 'Model' }),
      field,
      reason,
    ),
    get model() {
      return select.value;
    },
    get modelName() {
      return view.models.find((model) => model.id === select.value)?.name ?? '';
    },
    focus: () => select.focus(),
  };
}

function noModels(): ModelChoice {
  const text = 'No language model is available in this editor. You can write the answer yourself, or decline.';
  return {
    element: element('p', { class: 'banner info', role: 'note' }, icon('info'), element('span', { text })),
    model: '',
    modelName: '',
    focus: () => {},
  };
}

/** A field for a whole number between two bounds. */
export interface NumberField {
  readonly element: HTMLElement;
  /** `undefined` while the text is not a whole number between the bounds; the field then shows a message. */
  readonly value: number | undefined;
  focus(): void;
}

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
export function createNumberField(options: NumberFieldOptions): NumberField {
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
    get value() {
      return read();
    },
    focus: () => input.focus(),
  };
}
