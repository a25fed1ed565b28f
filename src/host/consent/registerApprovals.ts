import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { registerApprovalCommands } from './approvalCommands.ts';
import type { ApprovalSources } from './approvalSources.ts';
import { createApprovalsView } from './approvalsView.ts';
import { createRuleStatus, type RuleStatusOptions } from './ruleStatus.ts';

/** Registers the approvals view, its commands, and the status of rules. Reads nothing before it is shown or needed. */
export function registerApprovals(options: ApprovalSources & RuleStatusOptions): Disposable {
  const store = new DisposableStore();
  const view = store.add(createApprovalsView(options));
  store.add(registerApprovalCommands({ ...options, view }));
  store.add(createRuleStatus(options));
  return store;
}
