import { getLocation, parse } from 'jsonc-parser';
import { type ExactValue, isRecord, type JsonObject, toJsonText } from '../../base/json.ts';
import { placeAt, type SchemaPlace, shownField } from '../../forms/fieldAt.ts';
import type { Field, ValuePath } from '../../forms/field.ts';
import type { FormEngine } from '../../forms/formEngine.ts';
import { memberOf } from '../../forms/valueAt.ts';

/** Something that can be written at a place of the arguments. Texts are the server's. */
export interface Suggestion {
  readonly kind: 'property' | 'value';
  readonly label: string;
  /** Replaces the text from `offset`, `length` characters. */
  readonly text: string;
  readonly offset: number;
  readonly length: number;
  readonly detail: string;
  readonly description?: string;
}

/** What the schema says about a place, for a hover. */
export interface PlaceHelp {
  readonly title: string;
  readonly description: string | undefined;
  /** Sentences: required, limits, default. */
  readonly facts: readonly string[];
  readonly offset: number;
  readonly length: number;
}

/** Suggestions, and characters of each value in them. */
const bounds = { suggestions: 500, value: 2_000, unions: 4 };

/** What can be written at an offset of the text, by the schema of the arguments. The text may be unfinished. */
export function suggestAt(engine: FormEngine, text: string, offset: number): readonly Suggestion[] {
  const spot = spotAt(text, offset);
  if (spot === undefined) return [];
  const args = argumentsOf(text);
  const found = spot.isKey ? suggestProperties(engine, args, text, spot) : suggestValues(engine, args, spot);
  return found.slice(0, bounds.suggestions);
}

/** What the schema says about the value, or the key, at an offset. */
export function helpAt(engine: FormEngine, text: string, offset: number): PlaceHelp | undefined {
  const spot = spotAt(text, offset);
  if (spot === undefined || spot.length === 0) return undefined;
  const place = placeAt(engine, argumentsOf(text), spot.path);
  if (place === undefined) return undefined;
  const field = engine.fieldFor(place.schema, place.value);
  const key = spot.path.at(-1);
  const facts = [
    ...(place.isRequired && typeof key === 'string' ? ['Required.'] : []),
    ...(field.isDeprecated ? ['Deprecated.'] : []),
    ...field.limits,
    ...(field.default === undefined ? [] : [`Default: ${toJsonText(field.default, 200)}`]),
  ];
  const { offset: start, length } = spot;
  return { title: field.title ?? String(key), description: field.description, facts, offset: start, length };
}

/** A key or a value that is there, or that could be written between others: then its length is 0. */
interface Spot {
  readonly path: ValuePath;
  readonly isKey: boolean;
  readonly offset: number;
  readonly length: number;
}

/** Faults are passed over: the text is being written. */
function argumentsOf(text: string): JsonObject {
  const value: unknown = parse(text, [], { allowTrailingComma: true });
  return isRecord(value) ? (value as JsonObject) : {};
}

function spotAt(text: string, at: number): Spot | undefined {
  const { path, isAtPropertyKey: isKey, previousNode } = getLocation(text, at);
  if (path.length === 0) return undefined;
  const { offset = at, length = 0 } = previousNode ?? {};
  const isBeside = previousNode !== undefined && at >= offset && at <= offset + length;
  return isBeside ? { path, isKey, offset, length } : { path, isKey, offset: at, length: 0 };
}

function suggestProperties(engine: FormEngine, args: JsonObject, text: string, spot: Spot): readonly Suggestion[] {
  const { path, offset, length } = spot;
  const parent = placeAt(engine, args, path.slice(0, -1));
  const field = parent && shownField(engine, parent);
  if (field?.kind !== 'object') return [];
  const after = text.slice(offset + length);
  const hasValue = /^\s*:/.test(after);
  const comma = /^\s*"/.test(after) ? ',' : '';
  const isFree = (key: string): boolean => memberOf(parent?.value, key) === undefined;
  return field.properties
    .filter(({ key }) => isFree(key))
    .map(({ key, schema, isRequired }) => {
      const { title = '', description } = engine.fieldFor(schema, undefined);
      const value = hasValue ? '' : `: ${JSON.stringify(engine.startValue(schema))}${comma}`;
      return {
        kind: 'property',
        label: key,
        text: `${JSON.stringify(key)}${value}`,
        offset,
        length,
        detail: [isRequired ? 'required' : '', title].filter((part) => part !== '').join(' · '),
        ...(description !== undefined && { description }),
      };
    });
}

function suggestValues(engine: FormEngine, args: JsonObject, { path, offset, length }: Spot): readonly Suggestion[] {
  const place = placeAt(engine, args, path);
  if (place === undefined) return [];
  const found = new Map<string, Suggestion>();
  for (const { value, detail } of valuesOf(engine, { ...place, value: undefined }, 0)) {
    const text = toJsonText(value);
    if (text.length > bounds.value || found.has(text)) continue;
    found.set(text, { kind: 'value', label: text, text, offset, length, detail });
  }
  return [...found.values()];
}

interface SuggestedValue {
  readonly value: ExactValue;
  readonly detail: string;
}

/** The values that the schema names, in all of its branches. */
function valuesOf(
  engine: FormEngine,
  { schema, value }: Omit<SchemaPlace, 'isRequired'>,
  depth: number,
): readonly SuggestedValue[] {
  const field = engine.fieldFor(schema, value);
  const branches = field.kind === 'union' && depth < bounds.unions ? field.branches : [];
  return [
    ...(field.default === undefined ? [] : [{ value: field.default, detail: 'default' }]),
    ...listedValues(field),
    ...field.examples.map((example) => ({ value: example, detail: 'example' })),
    ...branches.flatMap((branch) => valuesOf(engine, { schema: branch.schema, value: undefined }, depth + 1)),
    ...(field.isNullable ? [{ value: null, detail: '' }] : []),
  ];
}

function listedValues(field: Field): readonly SuggestedValue[] {
  switch (field.kind) {
    case 'choice':
      return field.options.map(({ value, label }) => ({
        value,
        detail: [value, toJsonText(value)].includes(label) ? '' : label,
      }));
    case 'boolean':
      return [true, false].map((value) => ({ value, detail: '' }));
    case 'null':
      return [{ value: null, detail: '' }];
    case 'object':
      return [{ value: {}, detail: 'empty object' }];
    case 'list':
      return [{ value: [], detail: 'empty list' }];
    case 'text':
    case 'number':
    case 'union':
    case 'json':
      return [];
  }
}
