import { EventEmitter, lm, ThemeIcon, TreeItem, TreeItemCollapsibleState, window, workspace } from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { Coalescer } from '../../base/coalescer.ts';
import { DisposableStore } from '../../base/disposable.ts';
import { followFocusedRow } from '../platform/focusedRow.ts';
import type { ModelRow } from './modelRows.ts';

/** VS Code holds back a refresh that comes within 200 ms of another. */
const refreshIntervalMs = 250;

const setting = 'patchbay.models';

/** Registers the view of the models that servers can be answered with. It asks for none before it is shown. */
export function createModelsView(read: () => Promise<readonly ModelRow[]>, clock: Clock) {
  const store = new DisposableStore();
  const changes = store.add(new EventEmitter<undefined>());
  const scheduler = store.add(new Coalescer(clock, refreshIntervalMs, () => changes.fire(undefined)));
  const refresh = (): void => scheduler.request();
  const view = store.add(
    window.createTreeView<ModelRow>('patchbay.models', {
      treeDataProvider: {
        onDidChangeTreeData: changes.event,
        getChildren: async (node) => (node === undefined ? [...(await read())] : []),
        getTreeItem: toTreeItem,
      },
    }),
  );
  store.add(workspace.onDidChangeConfiguration((event) => event.affectsConfiguration(setting) && refresh()));
  const focused = followFocusedRow(view, ({ id }) => id);
  const { onDidChangeChatModels: follow } = (lm ?? {}) as Partial<typeof lm>;
  if (follow !== undefined) store.add(follow(refresh));
  return {
    /** The row that a key of this view was pressed on, if that is a model of the person. */
    focused(): ModelRow | undefined {
      const row = focused();
      return row?.connection === undefined ? undefined : row;
    },
    dispose: () => store.dispose(),
  };
}

export type ModelsView = ReturnType<typeof createModelsView>;

function toTreeItem(row: ModelRow): TreeItem {
  const { id, label, description, tooltip, icon, contextValue } = row;
  const item = new TreeItem(label, TreeItemCollapsibleState.None);
  Object.assign(item, { id, description, tooltip, contextValue });
  item.accessibilityInformation = { label: [label, description].filter(Boolean).join(', ') };
  item.iconPath = new ThemeIcon(icon);
  if (contextValue === 'model.problem') {
    const argument = { revealSetting: { key: setting } };
    item.command = { command: 'workbench.action.openSettingsJson', title: '', arguments: [argument] };
  }
  return item;
}
