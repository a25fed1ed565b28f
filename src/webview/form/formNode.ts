import { isRecord, type JsonValue } from '../../base/json.ts';
import type { Field, ValuePath } from '../../forms/field.ts';
import { uniqueItems } from '../../forms/limitsInWords.ts';
import { withValueAt } from '../../forms/valueAt.ts';
import { element, icon, uniqueId } from '../dom.ts';
import { createFieldTools, type FieldTools } from './fieldTools.ts';
import { setAttribute } from './controls.ts';
import { createBody } from './fieldBodies.ts';
import type {
  BodyKind,
  FieldBody,
  FormContext,
  FormNode,
  NodeIds,
  NodeLayout,
  NodeOptions,
  Note,
  Place,
} from './formParts.ts';
import { isShown } from './keepFocus.ts';
import { createNodeHead, type NodeHead } from './nodeHead.ts';
import { bodyKindOf, isGroupKind, isOpenAtFirst, summaryOf, withParents } from './nodeState.ts';
import { foldedText } from './shownText.ts';

/** What a person fills in, before the buttons beside it. */
const focusable = 'input, select, textarea, .form-state-line button, .form-object > button, .form-list > button';

/** Makes the node of one value; see {@link FormContext.createNode}. */
export function createFormNode(options: NodeOptions): FormNode {
  return new ValueNode(options);
}

class ValueNode implements FormNode {
  readonly element: HTMLElement;
  readonly context: FormContext;
  readonly parent: FormNode | undefined;
  readonly layout: NodeLayout;
  readonly ids: NodeIds;
  readonly level: number;
  readonly depth: number;
  key: string | number | undefined;
  readonly #head: NodeHead;
  readonly #tools: FieldTools;
  readonly #about = element('div', { class: 'form-texts' });
  readonly #bodyPlace = element('div', { class: 'form-body' });
  readonly #problem: HTMLElement;
  /** There was room for more when it was made. */
  readonly #hasRoom: boolean;
  #place: Place;
  #field: Field;
  #body: FieldBody | undefined;
  #bodyKind: BodyKind | undefined;
  #isOpen: boolean;
  #aside: JsonValue | undefined;
  #said = '';
  #messages: readonly string[] = [];
  #notes: readonly Note[] = [];

