/** Limits of a JSON value: number of values, characters of strings and keys, and nesting depth. */
export interface Bounds {
  readonly members: number;
  readonly characters: number;
  readonly depth: number;
}

/** True if `value` is within `bounds`. Stops at the first limit. */
export function isWithin(value: unknown, bounds: Bounds): boolean {
  return takeFrom({ ...bounds }, value, bounds.depth);
}

/** The number of values in `value`, including itself. Call only for a value that {@link isWithin} limits. */
export function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  let members = 1;
  for (const child of Object.values(value)) members += countMembers(child);
  return members;
}

interface Room {
  members: number;
  characters: number;
}

/** Subtracts the size of `value` from `room`. @returns false when a limit is exceeded */
function takeFrom(room: Room, value: unknown, depth: number): boolean {
  room.members -= 1;
  if (typeof value === 'string') room.characters -= value.length;
  if (room.members < 0 || room.characters < 0) return false;
  if (typeof value !== 'object' || value === null) return true;
  if (depth === 0) return false;
  if (Array.isArray(value)) return value.every((item) => takeFrom(room, item, depth - 1));
  for (const key in value) {
    room.characters -= key.length;
    if (!takeFrom(room, (value as Record<string, unknown>)[key], depth - 1)) return false;
  }
  return true;
}
