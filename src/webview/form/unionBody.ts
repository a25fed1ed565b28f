import type { JsonValue } from '../../base/json.ts';
import type { Field, UnionField } from '../../forms/field.ts';
import { element, icon } from '../dom.ts';
import type { FieldBody, FormNode } from './formParts.ts';
import { shownName } from './shownText.ts';

/** The choice of a branch, and below it what the branch shows. Values of other branches are remembered. */
export function createUnionBody(node: FormNode): FieldBody {
  const { context } = node;
  const select = element('select', { id: node.ids.control, 'aria-describedby': node.ids.describedBy });
  const place = element('div', { class: 'form-branch-place' });
  let field = node.field as UnionField;
  let branchNode: FormNode | undefined;
  let labels = '';

  select.addEventListener('change', () => {
    const [before, after] = [field.chosen, Number(select.value)];
    if (before !== undefined) context.memory.keep(node.path, node.level, before, node.place.value);
    if (after < 0) return node.putAside(undefined);
    const branch = field.branches[after];
    if (branch === undefined) return;
    context.memory.choose(node.path, node.level, after);
    const value = context.memory.kept(node.path, node.level, after) ?? context.engine.startValue(branch.schema);
    if (JSON.stringify(value) === JSON.stringify(node.place.value)) node.refresh();
    else node.write(value);
  });

  function update(next: Field, value: JsonValue | undefined): void {
    if (next.kind !== 'union') return;
    field = next;
    drawOptions(value);
    select.value = String(field.chosen ?? -1);
    const branch = field.branches[field.chosen ?? -1];
    if (branch === undefined) {
      branchNode = undefined;
      return place.replaceChildren();
    }
    const shown = { schema: branch.schema, value, name: node.place.name, isRequired: true };
    if (branchNode === undefined || branchNode.place.schema !== branch.schema) {
      branchNode = context.createNode({ context, parent: node, key: undefined, layout: 'branch', place: shown });
      place.replaceChildren(branchNode.element);
    } else branchNode.update(shown);
  }

  function drawOptions(value: JsonValue | undefined): void {
    const isOptional = node.canBeAbsent && !node.place.isRequired;
    const signature = JSON.stringify([field.branches.map(({ label }) => label), isOptional || value === undefined]);
    if (signature === labels) return;
    labels = signature;
    const nothing = element('option', { value: -1, text: isOptional ? 'not sent' : 'Choose…' });
    select.replaceChildren(
      ...(isOptional || value === undefined ? [nothing] : []),
      ...field.branches.map(({ label }, index) => element('option', { value: index, text: shownName(label) })),
    );
  }

  update(node.field, node.place.value);
  return {
    element: element('div', {}, element('div', { class: 'select' }, select, icon('chevron-down')), place),
    control: select,
    update,
    child: (step, open) => branchNode?.child(step, open),
  };
}
