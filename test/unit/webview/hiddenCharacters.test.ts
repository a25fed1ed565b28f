import { describe, expect, it } from 'vitest';
import { splitHidden, summarizeHidden, withoutHidden } from '../../../src/webview/hiddenCharacters.ts';

describe('hidden characters', () => {
  it.each([
    ['plain text', 'Hello, world.'],
    ['line breaks and tabs', 'a\n\tb\r\nc'],
    ['other scripts', 'שלום مرحبا 日本語 Ελλάδα नमस्ते'],
    ['emoji with joiners', '👩‍💻 ❤️ 👨‍👩‍👧 1️⃣ 👍🏽‍ok'],
    ['wide blanks', 'a\u00A0b\u3000c'],
  ])('leave %s alone', (_name, text) => {
    expect(summarizeHidden(text)).toEqual([]);
    expect(withoutHidden(text)).toBe(text);
  });

  it.each([
    ['\u202E', '202E', 'right-to-left override'],
    ['\u200B', '200B', 'zero width space'],
    ['\u00AD', '00AD', 'soft hyphen'],
    ['\u0007', '0007', 'control character'],
    ['\u0085', '0085', 'control character'],
    ['\r', '000D', 'control character'],
    ['\u{E0061}', 'E0061', 'invisible character'],
    ['\uFE01', 'FE01', 'invisible character'],
    ['\u3164', '3164', 'invisible character'],
    ['\u2800', '2800', 'invisible character'],
    ['\u2028', '2028', 'line separator'],
  ])('find %j', (character, code, name) => {
    expect(splitHidden(`a${character}b`)).toEqual([
      { kind: 'plain', text: 'a' },
      { kind: 'hidden', code, name },
      { kind: 'plain', text: 'b' },
    ]);
    expect(withoutHidden(`a${character}b`)).toBe('ab');
  });

  it('find joiners and selectors that join and select nothing', () => {
    expect(summarizeHidden('a\u200Db\uFE0Fc')).toHaveLength(2);
    expect(summarizeHidden('❤️\uFE0F\uFE0F')).toEqual([{ label: 'U+FE0F invisible character', count: 2 }]);
  });

  it('count each kind once', () => {
    expect(summarizeHidden('\u200Ba\u200Bb\u202E')).toEqual([
      { label: 'U+200B zero width space', count: 2 },
      { label: 'U+202E right-to-left override', count: 1 },
    ]);
  });
});
