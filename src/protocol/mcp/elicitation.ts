import { PatchbayError } from '../../base/errors.ts';
import {
  contentProblem,
  fieldProblem,
  type FormContent,
  type FormField,
  type FormOption,
  textFormats,
  type TextLimits,
} from '../../base/formField.ts';
import { isOptional, isRecord, isString, isStringArray, type UnknownRecord } from '../../base/json.ts';
import { ErrorCodes, JsonRpcError } from '../jsonRpc.ts';
import type { RequestHandlerContext } from '../incomingRequests.ts';
import { createPropertyReader, type ReadProperty } from './propertySchema.ts';
import { withoutNulls } from './readers.ts';
import type { JsonSchema } from './tools.ts';

/** A server asks the user to fill in a form (2025-11-25, Client Features / Elicitation). */
export interface FormElicitRequest {
  readonly mode: 'form';
  readonly message: string;
  /** The schema of a flat object of primitives. */
  readonly requestedSchema: JsonSchema;
  /** The fields of `requestedSchema`, checked. */
  readonly fields: readonly FormField[];
}

/** A server asks the user to visit a page (2025-11-25, Client Features / Elicitation). The URL is unchecked. */
export interface UrlElicitRequest {
  readonly mode: 'url';
  readonly message: string;
  readonly url: string;
  readonly elicitationId?: string;
  /**
   * Our request is sent again after the visit: it failed with `-32042`, or its result asks for input (2026-07-28).
   * Then `accept` means that the visit is complete, or that the user wants to try again. Otherwise `accept` means only that
   * the user agreed to open the page.
   */
  readonly isRequired?: true;
  /** The user has visited the page for the same request before, and the server asks again. */
  readonly wasVisited?: true;
}

/** The checked parameters of `elicitation/create`. */
export type ElicitRequest = FormElicitRequest | UrlElicitRequest;

/** The answer of the user. */
export interface ElicitResult {
  readonly action: 'accept' | 'decline' | 'cancel';
  /** Only for `accept` of a form. */
  readonly content?: FormContent;
}

/** What a handler of elicitations can use. */
export interface ElicitContext extends RequestHandlerContext {
  /** Resolves when the server reports that the visit is complete. Absent where the server cannot report it. */
  readonly completed?: Promise<void>;
  /** Aborted when the connection ends, also after the answer: then `completed` never resolves. */
  readonly ended?: AbortSignal;
}

/** Asks the user for a URL elicitation that one of our requests waits for. */
export type ElicitUrl = (request: UrlElicitRequest, context: ElicitContext) => Promise<ElicitResult>;

/** Create one for each of our requests: it remembers the pages that the user has visited for it. */
export function createRequiredUrlElicitation(
  elicit: (request: ElicitRequest, context: ElicitContext) => Promise<ElicitResult>,
): ElicitUrl {
  const visited = new Set<string>();
  return async (request, context) => {
    const { url } = request;
    const required: UrlElicitRequest = {
      ...request,
      isRequired: true,
      ...(visited.has(url) && { wasVisited: true }),
    };
    const result = await elicit(required, context);
    if (result.action === 'accept') visited.add(url);
    return result;
  };
}

/** Maximum characters of the message. */
const maximumMessage = 20_000;

/**
 * Reads the parameters of `elicitation/create`.
 * @throws {JsonRpcError} `-32602`, with the wrong member or field
 */
export function readElicitRequest(params: UnknownRecord): ElicitRequest {
  const given = withoutNulls(params);
  const { mode = 'form', message, requestedSchema } = given;
  if (!isString(message)) throw invalidElicitation('message must be a string');
  if (message.length > maximumMessage) throw invalidElicitation('message is too long');
  if (mode === 'url') return readUrlElicitRequest(given, message);
  if (mode !== 'form') throw invalidElicitation('mode must be "form" or "url"');
  if (!isRecord(requestedSchema)) throw invalidElicitation('requestedSchema must be an object');
  return { mode, message, requestedSchema, fields: readFormFields(requestedSchema) };
}

function readUrlElicitRequest({ url, elicitationId }: UnknownRecord, message: string): UrlElicitRequest {
  if (!isString(url)) throw invalidElicitation('url must be a string');
  if (!isOptional(elicitationId, isString)) throw invalidElicitation('elicitationId must be a string');
  return { mode: 'url', message, url, ...(elicitationId !== undefined && { elicitationId }) };
}

/**
 * Completes and checks the answer to an elicitation: missing fields of an accepted form get their defaults (2025-11-25,
 * Client Features / Elicitation, "Requested Schema"). All other answers have no content.
 * @throws {PatchbayError} `invalidArguments` when the content does not fit the form
 */
export function completeElicitResult({ action, content }: ElicitResult, request: ElicitRequest): ElicitResult {
  if (action !== 'accept' || request.mode === 'url') return { action };
  const { fields } = request;
  const settled = new Map<string, FormContent[string] | undefined>(
    fields.map((field) => [field.name, validDefaultOf(field)]),
  );
  for (const [name, value] of Object.entries(content ?? {})) settled.set(name, value);
  const filled = Object.fromEntries([...settled].filter(([, value]) => value !== undefined)) as FormContent;
  const wrong = contentProblem(fields, filled);
  if (wrong !== undefined)
    throw new PatchbayError('invalidArguments', `The answer does not fit the form: "${wrong.name}": ${wrong.problem}`);
  return { action, content: filled };
}

/** The default of a field; `undefined` where its own schema does not allow it. */
function validDefaultOf(field: FormField): FormField['default'] {
  return fieldProblem(field, field.default) === undefined ? field.default : undefined;
}

/** Maximum size of a form that can be shown and filled in. */
const maximumForm = { fields: 100, options: 1_000, characters: 200_000 };

/**
 * Reads the fields of a `requestedSchema`: a flat object of primitives and enumerations, in all forms since 2025-06-18.
 * Beyond the specification it accepts lists of texts and nullable properties; `null` is never sent. A default of the wrong
 * type is left out.
 * @throws {JsonRpcError} `-32602`, with the field, for a property that a form cannot show
 */
function readFormFields(schema: UnknownRecord): FormField[] {
  const { type = 'object', properties = {}, required = [] } = withoutNulls(schema);
  if (type !== 'object' || !isRecord(properties)) throw invalidElicitation('requestedSchema must describe an object');
  if (!isStringArray(required)) throw invalidElicitation('required must be a list of names');
  const names = Object.keys(properties);
  if (names.length > maximumForm.fields)
    throw invalidElicitation(`a form may have at most ${maximumForm.fields} fields`);
  if (sizeOf(schema) > maximumForm.characters) throw invalidElicitation('requestedSchema is too large');
  const lost = required.find((name) => !names.includes(name));
  if (lost !== undefined) throw invalidField(lost, 'is required but has no schema');
  const readProperty = createPropertyReader(schema);
  return names.map((name) => readField(name, properties[name], readProperty, required.includes(name)));
}

/** The error for invalid parameters of `elicitation/create`. */
function invalidElicitation(detail: string): JsonRpcError {
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
  if (options.length > maximumForm.options)
    throw invalidField(name, `may offer at most ${maximumForm.options} options`);
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
