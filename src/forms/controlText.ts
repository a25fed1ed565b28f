import { isRounded, parseExactly, stringifyExactly } from '../base/exactIntegers.ts';
import type { ExactValue, JsonValue } from '../base/json.ts';

/** What the text of a control stands for. `message` follows the name of the field. */
export type ControlValue =
  | { readonly kind: 'absent' }
  | { readonly kind: 'value'; readonly value: ExactValue }
  | { readonly kind: 'problem'; readonly message: string };

/** A number as a person types it; `readNumber` gives it back. */
export function numberText(value: number | bigint): string {
  return Object.is(value, -0) ? '-0' : String(value);
}

/** Reads the text of a number field. @returns `absent` for an empty one */
export function readNumber(text: string, isInteger: boolean): ControlValue {
  const trimmed = text.trim();
  if (trimmed === '') return { kind: 'absent' };
  const value = /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(trimmed) ? Number(trimmed) : Number.NaN;
  if (!Number.isFinite(value)) return { kind: 'problem', message: 'must be a number' };
  if (isInteger && !Number.isInteger(value)) return { kind: 'problem', message: 'must be a whole number' };
  const digits = trimmed.replace(/^\+/, '').replace(/^(-?)0+(?=\d)/, '$1');
  return { kind: 'value', value: isRounded(digits) ? BigInt(digits) : value };
}

export function jsonText(value: ExactValue): string {
  return stringifyExactly(value, 2);
}

/** Reads the text of a JSON field. @returns `absent` for an empty one */
export function readJson(text: string): ControlValue {
  const trimmed = text.trim();
  if (trimmed === '') return { kind: 'absent' };
  try {
    return { kind: 'value', value: isRounded(trimmed) ? BigInt(trimmed) : (parseExactly(text) as JsonValue) };
  } catch {
    return { kind: 'problem', message: 'must be JSON, with text in double quotes: "like this"' };
  }
}
