import { describe, expect, it } from 'vitest';
import { countOf, escapeIcons, singleLine } from '../../../../src/host/platform/displayText.ts';

describe('singleLine', () => {
  it('joins lines and shows what cannot be seen', () => {
    expect(singleLine('a\r\n\u2028b\u202ec\u061cd\u200b\u{e0041}\u001b[8m')).toBe(
      'a b⟨U+202E⟩c⟨U+061C⟩d⟨U+200B⟩⟨U+E0041⟩⟨U+001B⟩[8m',
    );
  });

  it('shows emoji and joined letters as they are written', () => {
    expect(singleLine('👩‍💻 می‌خواهم')).toBe('👩‍💻 می‌خواهم');
  });

  it('cuts at the maximum and shows that it did', () => {
    expect(singleLine('x'.repeat(30), 10)).toBe(`${'x'.repeat(9)}…`);
  });

  it('never leaves half of a character', () => {
    expect(singleLine(`${'x'.repeat(8)}😀😀😀`, 10)).toBe(`${'x'.repeat(8)}…`);
  });

  it('never leaves half of what stands for a hidden character', () => {
    expect(singleLine('xxxx\u202e'.repeat(5), 10)).toBe('xxxx…');
  });

  it('says so too when only cleaning made a long text short', () => {
    expect(singleLine(`a${'\n'.repeat(1000)}b`, 10)).toBe('a…');
  });
});

describe('escapeIcons', () => {
  it('leaves no icon syntax unescaped', () => {
    expect(escapeIcons('$(trash) $(alert)')).toBe('\\$(trash) \\$(alert)');
  });
});

describe('countOf', () => {
  it.each([
    [0, '0 tools'],
    [1, '1 tool'],
    [1234, '1,234 tools'],
  ])('%i', (count, expected) => expect(countOf(count, 'tool')).toBe(expected));
});