  constructor({ context, parent, key, layout, place, tools = [], nameInput }: NodeOptions) {
    this.context = context;
    this.parent = parent;
    this.key = key;
    this.layout = layout;
    this.level = parent === undefined || key !== undefined ? 0 : parent.level + 1;
    this.depth = parent === undefined ? 0 : parent.depth + (key === undefined ? 0 : 1);
    const id = uniqueId('value');
    this.ids = { control: id, label: `${id}-label`, describedBy: `${id}-about ${id}-problem` };
    this.#place = place;
    this.#hasRoom = context.mayOpen();
    this.#field = this.#ask();
    this.#isOpen = isOpenAtFirst(this, this.#hasRoom);
    this.#head = createNodeHead(this, () => this.#toggle(), nameInput);
    this.#tools = createFieldTools(this, tools);
    this.#problem = element('p', { id: `${id}-problem`, class: 'problem', 'aria-live': 'polite' });
    this.#about.id = `${id}-about`;
    const parts = [this.#head.element, this.#about, this.#bodyPlace, this.#tools.element, this.#problem];
    this.element = element('div', {}, ...parts);
    this.#draw();
  }

  get path(): ValuePath {
    if (this.parent === undefined) return [];
    return this.key === undefined ? this.parent.path : [...this.parent.path, this.key];
  }

  get place(): Place {
    return this.#place;
  }

  get field(): Field {
    return this.#field;
  }

  get canBeAbsent(): boolean {
    return this.layout === 'property';
  }

  update(place: Place): void {
    const before = this.#place;
    const isSame =
      before.schema === place.schema &&
      Object.is(before.value, place.value) &&
      before.name === place.name &&
      before.isRequired === place.isRequired;
    if (isSame) return;
    this.#place = place;
    if (before.value === undefined && place.value !== undefined) this.#isOpen ||= isOpenAtFirst(this, true);
    this.refresh();
  }

  refresh(): void {
    this.#field = this.#ask();
    this.#draw();
  }

  write(value: JsonValue | undefined): void {
    const { context, path } = this;
    const whole = withValueAt(value === undefined ? context.value : withParents(this), path, value);
    if (isRecord(whole)) context.replace(whole);
  }

  putAside(value: null | undefined): void {
    const { memory } = this.context;
    const before = this.#place.value;
    if (before !== undefined && before !== null) this.#aside = before;
    if (this.#field.kind === 'union' && this.#field.chosen !== undefined)
      memory.keep(this.path, this.level, this.#field.chosen, before);
    this.setInputProblem(undefined);
    this.write(value);
  }

  bringBack(): void {
    this.#isOpen = true;
    this.write(this.#aside ?? this.context.engine.startValue(this.#place.schema));
  }

  setInputProblem(message: string | undefined): void {
    const { inputProblems } = this.context;
    if (message === undefined) inputProblems.delete(this);
    else inputProblems.set(this, message);
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
    const inside = [...this.#bodyPlace.querySelectorAll<HTMLElement>(focusable)].find(isShown);
    const toggle = this.#head.toggle.isConnected ? this.#head.toggle : undefined;
    const tool = [...this.#tools.element.querySelectorAll<HTMLElement>('button')].find(isShown);
    (this.#body?.control ?? inside ?? toggle ?? tool)?.focus();
  }

  #ask(): Field {
    const { schema, value } = this.#place;
    const { engine, memory } = this.context;
    return engine.fieldFor(schema, value, memory.chosen(this.path, this.level));
  }

  #draw(): void {
    this.#drawBody();
    this.#showTexts();
    this.#head.update({
      isGroup: this.#isGroup() || this.#body?.control === undefined,
      isOpen: this.#canClose() ? this.#isOpen : undefined,
      summary: summaryOf(this, this.#bodyKind, this.#isOpen || !this.#canClose()),
    });
    this.#tools.update();
    this.#showMessages();
    this.#describe();
  }

  #drawBody(): void {
    const kind = bodyKindOf(this, this.#hasRoom);
    // JSON that is being typed stays JSON until the focus has left it, even if it has become what a field can show.
    const isTyping = this.#bodyKind === 'json' && this.#bodyPlace.contains(document.activeElement);
    if (kind === this.#bodyKind || isTyping) this.#body?.update(this.#field, this.#place.value);
    else {
      if (this.#bodyKind !== undefined) this.context.inputProblems.delete(this);
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
    // Buttons come after the control, but before what is in a group.
    const before = isGroup ? this.#head.element : this.#bodyPlace;
    if (before.nextElementSibling !== this.#tools.element) before.after(this.#tools.element);
    setAttribute(row, 'role', isGroup ? 'group' : undefined);
    setAttribute(row, 'aria-labelledby', isGroup ? this.ids.label : undefined);
    setAttribute(row, 'aria-describedby', isGroup ? this.ids.describedBy : undefined);
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
    this.context.redrawn();
  }

  #showTexts(): void {
    const { description } = this.#field;
    // Of a box, nobody thinks that it could be ticked twice.
    const limits = this.#field.limits.filter((each) => each !== uniqueItems || this.#bodyKind !== 'choices');
    const signature = JSON.stringify([description, limits, this.#notes]);
    if (signature === this.#said) return;
    this.#said = signature;
    const about = description === undefined ? [] : [foldedText(description, uniqueId('about'))];
    const bounds = limits.length === 0 ? [] : [element('p', { class: 'hint', text: limits.join(' ') })];
    this.#about.replaceChildren(...about, ...bounds, ...this.#notes.map(noteElement));
  }

  #showMessages(): void {
    const own = this.context.inputProblems.get(this);
    const messages = own === undefined ? this.#messages : [own];
    const text = messages.join(' ');
    if (this.#problem.textContent !== text)
      this.#problem.replaceChildren(...(text === '' ? [] : [icon('error'), element('span', { text })]));
    const { control } = this.#body ?? {};
    if (control !== undefined) setAttribute(control, 'aria-invalid', text === '' ? undefined : 'true');
  }
}

function noteElement({ icon: name, text }: Note): HTMLElement {
  return element(
    'p',
    { class: 'hint form-note' },
    ...(name === undefined ? [] : [icon(name)]),
    element('span', { text }),
  );
}
