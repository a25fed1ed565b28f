import type { JsonValue, UnknownRecord } from '../base/json.ts';
import type { FieldBase } from './field.ts';
import { distinctJson } from '../schema/jsonEquality.ts';
import { listIn, numberIn, own, textIn } from '../schema/schemaNode.ts';
import { firstText, type Shape } from './shape.ts';

/** Examples of one value. */
const maximumExamples = 20;

/** Texts from that length on are written in several lines. */
const longText = 200;

const longFormats = new Set(['markdown', 'html', 'textarea', 'multiline', 'text', 'code', 'json', 'yaml', 'sql']);

/** What all fields have. @param limits as sentences */
export function baseOf({ parts, acceptsNull }: Shape, limits: readonly string[]): FieldBase {
  const schemas = parts.map(({ schema }) => schema);
  const described = parts.filter(({ role }) => role !== 'other').map(({ schema }) => schema);
  const title = firstText(parts, 'title');
  const description = firstText(parts, 'description');
  const preset = described.find((schema) => Object.hasOwn(schema, 'default'));
  return {
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(preset !== undefined && { default: own(preset, 'default') as JsonValue }),
    examples: distinctJson(described.flatMap(examplesIn), maximumExamples),
    isNullable: acceptsNull === true,
    isDeprecated: described.some((schema) => own(schema, 'deprecated') === true),
    isReadOnly: schemas.some((schema) => own(schema, 'readOnly') === true),
    limits,
  };
}

function examplesIn(schema: UnknownRecord): readonly JsonValue[] {
  const single = Object.hasOwn(schema, 'example') ? [own(schema, 'example')] : [];
  return [...listIn(schema, 'examples').slice(0, maximumExamples), ...single] as readonly JsonValue[];
}

/** True for a text that is, or may be, of several lines. */
export function isLongText({ parts }: Shape, value: JsonValue | undefined): boolean {
  return isOfLines(value) || parts.some(({ schema }) => mayBeLong(schema));
}

function mayBeLong(schema: UnknownRecord): boolean {
  const format = textIn(schema, 'format');
  if (format !== undefined) return longFormats.has(format);
  if (textIn(schema, 'contentMediaType') !== undefined) return true;
  const samples = [own(schema, 'default'), ...examplesIn(schema)];
  return (numberIn(schema, 'maxLength') ?? 0) >= longText || samples.some(isOfLines);
}

function isOfLines(value: unknown): boolean {
  return typeof value === 'string' && (value.includes('\n') || value.length >= longText);
}
