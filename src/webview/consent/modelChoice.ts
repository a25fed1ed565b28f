import type { ConsentModel, ConsentModels } from '../../shared/consentMessages.ts';
import { banner, button, checkBox, element, fill, icon, inlineText, selectBox, uniqueId } from '../dom.ts';

/**
 * The field to choose a model, or a note if there are none. It is empty until the first call of `showModels`.
 * @param onAddModel called when the person wants to add one
 */
export function createModelChoice(onAddModel: () => void) {
  const id = uniqueId('model');
  const reason = element('p', { class: 'hint', id: `${id}-reason` });
  const cost = element('p', { class: 'hint', id: `${id}-cost` });
  const problem = element('p', { class: 'model-problem', id: `${id}-problem`, role: 'status' });
  const describedBy = `${reason.id} ${cost.id} ${problem.id}`;
  const select = element('select', { id, 'aria-describedby': describedBy, onchange: explain });
  const remember = checkBox('Remember for this server');
  const container = element('div', { class: 'field model-choice' });
  const label = element('label', { for: id, class: 'field-label', text: 'Model' });
  const field = [label, selectBox(select), problem, reason, cost, remember.element];
  let offered: ConsentModels | undefined;
  const findChosen = (): ConsentModel | undefined => offered?.models.find((model) => model.id === select.value);

  function explain(): void {
    const chosen = findChosen();
    fill(reason, chosen && offered && describeReason(chosen, offered));
    cost.textContent = chosen === undefined ? '' : `This request: ${chosen.cost}.`;
    fill(problem, chosen?.problem !== undefined && [icon('warning'), chosen.problem]);
  }

  function showModels(next: ConsentModels): void {
    const before = findChosen()?.id;
    offered = next;
    const first = next.models.find((model) => model.id === before)?.id ?? next.suggestedModel;
    fill(
      select,
      first === undefined && element('option', { value: '', text: 'Choose a model…' }),
      next.models.map(({ id: value, name, detail }) => {
        const text = detail === '' ? name : `${name} (${detail})`;
        return element('option', { value, text, selected: value === first });
      }),
    );
    explain();
    fill(container, next.models.length === 0 ? noModels(onAddModel) : field);
  }

  return {
    element: container,
    /** The id of the chosen model, empty while none is chosen. */
    get model() {
      return findChosen()?.id ?? '';
    },
    /** The display name of the chosen model, empty while none is chosen. */
    get modelName() {
      return findChosen()?.name ?? '';
    },
    /** Later requests of this server start with the model. */
    get remembersModel() {
      return remember.input.checked;
    },
    /** Offers these models, the suggested one first chosen; what the person chose stays chosen if it is still there. */
    showModels,
    focus: () => select.focus(),
  };
}

function describeReason({ id }: ConsentModel, { suggestedModel, suggestedBecause }: ConsentModels): (Node | string)[] {
  if (id !== suggestedModel) return ['Your choice'];
  return suggestedBecause === undefined ? [] : ['Suggested: ', inlineText(`${suggestedBecause}.`)];
}

function noModels(onAddModel: () => void): HTMLElement {
  const text = 'No language model is available. You can add one, write the answer yourself, or decline.';
  const add = button({ label: 'Add Model…', icon: 'add', onClick: onAddModel });
  const note = banner('info', element('div', { class: 'banner-body' }, element('p', { text }), add));
  note.role = 'note';
  return note;
}
