import {
  EventEmitter,
  ThemeIcon,
  type TreeDataProvider,
  TreeItem,
  TreeItemCollapsibleState,
  window,
  workspace,
} from 'vscode';
import { Coalescer } from '../../base/coalescer.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { SamplingRule } from '../../client/sampling/samplingRules.ts';
import { type ApprovalNode, approvalRow, approvalTree } from './approvalRows.ts';
import { type ApprovalSources, readApprovals } from './approvalSources.ts';
import { nextChangeOf } from './ruleText.ts';

/** The id of the view in package.json. */
const approvalsViewId = 'patchbay.approvals';

/** The setting that the row of the budget opens. */
const budgetSetting = 'patchbay.sampling.dailyTokens';

/** VS Code holds back a refresh that comes within 200 ms of another. */
const refreshIntervalMs = 250;

/** The view of all that is allowed, refused or chosen without a question. */
export interface ApprovalsView extends Disposable {
  /** The row the keyboard is on. */
  readonly selection: ApprovalNode | undefined;
  /** True for the very row of the view: a command that gets it was run by a gesture on that row. */
  isRow(argument: unknown): argument is ApprovalNode;
}

/** Registers the view. It reads nothing before it is shown. */
export function createApprovalsView(sources: ApprovalSources): ApprovalsView {
  const { approvals, apps, rules, mutes, chosenModels, budget, clock } = sources;
  const store = new DisposableStore();
  const changes = store.add(new EventEmitter<undefined>());
  const rows = new WeakSet<object>();
  const scheduler = store.add(
    new Coalescer(
      clock,
      () => refreshIntervalMs,
      () => changes.fire(undefined),
    ),
  );
  const refresh = (): void => scheduler.request();
  const wait = createWait(sources, refresh);
  store.add(wait);

  const treeDataProvider: TreeDataProvider<ApprovalNode> = {
    onDidChangeTreeData: changes.event,
    async getChildren(node) {
      if (node !== undefined) return node.kind === 'group' ? [...node.children] : [];
      const state = await readApprovals(sources);
      wait.until(state.rules);
      const roots = approvalTree(state);
      const isOnlyBudget = roots.length === 1 && roots[0]?.kind === 'budget';
      setMessage(isOnlyBudget ? 'Nothing is allowed without a question.' : '');
      for (const root of roots)
        for (const row of [root, ...(root.kind === 'group' ? root.children : [])]) rows.add(row);
      return [...roots];
    },
    getTreeItem: (node) => toTreeItem(node, clock.now()),
  };
  const view = store.add(window.createTreeView(approvalsViewId, { treeDataProvider, showCollapseAll: false }));
  // Setting it again, even to the same text, holds back the next refresh by 200 ms.
  const setMessage = (message: string): void => {
    if ((view.message ?? '') !== message) view.message = message;
  };

  for (const onDidChange of [rules.onDidChange, budget.onDidChange, chosenModels.onDidChange])
    store.add(onDidChange(refresh));
  for (const onDidChange of [approvals.onDidChange, mutes.onDidChange, apps.onDidChange])
    store.add(onDidChange(refresh));
  store.add(workspace.onDidChangeConfiguration((event) => event.affectsConfiguration(budgetSetting) && refresh()));
  // Another window may have changed the rules that are kept, and the count of today.
  store.add(view.onDidChangeVisibility(({ visible }) => visible && void reload(sources, refresh)));

  return {
    get selection() {
      return view.selection[0];
    },
    isRow: (argument): argument is ApprovalNode =>
      typeof argument === 'object' && argument !== null && rows.has(argument),
    dispose: () => store.dispose(),
  };
}

async function reload({ rules }: ApprovalSources, refresh: () => void): Promise<void> {
  refresh();
  // The view shows why, if they cannot be read: it reads them too.
  await rules.find().then(
    (book) => book?.load(),
    () => {},
  );
}

/** Refreshes when what rules say about time is no longer true. */
function createWait(
  { clock }: ApprovalSources,
  refresh: () => void,
): Disposable & { until(rules: readonly SamplingRule[]): void } {
  let timer: Disposable | undefined;
  return {
    until(rules) {
      timer?.dispose();
      const now = clock.now();
      const next = nextChangeOf(rules, now);
      timer = next === undefined ? undefined : clock.after(next - now, refresh, { isBackground: true });
    },
    dispose: () => timer?.dispose(),
  };
}

function toTreeItem(node: ApprovalNode, now: number): TreeItem {
  const { id, label, description, tooltip, icon, contextValue } = approvalRow(node, now);
  const { Expanded, None } = TreeItemCollapsibleState;
  const item = new TreeItem(label, node.kind === 'group' ? Expanded : None);
  item.id = id;
  item.description = description;
  // A string is shown as plain text.
  item.tooltip = tooltip;
  item.contextValue = contextValue;
  item.accessibilityInformation = { label: `${label}, ${description}` };
  if (icon !== undefined) item.iconPath = new ThemeIcon(icon);
  if (node.kind === 'budget')
    item.command = { command: 'workbench.action.openSettings', title: '', arguments: [`@id:${budgetSetting}`] };
  return item;
}
