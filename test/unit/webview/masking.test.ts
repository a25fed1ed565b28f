import { describe, expect, it } from 'vitest';
import { followEdit, type MaskedText, maskText, unmaskText } from '../../../src/webview/consent/masking.ts';

const marks = [
  { value: 'secret', mask: '[1]' },
  { value: 'secretive', mask: '[2]' },
  { value: 'key', mask: '[masked: a key]' },
  { value: '', mask: '' },
];
const all = new Set([0, 1, 2, 3]);

function masked(text: string, chosen: ReadonlySet<number> = all): MaskedText {
  return maskText({ text, ranges: [] }, marks, chosen);
}

function edited(state: MaskedText, text: string): MaskedText {
  return maskText(followEdit(state, text), marks, all);
}

describe('masking a text', () => {
  it.each([
    ['a secret and a key', '[1] and', 'a [1] and a [masked: a key]'],
    ['secretive', 'the longest', '[2]'],
    ['secretkeysecret', 'side by side', '[1][masked: a key][1]'],
    ['nothing', 'nothing', 'nothing'],
  ])('of "%s" masks %s, and brings back what was there', (text, _name, shown) => {
    const state = masked(text);
    expect(state.text).toBe(shown);
    expect(unmaskText(state, all)).toEqual({ text, ranges: [] });
    expect(maskText(state, marks, all)).toEqual(state);
  });

  it('masks only what was chosen, and unmasks only that', () => {
    const state = masked('secret key', new Set([2]));
    expect(state.text).toBe('secret [masked: a key]');
    expect(unmaskText(state, new Set([0])).text).toBe(state.text);
    expect(unmaskText(masked('secret key'), new Set([0])).text).toBe('secret [masked: a key]');
  });

  it('masks more occurrences than a call takes arguments', () => {
    const text = 'key '.repeat(200_000);
    const state = masked(text);
    expect(state.ranges).toHaveLength(200_000);
    expect(unmaskText(state, all).text).toBe(text);
  });

  it('gives occurrences that overlap one mask', () => {
    const overlapping = [
      { value: 'abcd', mask: '[1]' },
      { value: 'cdef', mask: '[2]' },
    ];
    const state = maskText({ text: 'xabcdefx', ranges: [] }, overlapping, new Set([0, 1]));
    expect(state.text).toBe('x[1]x');
    expect(unmaskText(state, new Set([0])).text).toBe('xabcdefx');
  });
});

describe('a masked text that the person edits', () => {
  it.each([
    ['before', 'a [1] b', 'more a [1] b', 'more a secret b'],
    ['behind', 'a [1] b', 'a [1] b, more', 'a secret b, more'],
    ['with the first character of the mask', 'a [1] b', 'a [[1] b', 'a [secret b'],
    ['with the last character of the mask', 'a [1] b', 'a [1]] b', 'a secret] b'],
    ['by removing the mask', 'a [1] b', 'a  b', 'a  b'],
    ['in the mask', 'a [1] b', 'a [1x] b', 'a [1x] b'],
    ['from start to end', 'a [1] b', 'none', 'none'],
    ['with the same mask in writing', 'a [1] b', 'a [1] b [1]', 'a secret b [1]'],
  ])('%s keeps the masks that were not touched', (_name, shown, text, unmasked) => {
    const state = masked('a secret b');
    expect(state.text).toBe(shown);
    const after = edited(state, text);
    expect(after.text).toBe(text);
    expect(unmaskText(after, all).text).toBe(unmasked);
  });

  it('keeps one of two equal masks where one was removed', () => {
    const after = edited(masked('secretsecret'), '[1]');
    expect(unmaskText(after, all).text).toBe('secret');
  });

  it('is masked again where the secret is written again', () => {
    const after = edited(masked('a secret'), 'a [1] secret key');
    expect(after.text).toBe('a [1] [1] [masked: a key]');
    expect(unmaskText(after, all).text).toBe('a secret secret key');
  });

  it('does not bring a secret back at a mask that the server wrote', () => {
    const state = masked('[1] and secret');
    expect(state.text).toBe('[1] and [1]');
    expect(unmaskText(state, all).text).toBe('[1] and secret');
  });
});
