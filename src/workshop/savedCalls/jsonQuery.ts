import { exactMember } from '../../base/exactIntegers.ts';
import { isString, parseJson } from '../../base/json.ts';

const step = () =>
  /\s*(?:\.([\p{L}_$\u0080-\u{10ffff}][\w$\u0080-\u{10ffff}]*)|\[\s*(?:(0|-?[1-9]\d{0,8})|"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)')\s*\])/uy;

/**
 * Reads a JSONPath that leads to one place: a "singular query" of RFC 9535, section 2.3.5.1. Wildcards, slices and filters are none.
 * @returns the steps, in which a negative index counts from the end; `undefined` for any other text
 */
export function parseJsonQuery(text: string): readonly (string | number)[] | undefined {
  if (!text.startsWith('$') || text.length > 1_000) return undefined;
  const steps: (string | number)[] = [];
  const pattern = step();
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
