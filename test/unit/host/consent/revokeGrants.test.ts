import { describe, expect, it } from 'vitest';
import { Emitter } from '../../../../src/base/event.ts';
import { createNullLogger } from '../../../../src/base/logger.ts';
import { Mutes } from '../../../../src/client/mutes.ts';
import { ToolCallApproval } from '../../../../src/client/toolCalls/toolCallApproval.ts';
import { revokeGrantsOnStop } from '../../../../src/host/consent/approvalCommands.ts';
import type { ServerState } from '../../../../src/client/server/server.ts';
import { running } from '../sampleServer.ts';

describe('revokeGrantsOnStop', () => {
  it('takes back what a server was allowed as soon as it no longer runs', async () => {
    const onDidChangeState = new Emitter<{ label: string; state: ServerState }>();
    const stopped: string[] = [];
    const sampling = { serverStopped: (server: string) => void stopped.push(server) };
    const loaded = new ToolCallApproval(
      { ask: () => Promise.resolve('tool') },
      new Mutes({ record: () => {} }, createNullLogger),
    );
    const tool = { name: 'add', inputSchema: { type: 'object' } };
    const call = { server: 'a', identity: 'one', name: 'add', tool, sameNameCount: 1, args: {}, isSeen: false };
    await loaded.approve({ ...call, caller: 'form', unchecked: undefined, signal: undefined });
    const ending = revokeGrantsOnStop({ onDidChangeState: onDidChangeState.event }, sampling, { loaded });
    onDidChangeState.fire({ label: 'a', state: running });
    expect(stopped).toEqual([]);
    expect(loaded.grants).toEqual([{ server: 'a', tool: 'add', reach: 'own' }]);
    onDidChangeState.fire({ label: 'a', state: { kind: 'starting' } });
    expect(loaded.grants).toEqual([]);
    expect(stopped).toEqual(['a']);
    ending.dispose();
    onDidChangeState.fire({ label: 'a', state: { kind: 'stopped' } });
    expect(stopped).toEqual(['a']);
  });
});
