import type { JsonValue } from '../../base/json.ts';
import type { Branch, Field, UnionField } from '../../forms/field.ts';
import { element, icon, markedText } from '../dom.ts';
import { controlAttributes, nothingSent } from './controls.ts';
import type { FieldBody, FormNode } from './formParts.ts';
import { shownName } from './shownText.ts';

/** What the drop-down list of a union says besides its branches. */
const nothing = '-1';
const isNull = '-2';

/** The choice of a branch, and below it what the branch shows. Values of other branches are remembered. */
export function createUnionBody(node: FormNode): FieldBody {
  return new UnionBody(node);
}

class UnionBody implements FieldBody {
  readonly element: HTMLElement;
  readonly control: HTMLSelectElement;
  readonly #node: FormNode;
  readonly #about = element('p', { class: 'hint' });
  readonly #place = element('div', { class: 'form-branch-place' });
  #field: UnionField;
  #branch: FormNode | undefined;
  #drawn = '';

  constructor(node: FormNode) {
    this.#node = node;
    this.#field = node.field as UnionField;
    this.control = element('select', controlAttributes(node));
    this.control.addEventListener('change', () => this.#choose(this.control.value));
    const box = element('div', { class: 'select' }, this.control, icon('chevron-down'));
    this.element = element('div', { class: 'form-union' }, box, this.#about, this.#place);
    this.update(node.field, node.place.value);
  }

  update(next: Field, value: JsonValue | undefined): void {
    if (next.kind !== 'union') return;
    this.#field = next;
    this.#drawOptions(value);
    const { chosen } = next;
    this.control.value = value === null && chosen === undefined ? isNull : String(chosen ?? nothing);
    const branch = next.branches[chosen ?? -1];
    this.#about.replaceChildren(...markedText(branch?.description ?? ''));
    this.#showBranch(branch, value);
  }

  child(step: string, open: boolean): FormNode | undefined {
    return this.#branch?.child(step, open);
  }

  #choose(option: string): void {
    const { context, path, level, place } = this.#node;
    const { chosen, branches } = this.#field;
    if (option === nothing) return this.#node.putAside(undefined);
    if (option === isNull) return this.#node.putAside(null);
    if (chosen !== undefined) context.memory.keep(path, level, chosen, place.value);
    const index = Number(option);
    const branch = branches[index];
    if (branch === undefined) return;
    context.memory.choose(path, level, index);
    const value = context.memory.kept(path, level, index) ?? context.engine.startValue(branch.schema);
    // The same value can be of both branches.
    if (JSON.stringify(value) === JSON.stringify(place.value)) this.#node.refresh();
    else this.#node.write(value);
    context.say(`${shownName(branch.label)} is chosen.`);
  }

  #showBranch(branch: Branch | undefined, value: JsonValue | undefined): void {
    if (branch === undefined) {
      this.#branch = undefined;
      return this.#place.replaceChildren();
    }
    const place = { schema: branch.schema, value, name: this.#node.place.name, isRequired: true };
    if (this.#branch?.place.schema === branch.schema) return this.#branch.update(place);
    const { context } = this.#node;
    this.#branch = context.createNode({ context, parent: this.#node, key: undefined, layout: 'branch', place });
    this.#place.replaceChildren(this.#branch.element);
  }

  #drawOptions(value: JsonValue | undefined): void {
    const { branches, isNullable } = this.#field;
    const canBeAbsent = value === undefined || (this.#node.canBeAbsent && !this.#node.place.isRequired);
    const options = [
      ...(canBeAbsent ? [{ value: nothing, text: nothingSent(this.#node) }] : []),
      ...branches.map(({ label }, index) => ({ value: String(index), text: shownName(label) })),
      ...(isNullable || value === null ? [{ value: isNull, text: 'null' }] : []),
    ];
    const signature = JSON.stringify(options);
    if (signature === this.#drawn) return;
    this.#drawn = signature;
    this.control.replaceChildren(...options.map((option) => element('option', option)));
  }
}
