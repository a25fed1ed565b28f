import { expect, it } from 'vitest';
import { previewJson } from '../../../../src/base/jsonPreview.ts';
import { messagesBelow, toTreeMarks } from '../../../../src/webview/result/treePaths.ts';
import { countNodes, isWhole, previewAt, searchTree, toTreePath } from '../../../../src/webview/result/treePaths.ts';

const { json } = previewJson({
  city: 'Lisbon',
  days: [
    { day: 'Mon', high: 24 },
    { day: 'Tue', high: null },
  ],
  '': true,
});

it('finds keys and values in the order of the tree', () => {
  expect(searchTree(json, 'DAY')).toEqual([['days'], ['days', 0, 'day'], ['days', 1, 'day']]);
  expect(searchTree(json, 'null')).toEqual([['days', 1, 'high']]);
  expect(searchTree(json, 'isbo')).toEqual([['city']]);
  expect(searchTree(json, 'true')).toEqual([['']]);
  expect(searchTree(json, '')).toEqual([]);
});

it('turns the path of a schema check into one of the tree, as far as it leads', () => {
  expect(toTreePath(json, ['days', '1', 'high'])).toEqual(['days', 1, 'high']);
  expect(toTreePath(json, ['days', '1', 'low'])).toEqual(['days', 1]);
  expect(toTreePath(json, ['days', '-1'])).toEqual(['days']);
  expect(toTreePath(json, ['city', '0'])).toEqual(['city']);
  expect(previewAt(json, ['days', 9])).toBeUndefined();
  expect(previewAt(json, ['days', 0, 'day'])).toMatchObject({ text: '"Mon"' });
});

it('tells a whole value from a part of one, and counts up to a limit', () => {
  expect(isWhole(json)).toBe(true);
  expect(isWhole(previewJson({ a: 'x'.repeat(200_000) }).json)).toBe(false);
  expect(isWhole(previewJson({ a: Array.from({ length: 20_000 }, () => 1) }).json)).toBe(false);
  expect(countNodes(json, 100)).toBe(10);
  expect(countNodes(json, 4)).toBeLessThanOrEqual(5);
});

it('sorts messages into the shape of the tree', () => {
  const marks = toTreeMarks([
    { path: ['a', 0], message: 'x' },
    { path: ['a', 0, 'b'], message: 'y' },
    { path: [], message: 'z' },
  ]);
  expect(marks.messages).toEqual(['z']);
  expect(messagesBelow(marks.below.get('a'))).toEqual(['x', 'y']);
  expect(messagesBelow(undefined)).toEqual([]);
});
