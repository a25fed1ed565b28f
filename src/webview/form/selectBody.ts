import type { JsonValue } from '../../base/json.ts';
import type { Field } from '../../forms/field.ts';
import { readableText } from '../../base/visibleText.ts';
import { element, icon, markedText } from '../dom.ts';
import { controlAttributes, nothingSent } from './controls.ts';
import type { FieldBody, FormNode } from './formParts.ts';
import { shownName } from './shownText.ts';

/** One line of a drop-down list. */
interface Option {
  readonly value: JsonValue | undefined;
  readonly label: string;
  readonly description?: string;
}

/** A drop-down list for `true` and `false`, or for the values that the schema lists; also for no value and `null`. */
export function createSelectBody(node: FormNode): FieldBody {
  const select = element('select', controlAttributes(node));
  const about = element('p', { class: 'hint' });
  let options: readonly Option[] = [];
  let drawn = '';
  select.addEventListener('change', () => {
    const chosen = options[select.selectedIndex];
    if (chosen !== undefined) node.write(chosen.value);
  });

  function update(field: Field, value: JsonValue | undefined): void {
    options = optionsOf(node, field, value);
    const signature = JSON.stringify(options);
    if (signature !== drawn)
      select.replaceChildren(...options.map(({ label }) => element('option', { text: readableText(label) })));
    drawn = signature;
    const text = JSON.stringify(value);
    const index = options.findIndex((option) => JSON.stringify(option.value) === text);
    select.selectedIndex = index;
    about.replaceChildren(...markedText(options[index]?.description ?? ''));
    select.ariaRequired = controlAttributes(node)['aria-required'] ?? null;
  }

  update(node.field, node.place.value);
  const box = element('div', { class: 'select' }, select, icon('chevron-down'));
  return { element: element('div', {}, box, about), control: select, update };
}

function optionsOf(node: FormNode, field: Field, value: JsonValue | undefined): readonly Option[] {
  const listed: readonly Option[] =
    field.kind === 'choice' ? field.options : [true, false].map((each) => ({ value: each, label: String(each) }));
  const canBeAbsent = value === undefined || (node.canBeAbsent && !node.place.isRequired);
  const hasNull = listed.some((option) => option.value === null);
  const nullLabel = listed.some(({ label }) => label === 'null') ? 'null (no value)' : 'null';
  return [
    ...(canBeAbsent ? [{ value: undefined, label: nothingSent(node) }] : []),
    ...listed.map((option) => ({ ...option, label: shownName(option.label) })),
    ...(!hasNull && (field.isNullable || value === null) ? [{ value: null, label: nullLabel }] : []),
  ];
}
