import { expect, it } from 'vitest';
import { endCore } from '../../../../src/host/compose/composeCore.ts';

it('keeps the audit log open until every server has ended', async () => {
  const order: string[] = [];
  const end = (name: string) => async () => {
    await Promise.resolve();
    order.push(name);
  };
  const core = { registry: { end: end('servers') }, audit: { dispose: end('audit') } };
  await endCore(core as unknown as Parameters<typeof endCore>[0]);
  expect(order).toEqual(['servers', 'audit']);
});
