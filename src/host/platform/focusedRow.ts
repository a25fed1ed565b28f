import { commands, type TreeView } from 'vscode';

/**
 * The row of a view that the keyboard is on. VS Code tells of the selected rows alone, which arrow keys leave behind: what its own
 * command selects, or no longer selects, is the row with the focus. The selection is as before afterwards.
 * @returns nothing where the keyboard was last in another list
 */
export async function focusedRow<Row>(view: Pick<TreeView<Row>, 'visible' | 'selection'>): Promise<Row | undefined> {
  if (!view.visible) return undefined;
  const before = view.selection;
  await commands.executeCommand('list.toggleSelection');
  const after = view.selection;
  if (before.length === after.length) return undefined;
  await commands.executeCommand('list.toggleSelection');
  return [...before, ...after].find((row) => before.includes(row) !== after.includes(row));
}
