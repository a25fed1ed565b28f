import { describe, expect, it } from 'vitest';
import { truncateWithCount } from '../../../src/base/truncate.ts';
import { previewJson, printPreview, writeJsonInPieces } from '../../../src/base/jsonPreview.ts';

const bounds = { depth: 3, members: 10, characters: 1_000, text: 20 };

/** `[[[…]]]` as JSON.parse makes it. */
function nested(depth: number): unknown {
  return JSON.parse('['.repeat(depth) + ']'.repeat(depth));
}

describe('cutText', () => {
  it('leaves alone what fits, says what is missing of what does not, and halves no character', () => {
    expect(truncateWithCount('abc', 3)).toBe('abc');
    expect(truncateWithCount('abcd', 3)).toBe('abc… (1 more characters)');
    expect(truncateWithCount(`a😀${'b'.repeat(2_000)}`, 2)).toBe('a… (2,001 more characters)');
  });
});

describe('boundJson', () => {
  it('prints what fits as JSON does', () => {
    const value = { a: [1, 'two', null, true], b: {}, c: [], d: { e: 'f' } };
    const { json, isTruncated } = previewJson(value);
    expect(isTruncated).toBe(false);
    expect(printPreview(json)).toBe(JSON.stringify(value, undefined, 2));
    expect(printPreview(json, 0)).toBe(JSON.stringify(value));
  });

  it('stops at a depth, whatever the depth of the value', () => {
    const { json, isTruncated } = previewJson(nested(100_000), bounds);
    expect(isTruncated).toBe(true);
    expect(printPreview(json, 0)).toBe('[[[[… 1, not shown]]]]');
    expect(structuredClone(json)).toEqual(json);
  });

  it('takes what stands further out first', () => {
    const { json, isTruncated } = previewJson(
      { long: Array.from({ length: 50 }, (_, index) => index), last: 'seen' },
      bounds,
    );
    expect(isTruncated).toBe(true);
    expect(printPreview(json, 0)).toBe('{"long":[0,1,2,3,4,5,6,7… 42 more, not shown],"last":"seen"}');
  });

  it('cuts long texts and names', () => {
    const { json, isTruncated } = previewJson({ text: 'x'.repeat(100), ['n'.repeat(100)]: 1 }, bounds);
    expect(isTruncated).toBe(true);
    expect(printPreview(json)).toContain(`"${'x'.repeat(20)}"… (80 more characters)`);
    expect(printPreview(json)).toContain(`"${'n'.repeat(20)}… (80 more characters)": 1`);
  });

  it('looks at no more members than it takes', () => {
    let looks = 0;
    const list = new Proxy(
      Array.from({ length: 100_000 }, () => 1),
      {
        get(target, key, receiver) {
          if (typeof key === 'string' && /^\d+$/.test(key)) looks += 1;
          return Reflect.get(target, key, receiver) as unknown;
        },
      },
    );
    previewJson(list, bounds);
    expect(looks).toBeLessThanOrEqual(bounds.members + 1);
  });

  it('prints no more than about its characters, with indentation that would be a thousand times the value', () => {
    // One megabyte, 900 levels deep, with most members at the deepest level: 1 GB with full indentation.
    const value: unknown = JSON.parse(`${'['.repeat(900)}${'1,'.repeat(500_000)}1${']'.repeat(900)}`);
    expect(printPreview(previewJson(value).json).length).toBeLessThan(600_000);
    const wide: unknown = JSON.parse(`${'['.repeat(50)}${'1,'.repeat(500_000)}1${']'.repeat(50)}`);
    expect(printPreview(previewJson(wide).json).length).toBeLessThan(1_200_000);
  });
});

describe('writeJson', () => {
  it.each([[{ a: [1, { b: 'c' }], d: {}, e: [], f: [[]] }], ['text'], [null], [[]], [{ a: undefined, b: 1 }]])(
    'writes %j as JSON does',
    (value) => expect([...writeJsonInPieces(value)].join('')).toBe(JSON.stringify(value, undefined, 2)),
  );

  it('writes what is deeper than any recursion, in pieces that grow with the value alone', () => {
    const pieces = [...writeJsonInPieces(nested(50_000))];
    expect(JSON.parse(pieces.join('').replaceAll(/\s/g, ''))).toBeDefined();
    expect(pieces.length).toBeGreaterThan(10);
    expect(pieces.join('').length).toBeLessThan(50_000 * 2 * 45);
  });
});
