import type { ConsentModels } from '../../shared/consentMessages.ts';
import { button, element, exactText, icon, uniqueId } from '../dom.ts';
import { createCheckBox } from './consentFields.ts';

/**
 * Creates the field with the suggested model chosen, or a note if there are no models.
 * @param onAddModel called when the person wants to add one
 */
export function createModelChoice(models: ConsentModels, onAddModel: () => void) {
  const container = element('div', { class: 'field model-choice' });
  const remember = createCheckBox({ label: 'Remember for this server', isChecked: false });
  let field = createModelField(models);

  function draw(): void {
    container.replaceChildren(
      ...(field === undefined ? [noModels(onAddModel)] : [...field.elements, remember.element]),
    );
  }

  draw();
  return {
    element: container,
    /** The id of the chosen model, empty while none is chosen. */
    get model() {
      return field?.chosen?.id ?? '';
    },
    /** The display name of the chosen model, empty while none is chosen. */
    get modelName() {
      return field?.chosen?.name ?? '';
    },
    /** Later requests of this server start with the model. */
    get remembersModel() {
      return remember.isChecked;
    },
    /** Offers other models; what the person chose stays chosen if it is still there. */
    showModels(next: ConsentModels) {
      field = createModelField(next, field?.chosen?.id);
      draw();
    },
    focus: () => field?.focus(),
  };
}

interface ModelField {
  readonly elements: readonly HTMLElement[];
  readonly chosen: ConsentModels['models'][number] | undefined;
  focus(): void;
}

/** @param preset the id of the model that was chosen before */
function createModelField(
  { models, suggestedModel, suggestedBecause }: ConsentModels,
  preset?: string,
): ModelField | undefined {
  if (models.length === 0) return undefined;
  const id = uniqueId('model');
  const reason = element('p', { class: 'hint', id: `${id}-reason` });
  const cost = element('p', { class: 'hint', id: `${id}-cost` });
  const problem = element('p', { class: 'model-problem', id: `${id}-problem`, role: 'status' });
  const select = element('select', { id, 'aria-describedby': `${reason.id} ${cost.id} ${problem.id}` });
  const first = models.find((model) => model.id === preset)?.id ?? suggestedModel;
  if (first === undefined) select.append(element('option', { value: '', text: 'Choose a model…' }));
  for (const model of models) {
    const text = model.detail === '' ? model.name : `${model.name} (${model.detail})`;
    select.append(element('option', { value: model.id, text, selected: model.id === first }));
  }
  const findChosen = (): ModelField['chosen'] => models.find((model) => model.id === select.value);

  function explain(): void {
    const chosen = findChosen();
    reason.replaceChildren(...describeReason());
    cost.textContent = chosen === undefined ? '' : `This request: ${chosen.cost}.`;
    problem.replaceChildren(...(chosen?.problem === undefined ? [] : [icon('warning'), chosen.problem]));
  }

  function describeReason(): (Node | string)[] {
    if (select.value === '') return [];
    if (select.value !== suggestedModel) return ['Your choice'];
    return suggestedBecause === undefined ? [] : ['Suggested: ', exactText(`${suggestedBecause}.`, 'exact inline')];
  }

  select.addEventListener('change', explain);
  explain();
  return {
    elements: [
      element('label', { for: id, class: 'field-label', text: 'Model' }),
      element('div', { class: 'select' }, select, icon('chevron-down')),
      problem,
      reason,
      cost,
    ],
    get chosen() {
      return findChosen();
    },
    focus: () => select.focus(),
  };
}

function noModels(onAddModel: () => void): HTMLElement {
  const text = 'No language model is available. You can add one, write the answer yourself, or decline.';
  const add = button({ label: 'Add Model…', icon: 'add', onClick: onAddModel });
  return element(
    'div',
    { class: 'banner info', role: 'note' },
    icon('info'),
    element('div', { class: 'banner-body' }, element('p', { text }), add),
  );
}
