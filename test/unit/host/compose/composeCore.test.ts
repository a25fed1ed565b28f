import { expect, it, vi } from 'vitest';
import { endCore } from '../../../../src/host/compose/composeCore.ts';

// The module exists only inside VS Code. Disposing the core does not use it; loading the file uses this much.
vi.mock('vscode', () => ({ LogLevel: {} }));

it('keeps the audit log open until every server has ended', async () => {
  const order: string[] = [];
  const part = (name: string) => ({
    async dispose() {
      await Promise.resolve();
      order.push(name);
    },
  });
  const manager = part('manager') as unknown as Parameters<typeof endCore>[0]['manager'];
  const audit = { dispose: async () => void order.push('audit') } as Parameters<typeof endCore>[0]['audit'];
  await endCore({ manager, audit });
  expect(order).toEqual(['manager', 'audit']);
});
