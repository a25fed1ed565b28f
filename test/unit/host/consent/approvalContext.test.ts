import { expect, it, onTestFinished } from 'vitest';
import { Emitter } from '../../../../src/base/event.ts';
import { createNullLogger } from '../../../../src/base/logger.ts';
import { Mutes } from '../../../../src/client/mutes.ts';
import { AppAnswers } from '../../../../src/host/apps/appAnswers.ts';
import { followApprovalContext } from '../../../../src/host/consent/approvalContext.ts';
import { createChosenModels } from '../../../../src/host/consent/chosenModels.ts';
import { settle } from '../../../fixtures/manualClock.ts';
import { commands, editor } from '../../../fixtures/vscode.ts';
import { sampleState } from '../sampleState.ts';

it('offers to stop, edit and revoke only where there is something, also of another window', async () => {
  const offered: Record<string, unknown> = {};
  commands.executeCommand = async (_id: string, key: string, value: unknown) => void (offered[key] = value);
  const has: { rules: boolean | Error; grants: boolean } = { rules: false, grants: false };
  const look = (what: boolean | Error): Promise<boolean> =>
    what instanceof Error ? Promise.reject(what) : Promise.resolve(what);
  const [rulesChanged, grantsChanged] = [new Emitter<void>(), new Emitter<string>()];
  const chosenModels = createChosenModels(sampleState(), (server) => server);
  const following = followApprovalContext({
    sampling: { hasRules: () => look(has.rules), onDidChange: rulesChanged.event },
    approvals: { hasAny: () => look(has.grants), onDidChange: grantsChanged.event },
    mutes: new Mutes({ record: () => {} }, createNullLogger),
    chosenModels,
    apps: new AppAnswers(sampleState()),
    restarts: { all: [], revoke: async () => {}, onDidChange: rulesChanged.event },
  });
  onTestFinished(() => following.dispose());
  const now = async (): Promise<unknown> => {
    await settle();
    return [offered['patchbay.hasRules'], offered['patchbay.hasApprovals']];
  };
  expect(await now()).toEqual([false, false]);
  has.grants = true;
  grantsChanged.fire('demo');
  expect(await now()).toEqual([false, true]);
  has.grants = false;
  grantsChanged.fire('demo');
  expect(await now()).toEqual([false, false]);
  chosenModels.remember('demo', 'm');
  expect(await now()).toEqual([false, true]);
  chosenModels.forget('demo');
  has.rules = true;
  editor.fire('onDidChangeWindowState', { focused: true });
  expect(await now()).toEqual([true, true]);
  // A file that cannot be read: the command says why.
  has.rules = new Error('EACCES');
  rulesChanged.fire();
  expect(await now()).toEqual([true, true]);
});
