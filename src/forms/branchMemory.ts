import { rounded } from '../base/exactIntegers.ts';
import { type ExactValue, isRecord, type JsonValue } from '../base/json.ts';
import { isIndex, isJsonPath } from '../base/jsonPath.ts';
import { getOrMake } from '../base/memoize.ts';
import type { ValuePath } from './field.ts';

interface Remembered {
  readonly path: ValuePath;
  readonly level: number;
  chosen: number | undefined;
  /** Values by branch. */
  readonly kept: Map<number, JsonValue>;
}

/** Places that are remembered; those first chosen go first. */
const maximumPlaces = 500;

/** What the person has chosen in unions, and the values of branches that are not shown now. Levels are unions at one path. */
export class BranchMemory {
  readonly #places = new Map<string, Remembered>();

  chosen(path: ValuePath, level: number): number | undefined {
    return this.#places.get(keyOf(path, level))?.chosen;
  }

  choose(path: ValuePath, level: number, branch: number | undefined): void {
    this.#placeOf(path, level).chosen = branch;
  }

  /** The value that a branch had when another one was chosen. */
  kept(path: ValuePath, level: number, branch: number): JsonValue | undefined {
    return this.#places.get(keyOf(path, level))?.kept.get(branch);
  }

  keep(path: ValuePath, level: number, branch: number, value: ExactValue | undefined): void {
    const { kept } = this.#placeOf(path, level);
    if (value === undefined) kept.delete(branch);
    else kept.set(branch, rounded(value));
  }

  /** An item of a list has moved: what is remembered of it and of those between moves along. */
  moveItem(listPath: ValuePath, from: number, to: number): void {
    this.#rekey(listPath, (step) => {
      if (step === from) return to;
      if (typeof step !== 'number') return step;
      if (from < to) return step > from && step <= to ? step - 1 : step;
      return step >= to && step < from ? step + 1 : step;
    });
  }

  removeItem(listPath: ValuePath, index: number): void {
    this.#rekey(listPath, (step) => {
      if (step === index) return undefined;
      return typeof step === 'number' && step > index ? step - 1 : step;
    });
  }

  renameKey(objectPath: ValuePath, from: string, to: string): void {
    this.#rekey(objectPath, (step) => (step === from ? to : step));
  }

  toJson(): JsonValue {
    return [...this.#places.values()].map(({ path, level, chosen, kept }) => ({
      path,
      level,
      ...(chosen !== undefined && { chosen }),
      kept: [...kept],
    }));
  }

  /** @param value unchecked; what is not of the kind {@link toJson} gives is left out */
  static fromJson(value: unknown): BranchMemory {
    const memory = new BranchMemory();
    if (!Array.isArray(value)) return memory;
    for (const place of value.slice(0, maximumPlaces) as unknown[]) {
      if (!isRecord(place)) continue;
      const { path, level, chosen, kept } = place;
      if (!isJsonPath(path) || !isIndex(level)) continue;
      if (isIndex(chosen)) memory.choose(path, level, chosen);
      for (const entry of Array.isArray(kept) ? kept.slice(0, maximumPlaces).filter(Array.isArray) : [])
        if (isIndex(entry[0])) memory.keep(path, level, entry[0], entry[1] as JsonValue);
    }
    return memory;
  }

  #placeOf(path: ValuePath, level: number): Remembered {
    const create = (): Remembered => ({ path, level, chosen: undefined, kept: new Map() });
    const place = getOrMake(this.#places, keyOf(path, level), create);
    const [oldest] = this.#places.keys();
    if (oldest !== undefined && this.#places.size > maximumPlaces) this.#places.delete(oldest);
    return place;
  }

  /** @param rename gives the new step for one right below `parent`; `undefined` forgets what is there */
  #rekey(parent: ValuePath, rename: (step: string | number) => string | number | undefined): void {
    const all = [...this.#places.values()];
    this.#places.clear();
    for (const place of all) {
      const path = [...place.path];
      const step = path[parent.length];
      if (step !== undefined && parent.every((each, index) => each === path[index])) {
        const renamed = rename(step);
        if (renamed === undefined) continue;
        path[parent.length] = renamed;
      }
      this.#places.set(keyOf(path, place.level), { ...place, path });
    }
  }
}

function keyOf(path: ValuePath, level: number): string {
  return JSON.stringify([level, ...path]);
}
