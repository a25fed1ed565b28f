import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../../src/base/digest.ts';

describe('canonicalJson', () => {
  it('does not depend on the order of keys', () => {
    expect(canonicalJson({ b: [{ d: 1, c: 2 }], a: null })).toBe('{"a":null,"b":[{"c":2,"d":1}]}');
    expect(canonicalJson({ b: 1, a: undefined, '': [] })).toBe('{"":[],"b":1}');
  });

  it('tells lone surrogates and inherited names apart', () => {
    expect(canonicalJson('\ud800')).not.toBe(canonicalJson('\ud801'));
    expect(canonicalJson(JSON.parse('{"__proto__":{"a":1}}'))).toBe('{"__proto__":{"a":1}}');
  });

  it('writes what is nested deeper than JSON.stringify can', () => {
    const text = '['.repeat(100_000) + ']'.repeat(100_000);
    expect(canonicalJson(JSON.parse(text))).toBe(text);
  });

  it('stops at the length that is given', () => {
    expect(canonicalJson([1, 2, 3], 7)).toBe('[1,2,3]');
    expect(canonicalJson([1, 2, 3], 6)).toBeUndefined();
    expect(canonicalJson({ long: 'x'.repeat(1_000) }, 100)).toBeUndefined();
  });
});
