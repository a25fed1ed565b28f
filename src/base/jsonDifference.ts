import { exactMember } from './exactIntegers.ts';
import { isRecord } from './json.ts';

/** The first place where two JSON values differ. `undefined` as a value: there is none; a `bigint` is what no number can hold. */
export interface JsonDifference {
  readonly path: readonly (string | number)[];
  readonly left: unknown;
  readonly right: unknown;
}

interface Room {
  /** That may still be compared. */
  members: number;
  /** Something was not compared. */
  isCut?: boolean;
}

/** How much of two values is compared: levels, and members altogether. */
const bounds = { depth: 200, members: 2_000_000 };

/**
 * @param room several comparisons can share one
 * @returns `undefined` for equal values, in any order of keys. Beyond the bounds, values count as equal.
 */
export function firstDifference(
  whole: unknown,
  other: unknown,
  room: Room = { members: bounds.members },
): JsonDifference | undefined {
  const path: (string | number)[] = [];
  return compare(whole, other);

  function compare(left: unknown, right: unknown): JsonDifference | undefined {
    room.members -= 1;
    if (left === right) return undefined;
    if (room.members < 0 || path.length > bounds.depth) {
      room.isCut = true;
      return undefined;
    }
    let found: JsonDifference | undefined;
    if (Array.isArray(left) && Array.isArray(right)) {
      const length = Math.max(left.length, right.length);
      for (let index = 0; index < length && found === undefined; index += 1)
        found = compareAt(index, exactMember(left, index), exactMember(right, index));
    } else if (isRecord(left) && isRecord(right)) {
      for (const name in left) {
        found = compareAt(name, exactMember(left, name), exactMember(right, name));
        if (found !== undefined) return found;
      }
      for (const name in right) {
        if (right[name] !== undefined && !Object.hasOwn(left, name))
          return compareAt(name, undefined, exactMember(right, name));
      }
    } else return { path: [...path], left, right };
    return found;
  }

  function compareAt(step: string | number, left: unknown, right: unknown): JsonDifference | undefined {
    path.push(step);
    const found = compare(left, right);
    path.pop();
    return found;
  }
}

/** Whether two JSON values are equal in all of their parts: `false` also where they are too large to tell. */
export function isSameJson(left: unknown, right: unknown, room: Room = { members: bounds.members }): boolean {
  return firstDifference(left, right, room) === undefined && room.isCut !== true;
}
