import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { textDifference } from '../../../src/base/textDifference.ts';
import { cases } from '../../fixtures/cases.ts';

describe('the difference of two texts', () => {
  it('is the part that has changed, so that a caret beside it stays', () => {
    expect(textDifference('abcd', 'abXd')).toEqual({ start: 2, end: 3, text: 'X' });
    expect(textDifference('aaa', 'aa')).toEqual({ start: 2, end: 3, text: '' });
    expect(textDifference('same', 'same')).toEqual({ start: 4, end: 4, text: '' });
  });

  it('has whole characters: an editor has no place between the halves of one', () => {
    expect(textDifference('a\u{1f600}b', 'a\u{1f601}b')).toEqual({ start: 1, end: 3, text: '\u{1f601}' });
    expect(textDifference('\u{1f600}', '\u{20600}')).toEqual({ start: 0, end: 2, text: '\u{20600}' });
  });

  it('turns one text into the other, whatever they are', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (before, after) => {
        const { start, end, text } = textDifference(before, after);
        expect(before.slice(0, start) + text + before.slice(end)).toBe(after);
      }),
      { numRuns: cases(25, 100) },
    );
  });
});
