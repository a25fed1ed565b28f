import { expect, it } from 'vitest';
import { factsOf } from '../../../../src/client/sampling/requestFacts.ts';

it('estimates the tokens of a part of a long request, and counts the rest as no fewer', async () => {
  const content = Array.from({ length: 200 }, () => ({ type: 'text', text: 'x'.repeat(100_000) }) as const);
  let estimated = 0;
  const facts = await factsOf({ messages: [{ role: 'user', content }], maxTokens: 1 }, (text) => {
    estimated += text.length;
    return Math.ceil(text.length / 4);
  });
  expect(estimated).toBeLessThan(1_000_000);
  expect(facts.estimatedTokens).toBeGreaterThan(19_000_000);
});
