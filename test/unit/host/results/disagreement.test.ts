import { expect, it } from 'vitest';
import { firstDifference } from '../../../../src/base/jsonDifference.ts';
import { describeDisagreement } from '../../../../src/host/results/resultDocument.ts';

it.each<[string, unknown, unknown]>([
  ['the same', { a: [1, { b: null }] }, { a: [1, { b: null }] }],
  ['another order of keys', { a: 1, b: 2 }, { b: 2, a: 1 }],
  ['what a library wraps', [1, 2], { result: [1, 2] }],
  ['one item of a list', { id: 1 }, { result: [{ id: 1 }, { id: 2 }] }],
  ['no value', undefined, {}],
])('finds that %s agrees', (_name, text, structured) => {
  expect(describeDisagreement(text === undefined ? [] : [text], structured)).toBeUndefined();
});

it('says what differs first', () => {
  const say = (text: unknown, structured: unknown): string | undefined => describeDisagreement([text], structured);
  expect(say({ days: [{ high: 1 }, { high: 24 }] }, { days: [{ high: 1 }, { high: 23 }] })).toBe(
    'The text and the structured content disagree. $.days[1].high is 24 in the text, and 23 in the structured content.',
  );
  expect(say({ a: 1 }, { a: 1, b: 'x' })).toContain('$.b is absent in the text, and "x" in the structured content.');
  expect(say([1], { a: 1 })).toContain(
    'The whole value is a list of 1 in the text, and an object in the structured content.',
  );
  expect(say({ __proto__: 1 }, JSON.parse('{"__proto__":2}'))).toContain('$.__proto__ is absent');
  expect(describeDisagreement([{ a: 2 }, { a: 1 }], { a: 1 })).toBeUndefined();
});

it('stays short, however long the values are', () => {
  const long = 'x'.repeat(100_000);
  expect(describeDisagreement([{ [long]: long }], { [long]: 1 })?.length).toBeLessThan(700);
});

it('compares values of any depth, without running out of stack', () => {
  const deep = (end: string): unknown => JSON.parse(`${'['.repeat(50_000)}${end}${']'.repeat(50_000)}`);
  expect(firstDifference(deep('1'), deep('2'))).toBeUndefined();
  expect(firstDifference([deep('1'), 1], [deep('2'), 2])?.path).toEqual([1]);
});
