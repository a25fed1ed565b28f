import { isRecord, type JsonValue } from '../../base/json.ts';
import type { Field, ValuePath } from '../../forms/field.ts';
import { withValueAt } from '../../forms/valueAt.ts';
import { element, icon, uniqueId } from '../dom.ts';
import { createFieldTools, type FieldTools } from './fieldTools.ts';
import { createBody } from './fieldBodies.ts';
import type {
  BodyKind,
  FieldBody,
  FormContext,
  FormNode,
  NodeIds,
  NodeLayout,
  NodeOptions,
  Place,
} from './formParts.ts';
import { createNodeHead, type NodeHead } from './nodeHead.ts';
import { asSentence, foldedText, previewOf } from './shownText.ts';

/** Required objects are drawn down to this depth; others are added by the person. */
const drawnDepth = 4;

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
  #place: Place;
  #field: Field;
  #body: FieldBody | undefined;
  #bodyKind: BodyKind | undefined;
  #isOpen: boolean;
  #aside: JsonValue | undefined;
  #said = '';
  #messages: readonly string[] = [];

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
    this.#field = this.#ask();
    this.#isOpen = place.value !== undefined || (place.isRequired && this.depth < drawnDepth);
    this.#head = createNodeHead(this, () => this.#toggle(), nameInput);
    this.#tools = createFieldTools(this, tools);
    this.#problem = element('p', { id: `${id}-problem`, class: 'problem', 'aria-live': 'polite' });
    this.#about.id = `${id}-about`;
    this.element = element(
      'div',
      { class: `form-node form-${layout}` },
      element('div', { class: 'form-head' }, this.#head.element, this.#tools.element),
      this.#about,
      this.#bodyPlace,
      this.#problem,
    );
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
    return this.layout === 'property' || this.layout === 'extra';
  }

  update(place: Place): void {
    const before = this.#place;
    const isSame =
      before.schema === place.schema &&
      before.value === place.value &&
      before.name === place.name &&
      before.isRequired === place.isRequired;
    if (isSame) return;
    this.#place = place;
    if (before.value === undefined && place.value !== undefined) this.#isOpen = true;
    this.refresh();
  }

  refresh(): void {
    this.#field = this.#ask();
    this.#draw();
  }

  write(value: JsonValue | undefined): void {
    const { context } = this;
    const whole = withValueAt(context.value, this.path, value);
    if (isRecord(whole)) context.replace(whole);
  }

  putAside(value: null | undefined): void {
    if (this.#place.value !== undefined && this.#place.value !== null) this.#aside = this.#place.value;
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

  child(step: string, open: boolean): FormNode | undefined {
    if (open && this.#isGroup() && !this.#isOpen) this.#toggle();
    return this.#body?.child?.(step, open);
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

  #kind(): BodyKind {
    const { value, isRequired } = this.#place;
    const { kind } = this.#field;
    if (value === null && this.#field.isNullable) return 'isNull';
    if (value !== undefined || kind === 'union') return kind;
    if (kind === 'list' || kind === 'null') return 'isAbsent';
    if (kind !== 'object') return kind;
    const isDrawn = this.layout === 'root' || (isRequired && !this.#field.isRecursive && this.depth < drawnDepth);
    return isDrawn ? kind : 'isAbsent';
  }

  #draw(): void {
    const kind = this.#kind();
    if (kind !== this.#bodyKind) {
      const hadFocus = this.#bodyPlace.contains(document.activeElement);
      this.#bodyKind = kind;
      this.#body = undefined;
      this.#bodyPlace.replaceChildren();
      this.#fill();
      if (hadFocus) this.focus();
    } else this.#body?.update(this.#field, this.#place.value);
    if (this.#isOpen && this.#body === undefined) this.#fill();
    this.#showTexts();
    this.#head.update({
      isGroup: this.#isGroup() || this.#body?.control === undefined,
      isOpen: this.#canClose() ? this.#isOpen : undefined,
      summary: this.#summary(),
    });
    this.#tools.update();
    this.#showMessages();
  }

  /** The content of a closed part is made when it is opened. */
  #fill(): void {
    if (this.#body !== undefined || this.#bodyKind === undefined || (this.#canClose() && !this.#isOpen)) return;
    this.#body = createBody(this.#bodyKind, this);
    this.#bodyPlace.append(this.#body.element);
    this.#bodyPlace.hidden = false;
  }

  #isGroup(): boolean {
    return this.#bodyKind === 'object' || this.#bodyKind === 'list';
  }

  #canClose(): boolean {
    return this.#isGroup() && this.layout !== 'root' && this.layout !== 'branch';
  }

  #toggle(): void {
    this.#isOpen = !this.#isOpen;
    this.#fill();
    this.#bodyPlace.hidden = !this.#isOpen;
    this.#draw();
    this.context.redrawn();
  }

  #summary(): string {
    const { value } = this.#place;
    if (this.#bodyKind === 'list' && Array.isArray(value))
      return `${value.length} ${value.length === 1 ? 'item' : 'items'}`;
    return this.#canClose() && !this.#isOpen ? previewOf(value) : '';
  }

  #showTexts(): void {
    const { description, limits } = this.#field;
    const signature = JSON.stringify([description, limits]);
    if (signature === this.#said) return;
    this.#said = signature;
    const about = description === undefined ? [] : [foldedText(description, uniqueId('about'))];
    const bounds = limits.length === 0 ? [] : [element('p', { class: 'hint', text: limits.join(' ') })];
    this.#about.replaceChildren(...about, ...bounds);
  }

  #showMessages(): void {
    const own = this.context.inputProblems.get(this);
    const messages = own === undefined ? this.#messages.map(asSentence) : [own];
    const text = messages.join(' ');
    if (this.#problem.textContent !== text)
      this.#problem.replaceChildren(...(text === '' ? [] : [icon('error'), element('span', { text })]));
    const { control } = this.#body ?? {};
    if (text === '') control?.removeAttribute('aria-invalid');
    else control?.setAttribute('aria-invalid', 'true');
  }
}

function isShown(target: HTMLElement): boolean {
  return target.offsetParent !== null;
}
