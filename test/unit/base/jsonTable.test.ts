import { describe, expect, it } from 'vitest';
import { columnsOf, findTables, likeObjects } from '../../../src/base/jsonTable.ts';

describe('likeObjects', () => {
  it.each([
    ['the same keys', '[{"a": 1}, {"a": 2}]', true],
    ['mostly the same keys', '[{"a": 1, "b": 2}, {"a": 1, "c": 2}]', true],
    ['different keys', '[{"a": 1}, {"b": 1}, {"c": 1}]', false],
    ['one object', '[{"a": 1}]', false],
    ['no objects', '[1, 2]', false],
    ['an object and a number', '[{"a": 1}, 2]', false],
    ['an object and a list', '[{"a": 1}, []]', false],
    ['objects without keys', '[{}, {}]', false],
    ['mostly nested values', '[{"a": {}, "b": []}, {"a": {}, "b": 1}]', false],
    ['some nested values', '[{"a": {}, "b": 1}, {"a": null, "b": 1}]', true],
    ['an object', '{"a": 1}', false],
  ])('decides on %s', (_name, json, expected) => {
    expect(likeObjects(JSON.parse(json)) !== undefined).toBe(expected);
  });

  it('takes no list with a flood of keys', () => {
    const flood = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`k${index}`, index]));
    expect(likeObjects([flood, flood])).toBeUndefined();
  });
});

describe('findTables', () => {
  const rows = [{ a: 1 }, { a: 2 }];

  it('finds lists in objects, and none inside of a list', () => {
    expect(findTables(rows)).toEqual([{ path: [], rows }]);
    expect(findTables({ x: { y: rows }, z: rows, n: 1 }).map(({ path }) => path)).toEqual([['z'], ['x', 'y']]);
    expect(findTables([[rows], [rows]])).toEqual([]);
    expect(findTables(undefined)).toEqual([]);
  });

  it('looks at a bounded number of members and levels', () => {
    expect(findTables({ a: { b: { c: { d: rows } } } })).toEqual([]);
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`k${index}`, rows]));
    expect(findTables(many)).toHaveLength(5);
    const wide = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`k${index}`, index]));
    expect(findTables({ ...wide, last: rows })).toEqual([]);
  });
});

it('lists columns in the order in which they come up', () => {
  const names = (maximum: number): readonly string[] => columnsOf([{ b: 1 }, { a: 1 }, { c: 1 }], maximum);
  expect(names(10)).toEqual(['b', 'a', 'c']);
  expect(names(2)).toEqual(['b', 'a']);
});
