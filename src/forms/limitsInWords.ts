import { isString, isRecord } from '../base/json.ts';
import { truncateWithEllipsis } from '../base/truncate.ts';

/** What a schema asks of a value, a sentence each. @param notes keywords of the schema, unchecked */
export function limitsInWords(notes: Readonly<Record<string, unknown>>): readonly string[] {
  return [
    between(notes['minLength'], notes['maxLength'], 'character'),
    rangeOf(notes),
    isNumber(notes['multipleOf']) ? `A multiple of ${notes['multipleOf']}.` : undefined,
    between(notes['minItems'], notes['maxItems'], 'item'),
    notes['uniqueItems'] === true ? 'Each item once.' : undefined,
    between(notes['minProperties'], notes['maxProperties'], 'entry', 'entries'),
    namesInWords(notes['propertyNames']),
    isString(notes['pattern']) ? `Pattern: ${truncateWithEllipsis(notes['pattern'], 300)}` : undefined,
  ].filter((sentence) => sentence !== undefined);
}

function between(minimum: unknown, maximum: unknown, noun: string, plural = `${noun}s`): string | undefined {
  const least = isNumber(minimum) && minimum > 0 ? minimum : undefined;
  const count = (number: number): string => `${number} ${number === 1 ? noun : plural}`;
  if (!isNumber(maximum)) return least === undefined ? undefined : `At least ${count(least)}.`;
  if (least === undefined) return `At most ${count(maximum)}.`;
  return least === maximum ? `Exactly ${count(least)}.` : `${least} to ${count(maximum)}.`;
}

function rangeOf(notes: Readonly<Record<string, unknown>>): string | undefined {
  const { minimum, maximum, exclusiveMinimum: above, exclusiveMaximum: below } = notes;
  if (isNumber(minimum) && isNumber(maximum)) return `From ${minimum} to ${maximum}.`;
  const parts = [
    isNumber(minimum) ? `at least ${minimum}` : undefined,
    isNumber(above) ? `more than ${above}` : undefined,
    isNumber(maximum) ? `at most ${maximum}` : undefined,
    isNumber(below) ? `less than ${below}` : undefined,
  ].filter((part) => part !== undefined);
  const sentence = parts.join(' and ');
  return sentence === '' ? undefined : `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`;
}

function namesInWords(schema: unknown): string | undefined {
  if (!isRecord(schema)) return undefined;
  const { enum: names } = schema;
  if (Array.isArray(names)) return `Names: ${truncateWithEllipsis(names.slice(0, 50).join(', '), 300)}.`;
  return 'The names have rules of their own.';
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number';
}
