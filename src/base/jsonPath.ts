import { exactMember } from './exactIntegers.ts';
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

/** The value at a place, as it was written. @returns `undefined` if there is none */
export function jsonAt(root: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce(exactMember, root);
}

export function isIndex(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

export function isJsonPath(value: unknown): value is readonly (string | number)[] {
  return Array.isArray(value) && value.every((step) => isString(step) || isIndex(step));
}
