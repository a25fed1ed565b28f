import { holdsDigits, stringifyExactly } from '../base/exactIntegers.ts';
import { isString, parseJson } from '../base/json.ts';
import { checked, type Reader } from './messageReader.ts';

/** A value in a message: as a text of JSON where it holds integers that VS Code, which writes messages as JSON, would round. */
export type Sent<T extends object> = T | string;

export function toSent<T extends object>(value: T): Sent<T> {
  return holdsDigits(value) ? stringifyExactly(value) : value;
}

/** @param sent checked by {@link sentOf}, or of the extension */
export function fromSent<T extends object>(sent: Sent<T>): T {
  return isString(sent) ? (parseJson(sent) as T) : sent;
}

export function sentOf<T extends object>(check: (value: unknown) => value is T): Reader<Sent<T>> {
  return checked((value): value is Sent<T> => check(isString(value) ? parseJson(value) : value));
}
