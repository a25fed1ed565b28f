import { expect, it } from 'vitest';
import { endCore } from '../../../../src/host/compose/composeCore.ts';

it('keeps the audit log open until every server has ended, and every recording is written', async () => {
  const order: string[] = [];
  const end = (name: string) => async () => {
    await Promise.resolve();
    order.push(name);
  };
  let written: Promise<unknown> = Promise.resolve();
  const stop = async (): Promise<void> => {
    await end('servers')();
    written = end('recordings')();
  };
  const recorded = {
    get written() {
      return written;
    },
  };
  const core = { registry: { end: stop }, recorded, audit: { dispose: end('audit') } };
  await endCore(core as unknown as Parameters<typeof endCore>[0]);
  expect(order).toEqual(['servers', 'recordings', 'audit']);
});
