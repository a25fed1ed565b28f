import type { JsonObject, JsonValue } from '../../base/json.ts';
import { describeProblem, type SchemaProblem } from '../../base/schemaCheck.ts';
import type { BranchMemory } from '../../forms/branchMemory.ts';
import type { ValuePath } from '../../forms/field.ts';
import type { FormEngine } from '../../forms/formEngine.ts';
import { memberOf } from '../../forms/valueAt.ts';
import type { FillSource } from '../../shared/toolMessages.ts';
import { element } from '../dom.ts';
import { type AfterPointerUp, createAfterPointerUp } from './afterPointerUp.ts';
import { createFormNode } from './formNode.ts';
import type { FormContext, FormNode, NodeOptions, Note } from './formParts.ts';
import { keepFocus } from './keepFocus.ts';
import { asSentence, shownPath } from './shownText.ts';

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
  /** Tells screen readers. */
  readonly say: (text: string) => void;
}

/** A form for the arguments of a tool, or for what a server asks. */
export interface SchemaForm {
  readonly element: HTMLElement;
  /** Shows another value, for instance one edited as JSON; the focus stays where it can. Does not call `onChange`. */
  setValue(value: JsonObject): void;
  /** Shows problems at their fields, or at the nearest that can be seen. @returns them with the way to their fields */
  showProblems(problems: readonly SchemaProblem[]): readonly ShownProblem[];
  /** Shows what Patchbay says of properties, in place of what it has said. */
  showNotes(notes: ReadonlyMap<string, readonly Note[]>): void;
  /** Fields with a text that is no value, which stops a call. */
  readonly inputProblems: readonly ShownProblem[];
  /** @returns false if there is nothing to fill in */
  focusFirst(): boolean;
}

/** A problem with the way to its field. */
export interface ShownProblem {
  readonly path: ValuePath;
  readonly label: string;
  readonly message: string;
  focus(): void;
}

/** Draws the form. */
export function createSchemaForm(options: SchemaFormOptions): SchemaForm {
  return new DrawnForm(options);
}

class DrawnForm implements SchemaForm {
  readonly element: HTMLElement;
  readonly #engine: FormEngine;
  readonly #root: FormNode;
  readonly #inputProblems = new Map<FormNode, string>();
  readonly #nodes = new WeakMap<Element, FormNode>();
  #count = 0;
  #value: JsonObject;
  /** The nodes that show a problem of the schema. */
  #marked: ReadonlyMap<FormNode, readonly string[]> = new Map<FormNode, readonly string[]>();
  #problems: readonly SchemaProblem[] = [];
  #notes: ReadonlyMap<string, readonly Note[]> = new Map<string, readonly Note[]>();

  constructor(options: SchemaFormOptions) {
    this.#engine = options.engine;
    this.#value = options.value;
    const context = this.#createContext(options);
    const place = this.#rootPlace();
    this.#root = this.#createNode({ context, parent: undefined, key: undefined, layout: 'root', place });
    this.element = element('div', { class: 'form' }, this.#root.element);
    const { onLeave } = options;
    if (onLeave !== undefined)
      this.element.addEventListener('focusout', (event) => this.#left(event, context.afterPointerUp, onLeave));
  }

  get inputProblems(): readonly ShownProblem[] {
    return [...this.#inputProblems]
      .filter(([node]) => node.element.isConnected)
      .map(([node, message]) => ({ path: node.path, label: shownPath(node.path), message, focus: () => reveal(node) }));
  }

  setValue(value: JsonObject): void {
    this.#value = value;
    keepFocus(this.element, this.#nodes, () => this.#root.update(this.#rootPlace()));
  }

  showProblems(problems: readonly SchemaProblem[]): readonly ShownProblem[] {
    this.#problems = problems;
    this.#mark();
    return problems.map(({ path, message }) => ({
      path,
      label: path.length === 0 ? 'Arguments' : shownPath(typedPath(this.#value, path)),
      message,
      focus: () => this.#nodeAt(path, true).focus(),
    }));
  }

  showNotes(notes: ReadonlyMap<string, readonly Note[]>): void {
    const gone = [...this.#notes.keys()].filter((name) => !notes.has(name));
    this.#notes = notes;
    for (const name of gone) this.#root.child(name, false)?.showNotes([]);
    this.#drawNotes();
  }

  focusFirst(): boolean {
    this.#root.focus();
    return this.element.contains(document.activeElement);
  }

  #createContext({ engine, memory, onChange, onFill, emptied, say }: SchemaFormOptions): FormContext {
    const value = (): JsonObject => this.#value;
    return {
      engine,
      memory,
      get value() {
        return value();
      },
      replace: (next) => {
        this.setValue(next);
        onChange(next);
      },
      redrawn: () => {
        this.#mark();
        this.#drawNotes();
      },
      forgetProblems: (path) => this.#forget(path),
      say,
      onFill,
      emptied: emptied ?? (() => ''),
      afterPointerUp: createAfterPointerUp(),
      mayOpen: () => this.#count < drawnAtFirst,
      createNode: (node) => this.#createNode(node),
      inputProblems: this.#inputProblems,
    };
  }

  #createNode(options: NodeOptions): FormNode {
    this.#count += 1;
    const node = createFormNode(options);
    this.#nodes.set(node.element, node);
    return node;
  }

  #left({ target, relatedTarget }: FocusEvent, afterPointerUp: AfterPointerUp, onLeave: (name: string) => void): void {
    const from = this.#propertyOf(target);
    if (from !== undefined && from !== this.#propertyOf(relatedTarget)) afterPointerUp(() => onLeave(from));
  }

  /** The name of the property whose part the element is. */
  #propertyOf(target: EventTarget | null): string | undefined {
    for (let at = target instanceof Element ? target : null; at !== null; at = at.parentElement) {
      const node = this.#nodes.get(at);
      if (node?.parent === this.#root && node.key !== undefined) return String(node.key);
    }
    return undefined;
  }

  #rootPlace(): FormNode['place'] {
    return { schema: this.#engine.root, value: this.#value, name: 'Arguments', isRequired: true };
  }

  #forget(path: ValuePath): void {
    const isBelow = (problem: SchemaProblem): boolean =>
      problem.path.length > path.length && path.every((step, at) => String(step) === problem.path[at]);
    this.#problems = this.#problems.filter((problem) => !isBelow(problem));
    this.#mark();
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
    for (const { path, message } of this.#problems) {
      const node = this.#nodeAt(path, false);
      const messages = next.get(node) ?? [];
      const below = path.slice(node.path.length);
      messages.push(below.length === 0 ? asSentence(message) : describeProblem({ path: below, message }));
      next.set(node, messages);
    }
    for (const node of this.#marked.keys()) if (!next.has(node)) node.showProblems([]);
    for (const [node, messages] of next) node.showProblems(messages);
    this.#marked = next;
  }
}

/** Opens what a node is in, and moves the focus to it. */
function reveal(node: FormNode): void {
  const above: FormNode[] = [];
  for (let at = node.parent; at !== undefined; at = at.parent) above.unshift(at);
  for (const each of above) each.open();
  node.focus();
}

/** Problems have every step as a text: `1` is an index in a list and a key in an object. */
function typedPath(root: JsonValue, path: readonly string[]): ValuePath {
  let value: JsonValue | undefined = root;
  return path.map((step) => {
    const typed = Array.isArray(value) ? Number(step) : step;
    value = memberOf(value, typed);
    return typed;
  });
}
