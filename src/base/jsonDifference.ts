import { isRecord } from './json.ts';

/** The first place where two JSON values differ. `undefined` as a value: there is none. */
export interface JsonDifference {
  readonly path: readonly (string | number)[];
  readonly left: unknown;
  readonly right: unknown;
}

/** How much of two values is compared: levels, and members altogether. */
const bounds = { depth: 200, members: 2_000_000 };

/** @returns `undefined` for equal values, in any order of keys. Beyond the bounds, values count as equal. */
export function firstDifference(left: unknown, right: unknown): JsonDifference | undefined {
  let members = bounds.members;
  function compare(one: unknown, other: unknown, depth: number): JsonDifference | undefined {
    members -= 1;
    if (one === other || members < 0 || depth > bounds.depth) return undefined;
    const areAlike = Array.isArray(one) ? Array.isArray(other) : isRecord(one) && isRecord(other);
    if (!areAlike) return { path: [], left: one, right: other };
    for (const name of namesIn(one as object, other as object)) {
      const found = compare(ownMember(one as object, name), ownMember(other as object, name), depth + 1);
      if (found !== undefined) return { ...found, path: [name, ...found.path] };
    }
    return undefined;
  }
  return compare(left, right, 0);
}

function* namesIn(left: object, right: object): Generator<string | number> {
  if (Array.isArray(left) && Array.isArray(right)) {
    const length = Math.max(left.length, right.length);
    for (let index = 0; index < length; index += 1) yield index;
    return;
  }
  for (const name in left) yield name;
  for (const name in right) if (!Object.hasOwn(left, name)) yield name;
}

function ownMember(object: object, name: string | number): unknown {
  return Object.hasOwn(object, name) ? object[name as never] : undefined;
}
