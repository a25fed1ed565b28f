import type { JsonValue, UnknownRecord } from '../base/json.ts';
import { listIn, numberIn, own, textIn } from '../schema/schemaNode.ts';
import type { TextField } from './field.ts';
import type { Shape } from './shape.ts';

export const maximumExamples = 20;

/** Texts from that length on are written in several lines. */
const longText = 200;

/** Texts of so many characters at most are names, codes and the like. */
const shortText = 100;

const longestPattern = 1_000;

const lineFormats = new Set(
  (
    'date time date-time duration email idn-email uri iri url uri-reference iri-reference uri-template uuid ' +
    'ipv4 ipv6 hostname idn-hostname json-pointer relative-json-pointer regex password'
  ).split(' '),
);

const longFormats = new Set(['markdown', 'html', 'textarea', 'multiline', 'text', 'code', 'json', 'yaml', 'sql']);

/** From start to end, of parts that match no line break; classes that might, such as `\s` and `[^a]`, are not among them. */
const lineOnly = /^\^(?:\\[bdw\W_]|\[(?!\^)(?:\\[dw\W_]|[^\]\\])*\]|[^\\[\]|^$])*\$$/;

/** In how many lines a text is written. A value that has line breaks is shown with them, whatever its schema says. */
export function linesOf({ parts }: Shape, value: JsonValue | undefined): Pick<TextField, 'isLong' | 'isLine'> {
  const hasBreaks = typeof value === 'string' && /[\n\r]/.test(value);
  const isLine = !hasBreaks && parts.some(({ schema }) => isLineOnly(schema));
  return { isLine, isLong: !isLine && (isOfLines(value) || parts.some(({ schema }) => mayBeLong(schema))) };
}

export function examplesIn(schema: UnknownRecord): readonly JsonValue[] {
  const single = Object.hasOwn(schema, 'example') ? [own(schema, 'example')] : [];
  return [...listIn(schema, 'examples').slice(0, maximumExamples), ...single] as readonly JsonValue[];
}

function isLineOnly(schema: UnknownRecord): boolean {
  const format = textIn(schema, 'format') ?? '';
  if (lineFormats.has(format)) return true;
  const pattern = textIn(schema, 'pattern') ?? '';
  if (pattern.length <= longestPattern && lineOnly.test(pattern)) return true;
  return !mayBeLong(schema) && (numberIn(schema, 'maxLength') ?? Number.POSITIVE_INFINITY) <= shortText;
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
