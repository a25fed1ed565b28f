import { expect, it } from 'vitest';
import { sampleState } from '../sampleState.ts';
import type { TextOwner } from '../../../../src/host/results/resultDocument.ts';
import { keepTextStyle, textStyleOf } from '../../../../src/host/results/resultPanel.ts';

const diff: TextOwner = { identity: 'a1', kind: 'tool', name: 'git_diff' };

it('is remembered for one tool of one definition, and changes with the next choice', async () => {
  const storage = sampleState();
  await keepTextStyle(storage, diff, 'markdown');
  expect(textStyleOf(storage, diff)).toBe('markdown');
  const others: readonly TextOwner[] = [
    { ...diff, identity: 'a2' },
    { ...diff, kind: 'prompt' },
    { ...diff, name: 'git_log' },
  ];
  for (const other of others) expect(textStyleOf(storage, other)).toBeUndefined();
  await keepTextStyle(storage, diff, 'text');
  expect(textStyleOf(storage, diff)).toBe('text');
  expect(textStyleOf(storage, undefined)).toBeUndefined();
});

it('is kept for a bounded number of tools, the oldest forgotten first, however long their names are', async () => {
  const storage = sampleState();
  for (let index = 0; index < 205; index += 1)
    await keepTextStyle(storage, { ...diff, name: `${index}${'x'.repeat(10_000)}` }, 'markdown');
  expect(JSON.stringify(storage.values).length).toBeLessThan(20_000);
  expect(textStyleOf(storage, { ...diff, name: `4${'x'.repeat(10_000)}` })).toBeUndefined();
  expect(textStyleOf(storage, { ...diff, name: `5${'x'.repeat(10_000)}` })).toBe('markdown');
});

it.each([undefined, null, [], 'text', { a: 'html', b: 7 }])('ignores %j of another version', async (stored) => {
  const storage = sampleState({ 'patchbay.textStyles': stored });
  expect(textStyleOf(storage, diff)).toBeUndefined();
  await keepTextStyle(storage, diff, 'text');
  expect(textStyleOf(storage, diff)).toBe('text');
});
