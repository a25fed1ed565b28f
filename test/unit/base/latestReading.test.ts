import { expect, it } from 'vitest';
import { createLatestReading } from '../../../src/base/latestReading.ts';

it('gives what was asked for last, also if an earlier reading ends after it', async () => {
  const resolvers: ((text: string) => void)[] = [];
  const read = createLatestReading(() => new Promise<string>((resolve) => resolvers.push(resolve)));
  const [first, second] = [read(), read()];
  resolvers[1]?.('new');
  resolvers[0]?.('old');
  expect(await Promise.all([first, second])).toEqual([undefined, 'new']);
  const third = read();
  resolvers[2]?.('newer');
  expect(await third).toBe('newer');
});

it('passes on that a reading failed', async () => {
  const read = createLatestReading(() => Promise.reject(new Error('no')));
  await expect(read()).rejects.toThrow('no');
});
