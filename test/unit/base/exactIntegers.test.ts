import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  copyDigits,
  exactMember,
  holdsDigits,
  isRounded,
  keepDigits,
  parseExactly,
  stringifyExactly,
  withMarks,
  withoutMarks,
} from '../../../src/base/exactIntegers.ts';
import { canonicalJson } from '../../../src/base/digest.ts';
import { toJsonText } from '../../../src/base/json.ts';
import { jsonAt } from '../../../src/base/jsonPath.ts';
import { firstDifference } from '../../../src/base/jsonDifference.ts';
import { previewJson, printPreview, writeJsonInPieces } from '../../../src/base/jsonPreview.ts';
import { parseLenientJson } from '../../../src/base/lenientJson.ts';
import { traceJson } from '../../../src/client/trace/traceJson.ts';
import { readJson, readNumber } from '../../../src/forms/controlText.ts';
import { moveItem, renameKey, withValueAt } from '../../../src/forms/valueAt.ts';
import type { ExactValue, JsonObject } from '../../../src/base/json.ts';
import { literal, python } from '../../../src/host/calls/callExportsCode.ts';
import { editArguments, parseArguments, writeArguments } from '../../../src/host/tools/argumentText.ts';
import { fromSent, toSent } from '../../../src/shared/exactMessages.ts';
import { createRedactor } from '../../../src/secrets/redactor.ts';

const id = '725653563933458432';
const other = '725653563933458433';
const text = `{"id":${id},"list":[1,-${other},"${id}"],"near":9007199254740991}`;

describe('parseExactly', () => {
  it('gives the numbers of JSON.parse, and keeps the digits of those that it rounds', () => {
    const value = parseExactly(text) as JsonObject;
    expect(value).toEqual(JSON.parse(text));
    expect([exactMember(value, 'id'), exactMember(value['list'], 1), exactMember(value, 'near')]).toEqual([
      BigInt(id),
      -BigInt(other),
      9007199254740991,
    ]);
    expect(stringifyExactly(value)).toBe(text);
    expect(stringifyExactly(value, 2).replaceAll(/\s/g, '')).toBe(text);
  });

  it.each([
    ['a text', `"${id}"`],
    ['digits in a text', `{"a":"\\"${id}\\\\","b":"x${id}"}`],
    ['a fraction', '{"a":0.12345678901234567890,"b":1e20,"c":12345678901234567890.5}'],
    ['what a number holds', '{"a":10000000000000000,"b":9007199254740992}'],
    ['more digits than a number has', `{"a":${'9'.repeat(400)}}`],
  ])('keeps nothing of %s', (_, json) => {
    const value = parseExactly(json);
    expect(value).toEqual(JSON.parse(json));
    expect(holdsDigits(value)).toBe(false);
  });

  it('takes a name like __proto__ as any other', () => {
    const value = parseExactly(`{"__proto__":${id}}`);
    expect([Object.keys(value as object), stringifyExactly(value)]).toEqual([['__proto__'], `{"__proto__":${id}}`]);
  });

  it('throws for what is no JSON', () => {
    for (const broken of [`{"a":${id}`, `[0${id}]`, `{"a":${id}x}`, `[-]${id}`])
      expect(() => parseExactly(broken)).toThrow(SyntaxError);
  });

  it('throws for an integer in the place of a name, and does not show its mark', () => {
    for (const broken of [`{"a":{${id}:1}}`, `{"a":1,${id} :1}`, `{"a":${id}x}`])
      expect(() => parseExactly(broken)).toThrow(
        expect.objectContaining({ name: 'SyntaxError', message: expect.not.stringMatching(/\d-\d/) }),
      );
  });

  it('leaves a text alone that looks like its marks', () => {
    const [marked] = withMarks(parseExactly(`[${id}]`) as string[]);
    const looksLike = `${marked?.slice(0, -id.length)}0x10`;
    expect(parseExactly(`["${looksLike}",${other}]`)).toEqual([looksLike, Number(other)]);
  });

  it('reads a message nested deeply', () => {
    const deep = `${'['.repeat(9_000)}${id}${']'.repeat(9_000)}`;
    let value = parseExactly(deep);
    while (Array.isArray(value) && Array.isArray(value[0])) value = value[0];
    expect(exactMember(value, 0)).toBe(BigInt(id));
  });

  it('and writing give back any JSON', () => {
    const integer = fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }).map((each) => `@${each}`);
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.array(integer), (value, integers) => {
        // Names of members stay texts.
        const json = JSON.stringify({ value, integers }).replaceAll(/"@(-?(?:0|[1-9]\d*))"(?!:)/g, '$1');
        const parsed = parseExactly(json);
        expect(parsed).toEqual(JSON.parse(json));
        for (const [index, digits] of integers.entries())
          expect(exactMember((parsed as JsonObject)['integers'], index)).toBe(
            isRounded(digits.slice(1)) ? BigInt(digits.slice(1)) : Number(digits.slice(1)),
          );
        expect(parseExactly(stringifyExactly(parsed))).toEqual(parsed);
      }),
    );
  });

  it('is for JSON with NaN too', () => {
    const value = parseLenientJson(`{"id":${id},"mean":NaN}`);
    expect(stringifyExactly(value)).toBe(`{"id":${id},"mean":null}`);
  });
});

