import { randomUUID } from 'node:crypto';
import { type ExtensionContext, Uri, type WebviewPanel, window, workspace } from 'vscode';
import type { DisposableStore } from '../../base/disposable.ts';
import { memoizeAsync } from '../../base/sharedPromise.ts';
import type { SavedCalls } from '../calls/savedCallStore.ts';
import { commandGroups, CommandIds } from '../commandIds.ts';
import { registerCommands } from '../platform/registerCommand.ts';
import type { ServerActions } from '../servers/serverActions.ts';
import type { RegisteredTools } from '../tools/registerTools.ts';
import type { RegisterToolsOptions } from '../tools/toolPorts.ts';
import type { Core } from './composeCore.ts';

// What those use who build a server. The code of each feature is loaded with its first use.

export function registerTraffic(
  { extensionUri }: ExtensionContext,
  core: Core,
  calls: RegisteredTools['calls'],
  store: DisposableStore,
): { readonly showTraffic: RegisterToolsOptions['showTraffic'] } {
  const traffic = memoizeAsync(async () => {
    const [{ TrafficFeature }, log] = await Promise.all([
      import('../traffic/trafficFeature.ts'),
      core.traffic.log(),
      // What is shown is searched for all secrets of the window.
      core.knownSecrets.collector(),
    ]);
    const { registry, knownSecrets, clock, logger, logs, clientInfo: creator } = core;
    const shared = { extensionUri, registry, knownSecrets, clock, logger, logs, log, creator };
    return store.add(
      new TrafficFeature({
        ...shared,
        callAgain: async (...call) => (await calls()).callAgain(...call),
        showCall: async (...call) => (await calls()).showCall(...call),
      }),
    );
  });
  const deserializeWebviewPanel = async (panel: WebviewPanel): Promise<void> => (await traffic()).restore(panel);
  store.add(window.registerWebviewPanelSerializer('patchbay.traffic', { deserializeWebviewPanel }));
  const commands = memoizeAsync(async () => {
    const feature = await traffic();
    return { [CommandIds.showTraffic]: (argument: unknown) => feature.show(argument) };
  });
  store.add(registerCommands(core, commandGroups.traffic, commands));
  return { showTraffic: async (call, at) => (await traffic()).showCall(call, at) };
}

/** @returns what restarts servers on save, loaded with the first server that runs or fails */
export function registerDevelopment(core: Core, store: DisposableStore) {
  const { registry, configuration, trust, log, clock } = core;
  const development = memoizeAsync(async () => {
    const { Development } = await import('../development/developServers.ts');
    const [states, choices] = [core.development, core.restartChoices];
    return store.add(new Development({ registry, configuration, trust, states, choices, log, clock }));
  });
  store.add(
    registry.onDidChangeState(({ state: { kind } }) => {
      if (kind === 'running' || kind === 'failed') void development();
    }),
  );
  const developing = memoizeAsync(async () => {
    const { createDevelopmentCommands } = await import('../development/developmentCommands.ts');
    return createDevelopmentCommands(registry, await development());
  });
  store.add(registerCommands(core, commandGroups.development, developing));
  return development;
}

export function registerDebugging(core: Core, actions: ServerActions, store: DisposableStore): void {
  const debugging = memoizeAsync(async () => (await core.debugging()).commands(actions));
  store.add(registerCommands(core, commandGroups.debugging, debugging));
}

/** What tests a server, in Test Explorer: its checks and the saved calls. Loaded where there is something to test. */
export function registerTesting(
  context: ExtensionContext,
  core: Core,
  savedCalls: () => Promise<SavedCalls>,
  ready: Promise<void>,
  store: DisposableStore,
): { readonly showSavedCallTests: () => Promise<unknown> } {
  const { registry, clock, logger, diagnosis, environment } = core;
  const testing = memoizeAsync(async () => {
    const [{ createTestFeature }, { createWindowProbe }] = await Promise.all([
      import('../testing/testFeature.ts'),
      import('../platform/fileLock.ts'),
    ]);
    const lock = { clock, owner: randomUUID(), reachWindow: createWindowProbe(context.secrets) };
    const { prepare, createTransport } = diagnosis;
    return store.add(
      createTestFeature({ context, registry, prepare, createTransport, environment, lock, clock, logger }),
    );
  });
  store.add(registerCommands(core, commandGroups.testing, async () => (await testing()).commands));
  const savedCallTests = memoizeAsync(async () => {
    const { createSavedCallTests } = await import('../testing/savedCallTests.ts');
    return store.add(createSavedCallTests(core, await savedCalls(), (await testing()).tree));
  });
  store.add(registerCommands(core, commandGroups.savedCallTests, async () => (await savedCallTests()).commands));
  // Test Explorer asks for its items only where there is a controller; a window without servers needs none.
  const show = (): void => void (registry.servers.length > 0 && testing());
  void ready.then(() => {
    show();
    store.add(registry.onDidChangeServers(show));
  });
  void ready.then(async () => {
    if (await hasSavedCalls()) await savedCallTests();
  });
  return { showSavedCallTests: savedCallTests };
}

/** The gutter of a file has its tests from the start. */
async function hasSavedCalls(): Promise<boolean> {
  const folders = (workspace.workspaceFolders ?? []).map(({ uri }) => Uri.joinPath(uri, '.vscode', 'mcp-calls.json'));
  const found = await Promise.allSettled(folders.map((uri) => workspace.fs.stat(uri)));
  return found.some(({ status }) => status === 'fulfilled');
}
