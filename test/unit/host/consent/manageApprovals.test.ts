import { beforeEach, describe, expect, it, vi } from 'vitest';
import { limits } from '../../../../src/base/limits.ts';
import { createNullLogger } from '../../../../src/base/logger.ts';
import { Mutes } from '../../../../src/client/mutes.ts';
import { offerUnmute } from '../../../../src/host/consent/approvalCommands.ts';
import { settle } from '../../../fixtures/manualClock.ts';

const { executeCommand, showInformationMessage } = vi.hoisted(() => ({
  executeCommand: vi.fn(async (_id: string, _argument?: unknown) => {}),
  showInformationMessage: vi.fn(async (_text: string, button: string): Promise<string | undefined> => button),
}));
vi.mock('vscode', () => ({ commands: { executeCommand }, window: { showInformationMessage } }));

beforeEach(() => void vi.clearAllMocks());

describe('a server that was muted', () => {
  beforeEach(() => void vi.clearAllMocks());

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
