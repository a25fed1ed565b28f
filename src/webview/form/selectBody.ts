import type { JsonValue } from '../../base/json.ts';
import { readableText } from '../../base/visibleText.ts';
import { drawChanges, element, fill, markedText, selectBox } from '../dom.ts';
import { controlAttributes, describeControl, nothingSent } from './controls.ts';
import type { FieldBody } from './formParts.ts';
import type { FormNode } from './formNode.ts';
import { shownName } from './shownText.ts';

interface Option {
  readonly value: JsonValue | undefined;
  readonly label: string;
  readonly description?: string | undefined;
}

/** A drop-down list with a text about what is chosen; also for no value and `null`, where the node can be that. */
export function createSelect(node: FormNode, choose: (value: JsonValue | undefined) => void) {
  const onchange = (): void => {
    const option = options[select.selectedIndex];
    if (option !== undefined) choose(option.value);
  };
  const select = element('select', { ...controlAttributes(node), onchange });
  const about = element('p', { class: 'hint' });
  let options: readonly Option[] = [];
  const draw = drawChanges((labels: readonly string[]) =>
    fill(
      select,
      labels.map((label) => element('option', { text: readableText(label) })),
    ),
  );

  return {
    select,
    elements: [selectBox(select), about],
    show(listed: readonly Option[], value: JsonValue | undefined): void {
      options = withStates(node, listed);
      draw(options.map(({ label }) => label));
      const text = JSON.stringify(value);
      const index = options.findIndex((option) => JSON.stringify(option.value) === text);
      select.selectedIndex = index;
      fill(about, markedText(options[index]?.description ?? ''));
      describeControl(select, node);
    },
  };
}

function withStates(node: FormNode, listed: readonly Option[]): readonly Option[] {
  const { value, isRequired } = node.place;
  const canBeAbsent = value === undefined || (node.canBeAbsent && !isRequired);
  const hasNull = listed.some((option) => option.value === null);
  const nullLabel = listed.some(({ label }) => label === 'null') ? 'null (no value)' : 'null';
  return [
    ...(canBeAbsent ? [{ value: undefined, label: nothingSent(node) }] : []),
    ...listed.map((option) => ({ ...option, label: shownName(option.label) })),
    ...(!hasNull && (node.field.isNullable || value === null) ? [{ value: null, label: nullLabel }] : []),
  ];
}

/** A drop-down list for `true` and `false`, or for the values that the schema lists. */
export function createSelectBody(node: FormNode): FieldBody {
  const choice = createSelect(node, (value) => node.write(value));
  return {
    element: element('div', {}, choice.elements),
    control: choice.select,
    update() {
      const { field, place } = node;
      choice.show(
        field.kind === 'choice' ? field.options : [true, false].map((value) => ({ value, label: String(value) })),
        place.value,
      );
    },
  };
}
