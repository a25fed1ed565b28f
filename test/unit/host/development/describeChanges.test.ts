import { expect, it } from 'vitest';
import type { NextSlice } from '../../../../src/base/slices.ts';
import { type Contents, emptyContents } from '../../../../src/client/contents.ts';
import { describeChanges } from '../../../../src/host/development/describeChanges.ts';

const tool = (name: string, description = 'x') => ({ name, description, inputSchema: { type: 'object' } });
const prompt = (name: string) => ({ name });

function changes(before: Partial<Contents>, after: Partial<Contents>, nextSlice: NextSlice = () => undefined) {
  return describeChanges({ ...emptyContents, ...before }, { ...emptyContents, ...after }, nextSlice);
}

it.each([
  ['nothing', {}, {}, '', []],
  ['the same in another order', { tools: [tool('a'), tool('b')] }, { tools: [tool('b'), tool('a')] }, '', []],
  ['a new tool', { tools: [tool('a')] }, { tools: [tool('a'), tool('b')] }, '+1 tool', ['Added: tool b.']],
  [
    'a new one, one less, and one that is another now',
    { tools: [tool('a'), tool('b')], prompts: [] },
    { tools: [tool('b', 'y')], prompts: [prompt('p')] },
    '−1 tool, b changed, +1 prompt',
    ['Removed: tool a.', 'Changed: tool b (description).', 'Added: prompt p.'],
  ],
  [
    'another type of the same name',
    { resources: [{ uri: 'a:b', name: 'n' }] },
    { resources: [{ uri: 'a:b', name: 'n', mimeType: 'text/plain' }] },
    'a:b changed',
    ['Changed: resource a:b (mimeType).'],
  ],
  ['names that break lines', {}, { tools: [tool('a\nb')] }, '+1 tool', ['Added: tool a b.']],
] as const)('says what is different: %s', async (_what, before, after, words, lines) => {
  expect(await changes(before, after)).toEqual({ words, lines });
});

it('counts many, and lists the first', async () => {
  const names = Array.from({ length: 40 }, (_, index) => `t${index}`);
  const { words, lines } = await changes(
    { tools: names.map((name) => tool(name)) },
    { tools: names.map((name) => tool(name, 'y')) },
  );
  expect(words).toBe('40 tools changed');
  expect(lines).toHaveLength(13);
  expect(lines.at(-1)).toBe('… and 28 more.');
});

it('compares long lists with a look at the time between any two of their entries', async () => {
  const names = Array.from({ length: 1_000 }, (_, index) => `t${index}`);
  let looks = 0;
  const nextSlice = (): undefined => void (looks += 1);
  const tools = names.map((name) => tool(name));
  const { lines } = await changes({ tools }, { tools: names.map((name) => tool(name, 'y')) }, nextSlice);
  expect(lines.at(-1)).toBe('… and 988 more.');
  expect(looks).toBeGreaterThanOrEqual(3_000);
});
