import { expect, it, vi } from 'vitest';
import { endCore } from '../../../../src/host/compose/composeCore.ts';

// The module is there only inside an editor; ending the core uses nothing of it, loading it this much.
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
