import { type ExtensionContext, type Memento, window } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import { memoizeAsync } from '../../base/sharedPromise.ts';
import { registerAudit } from '../servers/registerAudit.ts';
import { registerSignIn } from '../signIn/registerSignIn.ts';
import { CommandIds } from '../commandIds.ts';
import { keepOwnLanguages } from '../platform/documents.ts';
import { registerCommand } from '../platform/registerCommand.ts';
import { createServerActions } from '../servers/serverActions.ts';
import { attachLogs } from '../servers/serverLogs.ts';
import type { AddressSeal, AddressSealOptions } from '../platform/addressSeal.ts';
import type { HostServer } from '../servers/serverRegistry.ts';
import { registerServerCommands } from '../sidebar/registerServerCommands.ts';
import { type Core, pathOf } from './composeCore.ts';
import type { FollowUpsOptions } from './followUps.ts';
import { registerConfigurationFeatures } from '../configuration/registerConfiguration.ts';
import { registerDefinitions } from '../definitions/registerDefinitions.ts';
import { registerModels } from '../models/registerModels.ts';
import { registerDiagnosis } from '../diagnosis/registerDiagnosis.ts';
import type { ModelAskerOptions } from '../invocation/askModel.ts';
import type { AskModel } from '../invocation/modelQuestion.ts';
import type { ResultDocument } from '../results/resultDocument.ts';
import { registerPrompts } from '../prompts/registerPrompts.ts';
import { registerResources } from '../resources/registerResources.ts';
import { registerOpenWhole } from '../results/registerOpenWhole.ts';
import { registerShowMarkdown } from '../results/showMarkdown.ts';
import type { WholeValue } from '../results/wholeDocuments.ts';
import { registerSkills } from '../skills/registerSkills.ts';
import { registerTasks } from '../tasks/registerTasks.ts';
import type { SavedCalls } from '../calls/savedCallStore.ts';
import { createSavedCallRows } from '../calls/savedCallRows.ts';
import { registerApps, type RegisterAppsOptions } from '../apps/registerApps.ts';
import { type RegisteredTools, registerTools, type RegisterToolsOptions } from '../tools/registerTools.ts';

import { createItemMarks } from '../definitions/itemMarks.ts';
import { createLazyDetails } from '../sidebar/lazyDetails.ts';
import { createServerIcons } from '../icons/serverIcons.ts';
import { createServersView, serversViewId } from '../sidebar/serversView.ts';
import { createStatusBar } from '../sidebar/statusBar.ts';

/**
 * Builds all a person meets on top of the core.
 * @param ready settled when the configuration was read once
 */
export function composeViews(context: ExtensionContext, core: Core, ready: Promise<void>): Disposable {
  const { clock, logger, registry, signIns } = core;
  const { extensionUri, workspaceState: storage } = context;
  const store = new DisposableStore();
  store.add(keepOwnLanguages(logger));
  const signInAgain = async (label: string): Promise<boolean> =>
    (await signIns.service()).signInAgain(label, new AbortController().signal);
  const actions = createServerActions({ registry, viewId: serversViewId, signInAgain, logger });
  const problemCount = (): number => core.configuration.snapshot.problemCount;
  const marks = createItemMarks();
  const definitions = store.add(registerDefinitions({ ...core, marks, storage, random: Math.random, ready }));
  const look: typeof definitions.markViewed = (...list) => definitions.markViewed(...list);
  const icons = store.add(createServerIcons({ registry, http: core.http.shared, clock }));
  const savedCalls = lazySavedCalls(core, store);
  const rows = { marks, icons, savedCalls: createSavedCallRows(savedCalls) };
  const view = store.add(createServersView({ ...core, ...rows, actions, problemCount, look, ready }));
  const appAnswers = lazyAppAnswers(storage, store);
  const details = store.add(createLazyDetails({ ...core, appAnswers }));
  const panels = memoizeAsync(async () =>
    store.add((await import('../results/resultPanel.ts')).createResultPanels({ extensionUri, logger, storage })),
  );
  const show = (document: ResultDocument): void => void panels().then((loaded) => loaded.show(document));
  store.add(createStatusBar(registry, clock));
  store.add(attachLogs(registry, core.logs));
  const reveal = (label: string): Promise<void> => view.reveal(label);
  const showInstructions = async (hostServer: HostServer): Promise<void> =>
    show((await import('../results/resultActions.ts')).instructionsDocument(hostServer));
  store.add(registerServerCommands({ ...core, actions, view, details, showInstructions }));
  store.add(
    registerConfigurationFeatures({
      ...core,
      ready,
      reveal,
      start: (label) => actions.start(label),
    }),
  );
  const { feature, apps } = composeApps(context, { ...core, answers: appAnswers }, show, store);
  const ofTools = { loadApps: apps.load, ...toolPorts(context, core), view, savedCalls };
  const tools = composeFeatures(feature, ofTools, lazySeals(context, core, ready), store);
  store.add(registerSignIn({ ...core, actions, signIns: signIns.service }));
  store.add(registerDiagnosis(core));
  store.add(registerAudit({ ...core, extensionUri }));
  const active = async (): Promise<WholeValue | undefined> =>
    (await panels()).active ?? tools.active ?? details.active();
  store.add(registerOpenWhole({ logger, clock, active }));
  store.add(registerShowMarkdown({ logger, panels }));
  const usedKeys = core.knownSecrets.modelKeys;
  store.add(registerModels({ ...core, secrets: context.secrets, http: core.http.shared, usedKeys }));
  store.add(registerCommand(core, CommandIds.showQuestion, () => showQuestion(core)));
  store.add(registerCommand(core, CommandIds.endLeftoverProcesses, () => endLeftovers(core)));
  void ready.then(() => composeFollowUps({ ...core, actions, reveal }, appAnswers, store));
  return store;
}

