import type { Clock } from '../../base/clock.ts';
import type { Event } from '../../base/event.ts';
import type { QuestionMutes } from '../../client/serverRequests/questionMutes.ts';
import {
  type Approval,
  type AppReachAnswer,
  approvalsOf,
  type ApprovalState,
  type BudgetState,
} from './approvalRows.ts';
import type { ChosenModelMemory } from './chosenModels.ts';
import type { LazyApprovals } from './consentServices.ts';
import type { RuleSource } from './ruleSource.ts';

/** Where all that is allowed, refused or chosen without a question is kept. */
export interface ApprovalSources {
  readonly approvals: Pick<LazyApprovals, 'loaded' | 'onDidChange'>;
  readonly rules: RuleSource;
  readonly mutes: Pick<QuestionMutes, 'muted' | 'unmute' | 'onDidChange'>;
  readonly chosenModels: Pick<ChosenModelMemory, 'all' | 'forget' | 'onDidChange'>;
  readonly budget: {
    /** Loads nothing that is not needed to read the count. */
    readonly use: () => Promise<BudgetState>;
    readonly onDidChange: Event<void>;
  };
  /** What apps may reach. */
  readonly apps: {
    readonly all: readonly AppReachAnswer[];
    revoke(id: string): Promise<void>;
    readonly onDidChange: Event<unknown>;
  };
  readonly clock: Clock;
}

/** Reads what there is now. */
export async function readApprovals(sources: ApprovalSources): Promise<ApprovalState> {
  const { approvals, mutes, chosenModels } = sources;
  const [rules, budget] = await Promise.all([sources.rules.find(), sources.budget.use()]);
  return {
    rules: rules?.rules ?? [],
    grants: approvals.loaded?.grants ?? [],
    allowedOnce: approvals.loaded?.allowedOnce ?? [],
    mutedCalls: approvals.loaded?.muted ?? [],
    mutedQuestions: mutes.muted,
    chosenModels: chosenModels.all,
    apps: sources.apps.all,
    budget,
  };
}

/** The person is asked again from now on. */
export async function revokeApprovals(chosen: readonly Approval[], sources: ApprovalSources): Promise<void> {
  const rules = new Set<string>();
  for (const approval of chosen) {
    if (approval.kind === 'rule') rules.add(approval.rule.id);
    else if (approval.kind === 'app') await sources.apps.revoke(approval.answer.id);
    else revokeNow(approval, sources);
  }
  if (rules.size > 0) await (await sources.rules.find())?.revoke(({ id }) => rules.has(id), 'revoked by the person');
}

function revokeNow(approval: Exclude<Approval, { kind: 'rule' | 'app' }>, sources: ApprovalSources): void {
  const { loaded } = sources.approvals;
  switch (approval.kind) {
    case 'tool':
      return loaded?.revoke(approval.grant);
    case 'mutedCalls':
      return loaded?.unmute(approval.server);
    case 'mutedQuestions':
      return sources.mutes.unmute(approval.server);
    case 'model':
      return sources.chosenModels.forget(approval.chosen.server);
  }
}

/** Revokes all that there is now. */
export async function revokeEverything(sources: ApprovalSources): Promise<void> {
  await revokeApprovals(approvalsOf(await readApprovals(sources)), sources);
}
