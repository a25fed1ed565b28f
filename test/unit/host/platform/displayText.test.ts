import { describe, expect, it } from 'vitest';
import { countOf, escapeIcons, notificationText, singleLine } from '../../../../src/host/platform/displayText.ts';

describe('singleLine', () => {
  it.each([
    ['joins lines', 'a\r\n\u2028b', 200, 'a b'],
    [
      'shows hidden characters',
      'b\u202ec\u061cd\u200b\u{e0041}\u001b[8m',
      200,
      'b⟨U+202E⟩c⟨U+061C⟩d⟨U+200B⟩⟨U+E0041⟩⟨U+001B⟩[8m',
    ],
    ['shows emoji and joined letters as they are written', '👩‍💻 می‌خواهم', 200, '👩‍💻 می‌خواهم'],
    ['cuts at the maximum and shows that it did', 'x'.repeat(30), 10, `${'x'.repeat(9)}…`],
    ['never leaves half of a character', `${'x'.repeat(8)}😀😀😀`, 10, `${'x'.repeat(8)}…`],
    ['never leaves half of what stands for a hidden character', 'xxxx\u202e'.repeat(5), 10, 'xxxx…'],
    ['shows that it cut when only cleaning made a long text short', `a${'\n'.repeat(1000)}b`, 10, 'a…'],
  ])('%s', (_, text, maximum, shown) => expect(singleLine(text, maximum)).toBe(shown));
});

it('leaves no icon syntax unescaped', () => {
  expect(escapeIcons('$(trash) $(alert)')).toBe('\\$(trash) \\$(alert)');
});

it('makes no link of what a server writes into a notification', () => {
  expect(notificationText('[click](command:evil)\nnow')).toBe('[click]\u200b(command:evil) now');
});

it.each([
  [0, '0 tools'],
  [1, '1 tool'],
  [1234, '1,234 tools'],
])('counts %i', (count, expected) => expect(countOf(count, 'tool')).toBe(expected));
