export interface TreeKeys {
  /** Opens or closes the row, or does what it stands for. */
  toggle(row: HTMLElement): void;
  expand(row: HTMLElement, isOpen: boolean): void;
  copyValue(row: HTMLElement): void;
}

/** Adds the keys that the tree pattern of WAI-ARIA has, and Ctrl+C where no text is selected. */
export function addTreeKeys(tree: HTMLElement, keys: TreeKeys): void {
  tree.addEventListener('keydown', (event) => {
    const row = event.target;
    // The buttons in a row have their own keys.
    if (!(row instanceof HTMLElement) || row.role !== 'treeitem') return;
    if (pressed(event, row, tree, keys)) event.preventDefault();
  });
}

/** @returns true for a key of the tree */
function pressed(event: KeyboardEvent, row: HTMLElement, tree: HTMLElement, keys: TreeKeys): boolean {
  const { key, ctrlKey, metaKey, altKey } = event;
  if (ctrlKey || metaKey || altKey) {
    const copies = key === 'c' && !altKey && document.getSelection()?.isCollapsed !== false;
    if (copies) keys.copyValue(row);
    return copies;
  }
  switch (key) {
    case 'Enter':
    case ' ':
      keys.toggle(row);
      return true;
    case 'ArrowDown':
      return focus(step(tree, row, 'nextNode'));
    case 'ArrowUp':
      return focus(step(tree, row, 'previousNode'));
    case 'ArrowRight':
      if (row.ariaExpanded === 'false') keys.expand(row, true);
      else if (row.ariaExpanded === 'true') focus(step(tree, row, 'nextNode'));
      return true;
    case 'ArrowLeft':
      if (row.ariaExpanded === 'true') keys.expand(row, false);
      else focus(row.parentElement?.previousElementSibling);
      return true;
    case 'Home':
      return focus(tree.firstElementChild);
    case 'End':
      return focus(rowsOf(tree).lastChild() as Element | null);
    default:
      return false;
  }
}

function focus(row: Element | null | undefined): true {
  if (row instanceof HTMLElement && row.role === 'treeitem') row.focus();
  return true;
}

/** The next row that can be seen, or the one before. */
function step(tree: HTMLElement, row: HTMLElement, direction: 'nextNode' | 'previousNode'): Element | null {
  const walker = rowsOf(tree);
  walker.currentNode = row;
  return walker[direction]() as Element | null;
}

function rowsOf(tree: HTMLElement): TreeWalker {
  return document.createTreeWalker(tree, NodeFilter.SHOW_ELEMENT, (node) => {
    if (!(node instanceof HTMLElement) || node.hidden) return NodeFilter.FILTER_REJECT;
    return node.role === 'treeitem' ? NodeFilter.FILTER_ACCEPT : NodeFilter.FILTER_SKIP;
  });
}
