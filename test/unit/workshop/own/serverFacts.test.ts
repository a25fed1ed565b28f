import { expect, it } from 'vitest';
import { createSystemClock } from '../../../../src/base/clock.ts';
import { createLogger } from '../../../../src/base/logger.ts';
import { listChecks } from '../../../../src/workshop/own/listChecks.ts';
import { readFacts } from '../../../../src/workshop/own/serverFacts.ts';
import { wireChecks } from '../../../../src/workshop/own/wireChecks.ts';
import { WireProbe } from '../../../../src/workshop/own/wireProbe.ts';
import { ScriptedTransport } from '../../../fixtures/scriptedTransport.ts';

const long = 'x'.repeat(10_000_000);

it('leaves a list of very long pages, keeps none of the page that is too much, and says so', async () => {
  const asked: string[] = [];
  const page = { tools: [{ name: 'tool', description: long }], nextCursor: 'more' };
  const request = (method: string) => {
    asked.push(method);
    const result = method === 'tools/list' ? { ...page, nextCursor: `more ${asked.length}` } : {};
    return Promise.resolve({ kind: 'result', result });
  };
  const probe = { revision: '2025-11-25', request, deadline: () => () => false } as unknown as WireProbe;
  const facts = await readFacts(probe, { kind: 'result', result: { capabilities: { tools: {} } } });
  expect(asked.filter((method) => method === 'tools/list')).toHaveLength(4);
  expect(facts.lists[0]).toMatchObject({ pages: 4, outcome: { kind: 'failed' } });
  expect(facts.lists[0]?.entries).toHaveLength(3);
  expect(await listChecks['lists']?.(probe, facts)).toMatchObject({
    verdict: 'failed',
    message: expect.stringContaining('tools/list was not read whole, it was left at page 4.'),
  });
});

it('leaves lists whose pages take long, and says so', async () => {
  let now = 0;
  const request = (_: string, { cursor = '' }: { cursor?: string }) => {
    now += 3_500;
    const page = { tools: [], resources: [], resourceTemplates: [], prompts: [], nextCursor: `${cursor}x` };
    return Promise.resolve({ kind: 'result', result: page });
  };
  const deadline = (milliseconds: number) => () => now >= milliseconds;
  const probe = { revision: '2025-11-25', request, deadline } as unknown as WireProbe;
  const { lists } = await readFacts(probe, { kind: 'result', result: {} });
  expect(lists.map(({ pages }) => pages)).toEqual([6, 1, 1, 1]);
  expect(lists[0]?.fault).toContain('Reading the lists took more than 20 s.');
});

it('keeps of very long messages what the checks of the wire need, and no more', async () => {
  const transport = new ScriptedTransport();
  const target = {
    label: 'server',
    plan: { kind: 'stdio', command: 'none', args: [], cwd: '', env: {} },
    createTransport: () => Promise.resolve(transport),
  } as const;
  const { signal } = new AbortController();
  const logger = createLogger(
    () => {},
    () => 'error',
  );
  const { probe } = await WireProbe.open(target, '2025-11-25', { clock: createSystemClock(), logger, signal });
  const facts = await readFacts(probe, { kind: 'result', result: {} });
  for (let count = 0; count < 40; count += 1) {
    const params = { level: 'info', data: long };
    transport.received.fire({ jsonrpc: '2.0', method: 'notifications/message', params });
  }
  transport.received.fire({ jsonrpc: '2.0', id: 'no request', result: { resultType: 'complete', text: long } });
  expect(JSON.stringify(probe.messages).length).toBeLessThan(17_000_000);
  expect(probe.messages.at(-1)).toEqual({ jsonrpc: '2.0', id: 'no request', result: { resultType: 'complete' } });
  expect(await wireChecks['messages']?.(probe, facts)).toMatchObject({ verdict: 'passed' });
  expect(await wireChecks['ids']?.(probe, facts)).toMatchObject({ verdict: 'failed' });
  await probe.close();
});
