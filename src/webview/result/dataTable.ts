import { jsonPath } from '../../base/jsonPath.ts';
import type { TableCell, TableView } from '../../shared/content.ts';
import {
  button,
  type Child,
  countOf,
  createMoreButton,
  element,
  exactText,
  formatNumber,
  markedText,
  searchField,
} from '../dom.ts';
import { markElements } from './jsonTree.ts';
import { messagesBelow, type TreeMarks } from './treePaths.ts';

/** Rows that are drawn in one step. */
const rowsPerStep = 100;

/** Characters from which a cell is long, and wider than others where there is little room. */
const longText = 24;

export class DataTable {
  readonly element: HTMLElement;
  readonly #view: TableView;
  readonly #marks: TreeMarks | undefined;
  readonly #body = element('tbody');
  readonly #headers: readonly HTMLElement[];
  readonly #count = element('span', { class: 'muted', role: 'status' });
  readonly #more = createMoreButton(rowsPerStep, () => this.#showMore(), ' Rows');
  #order: TableOrder | undefined;
  #filter = '';
  #rows: readonly NumberedRow[] = [];
  #drawn = 0;

  /**
   * @param marks problems in the value that the table is of; each stands in the cell that it is about
   * @param onCopy copies the whole list as CSV
   */
  constructor(view: TableView, marks: TreeMarks, onCopy: () => void) {
    this.#view = view;
    let below: TreeMarks | undefined = marks;
    for (const step of view.path) below = below?.below.get(step);
    this.#marks = below;
    this.#headers = view.columns.map((name, column) => this.#header(name, column));
    // The list may be the whole result: it has no name then.
    const place = jsonPath(view.path).replace(/^\$\.?/, '');
    const of = place === '' ? '' : ` of ${place}`;
    const name = `Rows${of}`;
    const corner = element('td', {}, element('span', { class: 'screen-reader-only', text: 'Number' }));
    const head = element('thead', {}, element('tr', {}, corner, this.#headers));
    const table = element('table', { class: 'data-table', 'aria-label': name }, head, this.#body);
    this.element = element(
      'div',
      { class: 'table-view' },
      this.#tools(place, `Filter rows${of}`, onCopy),
      element('div', { class: 'table-scroll', tabindex: 0, role: 'region', 'aria-label': name }, table),
      this.#more.element,
      this.#notes(),
    );
    this.#arrange();
  }

  #tools(place: string, label: string, onCopy: () => void): HTMLElement {
    const search = searchField('Filter rows', label, (text) => {
      this.#filter = text;
      this.#arrange();
    });
    return element(
      'div',
      { class: 'view-tools' },
      place !== '' && ['Rows of', exactText(place, 'exact inline code')],
      search,
      this.#count,
      button({ label: 'Copy as CSV', icon: 'copy', kind: 'quiet', onClick: onCopy }),
    );
  }

  #notes(): Child {
    const { rows, total, moreColumns } = this.#view;
    const [drawn, all] = [formatNumber(rows.length), formatNumber(total)];
    const notes = [
      rows.length < total && `The table has the first ${drawn} of ${all} rows. Copy as CSV copies all of them.`,
      moreColumns > 0 && `${countOf(moreColumns, 'more column')} can be seen in the tree.`,
    ];
    return notes.map((text) => text !== false && element('p', { class: 'hint', text }));
  }

  #header(name: string, column: number): HTMLElement {
    const sort = (): void => {
      this.#order = nextOrder(this.#order, column);
      this.#arrange();
    };
    const sign = element('span', { class: 'codicon', 'aria-hidden': 'true' });
    const words = element('span', { dir: 'auto' }, markedText(name));
    const head = element('button', { type: 'button', class: 'sort', title: 'Sort', onclick: sort }, words, sign);
    return element('th', { scope: 'col' }, head);
  }

