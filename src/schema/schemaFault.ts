import { isRecord, isString, isStringArray, type UnknownRecord } from '../base/json.ts';
import { isTypeName } from './kinds.ts';
import { isSchema, own } from './schemaNode.ts';
import { listKeywords as lists, mapKeywords as maps, schemaPlaces, singleKeywords as singles } from './schemaPlaces.ts';

/** What makes a schema invalid: no value can be checked against it. */
export interface SchemaFault {
  /** Where it is, for instance `properties.city`; empty for the schema itself. */
  readonly place: string;
  /** A sentence without its end: `"required" must be a list`. */
  readonly text: string;
}

type Rule = readonly [keywords: readonly string[], isRight: (value: unknown) => boolean, words: string];

const numbers = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'];
const counts = ['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'];

const isList = (value: unknown): boolean => Array.isArray(value);
const isSchemas = (value: unknown): boolean => Array.isArray(value) && value.every(isSchema);

/** What all dialects since draft-06 ask of keywords (JSON Schema 2020-12, metaschemas). The first that is broken is reported. */
const rules: readonly Rule[] = [
  [['type'], isTypes, 'must be a type such as "string", or a list of types'],
  [['required', 'enum', ...lists], isList, 'must be a list'],
  [['required'], isStringArray, 'must be a list of names'],
  [lists, (value) => isSchemas(value) && (value as unknown[]).length > 0, 'must be a list of schemas'],
  [maps, isRecord, 'must be an object'],
  [maps, (value) => Object.values(value as object).every(isSchema), 'must have a schema for each name'],
  [['items'], (value) => isSchema(value) || isSchemas(value), 'must be a schema'],
  [singles, isSchema, 'must be a schema'],
  [numbers, (value) => typeof value === 'number', 'must be a number'],
  [counts, (value) => Number.isInteger(value) && Number(value) >= 0, 'must be a whole number, 0 or more'],
  [['pattern', '$ref'], isString, 'must be a string'],
];

/**
 * Finds the first fault of a schema. Runs no pattern and follows no reference.
 * @returns `undefined` where nothing is wrong in as much of it as is looked at, and for the dialects before draft-06
 */
export function findSchemaFault(schema: UnknownRecord): SchemaFault | undefined {
  const dialect = own(schema, '$schema');
  if (isString(dialect) && /draft-0[1-5]\b/.test(dialect)) return undefined;
  for (const { schema: part, path } of schemaPlaces(schema)) {
    const text = faultIn(part);
    if (text !== undefined) return { place: path.join('.'), text };
  }
  return undefined;
}

function isTypes(value: unknown): boolean {
  return isString(value) ? isTypeName(value) : isStringArray(value) && value.every(isTypeName);
}

function faultIn(schema: UnknownRecord): string | undefined {
  for (const [keywords, isRight, words] of rules)
    for (const keyword of keywords) {
      const value = own(schema, keyword);
      if (value !== undefined && !isRight(value)) return `"${keyword}" ${words}`;
    }
  return undefined;
}
