import { isRecord, isStringArray } from './json.ts';

/** The value of a field. */
export type FormValue = string | number | boolean | readonly string[];

/** Values by the names of their fields. */
export type FormContent = Readonly<Record<string, FormValue>>;

/** True for an object whose values are all of type {@link FormValue}. */
export function isFormContent(value: unknown): value is FormContent {
  return isRecord(value) && Object.values(value).every(isFormValue);
}

function isFormValue(value: unknown): value is FormValue {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' || isStringArray(value);
}

interface FieldBase {
  readonly name: string;
  readonly title: string | undefined;
  readonly description: string | undefined;
  readonly isRequired: boolean;
}

/** Constraints on a text. */
export interface TextLimits {
  readonly format: TextFormat | undefined;
  /** In Unicode characters, as JSON Schema counts. */
  readonly minLength: number | undefined;
  readonly maxLength: number | undefined;
  /** A regular expression of JSON Schema. Matching may take unbounded time, so another process does it: {@link PatternResult}. */
  readonly pattern: string | undefined;
}

/** A field for one text. */
export interface TextField extends FieldBase, TextLimits {
  readonly kind: 'text';
  readonly default: string | undefined;
}

/** A field for a number. */
export interface NumberField extends FieldBase {
  readonly kind: 'number';
  readonly isInteger: boolean;
  readonly minimum: number | undefined;
  readonly maximum: number | undefined;
  readonly default: number | undefined;
}

/** A field for true or false. */
export interface BooleanField extends FieldBase {
  readonly kind: 'boolean';
  readonly default: boolean | undefined;
}

/** One entry of a {@link ChoiceField} or {@link ChoicesField}. */
export interface FormOption {
  readonly value: string;
  readonly label: string;
}

/** A field for one of several options. */
export interface ChoiceField extends FieldBase {
  readonly kind: 'choice';
  readonly options: readonly FormOption[];
  readonly default: string | undefined;
}

/** A field for any number of several options. */
export interface ChoicesField extends FieldBase {
  readonly kind: 'choices';
  readonly options: readonly FormOption[];
  readonly minItems: number | undefined;
  readonly maxItems: number | undefined;
  readonly default: readonly string[] | undefined;
}

/** A field for a list of texts. */
export interface ListField extends FieldBase {
  readonly kind: 'list';
  /** Constraints on each text. */
  readonly entries: TextLimits;
  readonly minItems: number | undefined;
  readonly maxItems: number | undefined;
  /** No text may occur twice. */
  readonly isUnique: boolean;
  readonly default: readonly string[] | undefined;
}

/** One field of a flat form. Both the panel and the host check its value with {@link fieldProblem}. */
export type FormField = TextField | NumberField | BooleanField | ChoiceField | ChoicesField | ListField;

/** @returns the pattern that a text, or each text of a list, must match */
export function patternOf(field: FormField): string | undefined {
  if (field.kind === 'list') return field.entries.pattern;
  return field.kind === 'text' ? field.pattern : undefined;
}

/** The result of matching a value against the pattern of its field. Without `problem` and `note` it matches. */
export interface PatternResult {
  /** Of the field. */
  readonly name: string;
  readonly value: FormValue;
  /** A sentence that says what to enter. */
  readonly problem?: string;
  /** A sentence that says why the pattern was not checked. */
  readonly note?: string;
}

const formats = {
  email: { test: isEmail, advice: 'Enter an email address, such as name@example.com.' },
  uri: { test: isUri, advice: 'Enter a whole address, such as https://example.com.' },
  date: { test: isDate, advice: 'Enter a date as year-month-day, such as 2026-03-14.' },
  'date-time': { test: isDateTime, advice: 'Enter a date and time with its zone, such as 2026-03-14T09:30:00Z.' },
} as const;

/** The formats of texts in forms (2025-11-25, Client Features / Elicitation / Requested Schema). */
export type TextFormat = keyof typeof formats;

/** All values of {@link TextFormat}. */
export const textFormats = Object.keys(formats) as readonly TextFormat[];

/**
 * Checks the value of a field, without its pattern.
 * @param value `undefined` when the field is left out
 * @returns a sentence that says what to enter, or `undefined` for a valid value
 */
