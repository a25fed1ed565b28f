import { randomUUID } from 'node:crypto';
import { type ExtensionContext, Uri, workspace } from 'vscode';
import type { DisposableStore } from '../../base/disposable.ts';
import { memoizeAsync } from '../../base/sharedPromise.ts';
import type { SavedCalls } from '../calls/savedCallStore.ts';
import { type CommandId, CommandIds } from '../commandIds.ts';
import type { createCompatibilityPages } from '../diagnosis/compatibilityPages.ts';
import type { WholeValue } from '../results/wholeDocuments.ts';
import type { ServerActions } from '../servers/serverActions.ts';
import type { RegisteredTools } from '../tools/registerTools.ts';
import type { Core } from './composeCore.ts';

export interface WorkshopParts {
  readonly actions: ServerActions;
  readonly calls: RegisteredTools['calls'];
  readonly savedCalls: () => Promise<SavedCalls>;
}

type Handler = (argument: unknown) => unknown;

/** What those use who build a server. The code of each feature is loaded with its first use. */
export function composeWorkshop(context: ExtensionContext, core: Core, parts: WorkshopParts, store: DisposableStore) {
  const traffic = lazyTraffic(context, core, parts, store);
  const development = lazyDevelopment(core, store);
  const { testing, savedCallTests } = lazyTests(context, core, parts, store);
  const { compatibility, active } = lazyCompatibility(context, core, store);
  const recording = memoizeAsync(async () => {
    const { RecordingFeature } = await import('../recording/recordingFeature.ts');
    const { registry, recorded, clock, clientInfo } = core;
    return store.add(
      new RecordingFeature({ registry, recorded, actions: parts.actions, clock, version: clientInfo.version }),
    );
  });
  const { restartOnSave, stopRestartingOnSave, debugServer, stopDebugging, checkServer, installTestSuite } = CommandIds;
  const { runSavedCall, updateSnapshots, runCallsAfterRestart, checkCompatibility, showModelView } = CommandIds;
  return {
    traffic,
    development,
    savedCallTests,
    active,
    /** Begins to follow the servers. Call it once. */
    follow: async () => {
      follow(core, { development, testing, savedCallTests }, store);
      const { isDebuggable } = await import('../development/debugTarget.ts');
      core.debugged.offerFor(
        isDebuggable,
        core.registry.servers.map(({ label }) => label),
      );
    },
    commands: {
      [CommandIds.showTraffic]: async (argument: unknown) => (await traffic()).show(argument),
      [CommandIds.recordSession]: async (argument: unknown) => (await recording()).record(argument),
      [CommandIds.stopRecording]: async (argument: unknown) => (await recording()).stop(argument),
      [CommandIds.compareSessions]: async (first: unknown) => {
        const { showSessionDifference } = await import('../recording/showSessionDifference.ts');
        await showSessionDifference(first);
      },
      ...each([restartOnSave, stopRestartingOnSave], async () => {
        const { createDevelopmentCommands } = await import('../development/developmentCommands.ts');
        return createDevelopmentCommands(core.registry, await development());
      }),
      ...each([debugServer, stopDebugging], async () => (await core.debugging()).commands(parts.actions)),
      ...each([checkServer, installTestSuite], async () => (await testing()).commands),
      ...each([runSavedCall, updateSnapshots, runCallsAfterRestart], async () => (await savedCallTests()).commands),
      ...each([checkCompatibility, showModelView], async () => (await compatibility()).commands),
    },
  };
}

/** Handlers that load what they do with the first of them that runs. */
function each<Id extends CommandId>(ids: readonly Id[], load: () => Promise<Readonly<Record<Id, Handler>>>) {
  const loaded = memoizeAsync(load);
  return Object.fromEntries(
    ids.map((id) => [id, async (argument: unknown) => (await loaded())[id](argument)]),
  ) as Record<Id, Handler>;
}

function lazyTraffic(
  { extensionUri }: ExtensionContext,
  core: Core,
  { calls }: Pick<WorkshopParts, 'calls'>,
  store: DisposableStore,
) {
  return memoizeAsync(async () => {
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
        showCall: async (position) => (await calls()).showCall({ log: log.key, position }),
      }),
    );
  });
}

function lazyDevelopment(core: Core, store: DisposableStore) {
  return memoizeAsync(async () => {
    const { Development } = await import('../development/developServers.ts');
    const { registry, configuration, trust, log, clock, development: states, restartChoices: choices } = core;
    return store.add(new Development({ registry, configuration, trust, states, choices, log, clock }));
  });
}

/** What tests a server, in Test Explorer: its checks and the saved calls. */
function lazyTests(
  context: ExtensionContext,
  core: Core,
  { savedCalls }: Pick<WorkshopParts, 'savedCalls'>,
  store: DisposableStore,
) {
  const { registry, clock, logger, diagnosis, environment, knownSecrets } = core;
  const testing = memoizeAsync(async () => {
    const [{ createTestFeature }, { createWindowProbe }] = await Promise.all([
      import('../testing/testFeature.ts'),
      import('../platform/fileLock.ts'),
    ]);
    const lock = { clock, owner: randomUUID(), reachWindow: createWindowProbe(context.secrets) };
    const { prepare, createTransport } = diagnosis;
    const starting = { prepare, createTransport, environment, knownSecrets };
    return store.add(createTestFeature({ context, registry, ...starting, lock, clock, logger }));
  });
  const savedCallTests = memoizeAsync(async () => {
    const { createSavedCallTests } = await import('../testing/savedCallTests.ts');
    return store.add(createSavedCallTests(core, await savedCalls(), (await testing()).tree));
  });
  return { testing, savedCallTests };
}

/** What other hosts would do with a server. `active`: what its page in front shows. */
function lazyCompatibility({ extensionUri }: ExtensionContext, core: Core, store: DisposableStore) {
  let pages: ReturnType<typeof createCompatibilityPages> | undefined;
  const compatibility = memoizeAsync(async () => {
    const { createCompatibilityPages: create } = await import('../diagnosis/compatibilityPages.ts');
    pages = store.add(create(extensionUri, core.registry, await core.traffic.log(), core.clock, core.logger));
    return pages;
  });
  return { compatibility, active: (): WholeValue | undefined => pages?.active };
}

function follow(
  { registry }: Pick<Core, 'registry'>,
  {
    development,
    testing,
    savedCallTests,
  }: Readonly<Record<'development' | 'testing' | 'savedCallTests', () => Promise<unknown>>>,
  store: DisposableStore,
): void {
  const develop = ({ server }: { readonly server: { readonly state: { readonly kind: string } } }): void => {
    if (server.state.kind === 'running' || server.state.kind === 'failed') void development();
  };
  for (const host of registry.servers) develop(host);
  store.add(registry.onDidChangeState((state) => develop({ server: state })));
  // Test Explorer asks for its items only where there is a controller; a window without servers needs none.
  const show = (): void => void (registry.servers.length > 0 && testing());
  show();
  store.add(registry.onDidChangeServers(show));
  void hasSavedCalls().then((has) => has && savedCallTests());
}

/** The gutter of a file has its tests from the start. */
async function hasSavedCalls(): Promise<boolean> {
  const folders = (workspace.workspaceFolders ?? []).map(({ uri }) => Uri.joinPath(uri, '.vscode', 'mcp-calls.json'));
  const found = await Promise.allSettled(folders.map((uri) => workspace.fs.stat(uri)));
  return found.some(({ status }) => status === 'fulfilled');
}
