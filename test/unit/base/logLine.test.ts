import { describe, expect, it } from 'vitest';
import { boundLine } from '../../../src/base/logLine.ts';

describe('boundLine', () => {
  it('cuts a huge line and says how much is missing', () => {
    expect(boundLine('x'.repeat(10_000))).toBe(`${'x'.repeat(8192)}… (1,808 more characters)`);
  });

  it('takes out colours, and shows everything else that a terminal would act on or nobody could see', () => {
    expect(boundLine('\u001b[1;31mred\u001b[0m\ta\u0007')).toBe('red\ta⟨U+0007⟩');
    expect(boundLine('\u001b]8;;https://example.com\u001b\\safe')).toBe(
      '⟨U+001B⟩]8;;https://example.com⟨U+001B⟩\\safe',
    );
    expect(boundLine('\u001b[2Kgone\u202e\u{e0041}')).toBe('⟨U+001B⟩[2Kgone⟨U+202E⟩⟨U+E0041⟩');
  });

  it('keeps a line from passing for an entry of its own', () => {
    expect(boundLine('done\r\n2026-01-01 [info] approved by the user')).toBe(
      'done\n    2026-01-01 [info] approved by the user',
    );
  });
});
