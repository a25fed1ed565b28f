import { expect, it } from 'vitest';
import { jsonAt, jsonPath } from '../../../src/base/jsonPath.ts';

it.each([
  [[], '$'],
  [['a', 0, 'b c'], '$.a[0]["b c"]'],
  [['', '0', 'a"b', '_x', '$y'], '$[""]["0"]["a\\"b"]._x.$y'],
  [['größe'], '$["größe"]'],
])('writes %j as %s', (path, text) => {
  expect(jsonPath(path)).toBe(text);
});

it('finds own members only', () => {
  const value: unknown = JSON.parse('{"a":[{"b c":1}],"__proto__":2}');
  expect(jsonAt(value, ['a', 0, 'b c'])).toBe(1);
  expect(jsonAt(value, ['__proto__'])).toBe(2);
  expect(jsonAt(value, [])).toBe(value);
  expect(jsonAt(value, ['constructor'])).toBeUndefined();
  expect(jsonAt({}, ['__proto__'])).toBeUndefined();
  expect(jsonAt(value, ['a', 1, 'b c'])).toBeUndefined();
  expect(jsonAt('text', [0])).toBeUndefined();
});
