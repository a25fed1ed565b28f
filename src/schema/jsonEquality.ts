import type { JsonValue } from '../base/json.ts';

/** True for the same JSON value; the order of keys does not count. Works for any depth. */
export function isSameJson(one: unknown, other: unknown): boolean {
  const waiting: (readonly [unknown, unknown])[] = [[one, other]];
  for (let pair = waiting.pop(); pair !== undefined; pair = waiting.pop()) {
    const [left, right] = pair;
    if (left === right) continue;
    if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
    if (Array.isArray(left) !== Array.isArray(right)) return false;
    const keys = Object.keys(left);
    if (keys.length !== Object.keys(right).length) return false;
    for (const key of keys) {
      if (!Object.hasOwn(right, key)) return false;
      waiting.push([left[key as never], right[key as never]]);
    }
  }
  return true;
}

/** Values without those that occur before in the list; at most `maximum`. */
export function distinctJson(values: readonly JsonValue[], maximum: number): readonly JsonValue[] {
  const found: JsonValue[] = [];
  for (const value of values) {
    if (found.length >= maximum) break;
    if (!found.some((each) => isSameJson(each, value))) found.push(value);
  }
  return found;
}
