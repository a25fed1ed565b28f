import { isString, type JsonValue, type UnknownRecord } from '../base/json.ts';
import type { Kind, TypeName } from '../schema/kinds.ts';
import { isSameJson, listIn, own, textIn } from '../schema/schemaNode.ts';

/** What a form takes from a schema that is a part of another one. */
export type PartRole =
  /** All that describes the value. */
  | 'own'
  /** The same, but a title is the name of a type, not of the value: it stands at the end of a reference. */
  | 'referenced'
  /** Nothing that describes: the part applies under a condition, or what it says is shown elsewhere. */
  | 'other';

/** One of the schemas that a value must fit at the same time. */
export interface Part {
  readonly schema: UnknownRecord;
  readonly role: PartRole;
}

/** One of the values that a schema lists. */
export interface ListedValue {
  readonly value: JsonValue;
  readonly label?: string;
  readonly description?: string;
}

/** One alternative of a {@link ShapeUnion}. `index` is that in the list of the schema, where others may stand between. */
export interface Alternative {
  readonly index: number;
  readonly schema: unknown;
  readonly shape: Shape;
}

/** A `oneOf` or `anyOf` of which a person chooses. */
export interface ShapeUnion {
  readonly list: readonly unknown[];
  readonly alternatives: readonly Alternative[];
}

/** What a schema says of a value, its parts put together. Nothing below the value is in it. */
export interface Shape {
  readonly parts: readonly Part[];
  /** Why a form cannot show the value, as a sentence. */
  readonly obstacle: string | undefined;
  readonly isNever: boolean;
  /** `undefined`: all. */
  readonly types: ReadonlySet<TypeName> | undefined;
  /** The kinds that values may have, likely ones first. */
  readonly kinds: readonly Kind[];
  /** The kinds are only a guess from other keywords: values of other kinds are valid too. */
  readonly isGuessed: boolean;
  /** `undefined` if nothing is said about `null`. */
  readonly acceptsNull: boolean | undefined;
  readonly isNullOnly: boolean;
  /** The only values there are, without `null`. */
  readonly listed: readonly ListedValue[] | undefined;
  /** The first choice of the person; others follow within its branches. */
  readonly union: ShapeUnion | undefined;
  /** The value decides which parts there are. */
  readonly isLive: boolean;
  /** Properties that are required because others are there. */
  readonly alsoRequired: readonly string[];
  /** What alternatives ask for that are no choice, a sentence each. */
  readonly demands: readonly string[];
  /** What a reference calls the schema. */
  readonly name: string | undefined;
}

const blank: Shape = {
  parts: [],
  obstacle: undefined,
  isNever: false,
  types: undefined,
  kinds: [],
  isGuessed: false,
  acceptsNull: undefined,
  isNullOnly: false,
  listed: undefined,
  union: undefined,
  isLive: false,
  alsoRequired: [],
  demands: [],
  name: undefined,
};

export const neverShape: Shape = { ...blank, isNever: true };

/** A shape that cannot be shown. @param obstacle why, as a sentence */
export function obstacleShape(obstacle: string): Shape {
  return { ...blank, obstacle };
}

/** True if a value of that kind may fit. */
export function mayBe(
  { kinds, isGuessed, acceptsNull, isNullOnly, obstacle, isNever }: Shape,
  kind: Kind | 'null',
): boolean {
  if (obstacle !== undefined) return true;
  if (isNever) return false;
  if (kind === 'null') return isNullOnly || (acceptsNull ?? isGuessed);
  return !isNullOnly && (isGuessed || kinds.includes(kind));
}

/** The values that a schema lists with `enum` and `const`, `null` included; `undefined` if it does not. */
export function listedIn(schema: UnknownRecord): readonly ListedValue[] | undefined {
  const constants = Object.hasOwn(schema, 'const') ? [{ value: schema['const'] as JsonValue }] : undefined;
  const values = own(schema, 'enum');
  if (!Array.isArray(values) || values.length === 0) return constants;
  const labels = listIn(schema, listIn(schema, 'enumNames').length > 0 ? 'enumNames' : 'x-enumNames');
  const descriptions = listIn(schema, 'enumDescriptions');
  const listed = (values as readonly JsonValue[]).map((value, index): ListedValue => {
    const [label, description] = [labels[index], descriptions[index]];
    return { value, ...(isString(label) && { label }), ...(isString(description) && { description }) };
  });
  return meetListed(constants, listed);
}

/** The values of an alternative: if there is only one, what describes the alternative describes the value. */
export function listedOf({ listed = [], parts }: Shape): readonly ListedValue[] {
  if (listed.length !== 1) return listed;
  const label = firstText(parts, 'title');
  const description = firstText(parts, 'description');
  return listed.map((each) => ({
    ...(label !== undefined && { label }),
    ...(description !== undefined && { description }),
    ...each,
  }));
}

export function meetListed(
  one: readonly ListedValue[] | undefined,
  other: readonly ListedValue[],
): readonly ListedValue[] {
  if (one === undefined) return other;
  return one.filter(({ value }) => isListed(other, value));
}

/** The value, where a schema allows only one; `undefined` if it allows others, or `null` beside it. */
export function onlyValue({ listed, acceptsNull }: Shape): ListedValue | undefined {
  return listed?.length === 1 && acceptsNull !== true ? listed[0] : undefined;
}

export function isListed(listed: readonly ListedValue[], value: JsonValue | undefined): boolean {
  return listed.some((each) => isSameJson(each.value, value));
}

/** The outermost text of a keyword that describes the value. */
export function firstText(parts: readonly Part[], name: 'title' | 'description' | 'format'): string | undefined {
  for (const { schema, role } of parts) {
    const isUsed = name === 'title' ? role === 'own' : name === 'format' || role !== 'other';
    const text = isUsed ? textIn(schema, name) : undefined;
    if (text !== undefined) return text;
  }
  return undefined;
}
