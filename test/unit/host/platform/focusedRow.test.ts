import { expect, it } from 'vitest';
import type { TreeView } from 'vscode';
import { focusedRow } from '../../../../src/host/platform/focusedRow.ts';
import { editor } from '../../../fixtures/vscode.ts';

const focused = () => focusedRow(editor.tree as unknown as TreeView<unknown>);

it.each([
  ['beside the selected one', ['a'], 'b'],
  ['that is selected', ['a'], 'a'],
  ['while nothing is selected', [], 'b'],
])('is the row that the keyboard is on, %s, and the selection stays', async (_what, selection, row) => {
  Object.assign(editor.tree, { selection, focused: row });
  expect(await focused()).toBe(row);
  expect(editor.tree.selection).toEqual(selection);
});

it('is none where the keyboard was last in another list, or the view is hidden', async () => {
  editor.tree.selection = ['a'];
  expect(await focused()).toBeUndefined();
  Object.assign(editor.tree, { visible: false, focused: 'a' });
  expect(await focused()).toBeUndefined();
  expect(editor.tree.selection).toEqual(['a']);
});
