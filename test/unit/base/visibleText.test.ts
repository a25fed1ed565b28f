import { describe, expect, it } from 'vitest';
import {
  escapeHidden,
  hasHiddenCharacters,
  quoteArgument,
  readableText,
  visibleText,
} from '../../../src/base/visibleText.ts';

describe('visibleText', () => {
  it.each([
    ['a\nb\tc', 'a⟨U+000A⟩b⟨U+0009⟩c'],
    ['a\u202Eb', 'a⟨U+202E⟩b'],
    ['\u200B\u2066\uFEFF\u00AD', '⟨U+200B⟩⟨U+2066⟩⟨U+FEFF⟩⟨U+00AD⟩'],
    ['\u{E0041}', '⟨U+E0041⟩'],
    ['a\u00A0b', 'a⟨U+00A0⟩b'],
    ['\uD800', '⟨U+D800⟩'],
    ['\u3164\u2800\uFE0F', '⟨U+3164⟩⟨U+2800⟩⟨U+FE0F⟩'],
    ['\u001B[31m', '⟨U+001B⟩[31m'],
  ])('%j', (text, expected) => {
    expect(visibleText(text)).toBe(expected);
    expect(hasHiddenCharacters(text)).toBe(true);
  });

  it.each(['plain text', 'Größe 日本語 עברית', '🎉', ''])('leaves %j alone', (text) => {
    expect(visibleText(text)).toBe(text);
    expect(hasHiddenCharacters(text)).toBe(false);
  });
});

describe('readableText', () => {
  it.each([
    ['a\u202Eb', 'a⟨U+202E⟩b'],
    ['\u{E0041}', '⟨U+E0041⟩'],
    ['\u001B]8;;https://example.com\u0007x', '⟨U+001B⟩]8;;https://example.com⟨U+0007⟩x'],
    ['a\rb', 'a⟨U+000D⟩b'],
    ['a\u200Cb', 'a⟨U+200C⟩b'],
  ])('%j', (text, expected) => expect(readableText(text)).toBe(expected));

  it.each(['a\nb\tc\r\n', 'a\u00A0b', '👩‍💻 ❤️', 'می‌خواهم'])('leaves %j alone', (text) =>
    expect(readableText(text)).toBe(text),
  );
});

describe('escapeHidden', () => {
  it('leaves JSON the value it was', () => {
    const value = { text: 'a\u202E\u{E0041}\u200B\u2028b', emoji: '👩‍💻' };
    const text = escapeHidden(JSON.stringify(value));
    expect(text).toBe('{"text":"a\\u202e\\udb40\\udc41\\u200b\\u2028b","emoji":"👩‍💻"}');
    expect(JSON.parse(text)).toEqual(value);
  });
});

describe('quoteArgument', () => {
  it.each([
    ['--a=b', '--a=b'],
    ['C:\\x\\y.exe', 'C:\\x\\y.exe'],
    ['', '""'],
    [' ', '" "'],
    ['a b', '"a b"'],
    ['say "x"', '"say \\"x\\""'],
    ['a;b', '"a;b"'],
    ['a\nb', '"a⟨U+000A⟩b"'],
  ])('%j → %s', (text, expected) => {
    expect(quoteArgument(text)).toBe(expected);
  });
});
