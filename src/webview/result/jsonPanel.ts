import { jsonPath } from '../../base/jsonPath.ts';
import type { JsonPreview } from '../../base/jsonPreview.ts';
import type { JsonView, TableView } from '../../shared/content.ts';
import { copyActionId, type JsonSource, type ResultFromPanel } from '../../shared/resultMessages.ts';
import { button, element, formatNumber, iconButton, searchField } from '../dom.ts';
import { DataTable } from './dataTable.ts';
import { JsonTree, type TreeCopy } from './jsonTree.ts';
import { countNodes, isWhole, type Mark, searchTree, toTreeMarks, type TreePath } from './treePaths.ts';

/** Nodes from which a tree has a field to search it. */
const searchedFrom = 10;

interface JsonPanelOptions {
  /** The name of the value for screen readers: "Structured content". */
  readonly label: string;
  /** What the value is to the extension, which has the whole of it; absent if it cannot tell. */
  readonly source?: JsonSource | undefined;
  readonly open?: number;
  readonly marks?: readonly Mark[];
  readonly text?: (() => HTMLElement) | undefined;
}

type Send = (message: ResultFromPanel) => void;

/** A JSON value as a tree, as tables, or as the text that it was read from: at first as a table if it is nothing but a list of like objects, else as a tree. */
export function createJsonPanel({ json, tables }: JsonView, options: JsonPanelOptions, send: Send) {
  const { label, source, open, marks = [], text } = options;
  const body = element('div', { class: 'json-body' });
  let tree: JsonTree | undefined;
  const made = new Map<string, HTMLElement>();

  const drawTree = (): HTMLElement => {
    tree = new JsonTree(json, label, copy, open, marks);
    if (countNodes(json, searchedFrom) < searchedFrom) return tree.element;
    return element('div', { class: 'tree-view' }, createTreeFinder(json, tree, label), tree.element);
  };
  const copy: TreeCopy = {
    text: (copied) => send({ type: 'copy', text: copied }),
    ...(source !== undefined && {
      whole: (path: TreePath) => send({ type: 'action', id: copyActionId({ what: 'value', source, path }) }),
    }),
  };
  const copyTable = ({ path }: TableView): void => {
    if (source !== undefined) send({ type: 'action', id: copyActionId({ what: 'table', source, path }) });
  };
  const nameOf = ({ path }: TableView): string => (tables.length === 1 ? 'Table' : `Table ${jsonPath(path)}`);
  const drawTable = (table: TableView): HTMLElement =>
    new DataTable(table, toTreeMarks(marks), () => copyTable(table)).element;
  const views = new Map<string, () => HTMLElement>([
    ['Tree', drawTree],
    ...tables.map((table) => [nameOf(table), () => drawTable(table)] as const),
    ...(text === undefined ? [] : [['Text', text] as const]),
  ]);

  const names = [...views.keys()];
  const switches = names.map((name) => button({ label: name, kind: 'quiet', onClick: () => show(name) }));
  const show = (name: string): void => {
    for (const [index, each] of switches.entries()) each.ariaPressed = String(names[index] === name);
    const drawn = made.get(name) ?? views.get(name)?.();
    if (drawn === undefined) return;
    made.set(name, drawn);
    body.replaceChildren(drawn);
  };
  show(startsAsTable({ json, tables }) && marks.length === 0 ? (names[1] ?? 'Tree') : 'Tree');
  const choice = element('div', { class: 'view-switch', role: 'group', 'aria-label': `View of ${label}` }, switches);
  return {
    element: element('div', { class: 'json-panel' }, names.length > 1 && choice, body),
    reveal(path: TreePath): void {
      show('Tree');
      tree?.reveal(path);
    },
  };
}

/** The value is a list of like objects, or an object with nothing else in it. */
function startsAsTable({ json, tables }: JsonView): boolean {
  const [table] = tables;
  if (table === undefined || json.kind === 'leaf') return false;
  return table.path.length === 0 || (table.path.length === 1 && json.size === 1);
}

/** A field that searches a tree for keys and values. Enter goes to the next match, Shift+Enter to the one before. */
function createTreeFinder(json: JsonPreview, tree: JsonTree, label: string): HTMLElement {
  const status = element('span', { class: 'muted', role: 'status' });
  let wanted = '';
  let matches: readonly TreePath[] = [];
  let current = 0;

  const show = (index: number): void => {
    current = matches.length === 0 ? 0 : (index + matches.length) % matches.length;
    const path = matches[current];
    if (path !== undefined) tree.reveal(path, { focus: false });
    const where = isWhole(json) ? '' : ' in the part that is here';
    const found =
      matches.length === 0 ? 'No matches' : `${formatNumber(current + 1)} of ${formatNumber(matches.length)}`;
    status.textContent = wanted === '' ? '' : `${found}${where}`;
  };
  const [fieldLabel, field] = searchField('Search keys and values', `Search in ${label}`, (text) => {
    wanted = text;
    matches = searchTree(json, text);
    show(0);
  });
  const onkeydown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.target !== field) return;
    event.preventDefault();
    show(current + (event.shiftKey ? -1 : 1));
  };
  return element(
    'div',
    { class: 'tree-finder', role: 'search', 'aria-label': `Search in ${label}`, onkeydown },
    fieldLabel,
    field,
    iconButton('Previous Match', 'arrow-up', () => show(current - 1)),
    iconButton('Next Match', 'arrow-down', () => show(current + 1)),
    status,
  );
}
