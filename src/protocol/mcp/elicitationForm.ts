import { type FormField, type FormOption, textFormats, type TextLimits } from '../../base/formField.ts';
import { isRecord, isString, isStringArray, type UnknownRecord } from '../../base/json.ts';
import { ErrorCodes, JsonRpcError } from '../jsonRpc.ts';
import { givenMembers } from './members.ts';
import { createPropertyReader, type ReadProperty } from './propertySchema.ts';

/** Maximum size of a form that can be shown and filled in. */
const limits = { fields: 100, options: 1_000, characters: 200_000 };

/**
 * Reads the fields of a `requestedSchema`: a flat object of primitives and enumerations, in all forms since 2025-06-18.
 * Beyond the specification it accepts lists of texts and nullable properties; `null` is never sent. A default of the wrong
 * type is left out.
 * @throws {JsonRpcError} `-32602`, with the field, for a property that a form cannot show
 */
export function readFormFields(schema: UnknownRecord): FormField[] {
  const { type = 'object', properties = {}, required = [] } = givenMembers(schema);
  if (type !== 'object' || !isRecord(properties)) throw invalidElicitation('requestedSchema must describe an object');
  if (!isStringArray(required)) throw invalidElicitation('required must be a list of names');
  const names = Object.keys(properties);
  if (names.length > limits.fields) throw invalidElicitation(`a form may have at most ${limits.fields} fields`);
  if (sizeOf(schema) > limits.characters) throw invalidElicitation('requestedSchema is too large');
  const lost = required.find((name) => !names.includes(name));
  if (lost !== undefined) throw invalidField(lost, 'is required but has no schema');
  const readProperty = createPropertyReader(schema);
  return names.map((name) => readField(name, properties[name], readProperty, required.includes(name)));
}

/** The error for invalid parameters of `elicitation/create`. */
export function invalidElicitation(detail: string): JsonRpcError {
  return new JsonRpcError(ErrorCodes.invalidParams, `Invalid elicitation request: ${detail}`);
}

function readField(name: string, property: unknown, readProperty: ReadProperty, isRequired: boolean): FormField {
  if (!isRecord(property)) throw invalidField(name, 'must have a schema');
  const { schema } = readProperty(property);
  const { title, description } = schema;
  const base = { name, title: textOf(title), description: textOf(description), isRequired };
  const options = readOptions(name, schema);
  if (options !== undefined) return { ...base, kind: 'choice', options, default: textOf(schema['default']) };
  switch (schema['type']) {
    case 'string':
      return {
        ...base,
        kind: 'text',
        ...readTextLimits(schema),
        default: textOf(schema['default']),
      };
    case 'number':
    case 'integer':
      return {
        ...base,
        kind: 'number',
        isInteger: schema['type'] === 'integer',
        minimum: numberOf(schema['minimum']),
        maximum: numberOf(schema['maximum']),
        default: numberOf(schema['default']),
      };
    case 'boolean':
      return {
        ...base,
        kind: 'boolean',
        default: schema['default'] === true || (schema['default'] === false ? false : undefined),
      };
    case 'array':
      return { ...base, ...readEntries(name, schema, readProperty) };
    default:
      throw invalidField(name, 'must be a string, number, integer, boolean or a choice from a list');
  }
}

function readTextLimits({ format, minLength, maxLength, pattern }: UnknownRecord): TextLimits {
  return {
    format: textFormats.find((known) => known === format),
    minLength: numberOf(minLength),
    maxLength: numberOf(maxLength),
    pattern: textOf(pattern),
  };
}

/** Reads an array property: choices where its items are an enumeration, else a list of texts. */
function readEntries(name: string, schema: UnknownRecord, readProperty: ReadProperty) {
  const { minItems, maxItems, uniqueItems, default: preset } = schema;
  const items = readProperty(schema['items']).schema;
  const options = readOptions(name, items);
  const common = {
    minItems: numberOf(minItems),
    maxItems: numberOf(maxItems),
    default: isStringArray(preset) ? preset : undefined,
  };
  if (options !== undefined) return { ...common, kind: 'choices', options } as const;
  if (items['type'] !== 'string')
    throw invalidField(name, 'may list only strings, or options in items.enum or items.anyOf');
  return { ...common, kind: 'list', entries: readTextLimits(items), isUnique: uniqueItems === true } as const;
}

/** @returns `undefined` for a schema without an enumeration */
function readOptions(name: string, schema: UnknownRecord): FormOption[] | undefined {
  const { type = 'string', enum: values, enumNames, oneOf, anyOf, const: only } = schema;
  const titled = oneOf ?? anyOf ?? (only === undefined ? undefined : [{ const: only }]);
  if (values === undefined && titled === undefined) return undefined;
  const options = values === undefined ? readTitled(titled) : readEnum(values, enumNames);
  if (type !== 'string' || options === undefined) throw invalidField(name, 'may offer only strings to choose from');
  if (options.length === 0) throw invalidField(name, 'offers nothing to choose from');
  if (options.length > limits.options) throw invalidField(name, `may offer at most ${limits.options} options`);
  return [...new Map(options.map((option) => [option.value, option])).values()];
}

function readEnum(values: unknown, names: unknown): FormOption[] | undefined {
  if (!isStringArray(values)) return undefined;
  const labels = isStringArray(names) && names.length === values.length ? names : values;
  return values.map((value, index) => ({ value, label: labels[index] ?? value }));
}

function readTitled(values: unknown): FormOption[] | undefined {
  if (!Array.isArray(values)) return undefined;
  const options: FormOption[] = [];
  for (const option of values as unknown[]) {
    if (!isRecord(option) || !isString(option['const'])) return undefined;
    options.push({ value: option['const'], label: textOf(option['title']) ?? option['const'] });
  }
  return options;
}

function sizeOf(schema: UnknownRecord): number {
  try {
    return JSON.stringify(schema).length;
  } catch {
    // Nested too deeply to be serialised.
    return Infinity;
  }
}

function textOf(value: unknown): string | undefined {
  return isString(value) ? value : undefined;
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

function invalidField(name: string, detail: string): JsonRpcError {
  return invalidElicitation(`the field ${JSON.stringify(name.slice(0, 100))} ${detail}`);
}
