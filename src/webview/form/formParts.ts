import type { JsonValue } from '../../base/json.ts';
import type { Field, SubSchema } from '../../forms/field.ts';
import type { FormNode } from './formNode.ts';

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
  readonly value: JsonValue | undefined;
  /** The name of the value, for the label and for screen readers: a key, or "tags 3". */
  readonly name: string;
  readonly isRequired: boolean;
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

/** What is drawn for a value: a kind of field, boxes for the items that a list may have, or that there is no value. */
export type BodyKind = Field['kind'] | 'choices' | 'isNull' | 'isAbsent';
