import type { JsonObject } from '../../base/json.ts';
import { describeProblem, shownPath, type SchemaProblem, typedPath } from '../../base/schemaCheck.ts';
import { getOrMake } from '../../base/memoize.ts';
import type { BranchMemory } from '../../forms/branchMemory.ts';
import type { ValuePath } from '../../forms/field.ts';
import type { FormEngine } from '../../forms/formEngine.ts';
import type { FillSource } from '../../shared/toolMessages.ts';
import { element } from '../dom.ts';
import { createAfterPointerUp, isShown } from './controls.ts';
import type { FormNode, NodeForm, NodeOptions, Note, Place } from './formParts.ts';
import { ValueNode } from './valueNode.ts';

/** Parts that are drawn before the person has opened any. */
const drawnAtFirst = 1_500;

/** What a form shows, and whom it tells. */
export interface SchemaFormOptions {
  readonly engine: FormEngine;
  readonly value: JsonObject;
  readonly memory: BranchMemory;
  /** The person has changed the value: with each key. */
  readonly onChange: (value: JsonObject) => void;
  /** Fills a value from elsewhere; absent: the menus do not offer it. */
  readonly onFill?: (path: ValuePath, source: FillSource) => void;
  /** What is written when the person empties a text, if that is not the empty text. */
  readonly emptied?: (path: ValuePath) => '' | undefined;
  /** The focus has left a property of the arguments. */
  readonly onLeave?: (name: string) => void;
  readonly say: (text: string) => void;
}

/** A problem in words, with the way to its field. */
export interface ShownProblem {
  readonly path: ValuePath;
  readonly sentence: string;
  readonly focus: () => void;
}

/** A form for the arguments of a tool, or for what a server asks: nodes in nodes, which all have it. */
export class SchemaForm implements NodeForm {
  readonly element: HTMLElement;
  readonly engine: FormEngine;
  readonly memory: BranchMemory;
  readonly say: (text: string) => void;
  readonly onFill: SchemaFormOptions['onFill'];
  readonly emptied: (path: ValuePath) => '' | undefined;
  readonly afterPointerUp = createAfterPointerUp();
  readonly inputProblemOf = new Map<FormNode, string>();
  readonly #onChange: (value: JsonObject) => void;
  readonly #root: FormNode;
  readonly #nodes = new WeakMap<Element, FormNode>();
  #count = 0;
  #value: JsonObject;
  /** The nodes that show a problem of the schema. */
  #marked: ReadonlyMap<FormNode, readonly string[]> = new Map<FormNode, readonly string[]>();
  #problems: readonly SchemaProblem[] = [];
  #notes: ReadonlyMap<string, readonly Note[]> = new Map<string, readonly Note[]>();

