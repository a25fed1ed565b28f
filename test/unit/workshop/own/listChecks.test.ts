import { expect, it } from 'vitest';
import { listChecks } from '../../../../src/workshop/own/listChecks.ts';
import type { ServerFacts } from '../../../../src/workshop/own/serverFacts.ts';
import type { WireProbe } from '../../../../src/workshop/own/wireProbe.ts';
import { countWork } from '../../../fixtures/countWork.ts';

it('looks at each of very many names once', async () => {
  const names = Array.from({ length: 20_000 }, (_, index) => `tool ${index}`);
  const listing = (entries: readonly string[]) =>
    ({
      lists: [
        {
          kind: 'tools',
          subject: 'tool',
          key: 'name',
          method: 'tools/list',
          entries: entries.map((name) => ({ name })),
        },
      ],
    }) as unknown as ServerFacts;
  const judge = (entries: readonly string[]) => listChecks['names']?.({} as WireProbe, listing(entries));
  const looked = countWork(Array.prototype, 'indexOf', (self) => (self as unknown[]).length);
  expect(await judge(names)).toMatchObject({ verdict: 'passed' });
  expect(await judge([...names, 'tool 19999'])).toMatchObject({ verdict: 'failed', subject: { name: 'tool 19999' } });
  expect(looked()).toBeLessThan(names.length);
});
