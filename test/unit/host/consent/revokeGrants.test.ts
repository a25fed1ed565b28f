import { describe, expect, it } from 'vitest';
import { Emitter } from '../../../../src/base/event.ts';
import { createNullLogger } from '../../../../src/base/logger.ts';
import { Mutes } from '../../../../src/client/mutes.ts';
import { ToolCallApproval } from '../../../../src/client/toolCalls/toolCallApproval.ts';
import { revokeGrantsOnStop } from '../../../../src/host/consent/manageApprovals.ts';
import type { HostServer } from '../../../../src/host/servers/serverRegistry.ts';
import { running, sampleServer } from '../sampleServer.ts';

describe('revokeGrantsOnStop', () => {
  it('takes back what a server was allowed as soon as it no longer runs', async () => {
    const onDidChangeAny = new Emitter<HostServer>();
    const stopped: string[] = [];
    const sampling = { serverStopped: (server: string) => void stopped.push(server) };
    const loaded = new ToolCallApproval(
      { ask: () => Promise.resolve('tool') },
      new Mutes({ record: () => {} }, createNullLogger),
    );
    const tool = { name: 'add', inputSchema: { type: 'object' } };
    const call = { server: 'a', identity: 'one', name: 'add', tool, sameNameCount: 1, args: {}, isSeen: false };
    await loaded.approve({ ...call, caller: 'form', unchecked: undefined, signal: undefined });
    const ending = revokeGrantsOnStop({ onDidChangeAny: onDidChangeAny.event }, sampling, { loaded });
    onDidChangeAny.fire(sampleServer('a', { state: running }));
    expect(stopped).toEqual([]);
    expect(loaded.grants).toEqual([{ server: 'a', tool: 'add', reach: 'own' }]);
    onDidChangeAny.fire(sampleServer('a', { state: { kind: 'starting' } }));
    expect(loaded.grants).toEqual([]);
    expect(stopped).toEqual(['a']);
    ending.dispose();
    onDidChangeAny.fire(sampleServer('a'));
    expect(stopped).toEqual(['a']);
  });
});
