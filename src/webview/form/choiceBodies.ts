import { rounded } from '../../base/exactIntegers.ts';
import type { ExactValue, JsonValue } from '../../base/json.ts';
import { readableText } from '../../base/visibleText.ts';
import { shownName } from '../../base/visibleText.ts';
import { drawChanges, element, fill, markedText, selectBox, checkBox } from '../dom.ts';
import { controlAttributes, describeControl, nothingSent } from './controls.ts';
import type { FieldBody, FormNode } from './formParts.ts';
import type { Branch, ChoiceField } from '../../forms/field.ts';
import { choicesOf, itemsOf } from './nodeState.ts';

interface Option {
  readonly value: JsonValue | undefined;
  readonly label: string;
  readonly description?: string | undefined;
}

/** A drop-down list with a text about what is chosen; also for no value and `null`, where the node can be that. */
function createSelect(node: FormNode, choose: (value: JsonValue | undefined) => void) {
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
    show(listed: readonly Option[], value: ExactValue | undefined): void {
      options = withStates(node, listed);
      draw(options.map(({ label }) => label));
      const text = JSON.stringify(rounded(value));
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
    ...(canBeAbsent ? [{ value: undefined, label: nothingSent(node) || 'Choose…' }] : []),
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

/** The choice of a branch, and below it what the branch shows. Values of other branches are remembered. */
export function createUnionBody(node: FormNode): FieldBody {
  const place = element('div', { class: 'form-branch-place' });
  // Branches are listed by their index.
  const choice = createSelect(node, choose);
  let shown: FormNode | undefined;

  function choose(option: JsonValue | undefined): void {
    const { form, path, level, field } = node;
    if (option === undefined || option === null) return node.putAside(option);
    const index = Number(option);
    const branch = field.kind === 'union' ? field.branches[index] : undefined;
    if (field.kind !== 'union' || branch === undefined) return;
    const { value } = node.place;
    if (field.chosen !== undefined) form.memory.keep(path, level, field.chosen, value);
    form.memory.choose(path, level, index);
    const next = form.memory.kept(path, level, index) ?? form.engine.startValue(branch.schema);
    // The same value can be of both branches.
    if (JSON.stringify(next) === JSON.stringify(rounded(value))) node.refresh();
    else node.write(next);
    form.say(`${shownName(branch.label)} is chosen.`);
  }

  function showBranch(branch: Branch | undefined): void {
    if (branch === undefined) {
      shown = undefined;
      return place.replaceChildren();
    }
    const { schema } = branch;
    const below = { ...node.place, schema, isRequired: true };
    if (shown?.place.schema === schema) return shown.update(below);
    shown = node.form.createNode({ parent: node, key: undefined, layout: 'branch', place: below });
    place.replaceChildren(shown.element);
  }

  return {
    element: element('div', { class: 'form-union' }, choice.elements, place),
    control: choice.select,
    update() {
      const { field } = node;
      if (field.kind !== 'union') return;
      const options = field.branches.map(({ label, description }, value) => ({ value, label, description }));
      choice.show(options, field.chosen ?? (node.place.value === null ? null : undefined));
      showBranch(field.branches[field.chosen ?? -1]);
    },
    child: (step, open) => shown?.child(step, open),
  };
}

/** A box for each item that a list may have: see {@link choicesOf}. */
export function createChoicesBody(node: FormNode): FieldBody {
  const list = element('div', { class: 'form-choices', onchange: write });
  let options: ChoiceField['options'] = [];
  let boxes: readonly HTMLInputElement[] = [];
  const draw = drawChanges((drawn: ChoiceField['options']) => {
    const lines = drawn.map(({ label, description }) =>
      checkBox([
        markedText(shownName(label)),
        description !== undefined && element('span', { class: 'hint' }, ' ', markedText(description)),
      ]),
    );
    boxes = lines.map(({ input }) => input);
    list.replaceChildren(...lines.map((line) => line.element));
  });

  function write(): void {
    const chosen = options.flatMap(({ value }, index) => (boxes[index]?.checked === true ? [value] : []));
    const [wanted, before] = [new Set(chosen.map(keyOf)), itemsOf(node)];
    const known = new Set(before.map(keyOf));
    // What was there stays in its order.
    const kept = before.filter((value) => wanted.has(keyOf(value)));
    node.write([...kept, ...chosen.filter((value) => !known.has(keyOf(value)))]);
  }

  return {
    element: list,
    control: undefined,
    update() {
      options = choicesOf(node) ?? options;
      draw(options);
      const items = new Set(itemsOf(node).map(keyOf));
      for (const [index, box] of boxes.entries()) box.checked = items.has(keyOf(options[index]?.value ?? null));
    },
  };
}

function keyOf(value: JsonValue): string {
  return JSON.stringify(value);
}