export function fieldProblem(field: FormField, value: unknown): string | undefined {
  if (value === undefined) return field.isRequired ? missingValueProblem(field) : undefined;
  switch (field.kind) {
    case 'text':
      return typeof value === 'string' ? textProblem(field, value) : 'Enter a text.';
    case 'number':
      return numberProblem(field, value);
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'Choose yes or no.';
    case 'choice':
      return isOption(field.options, value) ? undefined : 'Choose one of the options.';
    case 'choices':
      return choicesProblem(field, value);
    case 'list':
      return listProblem(field, value);
  }
}

/** @returns the first field with an invalid value in `content`, and its problem */
export function contentProblem(
  fields: readonly FormField[],
  content: FormContent,
): { readonly name: string; readonly problem: string } | undefined {
  for (const field of fields) {
    const { name } = field;
    const problem = fieldProblem(field, Object.hasOwn(content, name) ? content[name] : undefined);
    if (problem !== undefined) return { name, problem };
  }
  return undefined;
}

function missingValueProblem({ kind }: FormField): string {
  if (kind === 'list') return 'Enter at least one text.';
  if (kind === 'choice') return 'Choose one.';
  if (kind === 'choices') return 'Choose at least one.';
  return kind === 'boolean' ? 'Choose yes or no.' : 'Fill this in.';
}

function textProblem({ format, minLength = 0, maxLength }: TextLimits, value: string): string | undefined {
  // JSON Schema counts Unicode characters, not UTF-16 units.
  const length = Array.from(value).length;
  if (length < minLength) return `Enter at least ${withNoun(minLength, 'character')}.`;
  if (maxLength !== undefined && length > maxLength) return `Enter at most ${withNoun(maxLength, 'character')}.`;
  if (format !== undefined && !formats[format].test(value)) return formats[format].advice;
  return undefined;
}

function numberProblem({ isInteger, minimum, maximum }: NumberField, value: unknown): string | undefined {
  const isRightKind = isInteger ? Number.isSafeInteger(value) : Number.isFinite(value);
  const isWithin =
    typeof value === 'number' && value >= (minimum ?? -Infinity) && value <= (maximum ?? Number.POSITIVE_INFINITY);
  if (isRightKind && isWithin) return undefined;
  const noun = isInteger ? 'a whole number' : 'a number';
  if (minimum !== undefined && maximum !== undefined) return `Enter ${noun} from ${minimum} to ${maximum}.`;
  if (minimum !== undefined) return `Enter ${noun} of at least ${minimum}.`;
  return maximum === undefined ? `Enter ${noun}.` : `Enter ${noun} of at most ${maximum}.`;
}

function choicesProblem({ options, minItems = 0, maxItems }: ChoicesField, value: unknown): string | undefined {
  if (!Array.isArray(value) || !value.every((chosen) => isOption(options, chosen))) return 'Choose from the options.';
  if (new Set(value).size !== value.length) return 'Choose each option once.';
  if (value.length < minItems) return `Choose at least ${minItems}.`;
  return maxItems !== undefined && value.length > maxItems ? `Choose at most ${maxItems}.` : undefined;
}

function listProblem({ entries, minItems = 0, maxItems, isUnique }: ListField, value: unknown): string | undefined {
  if (!isStringArray(value)) return 'Enter texts, one a line.';
  for (const [index, entry] of value.entries()) {
    const problem = textProblem(entries, entry);
    if (problem !== undefined) return `Entry ${index + 1}: ${problem}`;
  }
  if (isUnique && new Set(value).size !== value.length) return 'Enter each text once.';
  if (value.length < minItems) return `Enter at least ${withNoun(minItems, 'text')}.`;
  return maxItems !== undefined && value.length > maxItems ? `Enter at most ${withNoun(maxItems, 'text')}.` : undefined;
}

function isOption(options: readonly FormOption[], value: unknown): boolean {
  return options.some((option) => option.value === value);
}

function isEmail(text: string): boolean {
  return (
    text.length <= 320 && /^[^\s@"<>(),;:\\[\]]+@[^\s@"<>(),;:\\[\]]+$/u.test(text) && !/\.\.|\.@|@\.|\.$/.test(text)
  );
}

function isUri(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:[^\s<>"{}|\\^`]+$/i.test(text) && URL.canParse(text);
}

function isDate(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  // `Date` turns February 30 into a day of March.
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

function isDateTime(text: string): boolean {
  const match = /^(\d{4}-\d\d-\d\d)T(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i.exec(text);
  if (match === null) return false;
  const [, date = '', hour, minute, second] = match;
  // A minute may have a leap second (RFC 3339, section 5.6).
  return isDate(date) && Number(hour) < 24 && Number(minute) < 60 && Number(second) <= 60;
}

function withNoun(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
