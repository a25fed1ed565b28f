import { copyDigits, exactMember } from '../../base/exactIntegers.ts';
import { isRecord, isString, parseJson } from '../../base/json.ts';

const maximumLength = 1_000;

const stepPattern = () =>
  /\s*(?:\.([\p{L}_$\u0080-\u{10ffff}][\w$\u0080-\u{10ffff}]*)|\[\s*(?:(0|-?[1-9]\d{0,8})|"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)')\s*\])/uy;

/**
 * Reads a JSONPath that leads to one place: a "singular query" of RFC 9535, section 2.3.5.1. Wildcards, slices and filters are none.
 * @returns the steps, in which a negative index counts from the end; `undefined` for any other text
 */
export function parseJsonQuery(text: string): readonly (string | number)[] | undefined {
  if (!text.startsWith('$') || text.length > maximumLength) return undefined;
  const steps: (string | number)[] = [];
  const pattern = stepPattern();
  pattern.lastIndex = 1;
  while (pattern.lastIndex < text.length) {
    const match = pattern.exec(text);
    if (match === null) return undefined;
    const [, name, index, double, single] = match;
    const quoted = double ?? single?.replaceAll(/\\'|"/g, (found) => (found === '"' ? '\\"' : "'"));
    const read = name ?? (index === undefined ? unquoted(quoted ?? '') : Number(index));
    if (read === undefined) return undefined;
    steps.push(read);
  }
  return steps;
}

/** Steps to any number of places; `undefined` is each item of a list, and each member of an object. */
export type ManySteps = readonly (string | number | undefined)[];

/** Reads a JSONPath that may have `[*]`, too. @returns `undefined` for any other text, and for the whole value */
export function parseManyQuery(text: string): ManySteps | undefined {
  if (!text.startsWith('$') || text.length > maximumLength) return undefined;
  const parts = text
    .slice(1)
    .split('[*]')
    .map((part) => parseJsonQuery(`$${part}`));
  if (parts.length === 1 && parts[0]?.length === 0) return undefined;
  const steps: (string | number | undefined)[] = [];
  for (const [index, part] of parts.entries()) {
    if (part === undefined) return undefined;
    steps.push(...(index === 0 ? [] : [undefined]), ...part);
  }
  return steps;
}

/** A copy of a value with another one at places, where there is one now. */
export function replacedAt(value: unknown, [step, ...rest]: ManySteps, by: string): unknown {
  const replaced = (member: unknown): unknown => (rest.length === 0 ? by : replacedAt(member, rest, by));
  if (Array.isArray(value)) {
    const at = typeof step === 'number' && step < 0 ? value.length + step : step;
    const isMeant = (index: number): boolean => at === undefined || at === index;
    return copyDigits(
      value,
      value.map((item: unknown, index) => (isMeant(index) ? replaced(item) : item)),
    );
  }
  if (!isRecord(value) || typeof step === 'number') return value;
  const members = Object.entries(value).map(([key, member]) => [
    key,
    step === undefined || step === key ? replaced(member) : member,
  ]);
  return copyDigits(value, Object.fromEntries(members) as object);
}

function unquoted(inner: string): string | undefined {
  const read = parseJson(`"${inner}"`);
  return isString(read) ? read : undefined;
}

/** The value at a place, as it was written. @returns `undefined` if there is none */
export function jsonAtQuery(root: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((value, key) => {
    if (typeof key === 'number')
      return Array.isArray(value) ? exactMember(value, key < 0 ? value.length + key : key) : undefined;
    return Array.isArray(value) ? undefined : exactMember(value, key);
  }, root);
}
