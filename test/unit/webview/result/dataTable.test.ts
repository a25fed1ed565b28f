import { expect, it } from 'vitest';
import type { TableCell } from '../../../../src/shared/content.ts';
import { arrangeRows, nextOrder } from '../../../../src/webview/result/dataTable.ts';

const cell = (value: string | number | null | undefined): TableCell => {
  if (value === undefined) return { type: 'absent', text: '' };
  if (value === null) return { type: 'null', text: 'null' };
  return { type: typeof value === 'number' ? 'number' : 'string', text: String(value) };
};
const rows = [10, 'b10', 9, null, 'b9', undefined, -1].map((value) => [cell(value)]);

function order(direction: 'ascending' | 'descending'): readonly number[] {
  return arrangeRows(rows, '', { column: 0, direction }).map(({ index }) => index);
}

it('sorts numbers as numbers, texts after them, and nothing at the end', () => {
  expect(order('ascending')).toEqual([6, 2, 0, 4, 1, 3, 5]);
  expect(order('descending')).toEqual([1, 4, 0, 2, 6, 3, 5]);
});

it('keeps the rows that contain the filter, in the order of the list', () => {
  expect(arrangeRows(rows, ' B', undefined).map(({ index }) => index)).toEqual([1, 4]);
  expect(arrangeRows(rows, 'zzz', undefined)).toEqual([]);
  expect(arrangeRows(rows, '', undefined)).toHaveLength(7);
});

it('goes from ascending to descending to none', () => {
  const first = nextOrder(undefined, 1);
  expect(first).toEqual({ column: 1, direction: 'ascending' });
  expect(nextOrder(first, 0)).toEqual({ column: 0, direction: 'ascending' });
  const second = nextOrder(first, 1);
  expect(second).toEqual({ column: 1, direction: 'descending' });
  expect(nextOrder(second, 1)).toBeUndefined();
});
