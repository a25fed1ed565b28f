import { getOrMake } from '../../base/memoize.ts';
import { truncateWithCount } from '../../base/truncate.ts';
import { arrange, createMoreButton, element, formatNumber, inlineText } from '../dom.ts';

/** Rows that are drawn at first, and with each press of the button. */
const rowsPerStep = 500;

export type Column = readonly [name: string, className?: string];

interface TableOptions<Row extends object> {
  /** "Records" */
  readonly label: string;
  readonly columns: readonly Column[];
  /** Makes the body of the table that a row has of its own. */
  readonly draw: (row: Row) => HTMLElement;
}

/** A table of records, the newest first, of which as many are drawn as a person may want to see. */
export function createRecordTable<Row extends object>({ label, columns, draw: drawRow }: TableOptions<Row>) {
  const drawnRows = new WeakMap<Row, HTMLElement>();
  const head = columns.map(([text, className]) => element('th', { scope: 'col', class: className, text }));
  const fixed = [
    element('caption', { class: 'screen-reader-only', text: `${label}, newest first` }),
    element('thead', {}, element('tr', {}, head)),
  ];
  const table = element('table', { class: 'records' }, fixed);
  const more = createMoreButton(rowsPerStep, () => {
    const { length } = table.tBodies;
    maximum += rowsPerStep;
    draw();
    // The button may be gone, and what the person asked for begins here.
    table.tBodies[length]?.querySelector('button')?.focus();
  });
  let all: readonly Row[] = [];
  let maximum = rowsPerStep;

  function draw(): void {
    const shown = all.slice(-maximum).toReversed();
    arrange(table, [...fixed, ...shown.map((row) => getOrMake(drawnRows, row, () => drawRow(row)))]);
    const left = all.length - shown.length;
    more.show(left, ` of ${formatNumber(left)}`);
  }

  return {
    element: element(
      'div',
      { class: 'table' },
      element('div', { class: 'scrolled', tabindex: 0, role: 'group', 'aria-label': label }, table),
      more.element,
    ),
    table,
    /** Shows the newest of `rows`, which are in the order of time. Rows that stay keep the focus, and stay open. */
    show(rows: readonly Row[]): void {
      all = rows;
      draw();
    },
    /** Draws no more rows than at first again, for another choice of records. */
    reset(): void {
      maximum = rowsPerStep;
    },
  };
}

/** Characters of a text in a line of the table. */
const lineCharacters = 120;

/** A text of a server or a file in a line of the table. */
export function shortText(text: string): HTMLElement {
  return inlineText(truncateWithCount(text, lineCharacters).replaceAll(/[\r\n\u2028\u2029]+/g, ' ⏎ '));
}
