import { isRounded, parseExactly, stringifyExactly } from '../base/exactIntegers.ts';
import type { JsonValue } from '../base/json.ts';

/** `digits`: of an integer that is rounded in the value. */
export interface ExactValue {
  readonly value: JsonValue;
  readonly digits?: string | undefined;
}

/** What the text of a control stands for. `message` is a sentence. */
export type ControlValue =
  | { readonly kind: 'absent' }
  | (ExactValue & { readonly kind: 'value' })
  | { readonly kind: 'problem'; readonly message: string };

/** A number as a person types it; `readNumber` gives it back. */
export function numberText(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}

/** Reads the text of a number field. @returns `absent` for an empty one */
export function readNumber(text: string, isInteger: boolean): ControlValue {
  const trimmed = text.trim();
  if (trimmed === '') return { kind: 'absent' };
  const value = /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(trimmed) ? Number(trimmed) : Number.NaN;
  if (!Number.isFinite(value)) return { kind: 'problem', message: 'Enter a number.' };
  if (isInteger && !Number.isInteger(value)) return { kind: 'problem', message: 'Enter a whole number.' };
  return { kind: 'value', value, ...digitsIn(trimmed.replace(/^\+/, '').replace(/^(-?)0+(?=\d)/, '$1')) };
}

function digitsIn(written: string): { readonly digits?: string } {
  return isRounded(written) ? { digits: written } : {};
}

export function jsonText(value: JsonValue): string {
  return stringifyExactly(value, 2);
}

/** Reads the text of a JSON field. @returns `absent` for an empty one */
export function readJson(text: string): ControlValue {
  if (text.trim() === '') return { kind: 'absent' };
  try {
    return { kind: 'value', value: parseExactly(text) as JsonValue, ...digitsIn(text.trim()) };
  } catch {
    return { kind: 'problem', message: 'This is not JSON. Texts stand in double quotes: "like this".' };
  }
}
