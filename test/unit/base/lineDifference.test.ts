import { array, assert, constantFrom, property } from 'fast-check';
import { expect, it } from 'vitest';
import { differingLines, type LinePart } from '../../../src/base/lineDifference.ts';

/** Changed lines in brackets. */
const written = (parts: readonly LinePart[]): string =>
  parts.map(({ text, isChanged }) => (isChanged ? `[${text}]` : text)).join('|');

it.each([
  ['Hello Ada', 'Good day Ada', '[Hello Ada]', '[Good day Ada]'],
  ['a\nb\nc', 'a\nc', 'a|[b]|c', 'a\nc'],
  ['a\nb\nc\nd', 'x\nb\ny\nd', '[a]|b|[c]|d', '[x]|b|[y]|d'],
  ['', 'a', '[]', '[a]'],
])('marks the lines in which two texts differ: %j, %j', (before, after, old, now) => {
  const parts = differingLines(before, after);
  expect([written(parts.before), written(parts.after)]).toEqual([old, now]);
});

it('leaves out the middle of many equal lines, and takes many different ones as a whole', () => {
  const lines = Array.from({ length: 20 }, (_, index) => String(index));
  expect(written(differingLines(lines.join('\n'), [...lines, 'x'].join('\n')).after)).toBe(
    '0\n1\n2\n… 14 equal lines\n17\n18\n19|[x]',
  );
  const many = (of: string): string => Array.from({ length: 5_000 }, (_, index) => `${of}${index % 7}`).join('\n');
  expect(differingLines(many('a'), many('b')).before).toEqual([{ text: many('a'), isChanged: true }]);
});

it('keeps the same lines of both, in their order', () => {
  const text = array(constantFrom('a', 'b', 'c'), { maxLength: 6 }).map((lines) => lines.join('\n'));
  const same = (parts: readonly LinePart[]): string =>
    parts
      .filter(({ isChanged }) => !isChanged)
      .map((part) => part.text)
      .join('\n');
  assert(
    property(text, text, (before, after) => {
      const parts = differingLines(before, after);
      expect(same(parts.before)).toBe(same(parts.after));
      expect(parts.before.map((part) => part.text).join('\n')).toBe(before);
    }),
  );
});
