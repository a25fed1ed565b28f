import { isRecord, isString, isStringArray, type JsonObject, type JsonValue } from '../../base/json.ts';
import { type ArgumentField, readEntries } from '../arguments/argumentItems.ts';
import { describeProblem } from '../../base/schemaCheck.ts';
import type { SchemaValidator } from '../../client/validation/schemaValidator.ts';
import { createPropertyReader, type ReadProperty } from '../../protocol/mcp/propertySchema.ts';
import type { JsonSchema } from '../../protocol/mcp/tools.ts';

/** One argument of a tool that a single line of text can hold, or several lines one after the other. */
export interface ToolField {
  readonly name: string;
  /** Without references, and without `null`. */
  readonly schema: JsonSchema;
  /** `list`: of texts. The text of such a field is their JSON. */
  readonly type: 'string' | 'number' | 'integer' | 'boolean' | 'list';
  readonly isRequired: boolean;
  /** What is required and left out is sent as `null`. */
  readonly isNullable: boolean;
  readonly title: string;
  readonly description: string | undefined;
  /** The only values there are, or that a list may have, by the text that stands for each. */
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
const variantKeywords = ['anyOf', 'oneOf'];
/** Keywords of lists whose items are not all alike. */
const listKeywords = ['prefixItems', 'additionalItems', 'unevaluatedItems', 'contains'];
const dependentKeywords = [...combiningKeywords, 'dependencies', 'patternProperties', 'propertyNames', 'minProperties'];

/**
 * The fields of a flat object of texts, numbers, booleans, enumerations and lists of texts, each of which may be null;
 * `undefined` for any other schema.
 */
export function toolFields(schema: JsonSchema): readonly ToolField[] | undefined {
  if (!isOptionalObject(schema['type']) || dependentKeywords.some((keyword) => keyword in schema)) return undefined;
  const { properties = {}, required = [] } = schema;
  if (!isRecord(properties) || !isStringArray(required)) return undefined;
  const names = Object.keys(properties);
  if (names.length > maximumFields || required.some((name) => !names.includes(name))) return undefined;
  // Anything goes where nothing is said: that is for the editor.
  if (names.length === 0 && schema['additionalProperties'] !== false && !('properties' in schema)) return undefined;
  const readProperty = createPropertyReader(schema);
  const fields = names.map((name) => toField(name, properties[name], readProperty, required.includes(name)));
  return fields.every((field) => field !== undefined) ? fields : undefined;
}

/** The value `text` stands for, or a sentence that says why it stands for none. */
export function parseField(
  field: ToolField,
  text: string,
): { readonly value: JsonValue } | { readonly problem: string } {
  if (field.type === 'list') {
    const value = readEntries(text);
    return value === undefined ? { problem: `${field.title} must be a list of texts.` } : { value };
  }
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

/**
 * Arguments of a call from the texts typed. What was left out stays out, and is `null` where it is required and may be.
 * Call with texts that {@link parseField} accepts.
 */
export function toArguments(fields: readonly ToolField[], texts: Readonly<Record<string, string>>): JsonObject {
  return Object.fromEntries(
    fields.flatMap((field) => {
      if (!Object.hasOwn(texts, field.name))
        return field.isRequired && field.isNullable ? [[field.name, null] as const] : [];
      const parsed = parseField(field, texts[field.name] ?? '');
      return 'value' in parsed ? [[field.name, parsed.value] as const] : [];
    }),
  );
}

function toField(
  name: string,
  property: unknown,
  readProperty: ReadProperty,
  isRequired: boolean,
): ToolField | undefined {
  if (!isRecord(property)) return undefined;
  const { schema, isNullable } = readProperty(property);
  const { title, description, default: initial } = schema;
  const value = schema['type'] === 'array' ? listOf(schema, readProperty) : valueOf(schema);
  return (
    value && {
      name,
      isRequired,
      isNullable,
      title: isString(title) && title !== '' ? title : name,
      description: isString(description) ? description : undefined,
      ...value,
      initial: initialText(value, initial),
    }
  );
}

type FieldValue = Pick<ToolField, 'schema' | 'type' | 'choices'>;

function valueOf(schema: JsonSchema): FieldValue | undefined {
  const choices = choicesOf(schema);
  if (
    combiningKeywords.some(
      (keyword) => keyword in schema && !(choices !== undefined && variantKeywords.includes(keyword)),
    )
  )
    return undefined;
  const { type = choices === undefined ? undefined : 'string' } = schema;
  if (type !== 'string' && type !== 'number' && type !== 'integer' && type !== 'boolean') return undefined;
  return { schema, type, choices: choices ?? (type === 'boolean' ? yesAndNo : undefined) };
}

function listOf(schema: JsonSchema, readProperty: ReadProperty): FieldValue | undefined {
  if ([...combiningKeywords, ...listKeywords].some((keyword) => keyword in schema)) return undefined;
  const item = valueOf(readProperty(schema['items']).schema);
  const isText = item?.type === 'string' && [...(item.choices?.values() ?? [])].every(isString);
  return isText ? { schema: { ...schema, items: item.schema }, type: 'list', choices: item.choices } : undefined;
}

/** @returns `undefined` for a schema that does not list its values, or none that a text could stand for */
function choicesOf(schema: JsonSchema): ReadonlyMap<string, JsonValue> | undefined {
  const variants = schema['oneOf'] ?? schema['anyOf'];
  const constants = Array.isArray(variants)
    ? variants.map((variant) => (isRecord(variant) ? variant['const'] : undefined))
    : undefined;
  const values = 'const' in schema ? [schema['const']] : (schema['enum'] ?? constants);
  if (!Array.isArray(values) || values.length === 0 || !values.every(isScalar)) return undefined;
  return new Map(values.map((value) => [String(value), value]));
}

const yesAndNo: ReadonlyMap<string, JsonValue> = new Map([
  ['true', true],
  ['false', false],
]);

function initialText({ type, choices }: FieldValue, initial: unknown): string | undefined {
  if (type === 'list') return isStringArray(initial) ? JSON.stringify(initial) : undefined;
  if (!isScalar(initial)) return undefined;
  const text = String(initial);
  return choices === undefined || choices.has(text) ? text : undefined;
}

function isScalar(value: unknown): value is string | number | boolean {
  return isString(value) || typeof value === 'number' || typeof value === 'boolean';
}

function isOptionalObject(type: unknown): boolean {
  return type === undefined || type === 'object';
}

/** What to ask before a tool can be called, each answer checked against its own part of the schema. */
export function toArgumentFields(
  server: string,
  fields: readonly ToolField[],
  validator: SchemaValidator,
): ArgumentField[] {
  return fields.map((field) => ({
    name: field.name,
    label: field.title,
    description: [hintOf(field), field.description].filter((part) => part !== undefined && part !== '').join(' · '),
    // What may be null can be left out: null is then what is sent.
    isRequired: field.isRequired && !field.isNullable,
    // Whether an empty text will do is for the schema to say.
    acceptsEmpty: field.isRequired && !field.isNullable && field.type === 'string' && field.choices === undefined,
    ...(field.choices !== undefined && { choices: [...field.choices.keys()] }),
    ...startOf(field),
    ...(field.type === 'list' && { checkEntry: (text: string) => checkEntry(server, field, text, validator) }),
    check: (text) => checkField(server, field, text, validator),
  }));
}

/** A default is filled in. If the values are fixed, only a value that the person chose is sent, and the default is only shown. */
function startOf({
  isRequired,
  isNullable,
  initial,
  choices,
  type,
}: ToolField): Pick<ArgumentField, 'initial' | 'leftOut'> {
  if (isRequired && isNullable) return { leftOut: 'null is sent', ...(initial !== undefined && { initial }) };
  if (initial === undefined) return {};
  return isRequired || choices === undefined || type === 'list'
    ? { initial }
    : { leftOut: `the default is ${initial}` };
}

async function checkField(
  server: string,
  field: ToolField,
  text: string,
  validator: SchemaValidator,
): Promise<string | undefined> {
  const parsed = parseField(field, text);
  return 'problem' in parsed ? parsed.problem : problemOf(server, field.title, field.schema, parsed.value, validator);
}

/** One text of a list, apart from the others. */
async function checkEntry(
  server: string,
  { title, schema }: ToolField,
  text: string,
  validator: SchemaValidator,
): Promise<string | undefined> {
  const { items } = schema;
  return isRecord(items) ? problemOf(server, title, items, text, validator) : undefined;
}

async function problemOf(
  server: string,
  title: string,
  schema: JsonSchema,
  value: JsonValue,
  validator: SchemaValidator,
): Promise<string | undefined> {
  const validation = await validator.validate(server, schema, value);
  const [first] = validation.kind === 'invalid' ? validation.problems : [];
  return first && `${title} ${describeProblem(first)}.`;
}

function hintOf({ type, choices }: ToolField): string | undefined {
  if (type === 'list') return 'A list: Enter adds each entry';
  if (choices !== undefined) return undefined;
  if (type === 'integer') return 'A whole number';
  return type === 'number' ? 'A number' : undefined;
}