  constructor(options: SchemaFormOptions) {
    this.engine = options.engine;
    this.memory = options.memory;
    this.say = options.say;
    this.onFill = options.onFill;
    this.emptied = options.emptied ?? (() => '');
    this.#onChange = options.onChange;
    this.#value = options.value;
    const place = this.#rootPlace();
    this.#root = this.createNode({ parent: undefined, key: undefined, layout: 'root', place });
    this.element = element('div', { class: 'form' }, this.#root.element);
    const { onLeave } = options;
    if (onLeave !== undefined) this.element.addEventListener('focusout', (event) => this.#left(event, onLeave));
  }

  get value(): JsonObject {
    return this.#value;
  }

  get hasRoom(): boolean {
    return this.#count < drawnAtFirst;
  }

  createNode(options: NodeOptions): FormNode {
    this.#count += 1;
    const node = new ValueNode(this, options);
    this.#nodes.set(node.element, node);
    return node;
  }

  replace(value: JsonObject): void {
    this.setValue(value);
    this.#onChange(value);
  }

  redrawn(): void {
    this.#mark();
    this.#drawNotes();
  }

  /** Fields with a text that is no value, which stops a call. */
  get inputProblems(): readonly ShownProblem[] {
    return [...this.inputProblemOf]
      .filter(([node]) => node.element.isConnected)
      .map(([node, message]) => ({
        path: node.path,
        sentence: `“${shownPath(node.path)}” ${message}.`,
        focus: () => reveal(node),
      }));
  }

  /**
   * Shows another value, for instance one edited as JSON. Does not call `onChange`. If it takes away what has the focus, the
   * nearest part above that is still there gets it: the focus is never lost to the page.
   */
  setValue(value: JsonObject): void {
    this.#value = value;
    const { activeElement } = document;
    const hadFocus = activeElement instanceof HTMLElement && this.element.contains(activeElement);
    const around = hadFocus ? this.#nodesAround(activeElement) : [];
    this.#root.update(this.#rootPlace());
    if (!hadFocus || isShown(activeElement)) return;
    around.find((node) => this.element.contains(node.element) && isShown(node.element))?.focus();
  }

  /** Shows problems at their fields, or at the nearest that can be seen. @returns them with the way to their fields */
  showProblems(problems: readonly SchemaProblem[]): readonly ShownProblem[] {
    this.#problems = problems;
    this.#mark();
    return problems.map((problem) => ({
      path: typedPath(this.#value, problem.path),
      sentence: this.#sentenceOf(problem),
      focus: () => reveal(this.#nodeAt(problem.path, true)),
    }));
  }

  /** Moves the focus to the first field that has a problem, if there is one: a screen reader then reads its problem. */
  focusProblem(): void {
    const wanted = [
      ...[...this.inputProblemOf.keys()]
        .filter((node) => node.element.isConnected)
        .map((node) => ({ node, path: undefined })),
      ...this.#problems.map(({ path }) => ({ node: this.#nodeAt(path, false), path })),
    ];
    const [first] = wanted.toSorted((one, other) => this.#order(one.node, other.node));
    if (first !== undefined) reveal(first.path === undefined ? first.node : this.#nodeAt(first.path, true));
  }

  /** Below zero if one stands before the other. What is not drawn yet, whose problem the root has, comes last. */
  #order(one: FormNode, other: FormNode): number {
    if (one === other) return 0;
    if (one === this.#root || other === this.#root) return one === this.#root ? 1 : -1;
    return one.element.compareDocumentPosition(other.element) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1;
  }

  #sentenceOf(problem: SchemaProblem): string {
    return describeProblem(problem, this.#value, 'The arguments');
  }

  /** Shows what Patchbay says of properties, in place of what it has said. */
  showNotes(notes: ReadonlyMap<string, readonly Note[]>): void {
    const gone = [...this.#notes.keys()].filter((name) => !notes.has(name));
    this.#notes = notes;
    for (const name of gone) this.#root.child(name, false)?.showNotes([]);
    this.#drawNotes();
  }

  /** @returns false if there is nothing to fill in */
  focusFirst(): boolean {
    this.#root.focus();
    return this.element.contains(document.activeElement);
  }

  forgetProblems(path: ValuePath): void {
    const isBelow = (problem: SchemaProblem): boolean =>
      problem.path.length > path.length && path.every((step, at) => String(step) === problem.path[at]);
    this.#problems = this.#problems.filter((problem) => !isBelow(problem));
    this.#mark();
  }

  #left({ target, relatedTarget }: FocusEvent, onLeave: (name: string) => void): void {
    const from = this.#propertyOf(target);
    if (from !== undefined && from !== this.#propertyOf(relatedTarget)) this.afterPointerUp(() => onLeave(from));
  }

  /** The name of the property whose part the element is. */
  #propertyOf(target: EventTarget | null): string | undefined {
    const node = this.#nodesAround(target).find(({ parent, key }) => parent === this.#root && key !== undefined);
    return node === undefined ? undefined : String(node.key);
  }

  /** The nodes that an element is in, from the innermost. */
  #nodesAround(target: EventTarget | null): readonly FormNode[] {
    const row = target instanceof Element ? target.closest('.form-node') : null;
    return row === null ? [] : (this.#nodes.get(row)?.line ?? []);
  }

  #rootPlace(): Place {
    return { schema: this.engine.root, value: this.#value, name: 'Arguments', isRequired: true };
  }

  /** The node at a path, or the nearest above it that can be seen. */
  #nodeAt(path: readonly string[], open: boolean): FormNode {
    let node = this.#root;
    for (const step of path) {
      const child = node.child(step, open);
      if (child === undefined) return node;
      node = child;
    }
    return node;
  }

  #drawNotes(): void {
    for (const [name, notes] of this.#notes) this.#root.child(name, false)?.showNotes(notes);
  }

  #mark(): void {
    const next = new Map<FormNode, string[]>();
    for (const problem of this.#problems)
      getOrMake(next, this.#nodeAt(problem.path, false), () => []).push(this.#sentenceOf(problem));
    for (const node of this.#marked.keys()) if (!next.has(node)) node.showProblems([]);
    for (const [node, messages] of next) node.showProblems(messages);
    this.#marked = next;
  }
}

/** Opens what a node is in, moves the focus to it, and scrolls to all that is said of what has it. */
function reveal(node: FormNode): void {
  for (const each of node.line.slice(1).toReversed()) each.open();
  node.focus();
  document.activeElement?.closest('.form-node')?.scrollIntoView({ block: 'nearest' });
}
