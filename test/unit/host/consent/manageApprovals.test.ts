import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Emitter } from '../../../../src/base/event.ts';
import { limits } from '../../../../src/base/limits.ts';
import { createNullLogger } from '../../../../src/base/logger.ts';
import { Mutes } from '../../../../src/client/mutes.ts';
import type { ServerState } from '../../../../src/client/server/server.ts';
import { ToolCallApproval } from '../../../../src/client/toolCalls/toolCallApproval.ts';
import { offerUnmute, revokeGrantsOnStop } from '../../../../src/host/consent/approvalCommands.ts';
import { settle } from '../../../fixtures/manualClock.ts';
import { running } from '../sampleServer.ts';

const { executeCommand, showInformationMessage } = vi.hoisted(() => ({
  executeCommand: vi.fn(async (_id: string, _argument?: unknown) => {}),
  showInformationMessage: vi.fn(async (_text: string, button: string): Promise<string | undefined> => button),
}));
vi.mock('vscode', () => ({ commands: { executeCommand }, window: { showInformationMessage } }));

beforeEach(() => void vi.clearAllMocks());

describe('a server that was muted', () => {
  function muteTwice(label: string): void {
    const mutes = new Mutes({ record: () => {} }, createNullLogger);
    const offer = offerUnmute(mutes);
    const mute = (): void => {
      for (let count = 0; count < limits.questions.refusals; count += 1)
        mutes.recordDecision(label, 'questions', false);
    };
    mute();
    mutes.unmute(label);
    offer.dispose();
    mute();
  }

  it('may ask again if the person says so in the notification, which is shown once', async () => {
    muteTwice('[notes](command:x)');
    await settle();
    expect(showInformationMessage).toHaveBeenCalledOnce();
    expect(showInformationMessage.mock.calls[0]?.[0]).not.toContain('](');
    expect(executeCommand.mock.calls).toEqual([['patchbay.allowQuestions', { server: '[notes](command:x)' }]]);
  });

  it('stays muted if the person closes the notification', async () => {
    showInformationMessage.mockResolvedValueOnce(undefined);
    muteTwice('notes');
    await settle();
    expect(executeCommand).not.toHaveBeenCalled();
  });
});

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
