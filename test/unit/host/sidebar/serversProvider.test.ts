import { expect, it, vi } from 'vitest';
import { createExpansionMemory } from '../../../../src/host/sidebar/serversProvider.ts';
import { createItemMarks } from '../../../../src/host/definitions/itemMarks.ts';
import { createServersTree } from '../../../../src/host/sidebar/serversTree.ts';
import { running, sampleRegistry, sampleServer, session } from '../sampleServer.ts';

vi.mock('vscode', () => ({
  TreeItem: function TreeItem(this: Record<string, unknown>, _label: string, collapsibleState: string) {
    this['collapsibleState'] = collapsibleState;
  },
  ThemeColor: function ThemeColor() {},
  ThemeIcon: function ThemeIcon() {},
  Uri: { from: () => ({}), parse: () => ({}) },
  TreeItemCollapsibleState: { None: 'none', Collapsed: 'collapsed', Expanded: 'expanded' },
}));

const { createServersProvider } = await import('../../../../src/host/sidebar/serversProvider.ts');

const add = { name: 'add', inputSchema: {} };

it('opens again after a filter what was open, though VS Code has not told of its opening', async () => {
  const registry = sampleRegistry(sampleServer('demo', { state: running, session, contents: { tools: [add] } }));
  const tree = createServersTree({ registry, problemCount: () => 0, canStart: () => true });
  const provider = createServersProvider({
    tree,
    registry,
    problemCount: () => 0,
    expansion: createExpansionMemory(),
    marks: createItemMarks(),
    icons: { of: () => undefined, load: async () => {} },
    look: () => {},
    onDidChangeTreeData: () => ({ dispose() {} }),
  });
  const [demo] = (await provider.getChildren()) ?? [];
  const [tools] = (demo && (await provider.getChildren(demo))) ?? [];
  const group = tools ?? expect.unreachable('a server with a tool has a group of tools');
  const isOpen = async (): Promise<unknown> => (await provider.getTreeItem(group)).collapsibleState;
  expect(await isOpen()).toBe('collapsed');
  // VS Code requests the children of a row when it opens.
  await provider.getChildren(group);
  tree.setFilter('nothing is called so');
  tree.setFilter('');
  expect(await isOpen()).toBe('expanded');
});
