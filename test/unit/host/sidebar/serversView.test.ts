import { expect, it, onTestFinished, vi } from 'vitest';
import { PatchbayError } from '../../../../src/base/errors.ts';
import { Emitter } from '../../../../src/base/event.ts';
import { ItemMarks } from '../../../../src/host/definitions/itemMarks.ts';
import type { LazyIcons } from '../../../../src/host/icons/lazyIcons.ts';
import type { HostServer } from '../../../../src/host/servers/serverRegistry.ts';
import { createDrawnServers } from '../../../../src/host/sidebar/drawnServers.ts';
import { ServersTree } from '../../../../src/host/sidebar/serversTree.ts';
import { createManualClock, settle } from '../../../fixtures/manualClock.ts';
import { running, sampleRegistry, sampleServer, session } from '../sampleServer.ts';
import { createServersProvider, createServersView } from '../../../../src/host/sidebar/serversView.ts';
import { editor, TreeItemCollapsibleState as State } from '../../../fixtures/vscode.ts';

const add = { name: 'add', inputSchema: {} };

function createProvider(server: HostServer, savedCalls: Record<string, readonly string[]> = {}) {
  const clock = createManualClock();
  const look = vi.fn<(server: string, contents: string) => void>();
  const registry = sampleRegistry(server);
  const tree = new ServersTree({
    registry,
    problemCount: () => 0,
    canStart: () => true,
    savedCalls: { of: (_server, tool) => (savedCalls[tool] ?? []).map((name) => ({ name })) },
  });
  const icons = { of: () => undefined, load: async () => {} } as unknown as LazyIcons;
  const drawnServers = createDrawnServers();
  const options = { registry, problemCount: () => 0, marks: new ItemMarks(), icons, clock, look, drawnServers };
  const provider = createServersProvider(options, tree, new Set(), () => ({ dispose() {} }));
  return { tree, provider, clock, look };
}

it('opens again after a filter what was open, though VS Code has not told of its opening', async () => {
  const { tree, provider } = createProvider(
    sampleServer('demo', { state: running, session, contents: { tools: [add] } }),
  );
  const [demo] = (await provider.getChildren()) ?? [];
  const [tools] = (demo && (await provider.getChildren(demo))) ?? [];
  const group = tools ?? expect.unreachable('a server with a tool has a group of tools');
  const isOpen = async (): Promise<unknown> => (await provider.getTreeItem(group)).collapsibleState;
  expect(await isOpen()).toBe(State.Collapsed);
  // VS Code requests the children of a row when it opens.
  await provider.getChildren(group);
  tree.setFilter('nothing is called so');
  tree.setFilter('');
  expect(await isOpen()).toBe(State.Expanded);
});

it('asks nothing about lists that are there, for any of many rows', async () => {
  const tools = Array.from({ length: 1_000 }, (_, index) => ({ ...add, name: `add-${index}` }));
  const demo = sampleServer('demo', { state: running, session, contents: { tools } });
  const { provider } = createProvider(demo);
  const listState = vi.spyOn(demo.server, 'listState');
  const rows = (await provider.getChildren({ kind: 'group', server: 'demo', contents: 'tools' })) ?? [];
  const asked = listState.mock.calls.length;
  for (const row of rows) await provider.getTreeItem(row);
  expect(rows).toHaveLength(tools.length);
  expect(listState.mock.calls.length - asked).toBe(0);
});

it('notes that a list is seen after its rows are sent, for which VS Code sets a timer', async () => {
  const { provider, clock, look } = createProvider(
    sampleServer('demo', { state: running, session, contents: { tools: [add] } }),
  );
  await provider.getChildren({ kind: 'group', server: 'demo', contents: 'tools' });
  await new Promise((resolve) => setImmediate(resolve));
  expect(look).not.toHaveBeenCalled();
  await clock.advance(1_000);
  expect(look.mock.calls).toEqual([['demo', 'tools']]);
});

it('makes the commands of a long list when they are needed', async () => {
  const tools = Array.from({ length: 600 }, (_, index) => ({ name: `tool ${index}`, inputSchema: {} }));
  const { provider } = createProvider(sampleServer('demo', { state: running, session, contents: { tools } }));
  const [row] = (await provider.getChildren({ kind: 'group', server: 'demo', contents: 'tools' })) ?? [];
  const item = await provider.getTreeItem(row ?? expect.unreachable());
  expect(item.command).toBeUndefined();
  await provider.resolveTreeItem?.(item, row ?? expect.unreachable(), {} as never);
  expect(item.command).toMatchObject({ command: 'patchbay.openRow', arguments: [row] });
});

