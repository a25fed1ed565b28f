import { describe, expect, it } from 'vitest';
import { Emitter } from '../../../../src/base/event.ts';
import { createCallApproval } from '../../../../src/client/toolCalls/callApproval.ts';
import { endGrants } from '../../../../src/host/approvals/endGrants.ts';
import type { HostServer } from '../../../../src/host/serverRegistry.ts';
import { running, sampleServer } from '../sampleServer.ts';

describe('endGrants', () => {
  it('takes back what a server was allowed as soon as it no longer runs', async () => {
    const onDidChangeAny = new Emitter<HostServer>();
    const revoked: (string | undefined)[] = [];
    const sampling = { revokeGrants: async (server?: string) => revoked.push(server) };
    const loaded = createCallApproval({ ask: () => Promise.resolve('tool'), tellMuted: () => {} });
    const tool = { name: 'add', inputSchema: { type: 'object' } };
    const call = { server: 'a', identity: 'one', name: 'add', tool, namesakes: 1, args: {}, isSeen: false };
    await loaded.approve({ ...call, caller: 'command', unchecked: undefined, signal: undefined });
    const ending = endGrants({ onDidChangeAny: onDidChangeAny.event }, sampling, { loaded });
    onDidChangeAny.fire(sampleServer('a', { state: running }));
    expect(revoked).toEqual([]);
    expect(loaded.grants).toEqual([{ server: 'a', tool: 'add', reach: 'everyone' }]);
    onDidChangeAny.fire(sampleServer('a', { state: { kind: 'starting' } }));
    expect(loaded.grants).toEqual([]);
    expect(revoked).toEqual(['a']);
    ending.dispose();
    onDidChangeAny.fire(sampleServer('a'));
    expect(revoked).toEqual(['a']);
  });
});