  #arrange(): void {
    this.#rows = arrangeRows(this.#view.rows, this.#filter, this.#order);
    for (const [column, header] of this.#headers.entries()) {
      const direction = this.#order?.column === column ? this.#order.direction : undefined;
      header.ariaSort = direction ?? 'none';
      const arrow = { ascending: 'codicon-arrow-up', descending: 'codicon-arrow-down' };
      const sign = header.querySelector('.codicon');
      if (sign !== null) sign.className = direction === undefined ? 'codicon' : `codicon ${arrow[direction]}`;
    }
    const all = this.#view.rows.length;
    const count = this.#rows.length;
    this.#count.textContent = count === all ? countOf(all, 'row') : `${formatNumber(count)} of ${countOf(all, 'row')}`;
    this.#body.replaceChildren();
    this.#drawn = 0;
    this.#drawMore();
  }

  #showMore(): void {
    const first = this.#drawn;
    this.#drawMore();
    // The button may be gone: the focus goes to the first of the new rows.
    const row = this.#body.rows[first];
    row?.setAttribute('tabindex', '-1');
    row?.focus();
  }

  #drawMore(): void {
    const end = Math.min(this.#rows.length, this.#drawn + rowsPerStep);
    this.#body.append(...this.#rows.slice(this.#drawn, end).map((row) => this.#row(row)));
    this.#drawn = end;
    this.#more.show(this.#rows.length - end);
  }

  #row({ index, cells }: NumberedRow): HTMLElement {
    const marks = this.#marks?.below.get(index);
    const number = element('th', { scope: 'row', text: String(index) }, markElements(marks?.messages));
    const drawn = cells.map((cell, column) => {
      const name = this.#view.columns[column] ?? '';
      return element(
        'td',
        { class: `json-${cell.type}${cell.text.length > longText ? ' long' : ''}`, dir: 'auto' },
        markedText(cell.text),
        markElements(messagesBelow(marks?.below.get(name))),
      );
    });
    return element('tr', {}, number, drawn);
  }
}

/** How the rows of a table are sorted; absent: as the server sent them. */
interface TableOrder {
  readonly column: number;
  readonly direction: 'ascending' | 'descending';
}

interface NumberedRow {
  readonly index: number;
  readonly cells: readonly TableCell[];
}

/** The rows that contain `filter` in any cell, sorted. Case does not count; empty cells come last in both directions. */
export function arrangeRows(
  rows: readonly (readonly TableCell[])[],
  filter: string,
  order: TableOrder | undefined,
): readonly NumberedRow[] {
  const wanted = filter.trim().toLowerCase();
  const kept = rows
    .map((cells, index) => ({ index, cells }))
    .filter(({ cells }) => wanted === '' || cells.some(({ text }) => text.toLowerCase().includes(wanted)));
  if (order === undefined) return kept;
  const { column, direction } = order;
  const sign = direction === 'ascending' ? 1 : -1;
  const collator = new Intl.Collator(undefined, { numeric: true });
  const compare = (a: TableCell | undefined, b: TableCell | undefined): number => {
    const last = Number(isEmpty(a)) - Number(isEmpty(b));
    if (a === undefined || b === undefined || isEmpty(a) || isEmpty(b)) return last;
    // Numbers stand before texts: a column with both is sorted by type first.
    const byType = Number(b.type === 'number') - Number(a.type === 'number');
    if (byType !== 0) return sign * byType;
    return sign * (a.type === 'number' ? Number(a.text) - Number(b.text) : collator.compare(a.text, b.text));
  };
  return kept.toSorted((a, b) => compare(a.cells[column], b.cells[column]) || a.index - b.index);
}

/** The order after a press of the header of a column: ascending, descending, none. */
export function nextOrder(order: TableOrder | undefined, column: number): TableOrder | undefined {
  if (order?.column !== column) return { column, direction: 'ascending' };
  return order.direction === 'ascending' ? { column, direction: 'descending' } : undefined;
}

function isEmpty(cell: TableCell | undefined): boolean {
  return cell === undefined || cell.type === 'absent' || cell.type === 'null';
}
