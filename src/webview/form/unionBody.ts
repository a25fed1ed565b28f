import type { JsonValue } from '../../base/json.ts';
import type { Branch } from '../../forms/field.ts';
import { element } from '../dom.ts';
import type { FieldBody } from './formParts.ts';
import type { FormNode } from './formNode.ts';
import { createSelect } from './selectBody.ts';
import { shownName } from './shownText.ts';

/** The choice of a branch, and below it what the branch shows. Values of other branches are remembered. */
export class UnionBody implements FieldBody {
  readonly element: HTMLElement;
  readonly control: HTMLSelectElement;
  readonly #node: FormNode;
  readonly #place = element('div', { class: 'form-branch-place' });
  readonly #choice;
  #branch: FormNode | undefined;

  constructor(node: FormNode) {
    this.#node = node;
    // Branches are listed by their index.
    this.#choice = createSelect(node, (option) => this.#choose(option));
    this.control = this.#choice.select;
    this.element = element('div', { class: 'form-union' }, this.#choice.elements, this.#place);
  }

  update(): void {
    const { field, place } = this.#node;
    if (field.kind !== 'union') return;
    const options = field.branches.map(({ label, description }, value) => ({ value, label, description }));
    this.#choice.show(options, field.chosen ?? (place.value === null ? null : undefined));
    this.#showBranch(field.branches[field.chosen ?? -1]);
  }

  child(step: string, open: boolean): FormNode | undefined {
    return this.#branch?.child(step, open);
  }

  #choose(option: JsonValue | undefined): void {
    const { form, path, level, place, field } = this.#node;
    if (option === undefined || option === null) return this.#node.putAside(option);
    const index = Number(option);
    const branch = field.kind === 'union' ? field.branches[index] : undefined;
    if (field.kind !== 'union' || branch === undefined) return;
    if (field.chosen !== undefined) form.memory.keep(path, level, field.chosen, place.value);
    form.memory.choose(path, level, index);
    const value = form.memory.kept(path, level, index) ?? form.engine.startValue(branch.schema);
    // The same value can be of both branches.
    if (JSON.stringify(value) === JSON.stringify(place.value)) this.#node.refresh();
    else this.#node.write(value);
    form.say(`${shownName(branch.label)} is chosen.`);
  }

  #showBranch(branch: Branch | undefined): void {
    if (branch === undefined) {
      this.#branch = undefined;
      return this.#place.replaceChildren();
    }
    const node = this.#node;
    const place = { schema: branch.schema, value: node.place.value, name: node.place.name, isRequired: true };
    if (this.#branch?.place.schema === branch.schema) return this.#branch.update(place);
    this.#branch = node.form.createNode({ parent: node, key: undefined, layout: 'branch', place });
    this.#place.replaceChildren(this.#branch.element);
  }
}