/** Apps and questions to models: each needs the other. */
function composeApps(
  context: ExtensionContext,
  core: Core & Pick<RegisterAppsOptions, 'answers'>,
  show: (document: ResultDocument) => void,
  store: DisposableStore,
) {
  const { extensionUri, workspaceState: storage } = context;
  const { registry, clock, logger, clientInfo: hostInfo } = core;
  const askModel = createAskModel(core, store, (server) => apps.contextOf(server));
  const historyFolder = pathOf(context, 'tool-calls');
  const { confirmElsewhere } = core;
  const feature = { registry, show, storage, clock, logger, confirmElsewhere, askModel, historyFolder };
  const serverLogger = (label: string): Logger => core.logs.logger(label);
  const sampling = core.sampling.handle;
  const apps = store.add(registerApps({ ...core, ...feature, hostInfo, extensionUri, serverLogger, sampling }));
  return { feature, apps };
}

async function composeFollowUps(
  core: Core & Pick<FollowUpsOptions, 'actions' | 'reveal'>,
  appAnswers: RegisterAppsOptions['answers'],
  store: DisposableStore,
): Promise<void> {
  const [{ createFollowUps }, chosenModels, apps] = await Promise.all([
    import('./followUps.ts'),
    core.chosenModels(),
    appAnswers(),
  ]);
  store.add(createFollowUps({ ...core, chosenModels, apps }));
}

/** Loaded with what lists them, or with the first app. */
function lazyAppAnswers(storage: Memento, store: DisposableStore): RegisterAppsOptions['answers'] {
  return memoizeAsync(async () => {
    const { createAppAnswers } = await import('../apps/appAnswers.ts');
    return store.add(createAppAnswers(storage));
  });
}

/** Loaded with the first row of a tool. */
function lazySavedCalls(
  { knownSecrets: secrets, clock, logger }: Core,
  store: DisposableStore,
): () => Promise<SavedCalls> {
  return memoizeAsync(async () => {
    const { createWorkspaceSavedCalls } = await import('../calls/workspaceSavedCalls.ts');
    return store.add(createWorkspaceSavedCalls({ secrets, clock, logger }));
  });
}

/** What a person does with what servers offer. */
function composeFeatures(
  feature: ReturnType<typeof composeApps>['feature'],
  ofTools: Omit<RegisterToolsOptions, keyof typeof feature | 'loadSeal'>,
  seals: ReturnType<typeof lazySeals>,
  store: DisposableStore,
): RegisteredTools {
  store.add(registerPrompts(feature));
  const tools = store.add(registerTools({ ...feature, ...ofTools, ...seals.tools }));
  store.add(registerTasks(feature));
  store.add(registerResources({ ...feature, ...seals.contents }));
  store.add(registerSkills({ ...feature, ...seals.contents }));
  return tools;
}

/** Each is loaded with the first document that it seals. */
function lazySeals(context: ExtensionContext, { registry, logger, knownSecrets }: Core, ready: Promise<void>) {
  const load = memoizeAsync(async () => {
    const { createAddressSeal, loadAddressKey } = await import('../platform/addressSeal.ts');
    const key = await loadAddressKey(pathOf(context, 'addresses.key'), logger);
    return (definitionOf: AddressSealOptions['definitionOf']) => createAddressSeal({ key, definitionOf });
  });
  return {
    contents: {
      knownSecrets,
      documentsFolder: pathOf(context, 'documents'),
      loadSeal: async (): Promise<AddressSeal> => {
        // No address holds before its server is known.
        await ready;
        return (await load())((server) => registry.get(server)?.server.identity);
      },
    },
    // What was typed for a tool stays readable whatever becomes of its server.
    tools: { loadSeal: async (): Promise<AddressSeal> => (await load())(() => '') },
  };
}

function toolPorts(context: ExtensionContext, { knownSecrets, traces, signIns, validator }: Core) {
  return {
    extensionUri: context.extensionUri,
    folder: pathOf(context, 'tool-arguments'),
    knownSecrets,
    traces,
    validator,
    isSignedIn: (label: string) => signIns.state.authorization(label) !== undefined,
  };
}

/** Loaded with the person's first question to a model, which passes the same gate as a server's. */
function createAskModel(
  { sampling, clock }: Core,
  store: DisposableStore,
  appContext: ModelAskerOptions['appContext'],
): AskModel {
  const load = memoizeAsync(async () => {
    const { createModelAsker } = await import('../invocation/askModel.ts');
    return store.add(createModelAsker({ ask: sampling.ask, clock, appContext }));
  });
  return async (subject) => (await load()).askModel(subject);
}

async function showQuestion({ questions }: Core): Promise<void> {
  if (!questions.reveal()) await window.showInformationMessage('No server is waiting for an answer from you.');
}

async function endLeftovers(core: Core): Promise<void> {
  const { chooseLeftovers } = await import('../servers/leftoverProcesses.ts');
  await chooseLeftovers(core);
}
