import { type ExtensionContext, type WebviewPanel, window } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { memoizeAsync } from '../../base/sharedPromise.ts';
import { commandGroups, CommandIds } from '../commandIds.ts';
import { keepOwnLanguages } from '../platform/documents.ts';
import { registerCommand, registerCommands } from '../platform/registerCommand.ts';
import { createServerActions, type ServerActions } from '../servers/serverActions.ts';
import { attachLogs } from '../servers/serverLogs.ts';
import type { Core } from './composeCore.ts';
import { composeFeatures } from './composeFeatures.ts';
import { registerWorkshop } from './registerWorkshop.ts';
import type { RegisteredTools } from '../tools/registerTools.ts';
import { followMarks } from '../definitions/definitions.ts';
import type { ModelsView } from '../models/modelsView.ts';
import type { DetailsPages } from '../sidebar/detailsPages.ts';
import type { AppAnswers } from '../apps/appAnswers.ts';
import type { ResultDocument } from '../results/resultDocument.ts';
import type { ResultPanels } from '../results/resultPanel.ts';
import type { WholeValue } from '../results/wholeDocuments.ts';
import type { SavedCalls } from '../calls/savedCallStore.ts';
import { createSavedCallRows } from '../calls/savedCallRows.ts';
import { ItemMarks } from '../definitions/itemMarks.ts';
import type { ProblemPlace } from '../servers/serverNodes.ts';
import type { ServerCommandsOptions } from '../sidebar/serverCommands.ts';
import { createLazyIcons } from '../icons/lazyIcons.ts';
import { createServersView, type ServersView, serversViewId } from '../sidebar/serversView.ts';
import { createStatusBar } from '../sidebar/statusBar.ts';

/**
 * Builds all a person meets on top of the core.
 * @param ready settled when the configuration was read once
 */
export function composeViews(context: ExtensionContext, core: Core, ready: Promise<void>): Disposable {
  const { clock, logger, registry, signIns, configuration, definitions } = core;
  const { extensionUri, workspaceState: storage } = context;
  const store = new DisposableStore();
  store.add(keepOwnLanguages(logger));
  const signInAgain = async (label: string): Promise<boolean> =>
    (await signIns.service()).signInAgain(label, new AbortController().signal);
  const actions = createServerActions(registry, serversViewId, signInAgain, logger);
  const problemCount = (place: ProblemPlace): number => configuration.snapshot.problemCount[place];
  const marks = new ItemMarks();
  const following = { registry, definitions, marks, storage, random: Math.random, clock, logger };
  const look = followMarks(following, ready, store);
  const icons = store.add(createLazyIcons({ registry, http: core.http.shared, clock }));
  // Loaded with the first row of a tool.
  const savedCalls = memoizeAsync(async () => {
    const { SavedCalls } = await import('../calls/savedCallStore.ts');
    const calls = store.add(new SavedCalls(core.knownSecrets, clock, logger));
    calls.onDidChange(() => void workshop.showSavedCallTests());
    return calls;
  });
  const building = { actions, calls: () => features.calls(), savedCalls };
  const workshop = registerWorkshop(context, core, building, ready, store);
  const rows = { marks, icons, savedCalls: createSavedCallRows(savedCalls) };
  const view = store.add(createServersView({ registry, clock, ...rows, actions, problemCount, look, ready }));
  const reveal = (label: string): Promise<void> => view.reveal(label);
  const startServers = lazyStartAll(context, core, actions, store);
  const appAnswers = lazyAppAnswers(storage, store);
  const details = lazyDetails(context, { ...core, restarts: workshop.restarts }, appAnswers, ready, store);
  const panels = memoizeAsync(async () => {
    const { createResultPanels } = await import('../results/resultPanel.ts');
    return store.add(createResultPanels(extensionUri, { logger, storage }));
  });
  const show = (document: ResultDocument): void => void panels().then((loaded) => loaded.show(document));
  store.add(createStatusBar(registry, clock, view));
  store.add(attachLogs(registry, core.logs));
  registerServers(core, { actions, view, details, show, startServers }, context.workspaceState, store);
  registerManaging(core, savedCalls, view, store);
  const { showTraffic } = workshop;
  const features: RegisteredTools = composeFeatures(
    context,
    core,
    { show, appAnswers, savedCalls, showTraffic },
    ready,
    store,
  );
  const diagnosis = registerPanels(context, core, ready, store);
  const active = async (): Promise<WholeValue | undefined> =>
    (await panels()).active ??
    features.active ??
    (await details()).active ??
    (await diagnosis()).active ??
    workshop.active();
  registerResults(core, panels, active, store);
  void ready.then(async () => {
    const { addFollowUps } = await import('./followUps.ts');
    await addFollowUps(core, { actions, marks, reveal, startServers, appAnswers, restarts: workshop.restarts }, store);
  });
  return store;
}

/** Pages with the details of servers and items. Restored ones wait for the configuration. */
function lazyDetails(
  { extensionUri }: ExtensionContext,
  sources: Core & Pick<ReturnType<typeof registerWorkshop>, 'restarts'>,
  appAnswers: () => Promise<AppAnswers>,
  ready: Promise<void>,
  store: DisposableStore,
): () => Promise<DetailsPages> {
  const details = memoizeAsync(async () => {
    const { DetailsPages: Loaded } = await import('../sidebar/detailsPages.ts');
    return store.add(new Loaded(extensionUri, sources, appAnswers));
  });
  const deserializeWebviewPanel = async (panel: WebviewPanel, state: unknown): Promise<void> => {
    await ready;
    await (await details()).restore(panel, state);
  };
  store.add(window.registerWebviewPanelSerializer('patchbay.details', { deserializeWebviewPanel }));
  return details;
}

