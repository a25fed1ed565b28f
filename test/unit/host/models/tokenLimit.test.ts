import { describe, expect, it } from 'vitest';
import { createTokenLimit } from '../../../../src/host/models/languageModels.ts';

/** Four characters a token; counts how often it was asked. */
function counter() {
  const state = { asked: 0 };
  const count = (text: string): Promise<number> => {
    state.asked += 1;
    return Promise.resolve(Math.ceil(text.length / 4));
  };
  return { state, count };
}

describe('the token limit', () => {
  it('is exceeded exactly when the model counts more', async () => {
    const { count } = counter();
    const limit = createTokenLimit(10, count);
    expect(await limit.isExceededBy('x'.repeat(40))).toBe(false);
    expect(await limit.isExceededBy('x'.repeat(41))).toBe(true);
  });

  it('does not count a text again while it cannot be over', async () => {
    const { state, count } = counter();
    const limit = createTokenLimit(1_000, count);
    for (let length = 1; length <= 4_000; length += 1) expect(await limit.isExceededBy('x'.repeat(length))).toBe(false);
    expect(state.asked).toBeLessThan(60);
  });
});
