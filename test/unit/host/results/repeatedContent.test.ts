import { expect, it } from 'vitest';
import { type JsonObject, type JsonValue, parseJson } from '../../../../src/base/json.ts';
import { firstDifference, isSameJson } from '../../../../src/base/jsonDifference.ts';
import { findRepetition } from '../../../../src/host/results/repeatedContent.ts';

const json = (value: object) => ({ text: JSON.stringify(value), value });
const find = (blocks: Parameters<typeof findRepetition>[0], structured?: JsonValue, isError = false) => {
  const result = { isError, ...(structured !== undefined && { structuredContent: structured }) };
  const { texts, ...found } = findRepetition(blocks, result);
  return { texts: [...texts], ...found };
};
const say = (value: object, structured: JsonObject) => find([json(value)], structured).disagreement;

it.each<[string, object, JsonObject]>([
  ['the same', { a: [1, { b: null }] }, { a: [1, { b: null }] }],
  ['another order of keys', { a: 1, b: 2 }, { b: 2, a: 1 }],
  ['what a library wraps', [1, 2], { result: [1, 2] }],
  ['a list under a name', [{ id: 1 }], { entities: [{ id: 1 }] }],
  ['one member of several', [{ id: 1 }], { rows: [{ id: 1 }], total: 1 }],
  ['one item of a list', { id: 1 }, { result: [{ id: 1 }, { id: 2 }] }],
])('finds that a text only repeats the structured content: %s', (_name, value, structured) => {
  expect(find([undefined, json(value)], structured)).toEqual({ texts: [1], isStructuredRepeated: false });
});

it('finds that a line only repeats a member, but for one that says why the tool failed', () => {
  const structured = { success: true, message: 'Deleted' };
  expect(find([{ text: 'Deleted' }], structured)).toEqual({ texts: [0], isStructuredRepeated: false });
  expect(find([{ text: 'Deleted.' }], structured).texts).toEqual([]);
  expect(find([{ text: 'Deleted' }], structured, true).texts).toEqual([]);
  expect(find([{ text: 'a\nb' }], { output: 'a\nb', code: 0 })).toMatchObject({
    texts: [],
    isStructuredRepeated: false,
  });
});

it.each<[string, readonly string[], JsonValue]>([
  ['itself as a text', ['a\nb'], 'a\nb'],
  ['a text', ['[DIR] .git\n[FILE] __init__.py'], { content: '[DIR] .git\n[FILE] __init__.py' }],
  ['a text that is JSON', ['[{"a":1}]'], { content: '[{"a":1}]' }],
  ['a number', ['3'], { result: 3 }],
  ['several texts', ['a', 'b'], { result: ['a', 'b'] }],
])('finds that the structured content only repeats %s', (_name, texts, structured) => {
  const blocks = texts.map((text) => (text.startsWith('[{') ? { text, value: JSON.parse(text) as object } : { text }));
  expect(find(blocks, structured)).toEqual({ texts: [], isStructuredRepeated: true });
});

it.each<[string, readonly string[], JsonObject]>([
  ['other texts', ['a', 'b'], { result: ['b', 'a'] }],
  ['fewer texts', ['a'], { result: ['a', 'b'] }],
  ['an empty list', ['none'], { result: [] }],
  ['an empty object', ['none'], {}],
  ['an object', ['[object Object]'], { result: {} }],
  ['one of several members', ['undefined\n'], { a: 1, b: 'undefined\n' }],
  ['a word', ['undefined'], { a: 1, b: 2 }],
  ['nothing', [], { result: 'a' }],
])('does not take %s for a repetition', (_name, texts, structured) => {
  expect(
    find(
      texts.map((text) => ({ text })),
      structured,
    ),
  ).toEqual({ texts: [], isStructuredRepeated: false });
});

it('compares all digits of an integer', () => {
  const structured = parseJson('{"id":[725653563933458432]}') as JsonObject;
  expect(find([{ text: '725653563933458432' }], structured).isStructuredRepeated).toBe(true);
  expect(find([{ text: '725653563933458400' }], structured).isStructuredRepeated).toBe(false);
});

it('finds nothing without structured content', () => {
  expect(find([json({ a: 1 })])).toEqual({ texts: [], isStructuredRepeated: false });
});

it('says what differs first', () => {
  expect(say({ days: [{ high: 1 }, { high: 24 }] }, { days: [{ high: 1 }, { high: 23 }] })).toBe(
    'The text and the structured content differ. $.days[1].high is 24 in the text and 23 in the structured content.',
  );
  expect(say({ a: 1 }, { a: 1, b: 'x' })).toContain('$.b is absent in the text and "x" in the structured content.');
  expect(say([1], { a: 1 })).toContain(
    'The whole value is a list of 1 in the text and an object in the structured content.',
  );
  expect(say({ __proto__: 1 }, JSON.parse('{"__proto__":2}') as JsonObject)).toContain('$.__proto__ is absent');
  expect(find([json({ a: 2 }), json({ a: 1 })], { a: 1 }).disagreement).toBeUndefined();
  expect(find([json({ a: 2 }), { text: 'x\ny' }], { a: 'x\ny', b: 1 }).disagreement).toBeUndefined();
});

it('stays short, however long the values are', () => {
  const long = 'x'.repeat(100_000);
  expect(say({ [long]: long }, { [long]: 1 })?.length).toBeLessThan(700);
});

it('compares values of any depth, without running out of stack', () => {
  const deep = (end: string): unknown => JSON.parse(`${'['.repeat(50_000)}${end}${']'.repeat(50_000)}`);
  expect(firstDifference(deep('1'), deep('2'))).toBeUndefined();
  expect(firstDifference([deep('1'), 1], [deep('2'), 2])?.path).toEqual([1]);
  expect(isSameJson(deep('1'), deep('2'))).toBe(false);
  expect(isSameJson([{ a: 1 }], [{ a: 1 }], { members: 1 })).toBe(false);
  expect(isSameJson([1, { a: 2 }], [1, { a: 2 }])).toBe(true);
});

it('compares a bounded number of members, and takes nothing beyond for a repetition', () => {
  const list = (last: number): readonly number[] => [...Array.from({ length: 100_000 }, (_, index) => index), last];
  const members = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`m${index}`, list(index)]));
  expect(find([json(list(3))], members as JsonObject).texts).toEqual([0]);
  expect(find([json(list(9))], members as JsonObject).texts).toEqual([]);
});
