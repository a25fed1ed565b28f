import { isRecord, type UnknownRecord } from './json.ts';

export interface LikeObjects {
  /** Keys from the value to the list. */
  readonly path: readonly string[];
  readonly rows: readonly UnknownRecord[];
}

/** How far lists are searched for: levels of objects, members looked at, lists that are taken. */
const searched = { levels: 3, members: 200, lists: 5 };

/** Rows that decide on the columns of a list, and how many columns it may have to be a table. */
const considered = { rows: 1_000, columns: 400 };

/** The lists of like objects in a value: itself, or members of its objects. Looks into no list. */
export function findTables(value: unknown): readonly LikeObjects[] {
  const found: LikeObjects[] = [];
  const waiting: { readonly path: readonly string[]; readonly value: unknown }[] = [{ path: [], value }];
  for (const { path, value: next } of waiting) {
    if (found.length === searched.lists) break;
    const rows = likeObjects(next);
    if (rows !== undefined) found.push({ path, rows });
    if (!isRecord(next) || path.length === searched.levels) continue;
    for (const name in next) {
      if (waiting.length >= searched.members) break;
      waiting.push({ path: [...path, name], value: next[name] });
    }
  }
  return found;
}

/**
 * The rows of a list that is shown better as a table: at least two objects, whose keys are mostly the same and mostly have no
 * objects or lists as values.
 */
export function likeObjects(value: unknown): readonly UnknownRecord[] | undefined {
  if (!Array.isArray(value) || value.length < 2 || !value.every(isRecord)) return undefined;
  const rows: readonly UnknownRecord[] = value;
  const first = rows.slice(0, considered.rows);
  const columns = columnsOf(first, considered.columns + 1);
  if (columns.length === 0 || columns.length > considered.columns) return undefined;
  let filled = 0;
  let plain = 0;
  for (const row of first) {
    for (const name of columns) {
      if (!Object.hasOwn(row, name)) continue;
      filled += 1;
      const cell = row[name];
      if (typeof cell !== 'object' || cell === null) plain += 1;
    }
  }
  const isLike = filled * 2 >= first.length * columns.length;
  return isLike && plain * 2 >= filled ? rows : undefined;
}

/** The keys of all rows, in the order in which they come up. @param maximum number of keys */
export function columnsOf(rows: readonly UnknownRecord[], maximum: number): readonly string[] {
  const columns = new Set<string>();
  for (const row of rows) {
    for (const name in row) {
      if (columns.size >= maximum) return [...columns];
      columns.add(name);
    }
  }
  return [...columns];
}
