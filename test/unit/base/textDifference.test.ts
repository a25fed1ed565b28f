import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { textDifference } from '../../../src/base/textDifference.ts';
import { cases } from '../../fixtures/cases.ts';

describe('the difference of two texts', () => {
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
