import { digitsAt } from './exactIntegers.ts';
import { isString } from './json.ts';

const plainName = /^[A-Za-z_$][\w$]*$/;

/** A place in a JSON value as JSONPath (RFC 9535): `$.days[0]["wind speed"]`. */
export function jsonPath(path: readonly (string | number)[]): string {
  const steps = path.map((step) => {
    if (typeof step === 'number') return `[${step}]`;
    return plainName.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`;
  });
  return `$${steps.join('')}`;
}

/** The value at a place. @returns `undefined` if there is none */
export function jsonAt(root: unknown, path: readonly (string | number)[]): unknown {
  let value = root;
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    value = value[step as never];
  }
  return value;
}

/** @returns the digits of an integer that is rounded in the value */
export function digitsAtPath(root: unknown, path: readonly (string | number)[]): string | undefined {
  return digitsAt(jsonAt(root, path.slice(0, -1)), path.at(-1) ?? '');
}

export function isIndex(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

export function isJsonPath(value: unknown): value is readonly (string | number)[] {
  return Array.isArray(value) && value.every((step) => isString(step) || isIndex(step));
}
