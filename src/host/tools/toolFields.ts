import {
  isRecord,
  isString,
  isStringArray,
  type JsonObject,
  type JsonValue,
  type UnknownRecord,
} from '../../base/json.ts';
import type { JsonSchema } from '../../protocol/mcp/tools.ts';

/** One argument of a tool that a single line of text can hold. */
export interface ToolField {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly type: 'string' | 'number' | 'integer' | 'boolean';
  readonly isRequired: boolean;
  readonly title: string;
  readonly description: string | undefined;
  /** The only values there are, by the text that stands for each. */
  readonly choices: ReadonlyMap<string, JsonValue> | undefined;
  readonly initial: string | undefined;
}

/** Fields one after the other are pleasant for so many. */
const maximumFields = 12;

/** Keywords that tie arguments together or bring in others: more than one field at a time can show. */
const combiningKeywords = [
  '$ref',
  '$dynamicRef',
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'dependentRequired',
  'dependentSchemas',
];
const dependentKeywords = [...combiningKeywords, 'dependencies', 'patternProperties', 'propertyNames', 'minProperties'];

/** The fields of a flat object of texts, numbers, booleans and enumerations; `undefined` for any other schema. */
export function toolFields(schema: JsonSchema): readonly ToolField[] | undefined {
  if (!isOptionalObject(schema['type']) || dependentKeywords.some((keyword) => keyword in schema)) return undefined;
  const { properties = {}, required = [] } = schema;
  if (!isRecord(properties) || !isStringArray(required)) return undefined;
  const names = Object.keys(properties);
  if (names.length > maximumFields || required.some((name) => !names.includes(name))) return undefined;
  // Anything goes where nothing is said: that is for the editor.
  if (names.length === 0 && schema['additionalProperties'] !== false && !('properties' in schema)) return undefined;
  const fields = names.map((name) => toField(name, properties[name], required.includes(name)));
  return fields.every((field) => field !== undefined) ? fields : undefined;
}

/** The value `text` stands for, or a sentence that says why it stands for none. */
export function parseField(
  field: ToolField,
  text: string,
): { readonly value: JsonValue } | { readonly problem: string } {
  if (field.choices !== undefined) {
    const value = field.choices.get(text);
    return value === undefined ? { problem: 'Choose one of the values below.' } : { value };
  }
  if (field.type === 'string') return { value: text };
  const value = /^\s*[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?\s*$/i.test(text) ? Number(text) : Number.NaN;
  if (!Number.isFinite(value)) return { problem: `${field.title} must be a number.` };
  if (field.type === 'integer' && !Number.isInteger(value))
    return { problem: `${field.title} must be a whole number.` };
  return { value };
}

/** Arguments of a call from the texts typed; what was left out stays out. Call with texts that {@link parseField} accepts. */
export function toArguments(fields: readonly ToolField[], texts: Readonly<Record<string, string>>): JsonObject {
  return Object.fromEntries(
    fields.flatMap((field) => {
      if (!Object.hasOwn(texts, field.name)) return [];
      const parsed = parseField(field, texts[field.name] ?? '');
      return 'value' in parsed ? [[field.name, parsed.value] as const] : [];
    }),
  );
}

function toField(name: string, schema: unknown, isRequired: boolean): ToolField | undefined {
  if (!isRecord(schema) || combiningKeywords.some((keyword) => keyword in schema)) return undefined;
  const type = fieldType(schema, isRequired);
  if (type === undefined) return undefined;
  const choices = choicesOf(schema, type);
  const initial = schema['default'];
  return {
    name,
    schema,
    type,
    isRequired,
    title: isString(schema['title']) && schema['title'] !== '' ? schema['title'] : name,
    description: isString(schema['description']) ? schema['description'] : undefined,
    choices,
    initial: isScalar(initial) && (choices === undefined || choices.has(String(initial))) ? String(initial) : undefined,
  };
}

/** `null` beside one other type means the argument can be left out, which needs no field of its own unless it is required. */
function fieldType(schema: UnknownRecord, isRequired: boolean): ToolField['type'] | undefined {
  const { type } = schema;
  const types = (Array.isArray(type) ? (type as unknown[]) : [type]).filter((entry) => isRequired || entry !== 'null');
  const [only] = types;
  if (types.length !== 1) return undefined;
  if (only === 'string' || only === 'number' || only === 'integer' || only === 'boolean') return only;
  return only === undefined && (Array.isArray(schema['enum']) || isString(schema['const'])) ? 'string' : undefined;
}

function choicesOf(schema: UnknownRecord, type: ToolField['type']): ReadonlyMap<string, JsonValue> | undefined {
  const values = 'const' in schema ? [schema['const']] : schema['enum'];
  if (Array.isArray(values)) return new Map(values.filter(isScalar).map((value) => [String(value), value]));
  if (type !== 'boolean') return undefined;
  return new Map<string, JsonValue>([
    ['true', true],
    ['false', false],
  ]);
}

function isScalar(value: unknown): value is string | number | boolean {
  return isString(value) || typeof value === 'number' || typeof value === 'boolean';
}

function isOptionalObject(type: unknown): boolean {
  return type === undefined || type === 'object';
}
