import type { TreePath } from './treeSearch.ts';

/** Messages for the nodes of a tree, in the shape of the tree. */
export interface TreeMarks {
  readonly messages: readonly string[];
  readonly below: ReadonlyMap<string | number, TreeMarks>;
}

interface OpenMarks extends TreeMarks {
  readonly messages: string[];
  readonly below: Map<string | number, OpenMarks>;
}

export interface Mark {
  readonly path: TreePath;
  readonly message: string;
}

/** Sorts messages into the shape of the tree. */
export function toTreeMarks(marks: readonly Mark[]): TreeMarks {
  const root: OpenMarks = { messages: [], below: new Map() };
  for (const { path, message } of marks) {
    let at = root;
    for (const step of path) {
      const next = at.below.get(step) ?? { messages: [], below: new Map<string | number, OpenMarks>() };
      at.below.set(step, next);
      at = next;
    }
    at.messages.push(message);
  }
  return root;
}

/** All messages of a node, those below it included. */
export function messagesBelow(marks: TreeMarks | undefined): readonly string[] {
  if (marks === undefined) return [];
  return [...marks.messages, ...[...marks.below.values()].flatMap(messagesBelow)];
}
