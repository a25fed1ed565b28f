import { type Disposable, DisposableStore } from '../base/disposable.ts';
import type { ClientManager } from '../client/clientManager.ts';
import type { QuestionMutes } from '../client/questionMutes.ts';
import type { LazyApprovals } from './approvals/lazyApprovals.ts';
import { autoStart } from './autoStart.ts';
import { offerQuestions } from './offerQuestions.ts';
import { offerRestart } from './offerRestart.ts';
import { offerReview } from './offerReview.ts';
import { followRoots } from './roots/followRoots.ts';
import { endGrants } from './approvals/endGrants.ts';
import type { LazySampling } from './sampling/lazySampling.ts';
import { offerResume, type ResumeOptions } from './tasks/offerResume.ts';
import { type LeftoversOptions, offerToEndLeftovers } from './leftoverProcesses.ts';
import { tellOfEndedTasks } from './tasks/tellOfEndedTasks.ts';

export interface FollowUpsOptions extends ResumeOptions, LeftoversOptions {
  readonly manager: ClientManager;
  readonly sampling: Pick<LazySampling, 'revokeGrants'>;
  readonly mutes: QuestionMutes;
  readonly approvals: Pick<LazyApprovals, 'loaded'>;
}

/** What follows from something that happens to a server. Nothing does before the configuration was read: loaded then. */
export function createFollowUps(options: FollowUpsOptions): Disposable {
  const { registry, manager, actions, sampling, approvals } = options;
  const store = new DisposableStore();
  store.add(endGrants(registry, sampling, approvals));
  store.add(followRoots(registry, manager));
  store.add(offerRestart(registry, actions));
  store.add(offerReview(registry, options.clock));
  store.add(offerQuestions(options.mutes));
  store.add(tellOfEndedTasks(registry));
  store.add(offerResume(options));
  store.add(offerToEndLeftovers(options));
  store.add(autoStart(registry, actions));
  return store;
}
