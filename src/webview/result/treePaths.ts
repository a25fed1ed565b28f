import type { JsonPreview } from '../../base/jsonPreview.ts';

/** Keys and indexes from the root of a tree to one of its nodes. */
export type TreePath = readonly (string | number)[];

/**
 * The nodes whose key or value contains `text`, in the order of the tree, whether they are open or not. Case does not count.
 * @param json of bounded size, as previews are
 */
export function searchTree(json: JsonPreview, text: string): readonly TreePath[] {
  const wanted = text.toLowerCase();
  const found: TreePath[] = [];
  const visit = (node: JsonPreview, path: TreePath): void => {
    if (node.kind === 'leaf') return;
    for (const [index, { name, value }] of node.members.entries()) {
      const member = [...path, name ?? index];
      const isNamed = name !== undefined && name.toLowerCase().includes(wanted);
      if (isNamed || (value.kind === 'leaf' && value.text.toLowerCase().includes(wanted))) found.push(member);
      visit(value, member);
    }
  };
  if (wanted !== '') visit(json, []);
  return found;
}

/** The node at a place. @returns `undefined` for a place that is not in the preview */
export function previewAt(json: JsonPreview, path: TreePath): JsonPreview | undefined {
  let node: JsonPreview | undefined = json;
  for (const step of path) {
    if (node === undefined || node.kind === 'leaf') return undefined;
    node = typeof step === 'number' ? node.members[step]?.value : node.members.find(({ name }) => name === step)?.value;
  }
  return node;
}

/** True if nothing of a value is left out of its preview. */
export function isWhole(json: JsonPreview): boolean {
  if (json.kind === 'leaf') return json.left === 0;
  return json.members.length === json.size && json.members.every(({ value }) => isWhole(value));
}

export function countNodes(json: JsonPreview, maximum: number): number {
  let count = 1;
  for (const { value } of json.kind === 'leaf' ? [] : json.members) {
    if (count >= maximum) break;
    count += countNodes(value, maximum - count);
  }
  return count;
}

/**
 * Turns a path of a schema check, whose indexes are texts, into one of the tree: as long as it leads somewhere there.
 * @returns the part of the path that was found
 */
export function toTreePath(json: JsonPreview, path: readonly string[]): TreePath {
  const [text, ...rest] = path;
  if (text === undefined) return [];
  const step = json.kind === 'array' && /^\d+$/.test(text) ? Number(text) : text;
  const node = previewAt(json, [step]);
  return node === undefined ? [] : [step, ...toTreePath(node, rest)];
}

/** Messages for the nodes of a tree, in the shape of the tree. */
export interface TreeMarks {
  readonly messages: string[];
  readonly below: Map<string | number, TreeMarks>;
}

export interface Mark {
  readonly path: TreePath;
  readonly message: string;
}

export function toTreeMarks(marks: readonly Mark[]): TreeMarks {
  const root: TreeMarks = { messages: [], below: new Map() };
  for (const { path, message } of marks) {
    let at = root;
    for (const step of path) {
      const next: TreeMarks = at.below.get(step) ?? { messages: [], below: new Map() };
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
