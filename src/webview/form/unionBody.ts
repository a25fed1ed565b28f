import type { JsonValue } from '../../base/json.ts';
import type { Branch } from '../../forms/field.ts';
import { element } from '../dom.ts';
import type { FieldBody } from './formParts.ts';
import type { FormNode } from './formNode.ts';
import { createSelect } from './selectBody.ts';
import { shownName } from './shownText.ts';

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
    if (JSON.stringify(next) === JSON.stringify(value)) node.refresh();
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