it('JSON with NaN is read in the place of values alone, and in texts of a usual length', () => {
  expect(parseLenientJson('[NaN, -Infinity,{"a":\tInfinity,"b":"NaN,NaN"}]')).toEqual([
    null,
    null,
    { a: null, b: 'NaN,NaN' },
  ]);
  expect(parseLenientJson(`[${'1,'.repeat(700_000)}NaN]`)).toHaveLength(700_001);
  const [tooLong, tooMany] = [`[NaN${' '.repeat(8_000_000)}]`, `[${'NaN,'.repeat(200_000)}NaN]`];
  for (const broken of ['{NaN NaN', '{"a":1,NaN:1}', '[1NaN]', tooLong, tooMany])
    expect(() => parseLenientJson(broken)).toThrow(SyntaxError);
});

it('digits are those of the value that is there now', () => {
  const value = parseExactly(`[${id}]`) as number[];
  value[0] = 1;
  expect([exactMember(value, 0), stringifyExactly(value)]).toEqual([1, '[1]']);
  const copy = copyDigits(parseExactly(`[${id}]`) as object, [7]);
  expect(stringifyExactly(copy)).toBe('[7]');
  keepDigits(copy, 0, undefined);
  expect(holdsDigits([copy])).toBe(true);
  expect(withMarks([1])).toEqual([1]);
  expect(withoutMarks('"1:2"')).toBe('"1:2"');
});

describe('what shows a value shows the digits', () => {
  const value = parseExactly(`{"id":${id},"list":[${other}]}`) as JsonObject;

  it.each([
    ['in a preview', () => printPreview(previewJson(value).json, 0)],
    ['in pieces', () => [...writeJsonInPieces(value)].join('')],
    ['in a line', () => toJsonText(value)],
    ['in a short line', () => toJsonText(value, 1_000)],
    ['in the trace', () => traceJson(value, createRedactor([]))],
    ['for a digest', () => canonicalJson(value)],
    ['as Python', () => literal(value, python)],
  ])('%s', (_, shown) => {
    expect(shown()).toContain(id);
    expect(shown()).toContain(other);
  });

  it('and tells two of them apart that are the same number', () => {
    const one = parseExactly(`{"a":[${id}]}`);
    expect(firstDifference(one, parseExactly(`{"a":[${id}]}`))).toBeUndefined();
    expect(firstDifference(one, parseExactly(`{"a":[${other}]}`))).toEqual({
      path: ['a', 0],
      left: BigInt(id),
      right: BigInt(other),
    });
    expect(canonicalJson(one)).not.toBe(canonicalJson(parseExactly(`{"a":[${other}]}`)));
  });
});

describe('what a person enters', () => {
  it.each([
    [id, { kind: 'value', value: BigInt(id) }],
    [` +00${id} `, { kind: 'value', value: BigInt(id) }],
    [`-${id}`, { kind: 'value', value: -BigInt(id) }],
    ['9007199254740991', { kind: 'value', value: 9007199254740991 }],
    ['12', { kind: 'value', value: 12 }],
  ])('as the number %j keeps its digits', (typed, read) => {
    expect(readNumber(typed, true)).toEqual(read);
  });

  it('as JSON keeps its digits', () => {
    const read = readJson(`{"id":${id}}`);
    expect(read.kind === 'value' && stringifyExactly(read.value)).toBe(`{"id":${id}}`);
    expect(readJson(id)).toEqual({ kind: 'value', value: BigInt(id) });
  });

  it('keeps its digits when something else is edited', () => {
    let root: ExactValue = parseExactly(`{"a":[1,${id},${other}],"b":{"c":${id}}}`) as JsonObject;
    const edit = (path: (string | number)[], value: ExactValue | undefined): void => {
      root = withValueAt(root, path, value) ?? {};
    };
    edit(['a', 0], undefined);
    edit(['b', 'd'], 2);
    edit(['a', 3], BigInt(id));
    root = moveItem(root, ['a'], 0, 1);
    root = renameKey(root, ['b'], 'c', 'e') ?? {};
    expect(stringifyExactly(root)).toBe(`{"a":[${other},${id},${id}],"b":{"e":${id},"d":2}}`);
    expect(jsonAt(root, ['b', 'e'])).toBe(BigInt(id));
    // The same number, but written as another.
    edit(['b', 'e'], Number(id));
    expect(stringifyExactly(root)).toContain(`"e":${Number(id)}`);
  });

  it('is in the document as it was entered, and is changed alone', () => {
    const before = `{\n  // the order\n  "id": ${id},\n  "list": [${other}, 1]\n}\n`;
    const parsed = parseArguments(before);
    if (parsed.kind === 'broken') throw new Error('broken');
    expect(stringifyExactly(parsed.args)).toBe(`{"id":${id},"list":[${other},1]}`);
    const after = withValueAt(parsed.args, ['id'], BigInt(other)) as JsonObject;
    expect(editArguments(before, parsed.args, after)).toBe(before.replace(id, other));
    expect(editArguments(before, parsed.args, parsed.args)).toBe(before);
    expect(writeArguments(after)).toContain(`"id": ${other}`);
  });

  it('passes between a page and the extension', () => {
    const args = parseExactly(`{"id":${id}}`) as JsonObject;
    expect(stringifyExactly(fromSent(JSON.parse(JSON.stringify(toSent(args))) as typeof args))).toBe(`{"id":${id}}`);
    expect(toSent({ a: 1 })).toEqual({ a: 1 });
  });
});
