import { describe, expect, it } from 'vitest';
import { Emitter } from '../../../../src/base/event.ts';
import { limits } from '../../../../src/base/limits.ts';
import { createNullLogger } from '../../../../src/base/logger.ts';
import { Mutes } from '../../../../src/client/mutes.ts';
import type { ServerState } from '../../../../src/client/server/server.ts';
import { ToolCallApproval } from '../../../../src/client/toolCalls/toolCallApproval.ts';
import { offerUnmute, revokeGrantsOnStop } from '../../../../src/host/consent/approvalCommands.ts';
import { settle } from '../../../fixtures/manualClock.ts';
import { running } from '../sampleServer.ts';
import { editor, type Question } from '../../../fixtures/vscode.ts';
import { sampleGrants } from '../../../fixtures/toolGrantStore.ts';
import { proposedCall } from '../../../fixtures/proposedCall.ts';

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
    editor.answer = ({ buttons }: Question) => buttons[0];
    muteTwice('[notes](command:x)');
    await settle();
    expect(editor.said).toEqual([expect.not.stringContaining('](')]);
    expect(editor.executed).toEqual([['patchbay.allowQuestions', { server: '[notes](command:x)' }]]);
  });

  it('stays muted if the person closes the notification', async () => {
    muteTwice('notes');
    await settle();
    expect(editor.executed).toEqual([]);
  });
});

describe('revokeGrantsOnStop', () => {
  it('takes back what a server was allowed as soon as it no longer runs, but for what is bound to its program and kept', async () => {
    const onDidChangeState = new Emitter<{ label: string; state: ServerState }>();
    const stopped: string[] = [];
    const sampling = { serverStopped: (server: string) => void stopped.push(server) };
    const loaded = new ToolCallApproval(
      { ask: () => Promise.resolve('tool') },
      new Mutes({ record: () => {} }, createNullLogger),
      sampleGrants(),
    );
    await loaded.approve(proposedCall('add', { server: 'a' }));
    await loaded.approve(proposedCall('add', { server: 'a', caller: 'form', isSeen: true, isDestructive: true }));
    const ending = revokeGrantsOnStop({ onDidChangeState: onDidChangeState.event }, sampling, { loaded });
    onDidChangeState.fire({ label: 'a', state: running });
    expect(stopped).toEqual([]);
    expect(loaded.allowedOnce).toHaveLength(1);
    onDidChangeState.fire({ label: 'a', state: { kind: 'starting' } });
    expect(loaded.allowedOnce).toEqual([]);
    expect(loaded.grants).toMatchObject([{ server: 'a', tool: 'add', reach: 'own' }]);
    expect(stopped).toEqual(['a']);
    ending.dispose();
    onDidChangeState.fire({ label: 'a', state: { kind: 'stopped' } });
    expect(stopped).toEqual(['a']);
  });
});
