import { Position, Range, type TestItem, type TestItemCollection, type TestRunRequest, Uri } from 'vscode';
import type { Verdict } from '../../workshop/checks/checkResult.ts';
import { countOf, escapeIcons, singleLine } from '../platform/displayText.ts';
import type { TestEntry, TestGroup, TestSource } from './testSource.ts';

interface Leaf {
  readonly source: TestSource;
  readonly id: string;
}

/** The items of all sources, by their groups. */
export class TestItems {
  readonly #root: TestItemCollection;
  readonly #create: (id: string, label: string, uri?: Uri) => TestItem;
  readonly #leaves = new WeakMap<TestItem, Leaf>();
  readonly #verdicts = new WeakMap<TestItem, Verdict>();
  /** Items are shown in the order in which they were made: that of the checks, and of a file. */
  #made = 0;
  readonly #bySource = new Map<TestSource, Map<string, TestItem>>();

  constructor(root: TestItemCollection, create: (id: string, label: string, uri?: Uri) => TestItem) {
    this.#root = root;
    this.#create = create;
  }

  find(source: TestSource, id: string): TestItem | undefined {
    return this.#bySource.get(source)?.get(id);
  }

  /** Items that stay keep their result. */
  replace(source: TestSource, entries: readonly TestEntry[]): void {
    const own = this.#bySource.get(source) ?? new Map<string, TestItem>();
    const wanted = new Set(entries.map(({ id }) => id));
    for (const [id, item] of own) {
      if (wanted.has(id)) continue;
      own.delete(id);
      removeFrom(this.#root, item);
    }
    this.#bySource.set(source, own);
    for (const entry of entries) this.add(source, entry);
  }

  add(source: TestSource, entry: TestEntry): TestItem {
    const { id, label, description, groups, place } = entry;
    let siblings = this.#root;
    for (const group of groups) siblings = this.#group(siblings, group).children;
    const known = this.find(source, id);
    if (known !== undefined) return moved(known, place);
    const item = this.#make(`${source.id}:${id}`, label, place);
    if (description !== undefined) item.description = itemLabel(description);
    siblings.add(item);
    this.#leaves.set(item, { source, id });
    const own = this.#bySource.get(source) ?? new Map<string, TestItem>();
    this.#bySource.set(source, own.set(id, item));
    return item;
  }

  #group(siblings: TestItemCollection, { id, label, place }: TestGroup): TestItem {
    const known = siblings.get(`group:${id}`);
    if (known !== undefined) return moved(known, place);
    const item = this.#make(`group:${id}`, label, place);
    siblings.add(item);
    return item;
  }

  #make(id: string, label: string, place: TestEntry['place']): TestItem {
    const item = this.#create(id, itemLabel(label), place && Uri.file(place.path));
    if (place !== undefined) item.range = lineRange(place.line);
    this.#made += 1;
    item.sortText = String(this.#made).padStart(8, '0');
    return item;
  }

  setVerdict(item: TestItem, verdict: Verdict): void {
    this.#verdicts.set(item, verdict);
  }

  /** Says at each group how many warnings are below it: for VS Code, a check with a warning has passed. */
  showWarnings(): void {
    this.#root.forEach((item) => void this.#showWarnings(item));
  }

  #showWarnings(item: TestItem): number {
    if (this.#leaves.has(item)) return this.#verdicts.get(item) === 'warning' ? 1 : 0;
    let count = 0;
    item.children.forEach((child) => (count += this.#showWarnings(child)));
    item.description = count === 0 ? '' : countOf(count, 'warning');
    return count;
  }

  /** The leaves of one item. None for what is no item of this tree: no other extension has one. */
  leavesBelow(item: unknown): readonly Leaf[] {
    const isOwn = [...this.#bySource.values()].some((own) => [...own.values()].some((leaf) => isAtOrAbove(item, leaf)));
    return isOwn ? this.leavesOf({ include: [item as TestItem], exclude: undefined }) : [];
  }

  leavesOf({ include, exclude = [] }: Pick<TestRunRequest, 'include' | 'exclude'>): readonly Leaf[] {
    const left = new Set(exclude);
    const leaves: Leaf[] = [];
    const visit = (item: TestItem): void => {
      if (left.has(item)) return;
      left.add(item);
      const leaf = this.#leaves.get(item);
      if (leaf !== undefined) leaves.push(leaf);
      item.children.forEach(visit);
    };
    if (include === undefined) this.#root.forEach(visit);
    else include.forEach(visit);
    return leaves;
  }
}

/** The lines of a file change while it is edited. */
function moved(item: TestItem, place: TestEntry['place']): TestItem {
  if (place !== undefined) item.range = lineRange(place.line);
  return item;
}

function isAtOrAbove(item: unknown, leaf: TestItem): boolean {
  return leaf === item || (leaf.parent !== undefined && isAtOrAbove(item, leaf.parent));
}

/** Groups that are empty go with their last item. */
function removeFrom(root: TestItemCollection, item: TestItem): void {
  const { parent } = item;
  (parent?.children ?? root).delete(item.id);
  if (parent !== undefined && parent.children.size === 0) removeFrom(root, parent);
}

/** Server text as a label or a description, which may have pictures in them. */
export function itemLabel(text: string): string {
  return escapeIcons(singleLine(text));
}

export function lineRange(line: number): Range {
  const start = new Position(Math.max(line - 1, 0), 0);
  return new Range(start, start);
}
