import { jsonPath } from '../../base/jsonPath.ts';
import { type JsonPreview, omittedMembersText, printPreview } from '../../base/jsonPreview.ts';
import { type Child, element, formatNumber, icon, iconButton, inlineText } from '../dom.ts';
import { addTreeKeys } from './treeKeys.ts';
import { isWhole, type Mark, previewAt, toTreeMarks, type TreeMarks, type TreePath } from './treePaths.ts';

/** Members of one object or list that are drawn in one step. */
const membersPerStep = 500;

/** Marks whose nodes are open at first; the others are found through the list of them. */
const maximumOpened = 10;

export interface TreeCopy {
  text(text: string): void;
  /** Copies a value of which the tree has only a part; absent if nothing has the whole of it. */
  whole?(path: TreePath): void;
}

interface TreeNode {
  readonly parent: TreeNode | undefined;
  readonly step: string | number | undefined;
  readonly json: JsonPreview;
  readonly level: number;
  readonly marks: TreeMarks | undefined;
  readonly row: HTMLElement;
  /** The members that are drawn, by step; absent until the node was first open. */
  group?: HTMLElement;
  readonly drawn: TreeNode[];
  more?: HTMLElement;
}

/**
 * JSON as a tree: one stop of the Tab key, with the keys of a tree inside. A level is drawn when it is first opened, and long
 * levels are drawn in steps.
 */
export class JsonTree {
  readonly element: HTMLElement;
  readonly #copy: TreeCopy;
  readonly #root: TreeNode;
  readonly #nodes = new WeakMap<Element, TreeNode>();
  readonly #more = new WeakMap<Element, TreeNode>();
  /** The buttons of one row. They move to the row that has the focus, or the pointer: few, however long the tree is. */
  readonly #focused = this.#actions(true);
  readonly #hovered = this.#actions(false);
  #current: HTMLElement;
  #found: HTMLElement | undefined;

