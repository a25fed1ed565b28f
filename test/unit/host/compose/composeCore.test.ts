import { expect, it, vi } from 'vitest';
import { endCore } from '../../../../src/host/compose/composeCore.ts';

// The module exists only inside VS Code. Disposing the core does not use it; loading the file uses this much.
vi.mock('vscode', () => ({ LogLevel: {} }));

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
