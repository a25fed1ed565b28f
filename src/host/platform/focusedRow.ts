import type { TreeView } from 'vscode';

/**
 * Follows on which row of a view a key was pressed. VS Code tells of the selected rows alone, which arrow keys leave behind. The key
 * bindings of views therefore run `list.toggleSelection` first, in the window and at the press: what that has selected, or no longer
 * selects, is the row. A key that is pressed later cannot change it, however long the extensions are busy.
 * @param idOf tells rows that were drawn again from others
 * @returns the row of the last such key, once; it is selected afterwards
 */
export function followFocusedRow<Row>(
  view: Pick<TreeView<Row>, 'onDidChangeSelection' | 'reveal' | 'selection'>,
  idOf: (row: Row) => string | undefined,
): () => Row | undefined {
  let before = view.selection;
  let now = before;
  let given: Row | undefined;
  view.onDidChangeSelection(({ selection }) => {
    const [row] = selection;
    const isOwn = given !== undefined && selection.length === 1 && row !== undefined && idOf(row) === idOf(given);
    before = isOwn ? selection : now;
    now = selection;
    given = undefined;
  });
  const without = (rows: readonly Row[], others: readonly Row[]): readonly Row[] => {
    const known = new Set(others.map(idOf));
    return rows.filter((row) => !known.has(idOf(row)));
  };
  return () => {
    const added = without(now, before);
    const [row, another] = added.length > 0 ? added : without(before, now);
    before = now;
    given = another === undefined ? row : undefined;
    if (row === undefined || another !== undefined) return undefined;
    // It may be gone.
    view.reveal(row, { select: true, focus: false }).then(undefined, () => {});
    return row;
  };
}
