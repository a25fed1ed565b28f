import type { Uri } from 'vscode';
import { describe, expect, it } from 'vitest';
import { Emitter } from '../../../../src/base/event.ts';
import { createNullLogger } from '../../../../src/base/logger.ts';
import type { Server } from '../../../../src/client/server/managedServer.ts';
import type { ServerState } from '../../../../src/client/server/server.ts';
import { createResourceWatches } from '../../../../src/host/resources/resourceWatches.ts';
import type { HostServer } from '../../../../src/host/servers/serverRegistry.ts';

function setUp({ canSubscribe = true } = {}) {
  const asked = { isAllowed: true };
  const onDidGrantTrust = new Emitter<void>();
  const calls: string[] = [];
  const changes: string[] = [];
  const onDidChangeState = new Emitter<ServerState>();
  const onDidUpdateResource = new Emitter<{ readonly uri: string }>();
  const onDidInvalidateReads = new Emitter<void>();
  const server = {
    state: { kind: 'running' } as ServerState,
    session: { capabilities: { resources: { subscribe: canSubscribe } } },
    onDidChangeState: onDidChangeState.event,
    onDidUpdateResource: onDidUpdateResource.event,
    onDidInvalidateReads: onDidInvalidateReads.event,
    subscribe: async (uri: string) => void calls.push(`subscribe ${uri}`),
    unsubscribe: async (uri: string) => void calls.push(`unsubscribe ${uri}`),
  };
  const host = { label: 'demo', server: server as unknown as Server } as HostServer;
  const watches = createResourceWatches(
    { get: (label) => (label === 'demo' ? host : undefined) },
    createNullLogger(),
    (label, uri) => changes.push(`${label} ${uri}`),
    () => asked.isAllowed,
    onDidGrantTrust.event,
  );
  const watch = (uri: string, label = 'demo') => watches.watch(label, uri, uri as unknown as Uri);
  const become = (kind: 'running' | 'stopped'): void => {
    server.state = { kind };
    onDidChangeState.fire(server.state);
  };
  return {
    watch,
    asked,
    onDidGrantTrust,
    calls,
    changes,
    become,
    update: (uri: string) => onDidUpdateResource.fire({ uri }),
    onDidInvalidateReads,
  };
}

describe('resourceWatches', () => {
  it('subscribes once for all who look, until the last has gone', () => {
    const { watch, calls } = setUp();
    const first = watch('demo://a');
    const second = watch('demo://a');
    first.dispose();
    first.dispose();
    expect(calls).toEqual(['subscribe demo://a']);
    second.dispose();
    expect(calls).toEqual(['subscribe demo://a', 'unsubscribe demo://a']);
  });

  it('tells of updates of the resource and what is inside it, and of nothing afterwards', () => {
    const { watch, changes, update } = setUp();
    const watched = watch('demo://a');
    update('demo://a');
    update('demo://a/b');
    update('demo://ab');
    update('demo://');
    expect(changes).toEqual(['demo demo://a', 'demo demo://a']);
    watched.dispose();
    update('demo://a');
    expect(changes).toHaveLength(2);
  });

  it('has the resource read again for another account', () => {
    const { watch, changes, onDidInvalidateReads } = setUp();
    watch('demo://a');
    onDidInvalidateReads.fire();
    expect(changes).toEqual(['demo demo://a']);
  });

  it('subscribes again when the server starts anew, and has the resource read again', () => {
    const { watch, calls, changes, become } = setUp();
    watch('demo://a');
    become('stopped');
    become('running');
    expect(calls).toEqual(['subscribe demo://a', 'subscribe demo://a']);
    expect(changes).toEqual(['demo demo://a']);
  });

  it('asks nothing while it may not, and subscribes once the workspace is trusted', () => {
    const { watch, asked, calls, changes, become, onDidGrantTrust } = setUp();
    asked.isAllowed = false;
    watch('demo://a');
    become('running');
    expect(calls).toEqual([]);
    asked.isAllowed = true;
    onDidGrantTrust.fire();
    expect(calls).toEqual(['subscribe demo://a']);
    expect(changes.at(-1)).toBe('demo demo://a');
  });

  it('asks nothing of a server that cannot, or does not run', () => {
    const { watch, calls } = setUp({ canSubscribe: false });
    watch('demo://a').dispose();
    watch('demo://a', 'nobody').dispose();
    const stopped = setUp();
    stopped.become('stopped');
    stopped.watch('demo://a').dispose();
    expect([...calls, ...stopped.calls]).toEqual([]);
  });
});
