import { describe, expect, it } from 'vitest';
import { hasHiddenCharacters, quoteArgument, visibleText } from '../../../src/base/visibleText.ts';

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
