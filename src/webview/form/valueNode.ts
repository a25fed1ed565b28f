import { type ExactValue, isRecord } from '../../base/json.ts';
import { shownPath } from '../../base/schemaCheck.ts';
import type { Field, ValuePath } from '../../forms/field.ts';
import { uniqueItems } from '../../forms/limitsInWords.ts';
import { withValueAt } from '../../forms/valueAt.ts';
import { drawChanges, element, fill, icon, uniqueId } from '../dom.ts';
import { isShown, setAttribute } from './controls.ts';
import { createBody } from './fieldBodies.ts';
import { createFieldTools } from './fieldTools.ts';
import type { BodyKind, FieldBody, FormNode, NodeForm, NodeOptions, Note, Place } from './formParts.ts';
import { createNodeHead } from './nodeHead.ts';
import { bodyKindOf, isGroupKind, isOpenAtFirst, summaryOf, withParents } from './nodeState.ts';
import { foldedText } from './shownText.ts';

/** What a person fills in, before the buttons beside it. */
const focusable = 'input, select, textarea, .form-state-line button, .form-object > button, .form-list > button';

type Texts = readonly [description: string | undefined, bounds: string, notes: readonly Note[]];

/** One value of the form: its label, its texts, its control or the nodes below it. */
export class ValueNode implements FormNode {
  readonly element: HTMLElement;
  readonly form: NodeForm;
  readonly parent: FormNode | undefined;
  readonly layout: FormNode['layout'];
  readonly ids: FormNode['ids'];
  readonly level: number;
  readonly depth: number;
  key: string | number | undefined;
  place: Place;
  field: Field;
  readonly #head;
  readonly #tools;
  readonly #about = element('div', { class: 'form-texts' });
  readonly #bodyPlace = element('div', { class: 'form-body' });
  readonly #problem: HTMLElement;
  /** There was room for more when it was made. */
  readonly #hasRoom: boolean;
  readonly #drawTexts = drawChanges(([description, bounds, notes]: Texts) =>
    fill(
      this.#about,
      description !== undefined && foldedText(description),
      bounds !== '' && element('p', { class: 'hint', text: bounds }),
      notes.map(({ icon: name, text }) =>
        element('p', { class: 'hint form-note' }, name !== undefined && icon(name), element('span', { text })),
      ),
    ),
  );
  #body: FieldBody | undefined;
  #bodyKind: BodyKind | undefined;
  #isOpen: boolean;
  #aside: ExactValue | undefined;
  #messages: readonly string[] = [];
  #notes: readonly Note[] = [];

  constructor(form: NodeForm, { parent, key, layout, place, tools = [], nameInput }: NodeOptions) {
    this.form = form;
    this.parent = parent;
    this.key = key;
    this.layout = layout;
    this.level = parent === undefined || key !== undefined ? 0 : parent.level + 1;
    this.depth = parent === undefined ? 0 : parent.depth + (key === undefined ? 0 : 1);
    const id = uniqueId('value');
    this.ids = { control: id, label: `${id}-label`, describedBy: `${id}-about ${id}-problem` };
    this.place = place;
    this.#hasRoom = form.hasRoom;
    this.field = this.#ask();
    this.#isOpen = isOpenAtFirst(this, this.#hasRoom);
    this.#head = createNodeHead(this, () => this.#toggle(), nameInput);
    this.#tools = createFieldTools(this, tools);
    this.#problem = element('p', { id: `${id}-problem`, class: 'problem', 'aria-live': 'polite' });
    this.#about.id = `${id}-about`;
    const parts = [this.#head.element, this.#about, this.#bodyPlace, this.#tools.element, this.#problem];
    this.element = element('div', { onkeydown: (event: KeyboardEvent) => this.#tools.onkeydown(event) }, parts);
    this.#draw();
  }

  get line(): readonly FormNode[] {
    return [this, ...(this.parent?.line ?? [])];
  }

  get path(): ValuePath {
    if (this.parent === undefined) return [];
    return this.key === undefined ? this.parent.path : [...this.parent.path, this.key];
  }

  get canBeAbsent(): boolean {
    return this.layout === 'property';
  }

  update(place: Place): void {
    const before = this.place;
    if (Object.entries(place).every(([name, value]) => Object.is(before[name as keyof Place], value))) return;
    this.place = place;
    if (before.value === undefined && place.value !== undefined) this.#isOpen ||= isOpenAtFirst(this, true);
    this.refresh();
  }

  refresh(): void {
    this.field = this.#ask();
    this.#draw();
  }

  write(value: ExactValue | undefined): void {
    const whole = withValueAt(value === undefined ? this.form.value : withParents(this), this.path, value);
    if (isRecord(whole)) this.form.replace(whole);
  }

  putAside(value: null | undefined): void {
    const before = this.place.value;
    if (before !== undefined && before !== null) this.#aside = before;
    if (this.field.kind === 'union' && this.field.chosen !== undefined)
      this.form.memory.keep(this.path, this.level, this.field.chosen, before);
    this.setInputProblem(undefined);
    this.write(value);
  }

  bringBack(): void {
    this.#isOpen = true;
    this.write(this.#aside ?? this.#startValue());
  }

  /** A list begins with an item: an empty one is in the menu. */
  #startValue(): ExactValue {
    const { engine } = this.form;
    const { field } = this;
    const first = field.kind === 'list' && field.maximumItems > 0 ? field.itemSchema(0) : false;
    const start = engine.startValue(this.place.schema);
    return Array.isArray(start) && start.length === 0 && first !== false ? [engine.startValue(first)] : start;
  }

  setInputProblem(message: string | undefined): void {
    const { inputProblemOf } = this.form;
    if (message === undefined) inputProblemOf.delete(this);
    else inputProblemOf.set(this, message);
    this.#showMessages();
  }

  showProblems(messages: readonly string[]): void {
    this.#messages = messages;
    this.#showMessages();
  }

  showNotes(notes: readonly Note[]): void {
    this.#notes = notes;
    this.#showTexts();
  }

  open(): void {
    if (this.#canClose() && !this.#isOpen) this.#toggle();
  }

  child(step: string, open: boolean): FormNode | undefined {
    if (open) this.open();
    return this.#isOpen || !this.#canClose() ? this.#body?.child?.(step, open) : undefined;
  }

  focus(): void {
    const firstIn = (place: HTMLElement, selector: string): HTMLElement | undefined =>
      [...place.querySelectorAll<HTMLElement>(selector)].find(isShown);
    const { toggle } = this.#head;
    const control = this.#body?.control ?? firstIn(this.#bodyPlace, focusable);
    (control ?? (toggle.isConnected ? toggle : firstIn(this.#tools.element, 'button')))?.focus();
  }

  #ask(): Field {
    const { schema, value } = this.place;
    const { engine, memory } = this.form;
    return engine.fieldFor(schema, value, memory.chosen(this.path, this.level));
  }

  #draw(): void {
    this.#drawBody();
    this.#showTexts();
    const isOpen = this.#canClose() ? this.#isOpen : undefined;
    const isGroup = this.#isGroup() || this.#body?.control === undefined;
    this.#head.update(isGroup, isOpen, summaryOf(this, this.#bodyKind, isOpen ?? true));
    this.#tools.update();
    this.#showMessages();
    this.#describe();
  }

  #drawBody(): void {
    const kind = bodyKindOf(this, this.#hasRoom);
    // What is being typed stays where it is until the focus has left it: JSON that has become what a field can show, and a text whose last
    // line break has gone.
    const isTyped = this.#bodyKind === 'json' || (this.#bodyKind === 'text' && kind === 'line');
    if (kind === this.#bodyKind || (isTyped && this.#bodyPlace.contains(document.activeElement))) this.#body?.update();
    else {
      if (this.#bodyKind !== undefined) this.form.inputProblemOf.delete(this);
      this.#bodyKind = kind;
      this.#body = undefined;
      this.#bodyPlace.replaceChildren();
    }
    this.#fill();
  }

  /** The content of a closed part is made when it is opened. */
  #fill(): void {
    const isClosed = this.#canClose() && !this.#isOpen;
    this.#bodyPlace.hidden = isClosed;
    if (this.#body !== undefined || this.#bodyKind === undefined || isClosed) return;
    this.#body = createBody(this.#bodyKind, this);
    this.#bodyPlace.append(this.#body.element);
  }

  /** Says what the parts are to each other: one control, or a group of them. */
  #describe(): void {
    const { element: row, layout } = this;
    const isGroup = this.#isGroup() && layout !== 'root';
    setAttribute(row, 'class', `form-node form-${layout} ${this.#isGroup() ? 'is-group' : `is-${this.#bodyKind}`}`);
    // Buttons come after the control. In a group that is its name, which opens it: they come before what is in it.
    const before = isGroup && this.#canClose() ? this.#head.element : this.#bodyPlace;
    if (before.nextElementSibling !== this.#tools.element) before.after(this.#tools.element);
    setAttribute(row, 'role', isGroup ? 'group' : undefined);
    setAttribute(row, 'aria-labelledby', isGroup ? this.ids.label : undefined);
    setAttribute(row, 'aria-describedby', isGroup ? this.ids.describedBy : undefined);
    const { keys } = this.#tools;
    const control = this.#body?.control ?? (this.#canClose() ? this.#head.toggle : undefined);
    if (control !== undefined) setAttribute(control, 'aria-keyshortcuts', keys);
    setAttribute(row, 'aria-keyshortcuts', isGroup && control === undefined ? keys : undefined);
    this.#tools.setTabStop(!isGroup && control === undefined);
  }

  #isGroup(): boolean {
    return isGroupKind(this.#bodyKind);
  }

  #canClose(): boolean {
    return this.#isGroup() && this.#bodyKind !== 'choices' && this.layout !== 'root' && this.layout !== 'branch';
  }

  #toggle(): void {
    this.#isOpen = !this.#isOpen;
    this.#draw();
    this.form.redrawn();
  }

  #showTexts(): void {
    const { description, limits } = this.field;
    // A box cannot be ticked twice.
    const bounds = limits.filter((each) => each !== uniqueItems || this.#bodyKind !== 'choices');
    this.#drawTexts([description, bounds.join(' '), this.#notes]);
  }

  #showMessages(): void {
    const own = this.form.inputProblemOf.get(this);
    const text = own === undefined ? this.#messages.join(' ') : `“${shownPath(this.path)}” ${own}.`;
    if (this.#problem.textContent !== text)
      fill(this.#problem, text !== '' && [icon('error'), element('span', { text })]);
    const { control } = this.#body ?? {};
    if (control !== undefined) setAttribute(control, 'aria-invalid', text === '' ? undefined : 'true');
  }
}
