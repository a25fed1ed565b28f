import type { JsonPreview } from '../../base/jsonPreview.ts';
import { element, formatNumber, iconButton, uniqueId } from '../dom.ts';
import type { JsonTree } from './jsonTree.ts';
import { isWhole, searchTree, type TreePath } from './treeSearch.ts';

/** A field that searches a tree for keys and values. Enter goes to the next match, Shift+Enter to the one before. */
export function createTreeFinder(json: JsonPreview, tree: JsonTree, label: string): HTMLElement {
  const id = uniqueId('search');
  const field = element('input', { id, type: 'search', placeholder: 'Search keys and values', autocomplete: 'off' });
  const status = element('span', { class: 'muted', role: 'status' });
  let matches: readonly TreePath[] = [];
  let current = 0;

  const show = (index: number): void => {
    current = matches.length === 0 ? 0 : (index + matches.length) % matches.length;
    const path = matches[current];
    if (path !== undefined) tree.reveal(path, { focus: false });
    status.textContent = wordsOf(field.value, current, matches.length, json);
  };
  field.addEventListener('input', () => {
    matches = searchTree(json, field.value);
    show(0);
  });
  field.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    show(current + (event.shiftKey ? -1 : 1));
  });
  return element(
    'div',
    { class: 'tree-finder', role: 'search', 'aria-label': `Search in ${label}` },
    element('label', { class: 'screen-reader-only', for: id, text: `Search in ${label}` }),
    field,
    iconButton('Previous Match', 'arrow-up', () => show(current - 1)),
    iconButton('Next Match', 'arrow-down', () => show(current + 1)),
    status,
  );
}

function wordsOf(text: string, current: number, count: number, json: JsonPreview): string {
  if (text === '') return '';
  const where = isWhole(json) ? '' : ' in the part that is here';
  return count === 0 ? `No matches${where}` : `${formatNumber(current + 1)} of ${formatNumber(count)}${where}`;
}
