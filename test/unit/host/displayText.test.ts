import { describe, expect, it } from 'vitest';
import { countOf, escapeIcons, singleLine } from '../../../src/host/displayText.ts';

describe('singleLine', () => {
  it('joins lines and drops what would turn the reading order', () => {
    expect(singleLine('a\nb\u202ec\u061cd')).toBe('a b c d');
  });

  it('cuts at the maximum and shows that it did', () => {
    expect(singleLine('x'.repeat(30), 10)).toBe(`${'x'.repeat(9)}…`);
  });

  it('never leaves half of a character', () => {
    expect(singleLine(`${'x'.repeat(8)}😀😀😀`, 10)).toBe(`${'x'.repeat(8)}…`);
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
