import { isRecord, type UnknownRecord } from './json.ts';

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
  return new Comparison().compare(left, right, 0);
}

class Comparison {
  #members = bounds.members;

  compare(left: unknown, right: unknown, depth: number): JsonDifference | undefined {
    this.#members -= 1;
    if (left === right || this.#members < 0 || depth > bounds.depth) return undefined;
    if (Array.isArray(left) && Array.isArray(right)) return this.#lists(left, right, depth + 1);
    if (isRecord(left) && isRecord(right)) return this.#objects(left, right, depth + 1);
    return { path: [], left, right };
  }

  #lists(left: readonly unknown[], right: readonly unknown[], depth: number): JsonDifference | undefined {
    const length = Math.max(left.length, right.length);
    for (let index = 0; index < length; index += 1) {
      const found = this.compare(left[index], right[index], depth);
      if (found !== undefined) return below(index, found);
    }
    return undefined;
  }

  #objects(left: UnknownRecord, right: UnknownRecord, depth: number): JsonDifference | undefined {
    for (const name in left) {
      const found = this.compare(left[name], ownMember(right, name), depth);
      if (found !== undefined) return below(name, found);
    }
    for (const name in right) {
      if (right[name] !== undefined && !Object.hasOwn(left, name))
        return { path: [name], left: undefined, right: right[name] };
    }
    return undefined;
  }
}

function ownMember(object: UnknownRecord, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

function below(step: string | number, { path, left, right }: JsonDifference): JsonDifference {
  return { path: [step, ...path], left, right };
}
