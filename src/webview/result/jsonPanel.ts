import { jsonPath } from '../../base/jsonPath.ts';
import type { JsonView, TableView } from '../../shared/content.ts';
import { copyActionId, type JsonSource, type ResultFromPanel } from '../../shared/resultMessages.ts';
import { button, element } from '../dom.ts';
import { DataTable } from './dataTable.ts';
import { JsonTree, type TreeCopy } from './jsonTree.ts';
import { createTreeFinder } from './treeFinder.ts';
import { type Mark, toTreeMarks } from './treeMarks.ts';
import { countNodes, type TreePath } from './treeSearch.ts';

/** Nodes from which a tree has a field to search it. */
const searchedFrom = 10;

export interface JsonPanelOptions {
  /** The name of the value for screen readers: "Structured content". */
  readonly label: string;
  /** What the value is to the extension, which has the whole of it; absent if it cannot tell. */
  readonly source?: JsonSource;
  /** Levels that are open at first. */
  readonly open?: number;
  readonly marks?: readonly Mark[];
  /** Draws the text that the value was read from. */
  readonly text?: () => HTMLElement;
  readonly send: (message: ResultFromPanel) => void;
}

/** A JSON value as a tree, as tables, or as the text that it was read from: at first as a table if it is nothing but a list of like objects, else as a tree. */
export function createJsonPanel({ json, tables }: JsonView, options: JsonPanelOptions) {
  const { label, open, marks = [], text } = options;
  const body = element('div', { class: 'json-body' });
  let tree: JsonTree | undefined;
  const made = new Map<string, HTMLElement>();

  const drawTree = (): HTMLElement => {
    tree = new JsonTree(json, { label, marks, copy: copyOf(options), ...(open !== undefined && { open }) });
    if (countNodes(json, searchedFrom) < searchedFrom) return tree.element;
    return element('div', { class: 'tree-view' }, createTreeFinder(json, tree, label), tree.element);
  };
  const drawTable = (table: TableView): HTMLElement =>
    new DataTable(table, toTreeMarks(marks), () => copyTable(options, table)).element;
  const views: readonly { readonly name: string; readonly draw: () => HTMLElement }[] = [
    { name: 'Tree', draw: drawTree },
    ...tables.map((table) => ({ name: tableName(table, tables), draw: () => drawTable(table) })),
    ...(text === undefined ? [] : [{ name: 'Text', draw: text }]),
  ];

  const switches = views.map(({ name }) => button({ label: name, kind: 'quiet', onClick: () => show(name) }));
  const show = (name: string): void => {
    for (const [index, each] of switches.entries()) each.ariaPressed = String(views[index]?.name === name);
    const view = views.find((each) => each.name === name);
    const drawn = made.get(name) ?? view?.draw();
    if (drawn === undefined) return;
    made.set(name, drawn);
    body.replaceChildren(drawn);
  };
  show(startsAsTable({ json, tables }) && marks.length === 0 ? (views[1]?.name ?? 'Tree') : 'Tree');
  const choice = element('div', { class: 'view-switch', role: 'group', 'aria-label': `View of ${label}` }, ...switches);
  return {
    element: element('div', { class: 'json-panel' }, ...(views.length > 1 ? [choice] : []), body),
    /** Shows a node of the tree, and moves the focus there. */
    reveal(path: TreePath): void {
      show('Tree');
      tree?.reveal(path);
    },
  };
}

function tableName(table: TableView, tables: readonly TableView[]): string {
  return tables.length === 1 ? 'Table' : `Table ${jsonPath(table.path)}`;
}

/** The value is a list of like objects, or an object with nothing else in it. */
function startsAsTable({ json, tables }: JsonView): boolean {
  const [table] = tables;
  if (table === undefined || json.kind === 'leaf') return false;
  return table.path.length === 0 || (table.path.length === 1 && json.size === 1);
}

function copyOf({ source, send }: JsonPanelOptions): TreeCopy {
  return {
    text: (text) => send({ type: 'copy', text }),
    ...(source !== undefined && {
      whole: (path: TreePath) => send({ type: 'action', id: copyActionId({ what: 'value', source, path }) }),
    }),
  };
}

function copyTable({ source, send }: JsonPanelOptions, { path }: TableView): void {
  if (source !== undefined) send({ type: 'action', id: copyActionId({ what: 'table', source, path }) });
}
