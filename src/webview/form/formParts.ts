import type { ExactValue, JsonObject } from '../../base/json.ts';
import type { BranchMemory } from '../../forms/branchMemory.ts';
import type { Field, SubSchema, ValuePath } from '../../forms/field.ts';
import type { FormEngine } from '../../forms/formEngine.ts';
import type { FillSource } from '../../shared/toolMessages.ts';

/** A sentence of Patchbay about a value. `icon` is a codicon. */
export interface Note {
  readonly icon?: string;
  readonly text: string;
}

export type NodeLayout =
  /** All arguments: without a label. */
  | 'root'
  | 'property'
  | 'item'
  /** A value under a name that the person gives. */
  | 'entry'
  /** A value that the schema does not have. */
  | 'extra'
  /** What a union draws for its branch, at its own path. */
  | 'branch';

/** What a node shows, which can change at any time. */
export interface Place {
  readonly schema: SubSchema;
  readonly value: ExactValue | undefined;
  /** The name of the value, for the label and for screen readers: a key, or "tags 3". */
  readonly name: string;
  readonly isRequired: boolean;
}

/** What a node asks of the form that it is in. */
export interface NodeForm {
  readonly engine: FormEngine;
  readonly memory: BranchMemory;
  readonly value: JsonObject;
  /** The nodes whose text is no value yet, with what is wrong. */
  readonly inputProblemOf: Map<FormNode, string>;
  /** False when so much is drawn already that the person should open the rest. */
  readonly hasRoom: boolean;
  readonly say: (text: string) => void;
  /** Fills a value from elsewhere; absent: the menus do not offer it. */
  readonly onFill: ((path: ValuePath, source: FillSource) => void) | undefined;
  /** What is written when the person empties a text. */
  readonly emptied: (path: ValuePath) => '' | undefined;
  /** Runs at once, or after the pointer is released: a change of layout would make a click miss its target. */
  readonly afterPointerUp: (run: () => void) => void;
  /** Makes the node of one value. The kinds of field get it from here, since nodes are made of them. */
  createNode(options: NodeOptions): FormNode;
  /** Shows other arguments, and tells the caller of them: the person has changed something. */
  replace(value: JsonObject): void;
  /** Parts were drawn, opened or closed: problems look for their places again. */
  redrawn(): void;
  /** The problems at a path and below are about values that have moved. */
  forgetProblems(path: ValuePath): void;
}

/** One value of the form, for the parts that it is made of: see `ValueNode`. */
export interface FormNode {
  readonly element: HTMLElement;
  readonly form: NodeForm;
  readonly parent: FormNode | undefined;
  readonly layout: NodeLayout;
  /** Ids on the page; `describedBy` has several, separated by spaces. */
  readonly ids: { readonly control: string; readonly label: string; readonly describedBy: string };
  /** How many unions stand above at the same path. */
  readonly level: number;
  /** How many values are above. */
  readonly depth: number;
  /** Changes when items are moved and entries renamed. */
  key: string | number | undefined;
  readonly place: Place;
  readonly field: Field;
  /** The node and those that it is in, from the innermost. */
  readonly line: readonly FormNode[];
  readonly path: ValuePath;
  /** Only properties are left out; items and entries are removed. */
  readonly canBeAbsent: boolean;
  /** Shows another value or schema in place. Does nothing if both are the same as before. */
  update(place: Place): void;
  /** Asks the engine again, since what the person has chosen has changed. */
  refresh(): void;
  /** The person has given a value, or leaves it out. */
  write(value: ExactValue | undefined): void;
  /** Leaves the value out or sets it to `null`; it is kept for {@link bringBack}. */
  putAside(value: null | undefined): void;
  /** Writes the value that was put aside, or one to begin with. */
  bringBack(): void;
  /** @param message why the text is no value, to follow the name: "must be a number"; `undefined`: it is one */
  setInputProblem(message: string | undefined): void;
  /** Shows what the schema objects to, one sentence each. */
  showProblems(messages: readonly string[]): void;
  /** Shows what Patchbay itself says about the value, below what the server says. */
  showNotes(notes: readonly Note[]): void;
  open(): void;
  /** The node below, if it can be seen now; after `open`, also if it had to be opened. */
  child(step: string, open: boolean): FormNode | undefined;
  focus(): void;
}

export interface NodeOptions {
  readonly parent: FormNode | undefined;
  /** Under the parent's value; `undefined` at the parent's own path. */
  readonly key: string | number | undefined;
  readonly layout: NodeLayout;
  readonly place: Place;
  /** Buttons after the node's own, for instance to remove an item. */
  readonly tools?: readonly HTMLElement[];
  /** Before the label: where the name of an entry is edited. */
  readonly nameInput?: HTMLElement | undefined;
}

/** The control of one kind of field, or the nodes below it. */
export interface FieldBody {
  readonly element: HTMLElement;
  /** What gets the focus and is marked as invalid; `undefined` for groups. */
  readonly control: HTMLElement | undefined;
  /** Shows what the node has now. Text that stands for its value already stays as it is. */
  update(): void;
  /** The node below; see {@link FormNode.child}. */
  child?(step: string, open: boolean): FormNode | undefined;
}

/** What is drawn for a value: a kind of field, a text of one line, boxes for the items that a list may have, or that there is no value. */
export type BodyKind = Field['kind'] | 'line' | 'choices' | 'isNull' | 'isAbsent';
