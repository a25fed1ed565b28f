import { EventEmitter, ThemeIcon, TreeItem, TreeItemCollapsibleState, window, workspace } from 'vscode';
import { Coalescer } from '../../base/coalescer.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { followFocusedRow } from '../platform/focusedRow.ts';
import { type ApprovalNode, approvalRow, type ApprovalSources, approvalTree, readApprovals } from './approvals.ts';
import { nextChangeOf } from './ruleText.ts';

const approvalsViewId = 'patchbay.approvals';

const budgetSetting = 'patchbay.sampling.dailyTokens';

/** VS Code holds back a refresh that comes within 200 ms of another. */
const refreshIntervalMs = 250;

export type ApprovalsView = ReturnType<typeof createApprovalsView>;

/** Registers the view of all that is allowed, refused or chosen without a question. It reads nothing before it is shown. */
export function createApprovalsView(sources: ApprovalSources) {
  const { approvals, apps, sampling, mutes, chosenModels, restarts, clock } = sources;
  const store = new DisposableStore();
  const changes = store.add(new EventEmitter<undefined>());
  const rows = new WeakSet<object>();
  const scheduler = store.add(new Coalescer(clock, refreshIntervalMs, () => changes.fire(undefined)));
  const refresh = (): void => scheduler.request();
  /** VS Code reads the rows when it first shows the view: a refresh meanwhile would start again, and leave it blank for longer. */
  let isRead = false;
  /** Refreshes when what rules say about time is no longer true. */
  let timer: Disposable | undefined;
  store.add({ dispose: () => timer?.dispose() });

  async function readRoots(): Promise<ApprovalNode[]> {
    const state = await readApprovals(sources);
    timer?.dispose();
    const now = clock.now();
    const next = nextChangeOf(state.rules, now);
    timer = next === undefined ? undefined : clock.after(next - now, refresh, { isBackground: true });
    const roots = approvalTree(state);
    // Setting it again, even to the same text, holds back the next refresh by 200 ms.
    const message =
      state.approvals.length === 0 && roots.length > 0 ? 'You have not allowed anything permanently.' : '';
    if ((view.message ?? '') !== message) view.message = message;
    for (const row of [...roots, ...state.approvals]) rows.add(row);
    isRead = true;
    return [...roots];
  }

  const view = store.add(
    window.createTreeView<ApprovalNode>(approvalsViewId, {
      showCollapseAll: false,
      treeDataProvider: {
        onDidChangeTreeData: changes.event,
        getChildren: (node) => (node === undefined ? readRoots() : 'children' in node ? [...node.children] : []),
        getTreeItem: toTreeItem,
      },
    }),
  );
  for (const { onDidChange } of [sampling, chosenModels, approvals, mutes, apps, restarts])
    store.add(onDidChange(refresh));
  store.add(workspace.onDidChangeConfiguration((event) => event.affectsConfiguration(budgetSetting) && refresh()));
  // Another window may have changed the rules that are kept, and the count of today.
  store.add(view.onDidChangeVisibility(({ visible }) => visible && isRead && void reload(sources, refresh)));

  const focused = followFocusedRow(view, (node) => approvalRow(node).id);
  return {
    /** The row that a key of this view was pressed on. */
    focused,
    /** True for the very row of the view: a command that gets it was run by a gesture on that row. */
    isRow: (argument: unknown): argument is ApprovalNode =>
      typeof argument === 'object' && argument !== null && rows.has(argument),
    dispose: () => store.dispose(),
  };
}

async function reload({ sampling }: ApprovalSources, refresh: () => void): Promise<void> {
  refresh();
  // The view shows why, if they cannot be read: it reads them too.
  await sampling.rules().then(
    (book) => book?.load(),
    () => {},
  );
}

function toTreeItem(node: ApprovalNode): TreeItem {
  const { id, label, description, tooltip, icon, contextValue } = approvalRow(node);
  const { Expanded, None } = TreeItemCollapsibleState;
  const item = new TreeItem(label, 'children' in node ? Expanded : None);
  // A tooltip that is a string is shown as plain text.
  Object.assign(item, { id, description, tooltip, contextValue });
  item.accessibilityInformation = { label: `${label}, ${description}` };
  if (icon !== undefined) item.iconPath = new ThemeIcon(icon);
  if ('budget' in node)
    item.command = { command: 'workbench.action.openSettings', title: '', arguments: [`@id:${budgetSetting}`] };
  return item;
}