it('opens a tool that has saved calls, and only such a one', async () => {
  const remove = { name: 'remove', inputSchema: {} };
  const demo = sampleServer('demo', { state: running, session, contents: { tools: [add, remove] } });
  const { provider } = createProvider(demo, { add: ['one'] });
  const rows = (await provider.getChildren({ kind: 'group', server: 'demo', contents: 'tools' })) ?? [];
  const items = await Promise.all(rows.map(async (row) => provider.getTreeItem(row)));
  expect(items.map((item) => item.collapsibleState)).toEqual([State.Collapsed, State.None]);
  const [call] = (rows[0] && (await provider.getChildren(rows[0]))) ?? [];
  const item = await provider.getTreeItem(call ?? expect.unreachable());
  expect(item).toMatchObject({ contextValue: 'savedCall', collapsibleState: State.None });
  // At once, so that a click finds it while the view is drawn again.
  expect(item.command).toMatchObject({ command: 'patchbay.openRow', arguments: [call] });
  await provider.resolveTreeItem?.(item, call ?? expect.unreachable(), {} as never);
  expect(item.tooltip).toBeUndefined();
});

/** The view of one server, and what changes it. */
function openView(first: HostServer) {
  const clock = createManualClock();
  const changed = new Emitter<HostServer>();
  const servers = [first];
  const get = (): HostServer | undefined => servers[0];
  const registry = Object.assign(sampleRegistry(first), { servers, get, onDidChangeAny: changed.event });
  const never = () => ({ dispose() {} });
  editor.tree = { visible: false, selection: [] };
  const view = createServersView({
    registry,
    actions: {} as never,
    problemCount: () => 0,
    marks: new ItemMarks(),
    icons: { of: () => undefined, onDidArrive: never, load: async () => {} } as unknown as LazyIcons,
    savedCalls: { of: () => [], onDidChange: never },
    clock,
    look: () => {},
    ready: Promise.resolve(),
  });
  onTestFinished(view.dispose);
  const say = (server: HostServer): void => {
    servers[0] = server;
    changed.fire(server);
  };
  const change = async (server: HostServer): Promise<void> => {
    say(server);
    await settle();
    await clock.advance(1_000);
  };
  return { clock, say, change, provider: editor.tree['provider'] as ReturnType<typeof createServersProvider> };
}

it('draws once what changes before VS Code has asked for the rows, and again what changes later', async () => {
  const withTools = (...tools: object[]) =>
    sampleServer('demo', { state: running, session, contents: { tools: tools.map((own) => ({ ...add, ...own })) } });
  const { clock, say, change, provider } = openView(withTools({}));
  const refreshed: unknown[] = [];
  provider.onDidChangeTreeData?.((node) => refreshed.push(node));
  const server = { kind: 'server', server: 'demo' } as const;
  const draw = async (): Promise<void> => {
    await provider.getTreeItem(server);
    await provider.getChildren(server);
  };
  say(withTools({ title: 'First' }));
  await settle();
  expect(refreshed).toEqual([[server]]);
  say(withTools({ title: 'Second' }));
  await draw();
  await clock.advance(1_000);
  expect(refreshed).toHaveLength(1);
  await change(withTools({ title: 'Third' }));
  expect(refreshed).toHaveLength(2);
  await draw();
  // The row of the server was drawn before this, the rows below it after.
  say(withTools({ title: 'Third' }, { name: 'second' }));
  await settle();
  expect(refreshed).toHaveLength(3);
  await provider.getTreeItem(server);
  say(withTools({}, { name: 'second' }, { name: 'third' }));
  await provider.getChildren(server);
  await clock.advance(1_000);
  expect(refreshed).toHaveLength(4);
});

it('draws a server that lists what it offers when it is done, or after a moment', async () => {
  const listing = (isLoading: boolean) =>
    sampleServer('demo', { state: running, session, lists: { tools: { isLoading } } });
  const { clock, say, provider } = openView(listing(true));
  const refreshed: unknown[] = [];
  provider.onDidChangeTreeData?.((node) => refreshed.push(node));
  say(listing(true));
  await settle();
  expect(refreshed).toEqual([]);
  say(listing(false));
  await settle();
  expect(refreshed).toHaveLength(1);
  await clock.advance(1_000);
  expect(refreshed).toHaveLength(1);
  say(listing(true));
  await clock.advance(100);
  await settle();
  expect(refreshed).toHaveLength(2);
});

it('counts a failure in its badge until the view was shown with it, and the next one again', async () => {
  const state = { kind: 'failed', error: new PatchbayError('crashed', 'It exited.') } as const;
  const [first, next] = [sampleServer('demo', { state }), sampleServer('demo', { state: { ...state } })];
  const { change } = openView(first);
  await change(first);
  expect(editor.tree.badge?.value).toBe(1);
  editor.tree.visible = true;
  editor.fire('onDidChangeVisibility', { visible: true });
  expect(editor.tree.badge).toBeUndefined();
  editor.tree.visible = false;
  await change(first);
  expect(editor.tree.badge).toBeUndefined();
  await change(next);
  expect(editor.tree.badge?.value).toBe(1);
});
