import type { ServersNode } from './serverNodes.ts';
import { rowId } from './serverRows.ts';

/** Which rows of the unfiltered tree are open, for when they come back after a filter. */
export interface ExpansionMemory {
  has(node: ServersNode): boolean;
  add(node: ServersNode): void;
  delete(node: ServersNode): void;
}

export function createExpansionMemory(): ExpansionMemory {
  const open = new Set<string>();
  return {
    has: (node) => open.has(rowId(node, false)),
    add: (node) => open.add(rowId(node, false)),
    delete: (node) => open.delete(rowId(node, false)),
  };
}