  /**
   * @param label for screen readers
   * @param open the number of levels that are open at first
   * @param marks problems, each shown at its node, which is open at first
   */
  constructor(json: JsonPreview, label: string, copy: TreeCopy, open = 2, marks: readonly Mark[] = []) {
    this.#copy = copy;
    this.element = element('div', { class: 'json-tree', role: 'tree', 'aria-label': label });
    this.#root = this.#node(undefined, undefined, json, toTreeMarks(marks));
    this.element.append(this.#root.row);
    this.#current = this.#root.row;
    this.#current.tabIndex = 0;
    this.#open(this.#root, open);
    for (const { path } of marks.slice(0, maximumOpened)) this.#find(path);
    this.#listen();
  }

  /** Opens all nodes above a node, and scrolls to it; nothing for a place that the tree does not show. */
  reveal(path: TreePath, { focus }: { readonly focus: boolean } = { focus: true }): void {
    const node = this.#find(path);
    if (node === undefined) return;
    this.#found?.classList.remove('json-found');
    this.#found = node.row;
    node.row.classList.add('json-found');
    this.#setCurrent(node.row);
    node.row.scrollIntoView({ block: 'nearest' });
    if (focus) node.row.focus();
  }

  #listen(): void {
    this.element.addEventListener('click', (event) => this.#onClick(event));
    this.element.addEventListener('focusin', ({ target }) => {
      const row = rowOf(target);
      if (row === undefined) return;
      this.#setCurrent(row);
      if (row.contains(this.#hovered)) this.#hovered.remove();
      if (this.#nodes.has(row) && !row.contains(this.#focused)) row.append(this.#focused);
    });
    this.element.addEventListener('pointerover', ({ target }) => {
      const row = rowOf(target);
      if (row === undefined || !this.#nodes.has(row) || row.contains(this.#focused)) return;
      if (!row.contains(this.#hovered)) row.append(this.#hovered);
    });
    this.element.addEventListener('pointerleave', () => this.#hovered.remove());
    addTreeKeys(this.element, {
      toggle: (row) => this.#activate(row),
      expand: (row, isOpen) => this.#withNode(row, (node) => this.#expand(node, isOpen)),
      copyValue: (row) => this.#withNode(row, (node) => this.#copyValue(node)),
    });
  }

  /** @param isInTabOrder the Tab key leads from the row to its buttons */
  #actions(isInTabOrder: boolean): HTMLElement {
    const made = element('span', { class: 'json-actions' });
    const act = (copy: (node: TreeNode) => void) => (): void => this.#withNode(made.parentElement, copy);
    const copyValue = act((node) => this.#copyValue(node));
    const copyPath = act((node) => this.#copy.text(jsonPath(pathOf(node))));
    made.append(iconButton('Copy Value', 'copy', copyValue), iconButton('Copy Path', 'link', copyPath));
    for (const each of made.querySelectorAll('button')) each.tabIndex = isInTabOrder ? 0 : -1;
    // A click in a row that has no focus leaves the focus where it is: these buttons go with the pointer.
    if (!isInTabOrder) made.addEventListener('mousedown', (event) => event.preventDefault());
    return made;
  }

  #node(
    parent: TreeNode | undefined,
    step: string | number | undefined,
    json: JsonPreview,
    marks: TreeMarks | undefined,
  ): TreeNode {
    const level = parent === undefined ? 1 : parent.level + 1;
    const isBranch = json.kind !== 'leaf' && json.size > 0;
    const attributes = { class: isBranch ? 'json-row json-branch' : 'json-row', role: 'treeitem', tabindex: -1 };
    const row = element(
      'div',
      { ...attributes, 'aria-level': level, 'aria-expanded': isBranch ? 'false' : undefined },
      step !== undefined && [inlineText(String(step), 'json-key'), ': '],
      valueElements(json),
      markElements(marks?.messages),
    );
    const node: TreeNode = { parent, step, json, level, marks, row, drawn: [] };
    this.#nodes.set(row, node);
    return node;
  }

  /** @param levels how many levels to open, this one included */
  #open(node: TreeNode, levels: number): void {
    if (levels <= 0 || node.json.kind === 'leaf') return;
    this.#expand(node, true);
    for (const member of node.drawn) this.#open(member, levels - 1);
  }

  #expand(node: TreeNode, isOpen: boolean): void {
    if (!node.row.hasAttribute('aria-expanded')) return;
    node.row.setAttribute('aria-expanded', String(isOpen));
    if (node.group === undefined && isOpen) {
      node.group = element('div', { class: 'json-members', role: 'group' });
      node.row.after(node.group);
      this.#draw(node, membersPerStep);
    }
    if (node.group !== undefined) node.group.hidden = !isOpen;
  }

  #draw(node: TreeNode, end: number): void {
    const { json, drawn, group, marks } = node;
    if (json.kind === 'leaf' || group === undefined) return;
    node.more?.remove();
    delete node.more;
    const { members, size } = json;
    for (const { name, value } of members.slice(drawn.length, end)) {
      const step = name ?? drawn.length;
      const member = this.#node(node, step, value, marks?.below.get(step));
      drawn.push(member);
      group.append(member.row);
    }
    if (drawn.length < members.length) group.append(this.#moreRow(node, members.length));
    else if (members.length < size) {
      const text = omittedMembersText(size - members.length, members.length === 0);
      group.append(plainRow(node.level + 1, text, 'muted'));
    }
  }

  #moreRow(node: TreeNode, count: number): HTMLElement {
    const text = `Show ${formatNumber(Math.min(membersPerStep, count - node.drawn.length))} More`;
    const row = plainRow(node.level + 1, text, 'json-more');
    this.#more.set(row, node);
    node.more = row;
    return row;
  }

  /** Draws the node at a place, and opens all above it. */
  #find(path: TreePath): TreeNode | undefined {
    if (previewAt(this.#root.json, path) === undefined) return undefined;
    let node = this.#root;
    for (const step of path) {
      this.#expand(node, true);
      const index = indexOf(node.json, step);
      if (index >= node.drawn.length) this.#draw(node, Math.ceil((index + 1) / membersPerStep) * membersPerStep);
      const next = node.drawn[index];
      if (next === undefined) return undefined;
      node = next;
    }
    return node;
  }

  #onClick({ target }: MouseEvent): void {
    const row = rowOf(target);
    // A click ends the selection of text too, and the buttons in a row do their own.
    if (row === undefined || (target as Element).closest('button') !== null) return;
    if (document.getSelection()?.isCollapsed === false) return;
    row.focus();
    this.#activate(row);
  }

  #activate(row: HTMLElement): void {
    const node = this.#nodes.get(row);
    if (node !== undefined) return this.#expand(node, row.getAttribute('aria-expanded') !== 'true');
    const above = this.#more.get(row);
    if (above === undefined) return;
    const count = above.drawn.length;
    this.#draw(above, count + membersPerStep);
    // The new members replace the row: the focus goes to the first of them.
    above.drawn[count]?.row.focus();
  }

  #setCurrent(row: HTMLElement): void {
    this.#current.tabIndex = -1;
    row.tabIndex = 0;
    this.#current = row;
  }

  #withNode(row: HTMLElement | null, act: (node: TreeNode) => void): void {
    const node = row === null ? undefined : this.#nodes.get(row);
    if (node !== undefined) act(node);
  }

  #copyValue(node: TreeNode): void {
    if (!isWhole(node.json) && this.#copy.whole !== undefined) this.#copy.whole(pathOf(node));
    else this.#copy.text(valueText(node.json));
  }
}

function valueElements(json: JsonPreview): Child {
  if (json.kind === 'leaf') {
    const left = json.left > 0 && muted(`… ${formatNumber(json.left)} more characters`);
    return [inlineText(json.text, `json-${json.type}`), left];
  }
  const isList = json.kind === 'array';
  if (json.size === 0) return isList ? '[]' : '{}';
  const size = formatNumber(json.size);
  return muted(isList ? `[${size}]` : `{${size}}`);
}

/** What is wrong with a value, beside it. */
export function markElements(messages: readonly string[] = []): readonly HTMLElement[] {
  return messages.map((message) => element('span', { class: 'json-mark' }, icon('warning'), inlineText(message)));
}

/** The text to copy: of a string as it is, of all else as JSON. */
function valueText(json: JsonPreview): string {
  return json.kind === 'leaf' && json.type === 'string' ? String(JSON.parse(json.text)) : printPreview(json);
}

function plainRow(level: number, text: string, className: string): HTMLElement {
  return element('div', { class: `json-row ${className}`, role: 'treeitem', 'aria-level': level, tabindex: -1, text });
}

function rowOf(target: EventTarget | null): HTMLElement | undefined {
  return (target instanceof Element ? target.closest<HTMLElement>('.json-row') : null) ?? undefined;
}

function pathOf(node: TreeNode): TreePath {
  const path: (string | number)[] = [];
  for (let next: TreeNode | undefined = node; next?.step !== undefined; next = next.parent) path.unshift(next.step);
  return path;
}

function indexOf(json: JsonPreview, step: string | number): number {
  if (typeof step === 'number' || json.kind === 'leaf') return Number(step);
  return json.members.findIndex(({ name }) => name === step);
}

function muted(text: string): HTMLElement {
  return element('span', { class: 'muted', text });
}
