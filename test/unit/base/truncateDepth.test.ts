import { expect, it } from 'vitest';
import { JsonScanner, truncateDepth } from '../../../src/base/jsonScanner.ts';

function cut(text: string, depth: number): unknown {
  const value: unknown = JSON.parse(text);
  truncateDepth(value, depth);
  return value;
}

it('JSON loses what lies deeper than so many levels, and nothing else', () => {
  const left = '… (left out: nested deeper than 2 levels)';
  expect(cut('{"a":[1,[2],{"b":3},null],"c":{"d":{}},"e":"f"}', 2)).toEqual({
    a: [1, left, left, null],
    c: { d: left },
    e: 'f',
  });
  expect(cut('[[1]]', 2)).toEqual([[1]]);
  expect(cut('"a"', 2)).toBe('a');
});

it('JSON of any depth is cut', () => {
  const depth = 200_000;
  expect(JSON.stringify(cut(`${'['.repeat(depth)}${']'.repeat(depth)}`, 3))).toBe(
    '[[["… (left out: nested deeper than 3 levels)"]]]',
  );
});

it('a scan tells that a message is deeper than is kept, and refuses only what is deeper than is parsed', () => {
  const scan = new JsonScanner({ members: 100, depth: 4, keptDepth: 2 });
  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
  expect(scan.scan(bytes('[[1]]'))).toBeUndefined();
  expect(scan.hasSeenDeep).toBe(false);
  expect(scan.scan(bytes('[[[[1]]]]'))).toBeUndefined();
  expect(scan.hasSeenDeep).toBe(true);
  expect(scan.scan(bytes('[[[[[1]]]]]'))).toBe('depth');
  expect(scan.alwaysAcceptedBytes).toBe(2);
});
