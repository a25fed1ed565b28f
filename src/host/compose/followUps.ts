import type { DisposableStore } from '../../base/disposable.ts';
import { CommandIds } from '../commandIds.ts';
import { createLanguageFeatures } from '../configuration/languageFeatures.ts';
import { followApprovalContext } from '../consent/approvalContext.ts';
import { offerUnmute, registerApprovalCommands, revokeGrantsOnStop } from '../consent/approvalCommands.ts';
import type { ApprovalSources } from '../consent/approvals.ts';
import { createApprovalsView } from '../consent/approvalsView.ts';
import { createRuleStatus } from '../consent/ruleStatus.ts';
import type { ItemMarks } from '../definitions/itemMarks.ts';
import { registerCommand } from '../platform/registerCommand.ts';
import { followLint } from '../servers/followLint.ts';
import { followToolFaults } from '../servers/followToolFaults.ts';
import { registerCodeLenses } from '../servers/codeLenses.ts';
import { chooseLeftovers, offerToEndLeftovers } from '../servers/leftoverProcesses.ts';
import type { ServerActions } from '../servers/serverActions.ts';
import { autoStart, offerRestart, offerReview } from '../servers/startOffers.ts';
import { followRoots } from '../servers/workspaceRoots.ts';
import { followCommandContext } from '../sidebar/commandContext.ts';
import { notifyEndedTasks, offerResume } from '../tasks/taskNotices.ts';
import type { Core } from './composeCore.ts';

interface FollowUpPorts {
  readonly actions: ServerActions;
  readonly marks: ItemMarks;
  readonly reveal: (label: string) => Promise<void>;
  readonly startServers: (labels: readonly string[]) => Promise<void>;
  readonly appAnswers: () => Promise<ApprovalSources['apps']>;
  readonly restarts: ApprovalSources['restarts'];
}

/** What follows from something that happens to a server. Nothing does before the configuration was read: loaded then. */
export async function addFollowUps(
  core: Core,
  { actions, marks, reveal, startServers, appAnswers, restarts }: FollowUpPorts,
  store: DisposableStore,
): Promise<void> {
  const { registry, sampling, approvals, mutes, clock, logger } = core;
  store.add(followCommandContext(registry, marks, clock));
  store.add(createLanguageFeatures(core.configuration, clock));
  store.add(followToolFaults(registry, core.toolFaults, core.configuration, clock));
  store.add(followLint(registry, core.configuration, core.traffic.log, clock));
  store.add(registerCodeLenses(registry, clock));
  store.add(revokeGrantsOnStop(registry, sampling, approvals));
  store.add(followRoots(registry));
  store.add(offerRestart(registry, actions));
  store.add(offerReview(registry, startServers, clock));
  store.add(offerUnmute(mutes));
  store.add(notifyEndedTasks(registry));
  store.add(offerResume(registry, actions, reveal));
  store.add(offerToEndLeftovers(core.ledger, clock, logger));
  store.add(registerCommand(core, CommandIds.endLeftoverProcesses, () => chooseLeftovers(core.ledger)));
  store.add(autoStart(registry, actions));
  const [chosenModels, apps] = await Promise.all([core.chosenModels(), appAnswers()]);
  const sources = { approvals, sampling, mutes, chosenModels, apps, restarts, registry, clock, logger };
  const view = store.add(createApprovalsView(sources));
  store.add(registerApprovalCommands({ ...sources, view }));
  store.add(followApprovalContext(sources));
  store.add(createRuleStatus(sources));
}
