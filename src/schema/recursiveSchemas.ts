import { isRecord, type UnknownRecord } from '../base/json.ts';
import { shownBelow } from './schemaNode.ts';
import type { SchemaRefs } from './schemaRefs.ts';

/** Schemas that are looked through. In a larger schema every part counts as recursive, so that none is opened by itself. */
const maximumSchemas = 20_000;

interface Visit {
  readonly schema: UnknownRecord;
  readonly below: readonly UnknownRecord[];
  readonly index: number;
  lowest: number;
  next: number;
  isWaiting: boolean;
}

/**
 * Finds the schemas that lead to themselves, with Tarjan's algorithm: time grows with the size of the schema only.
 * @returns `undefined` for a schema that is too large
 */
export function findRecursiveSchemas(root: UnknownRecord, refs: SchemaRefs): ReadonlySet<UnknownRecord> | undefined {
  const visits = new Map<UnknownRecord, Visit>();
  const recursive = new Set<UnknownRecord>();
  const waiting: Visit[] = [];
  const open: Visit[] = [];

  function begin(schema: UnknownRecord): void {
    const targets = refs.targetsOf(schema).flatMap((target) => (target.kind === 'found' ? [target.schema] : []));
    const below = [...shownBelow(schema), ...targets.filter(isRecord)];
    const index = visits.size;
    const visit = { schema, below, index, lowest: index, next: 0, isWaiting: true };
    visits.set(schema, visit);
    waiting.push(visit);
    open.push(visit);
  }

  /** All visits since this one lead to it. */
  function close(visit: Visit): void {
    const group = waiting.splice(waiting.lastIndexOf(visit));
    const isCycle = group.length > 1 || visit.below.includes(visit.schema);
    for (const each of group) {
      each.isWaiting = false;
      if (isCycle) recursive.add(each.schema);
    }
  }

  begin(root);
  for (let visit = open.at(-1); visit !== undefined; visit = open.at(-1)) {
    if (visits.size > maximumSchemas || visit.below.length > maximumSchemas) return undefined;
    const below = visit.below[visit.next];
    visit.next += 1;
    if (below === undefined) {
      open.pop();
      const above = open.at(-1);
      if (above !== undefined) above.lowest = Math.min(above.lowest, visit.lowest);
      if (visit.lowest === visit.index) close(visit);
    } else {
      const seen = visits.get(below);
      if (seen === undefined) begin(below);
      else if (seen.isWaiting) visit.lowest = Math.min(visit.lowest, seen.index);
    }
  }
  return recursive;
}