/** Loaded with what lists them, or with the first app. */
function lazyAppAnswers(
  storage: ExtensionContext['workspaceState'],
  store: DisposableStore,
): () => Promise<AppAnswers> {
  return memoizeAsync(async () => {
    const { AppAnswers: Loaded } = await import('../apps/appAnswers.ts');
    return store.add(new Loaded(storage));
  });
}

/** What the tab in front shows, whole, or drawn. */
function registerResults(
  core: Core,
  panels: () => Promise<ResultPanels>,
  active: () => Promise<WholeValue | undefined>,
  store: DisposableStore,
): void {
  const results = memoizeAsync(async () => {
    const [{ createWholeDocuments }, { followMarkdown, showMarkdown }, shown] = await Promise.all([
      import('../results/wholeDocuments.ts'),
      import('../results/textResults.ts'),
      panels(),
    ]);
    const documents = store.add(createWholeDocuments(core.clock, active));
    store.add(followMarkdown(shown));
    return {
      [CommandIds.openWhole]: (given: unknown) => documents.open(given),
      [CommandIds.showMarkdown]: () => showMarkdown(shown),
    };
  });
  store.add(registerCommands(core, [CommandIds.openWhole, CommandIds.showMarkdown], results));
}

/** Removing, renaming and the like. */
function registerManaging(
  core: Core,
  savedCalls: () => Promise<SavedCalls>,
  view: Pick<ServersView, 'reveal' | 'focused'>,
  store: DisposableStore,
): void {
  const managing = memoizeAsync(async () => {
    const { createManageCommands } = await import('../servers/manageServers.ts');
    return createManageCommands({ ...core, savedCalls, reveal: view.reveal });
  });
  const focused = async (): Promise<object | undefined> => {
    const row = view.focused();
    return row?.kind === 'server' ? row : undefined;
  };
  store.add(registerCommands({ ...core, focused }, commandGroups.manage, managing));
}

/** Loaded with the first start of several. */
function lazyStartAll(
  { extensionUri }: ExtensionContext,
  { registry, configuration, trust }: Core,
  actions: ServerActions,
  store: DisposableStore,
): ServerCommandsOptions['startServers'] {
  const load = memoizeAsync(async () => {
    const { createStartAll } = await import('../servers/startAll.ts');
    return store.add(createStartAll({ registry, actions, configuration, trust, extensionUri }));
  });
  return async (labels) => (await load()).start(labels);
}

function registerServers(
  core: Core,
  views: Pick<ServerCommandsOptions, 'actions' | 'view' | 'details' | 'show' | 'startServers'>,
  workspaceState: ExtensionContext['workspaceState'],
  store: DisposableStore,
): void {
  const { registry, logs, mutes, showLog, clock, configuration, inputs, trust, definitions, signIns } = core;
  const { actions, view, startServers } = views;
  const aboutServers = memoizeAsync(async () => {
    const { createServerCommands } = await import('../sidebar/serverCommands.ts');
    return createServerCommands({ registry, logs, mutes, showLog, clock, ...views });
  });
  store.add(registerCommands(core, commandGroups.servers, aboutServers));
  const aboutConfiguration = memoizeAsync(async () => {
    const { createConfigurationCommands } = await import('../configuration/configurationCommands.ts');
    const start = (label: string): Promise<void> => view.start(label);
    const reveal = (label: string): Promise<void> => view.reveal(label);
    const kept = { inputs, trust, definitions, workspaceState };
    return createConfigurationCommands({ configuration, ...kept, reveal, start, startServers });
  });
  store.add(registerCommands(core, commandGroups.configuration, aboutConfiguration));
  const aboutSignIns = memoizeAsync(async () => {
    const { createSignInCommands } = await import('../signIn/signInCommands.ts');
    return createSignInCommands(registry, actions, signIns.service);
  });
  store.add(registerCommands(core, commandGroups.signIns, aboutSignIns));
}

/** The diagnosis of a server, the audit log, models and the open question. @returns the first of them */
function registerPanels(
  { extensionUri, secrets }: ExtensionContext,
  core: Core,
  ready: Promise<void>,
  store: DisposableStore,
) {
  const { registry, configuration, audit, clock, logger, http, questions } = core;
  const diagnosis = memoizeAsync(async () => {
    const { createDiagnosisPages } = await import('../diagnosis/diagnosisPages.ts');
    const problemsIn = (file = '') => configuration.snapshot.files.get(file)?.problems ?? [];
    return store.add(createDiagnosisPages(extensionUri, logger, core.diagnosis, registry, problemsIn));
  });
  const diagnosisCommands = [CommandIds.diagnoseServer, CommandIds.showWhy] as const;
  store.add(registerCommands(core, diagnosisCommands, async () => (await diagnosis()).commands));
  const auditPanel = memoizeAsync(async () =>
    store.add((await import('../servers/auditPanel.ts')).createAuditPanel(extensionUri, audit, clock, logger)),
  );
  store.add(registerCommand(core, CommandIds.showAuditLog, async () => (await auditPanel()).show()));
  let modelsView: ModelsView | undefined;
  const models = memoizeAsync(async () => {
    const { createModelCommands } = await import('../models/manageModels.ts');
    return createModelCommands({ logger, clock, secrets, http: http.shared });
  });
  const focused = async (): Promise<object | undefined> => modelsView?.focused();
  store.add(registerCommands({ ...core, focused }, commandGroups.models, models));
  void ready.then(async () => {
    const { createModelsView } = await import('../models/modelsView.ts');
    modelsView = store.add(createModelsView(async () => (await models()).rows(), clock));
  });
  store.add(
    registerCommand(core, CommandIds.showQuestion, async () => {
      if (!questions.reveal()) await window.showInformationMessage('No server is waiting for an answer from you.');
    }),
  );
  return diagnosis;
}
