import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { ClientManager } from '../../client/server/clientManager.ts';
import type { QuestionMutes } from '../../client/serverRequests/questionMutes.ts';
import type { ApprovalSources } from '../consent/approvalSources.ts';
import type { ChosenModelMemory } from '../consent/chosenModels.ts';
import type { LazyApprovals, LazySampling } from '../consent/consentServices.ts';
import { registerApprovals } from '../consent/registerApprovals.ts';
import { createRuleSource } from '../consent/ruleSource.ts';
import { readDailyTokens } from '../consent/samplingSettings.ts';
import { isThere } from '../consent/sharedFile.ts';
import { registerCodeLenses } from '../servers/codeLenses.ts';
import { autoStart, offerRestart, offerReview } from '../servers/startOffers.ts';
import { offerUnmute, revokeGrantsOnStop } from '../consent/manageApprovals.ts';
import { followRoots } from '../servers/workspaceRoots.ts';
import { notifyEndedTasks, offerResume, type ResumeOptions } from '../tasks/taskNotices.ts';
import { type LeftoversOptions, offerToEndLeftovers } from '../servers/leftoverProcesses.ts';
import type { Core } from './composeCore.ts';

/** The parts of the host whose events have consequences: see {@link createFollowUps}. */
export interface FollowUpsOptions extends ResumeOptions, LeftoversOptions {
  readonly manager: ClientManager;
  readonly sampling: Omit<LazySampling, 'handle' | 'ask' | 'dispose'>;
  readonly samplingPaths: Core['samplingPaths'];
  readonly chosenModels: ChosenModelMemory;
  readonly apps: ApprovalSources['apps'];
  readonly mutes: QuestionMutes;
  readonly approvals: Pick<LazyApprovals, 'loaded' | 'onDidChange'>;
}

/** What follows from something that happens to a server. Nothing does before the configuration was read: loaded then. */
export function createFollowUps(options: FollowUpsOptions): Disposable {
  const { registry, manager, actions, sampling, samplingPaths, approvals } = options;
  const store = new DisposableStore();
  store.add(registerCodeLenses(registry, options.clock));
  store.add(revokeGrantsOnStop(registry, sampling, approvals));
  store.add(followRoots(registry, manager));
  store.add(offerRestart(registry, actions));
  store.add(offerReview(registry, actions, options.clock));
  store.add(offerUnmute(options.mutes));
  store.add(notifyEndedTasks(registry));
  store.add(offerResume(options));
  store.add(offerToEndLeftovers(options));
  store.add(autoStart(registry, actions));
  store.add(
    registerApprovals({
      ...options,
      rules: createRuleSource(sampling, samplingPaths.rules),
      budget: budgetOf(options),
    }),
  );
  return store;
}

/** Reads the tokens of today only where some were used. */
function budgetOf({ sampling, samplingPaths }: FollowUpsOptions): ApprovalSources['budget'] {
  return {
    use: async () => {
      const isUsed = sampling.isLoaded || (await isThere(samplingPaths.budget));
      return { used: isUsed ? await sampling.tokensOfToday() : 0, limit: readDailyTokens() };
    },
    onDidChange: sampling.onDidUseTokens,
  };
}
