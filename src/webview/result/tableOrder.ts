import type { TableCell } from '../../shared/content.ts';

/** How the rows of a table are sorted; absent: as the server sent them. */
export interface TableOrder {
  readonly column: number;
  readonly direction: 'ascending' | 'descending';
}

/** One row with its number in the list. */
export interface NumberedRow {
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
    if (a.type === 'number' && b.type === 'number') return sign * (Number(a.text) - Number(b.text));
    // Numbers stand before texts: a column with both is sorted by type first.
    if ((a.type === 'number') !== (b.type === 'number')) return sign * (a.type === 'number' ? -1 : 1);
    return sign * collator.compare(a.text, b.text);
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
