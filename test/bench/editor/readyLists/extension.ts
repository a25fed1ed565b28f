import {
  commands,
  type ExtensionContext,
  MarkdownString,
  type QuickPickItem,
  ThemeIcon,
  type TreeDataProvider,
  TreeItem,
  TreeItemCollapsibleState,
  window,
} from 'vscode';

// The rows are those that Patchbay shows of the benchmark's server, made before anyone asks for them: what is left is the
// time of VS Code. The benchmark compares the text of both.

const long = 10_000;
const short = 10;

/** Shows 10,000 ready rows in a tree, and 10,010 in a quick pick. */
export function activate(context: ExtensionContext): void {
  const treeDataProvider = createProvider();
  const picks = [...readyPicks('few', short), ...readyPicks('many', long)];
  context.subscriptions.push(
    window.createTreeView('ready-lists.rows', { treeDataProvider, showCollapseAll: true }),
    commands.registerCommand('ready-lists.pick', () =>
      window.showQuickPick(picks, {
        title: 'Run Prompt',
        placeHolder: 'Choose a prompt',
        matchOnDescription: true,
        matchOnDetail: true,
      }),
    ),
  );
}

interface Branch {
  readonly item: TreeItem;
  readonly parent: Branch | undefined;
  readonly children: Branch[];
}

function createProvider(): TreeDataProvider<Branch> {
  const { Collapsed, Expanded, None } = TreeItemCollapsibleState;
  const server = branch(undefined, 'many', { id: '6:server4:many', collapsibleState: Expanded, icon: 'circle-filled' });
  const group = branch(server, 'Tools', {
    id: '5:group4:many5:tools',
    description: '10,000',
    collapsibleState: Collapsed,
    icon: 'tools',
  });
  for (let index = 0; index < long; index += 1) {
    const key = `tool-${index}`;
    branch(group, `Tool ${index}`, {
      id: `4:tool4:many${key.length}:${key}1:0`,
      description: 'Does one of the many things that somebody may want to be done.',
      collapsibleState: None,
      icon: 'symbol-method',
    });
  }
  return {
    getChildren: (parent) => (parent === undefined ? [server] : parent.children),
    getParent: ({ parent }) => parent,
    getTreeItem: ({ item }) => item,
    resolveTreeItem(item) {
      item.tooltip = new MarkdownString(item.id);
      item.command = { command: 'ready-lists.pick', title: '' };
      return item;
    },
  };
}

interface Look {
  readonly id: string;
  readonly description?: string;
  readonly collapsibleState: TreeItemCollapsibleState;
  readonly icon: string;
}

function branch(parent: Branch | undefined, label: string, { id, description, collapsibleState, icon }: Look): Branch {
  const item = new TreeItem(label, collapsibleState);
  item.id = id;
  item.contextValue = id.slice(2, id.indexOf(':', 2) - 1);
  item.iconPath = new ThemeIcon(icon);
  if (description !== undefined) item.description = description;
  const made: Branch = { item, parent, children: [] };
  parent?.children.push(made);
  return made;
}

function readyPicks(server: string, count: number): QuickPickItem[] {
  return Array.from({ length: count }, (_, index) => ({
    label: `$(comment-discussion) Prompt ${index}`,
    description: server,
    detail: `prompt-${index} · Asks for one of the many things that somebody may want to be asked.`,
  }));
}
