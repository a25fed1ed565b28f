import type { ChoicesField, FormField, NumberField, TextLimits } from '../../base/formField.ts';
import { countOf } from '../dom.ts';

/** The limits of the values of a field, as sentences; empty if there are none. */
export function describeLimits(field: FormField): string {
  switch (field.kind) {
    case 'text':
      if (field.format === 'date-time')
        return `In your time zone, ${Intl.DateTimeFormat().resolvedOptions().timeZone}.`;
      return field.format === 'date' ? '' : describeText(field);
    case 'number':
      return describeRange(field);
    case 'list': {
      const parts = ['One a line.', describeCount(field.minItems, field.maxItems, 'text'), describeText(field.entries)];
      return joinSentences(parts);
    }
    case 'choices':
      return describeChoices(field);
    case 'boolean':
    case 'choice':
      return '';
  }
}

function describeText({ format, minLength, maxLength, pattern }: TextLimits): string {
  const kind = { email: 'An email address.', uri: 'A whole address, such as https://….' };
  return joinSentences([
    format === 'email' || format === 'uri' ? kind[format] : '',
    describeCount(minLength, maxLength, 'character'),
    pattern === undefined ? '' : `Pattern: ${pattern}`,
  ]);
}

/** "At least 2 texts.", "2 to 5 texts." or "Up to 5 texts."; empty if any number is valid. */
function describeCount(minimum = 0, maximum: number | undefined, noun: string): string {
  if (maximum === undefined) return minimum > 1 ? `At least ${countOf(minimum, noun)}.` : '';
  return minimum > 1 ? `${minimum} to ${countOf(maximum, noun)}.` : `Up to ${countOf(maximum, noun)}.`;
}

function describeRange({ isInteger, minimum, maximum }: NumberField): string {
  const noun = isInteger ? 'A whole number' : 'A number';
  if (minimum !== undefined && maximum !== undefined) return `${noun} from ${minimum} to ${maximum}.`;
  if (minimum !== undefined) return `${noun} of at least ${minimum}.`;
  return maximum === undefined ? '' : `${noun} of at most ${maximum}.`;
}

function describeChoices({ minItems = 0, maxItems }: ChoicesField): string {
  if (maxItems === undefined) return minItems === 0 ? '' : `Choose at least ${minItems}.`;
  return minItems === 0 ? `Choose up to ${maxItems}.` : `Choose ${minItems} to ${maxItems}.`;
}

function joinSentences(sentences: readonly string[]): string {
  return sentences.filter((sentence) => sentence !== '').join(' ');
}
