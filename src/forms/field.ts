import type { ExactValue, JsonValue, UnknownRecord } from '../base/json.ts';

/** Keys of objects and indexes of lists, from the root to a value. */
export type ValuePath = readonly (string | number)[];

/** A schema at one place of the root schema, or one that the engine has put together of such. */
export type SubSchema = boolean | UnknownRecord;

/** What a form shows of one value: all that its schema says about the value it has now. Texts are the server's. */
export type Field =
  | TextField
  | NumberField
  | PlainField
  | ChoiceField
  | ObjectField
  | ListField
  | UnionField
  | JsonField;

export interface FieldBase {
  readonly title?: string;
  readonly description?: string;
  /** Shown, and sent only if the person asks for it. */
  readonly default?: ExactValue;
  readonly examples: readonly JsonValue[];
  /** `null` is a value too; it is none of the kinds or branches of the field. */
  readonly isNullable: boolean;
  readonly isDeprecated: boolean;
  readonly isReadOnly: boolean;
  /** What the schema asks of the value, a sentence each: "At least 3 characters." */
  readonly limits: readonly string[];
}

/** A text; `isLong` asks for several lines, `isLine` has one: no valid value of several is to be expected, and this is none. */
export interface TextField extends FieldBase {
  readonly kind: 'text';
  readonly format?: string;
  readonly isLong: boolean;
  readonly isLine: boolean;
}

export interface NumberField extends FieldBase {
  readonly kind: 'number';
  readonly isInteger: boolean;
}

/** `true` or `false`; or `null` alone. */
export interface PlainField extends FieldBase {
  readonly kind: 'boolean' | 'null';
}

/** One of the values that the schema lists: `enum`, `const`, or alternatives that are all constants. */
export interface ChoiceField extends FieldBase {
  readonly kind: 'choice';
  readonly options: readonly { readonly value: JsonValue; readonly label: string; readonly description?: string }[];
}

/** An object: named properties, and entries under other names where the schema allows them. */
export interface ObjectField extends FieldBase {
  readonly kind: 'object';
  readonly properties: readonly PropertyField[];
  /** The schema of entries under other names; `undefined` if there may be none. */
  readonly entries?: SubSchema;
  /** Keys of the value that are no property, in their order. They are shown even where `entries` is `undefined`. */
  readonly otherKeys: readonly string[];
  /** The schema of what is under one of `otherKeys`; `undefined` where the schema does not allow the key. */
  entrySchema(key: string): SubSchema | undefined;
  /** Which properties there are depends on the value: ask again when it changes. */
  readonly isLive: boolean;
  /** The object refers to itself: it is opened by the person. */
  readonly isRecursive: boolean;
}

export interface PropertyField {
  readonly key: string;
  readonly schema: SubSchema;
  readonly isRequired: boolean;
}

/** A list. Items at the start may each have a schema of their own (`prefixItems`). */
export interface ListField extends FieldBase, ListParts {
  readonly kind: 'list';
  readonly isRecursive: boolean;
}

export interface ListParts {
  /** Items that have a place of their own. */
  readonly prefixLength: number;
  /** The schema of the item at an index; `false` where there may be none. */
  itemSchema(index: number): SubSchema;
  readonly minimumItems: number;
  readonly maximumItems: number;
  readonly isUnique: boolean;
}

/** One of several shapes: `oneOf`, `anyOf`, or several types. */
export interface UnionField extends FieldBase {
  readonly kind: 'union';
  readonly branches: readonly Branch[];
  /** The branch of the value it has now; `undefined` if there is no value, or it is `null`. */
  readonly chosen: number | undefined;
}

/** One shape of a union. `schema` has what stands beside the union too: it is drawn at the same path. */
export interface Branch {
  readonly label: string;
  readonly description?: string;
  readonly schema: SubSchema;
}

/** What a form cannot say, edited as JSON for this part alone. `reason` is a sentence. */
export interface JsonField extends FieldBase {
  readonly kind: 'json';
  readonly reason: string;
  /** The schema can be drawn, but not this value: another value makes a field of it. */
  readonly isMisfit: boolean;
}
