/** How much of a JSON value is accepted: values of any kind, characters of texts and keys, levels. */
export interface Bounds {
  readonly members: number;
  readonly characters: number;
  readonly depth: number;
}

/** Walks no further than the bounds. */
export function isWithin(value: unknown, bounds: Bounds): boolean {
  return takeFrom({ ...bounds }, value, bounds.depth);
}

/** How many values of any kind there are in `value`, itself included. Call with what {@link isWithin} some bounds. */
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

/** @returns whether there was room for `value` */
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
