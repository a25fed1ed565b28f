import { expect, it } from 'vitest';
import { Emitter } from '../../../src/base/event.ts';
import { createApi } from '../../../src/host/api.ts';
import { sampleRegistry, sampleServer } from './sampleServer.ts';

it('has events that take the receiver and the list of disposables, as VS Code has them', () => {
  const emitter = new Emitter<void>();
  const host = sampleServer('a');
  const server = {
    ...host.server,
    onDidChangeState: emitter.event,
    onDidChangeContents: emitter.event,
    onDidChangeTasks: emitter.event,
  };
  const registry = Object.assign(sampleRegistry(Object.assign(host, { server })), {
    onDidChangeServers: emitter.event,
  });
  const api = createApi(registry);
  const receiver = { calls: 0 };
  const disposables: { dispose(): void }[] = [];
  function count(this: typeof receiver): void {
    this.calls += 1;
  }
  api.onDidChangeServers(count, receiver, disposables);
  api.getServer('a')?.onDidChange(count, receiver, disposables);
  emitter.fire();
  expect(receiver.calls).toBe(4);
  for (const disposable of disposables) disposable.dispose();
  emitter.fire();
  expect(receiver.calls).toBe(4);
});
