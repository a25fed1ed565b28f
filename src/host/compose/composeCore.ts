import { homedir } from 'node:os';
import { type ExtensionContext, ExtensionMode, Uri, window, workspace } from 'vscode';
import type { Clock } from '../../base/clock.ts';
import type { DisposableStore } from '../../base/disposable.ts';
import { isRecord, isString } from '../../base/json.ts';
import type { Logger } from '../../base/logger.ts';
import { memoize } from '../../base/memoize.ts';
import { memoizeAsync } from '../../base/sharedPromise.ts';
import { ManagedServer } from '../../client/server/managedServer.ts';
import { AnswersInRun } from '../../client/serverRequests/answersInRun.ts';
import type { ServerPorts } from '../../client/server/server.ts';
import { Mutes } from '../../client/mutes.ts';
import type { Implementation } from '../../protocol/mcp/base.ts';
import { createTransports } from '../../transport/launch/createTransports.ts';
import { createLaunchPreparation, type PrepareLaunch, createTrustService } from '../configuration/trust.ts';
import { createHttpClients, type HttpClients } from '../platform/httpClients.ts';
import { openFolders } from '../configuration/configurationFiles.ts';
import { ConfigurationService } from '../configuration/configurationService.ts';
import { createDemoSource } from '../configuration/demoServer.ts';
import { InputStore } from '../configuration/inputStore.ts';
import { Requesters } from '../configuration/requester.ts';
import {
  allowQuestionsOnStart,
  createLazyElicitation,
  LazyApprovals,
  LazySampling,
} from '../consent/consentServices.ts';
import { createOpenQuestions } from '../consent/openQuestions.ts';
import { createDefinitions } from '../definitions/definitions.ts';
import type { DebugFeature } from '../development/debugFeature.ts';
import { DebuggedServers } from '../development/debuggedServers.ts';
import type { DiagnosisPorts } from '../diagnosis/diagnoseServer.ts';
import { createChannelLogger } from '../platform/channelLogger.ts';
import { AuditFile } from '../servers/auditFile.ts';
import { DevelopmentStates } from '../servers/developmentStates.ts';
import { RecordedServers } from '../servers/recordedServers.ts';
import { combineTaps } from '../../client/trace/connectionTap.ts';
import { createRestartChoices } from '../servers/restartChoices.ts';
import { createDisabledServers, type DisabledServers } from '../servers/disabledServers.ts';
import { createServerLogs } from '../servers/serverLogs.ts';
import {
  createRememberedContents,
  createRememberedEras,
  createRememberedTasks,
  createServerIdentities,
} from '../servers/serverMemory.ts';
import { ToolFaults } from '../servers/toolFaults.ts';
import { ServerRegistry, type Connect } from '../servers/serverRegistry.ts';
import { createWindowSecrets, type WindowSecrets } from '../servers/windowSecrets.ts';
import { sharedFolders, workspaceRoots } from '../servers/workspaceRoots.ts';
import { createLazyTraffic } from '../traffic/lazyTraffic.ts';
import { createLazySignIns, type LazySignIns } from '../signIn/signIns.ts';
import { createLazyEnvironment, createLazyLedger, createLazyValidator } from './nodeServices.ts';
import type { ConfirmElsewhere } from '../platform/confirmElsewhere.ts';
import { isSwitchedOn } from '../platform/settings.ts';

type Basis = ReturnType<typeof composeConfiguration>;

/** The host without its views: what is configured, what runs, and who answers. */
export type Core = ReturnType<typeof composeCore>;

/** What reads the configuration, and no more: nothing else comes before the files are asked for. */
export function composeConfiguration(context: ExtensionContext, clock: Clock, store: DisposableStore) {
  const channel = memoize(() => store.add(window.createOutputChannel('Patchbay', { log: true })));
  const logger = createChannelLogger(channel);
  const environment = createLazyEnvironment(clock, logger);
  const inputs = store.add(new InputStore(context));
  const demo = createDemoSource(context.extensionUri, process.execPath, context.workspaceState);
  const configuration = store.add(
    new ConfigurationService({ demo, inputs, environment, userHome: homedir(), clock, logger }),
  );
  return { clock, channel, logger, environment, inputs, configuration };
}

/**
 * Builds the core, each part after those it uses. What is released quickly goes into `store`; processes and files end with
 * {@link endCore}.
 */
export function composeCore(context: ExtensionContext, basis: Basis, store: DisposableStore) {
  const { workspaceState } = context;
  const basics = composeBasics(context, basis, store);
  const { clientInfo, clock, logger, log, audit, environment, configuration, trust, requesters, knownSecrets } = basics;
  const http = store.add(createHttpClients(`patchbay/${clientInfo.version}`));
  const identityOf = (label: string): string | undefined => registry.get(label)?.server.identity;
  const consent = composeConsent(context, { ...basics, http, identityOf }, store);
  const { questions, mutes, validator, approvals, sampling, elicitation, answersInRun, asking } = consent;
  const definitions = store.add(
    createDefinitions({ folder: pathOf(context, 'definitions'), audit, logger, isTest: asking.isTest }),
  );
  const signIns = store.add(
    createLazySignIns({ ...asking, requesters, context, configuration, trust, log, http: http.shared }),
  );
  const ledger = createLazyLedger(context.globalStorageUri, clock);
  const network = { clock, platform: process.platform, environment, random: Math.random };
  const authorizerFor = keepTokens(signIns.authorizerFor, knownSecrets);
  const createTransport = createTransports({ ...network, loadHttp: http.load, ledger, authorizerFor });
  const { debugging, debugged } = composeDebugging(context, basics, () => registry, store);
  const known = {
    toolFaults: store.add(new ToolFaults()),
    development: store.add(new DevelopmentStates()),
    recorded: store.add(new RecordedServers()),
  };
  const ports: ServerPorts = {
    clientInfo,
    clock,
    random: Math.random,
    audit,
    contentsMemory: store.add(createRememberedContents(workspaceState, clock)),
    identities: createServerIdentities(workspaceState),
    strategies: createRememberedEras(workspaceState),
    taskMemory: createRememberedTasks(workspaceState),
    guard: definitions,
    toolCalls: { validator, approve: approvals.approve },
    clientFeatures: answersInRun.before({
      roots: (label) => workspaceRoots(configuration.get(label)?.options.roots),
      sampling: sampling.handle,
      elicitation: elicitation.handle,
      mutes,
      apps: () => isSwitchedOn('apps.enabled'),
    }),
    createTransport: basics.traffic.readyBefore(debugged.follow(createTransport)),
    tap: combineTaps([basics.traffic.tap, known.recorded.tap]),
    knownSecrets: knownSecrets.current,
  };
  const connect: Connect = (server) => new ManagedServer({ ...server, ports, logger: log(server.label) });
  const plan = createLaunchPreparation(configuration, trust);
  const disabled = createDisabledServers(workspaceState, () => registry.servers.map(({ configured }) => configured));
  const flags = { ...known, questions, mutes, signIns: signIns.state, disabled, debugged };
  const prepare = keepPlans(plan, knownSecrets);
  const registry: ServerRegistry = store.add(new ServerRegistry(connect, configuration, prepare, requesters, flags));
  // The one circle: connections of the registry ask `signIns` to sign in, and signing in asks for the state of a server.
  signIns.follow(registry);
  store.add(allowQuestionsOnStart(registry, mutes));
  const reaching = { ...network, http: http.shared, createTransport };
  const diagnosis = composeDiagnosis(plan, disabled, basics, reaching);
  const running = { registry, disabled, definitions, signIns, http, ledger, diagnosis, debugging, debugged };
  return { ...basics, ...consent, ...known, ...running };
}

/** What those need who build a server, as far as servers depend on it. */
function composeDebugging(
  { extensionUri }: ExtensionContext,
  { clock, log }: ReturnType<typeof composeBasics>,
  registry: () => ServerRegistry,
  store: DisposableStore,
) {
  const debugging = memoizeAsync(async (): Promise<DebugFeature> => {
    const { DebugFeature: Feature } = await import('../development/debugFeature.ts');
    return store.add(new Feature({ registry: registry(), debugged, extensionUri, clock, log }));
  });
  const debugged: DebuggedServers = store.add(new DebuggedServers(async () => (await debugging()).createTransport));
  return { debugging, debugged };
}

/** Only a person's own command diagnoses, so they may be asked. */
function composeDiagnosis(
  plan: PrepareLaunch,
  disabled: DisabledServers,
  { clientInfo, environment, knownSecrets }: ReturnType<typeof composeBasics>,
  reaching: Omit<DiagnosisPorts, 'network' | 'environments' | 'clientInfo' | 'prepare' | 'launched'>,
): Omit<DiagnosisPorts, 'network'> {
  return {
    ...reaching,
    clientInfo,
    // A diagnosis compares the environment of the editor with that of the servers.
    environments: async () => ({ editor: process.env, login: await environment() }),
    prepare(server, signal) {
      const refusal = disabled.refusal(server);
      return refusal === undefined ? plan(server, () => 'person', signal) : Promise.reject(refusal);
    },
    launched: (label) => knownSecrets.plans.get(label),
  };
}

/** Keeps what servers were started with: their secrets must not leave unseen. */
function keepPlans(plan: PrepareLaunch, { plans, collector }: WindowSecrets): PrepareLaunch {
  return async (server, ...asked) => {
    const made = await plan(server, ...asked);
    plans.set(server.label, made);
    // Also the env files of the folders, for what cannot wait for them.
    void collector().then((loaded) => loaded.collect());
    return made;
  };
}

/** The tokens of sign-ins must not leave unseen either. */
function keepTokens(authorizerFor: LazySignIns['authorizerFor'], { tokens }: WindowSecrets): typeof authorizerFor {
  return async (plan) => {
    const authorizer = await authorizerFor(plan);
    if (authorizer !== undefined) tokens.set(plan.label ?? '', authorizer.secrets);
    return authorizer;
  };
}

/** What needs no server beside the configuration: logs and trust. */
function composeBasics(context: ExtensionContext, basis: Basis, store: DisposableStore) {
  const { clock, logger, environment, configuration } = basis;
  // Listed in the panel "Output" from now on, even if nothing is ever written.
  const channel = basis.channel();
  const logs = store.add(createServerLogs(clock));
  const log = (label: string): Logger => logs.logger(label);
  const folders = (): readonly Uri[] => (workspace.workspaceFolders ?? []).map(({ uri }) => uri);
  const pause = (): Promise<void> => new Promise((resolve) => void clock.after(0, resolve));
  const knownSecrets = createWindowSecrets(folders, pause);
  const loadRedact = async () => (await knownSecrets.collector()).redact;
  const audit = new AuditFile(pathOf(context, 'audit.jsonl'), () => clock.now(), logger, loadRedact);
  const trust = store.add(
    createTrustService({
      workspaceState: context.workspaceState,
      globalState: context.globalState,
      isTest: isTestRun(context),
      platform: process.platform,
      folders: () => openFolders().map(({ path }) => path),
      environment,
      sharedPaths: (choice) => sharedFolders(choice).map(({ uri }) => uri.fsPath),
      lookAlike: configuration.lookAlike,
    }),
  );
  const traffic = createLazyTraffic(clock);
  const requesters = new Requesters();
  const restartChoices = createRestartChoices(context.workspaceState);
  const showLog = (): void => channel.show();
  // Loaded with the first command that a keybinding or another extension runs.
  const confirmation = memoizeAsync(async () => {
    const { createConfirmElsewhere } = await import('../platform/confirmElsewhere.ts');
    return createConfirmElsewhere(clock, isTestRun(context));
  });
  const confirmElsewhere: ConfirmElsewhere = async (...asked) => (await confirmation())(...asked);
  const own = { confirmElsewhere, restartChoices, logs, log, audit, traffic, trust, requesters, knownSecrets, showLog };
  return { ...basis, clientInfo: extensionIdentity(context), ...own };
}

/** Everything that asks the person on behalf of a server. `asking` is what each of these needs. */
function composeConsent(
  context: ExtensionContext,
  basics: ReturnType<typeof composeBasics> & {
    readonly http: HttpClients;
    /** Who has a label now: see `Server.identity`. */
    readonly identityOf: (label: string) => string | undefined;
  },
  store: DisposableStore,
) {
  const { extensionUri, secrets, workspaceState, globalStorageUri } = context;
  const { clock, audit, log, logger, configuration, http, knownSecrets, identityOf } = basics;
  const isTest = isTestRun(context);
  const questions = store.add(createOpenQuestions());
  const mutes = store.add(new Mutes(audit, log));
  const validator = store.add(createLazyValidator(extensionUri, clock));
  const asking = { extensionUri, isTest, clock, audit, questions, lookAlike: configuration.lookAlike };
  const chosenModels = memoizeAsync(async () => {
    const { createChosenModels } = await import('../consent/chosenModels.ts');
    return store.add(createChosenModels(workspaceState, identityOf));
  });
  const sampling = store.add(
    new LazySampling({
      ...asking,
      secrets,
      logger,
      chosenModels,
      http: http.shared,
      knownSecrets,
      roots: (label) => sharedFolders(configuration.get(label)?.options.roots).map(({ uri }) => uri.fsPath),
      paths: {
        rules: pathOf(context, 'sampling-rules.json'),
        budget: Uri.joinPath(globalStorageUri, 'tokens-today.json').fsPath,
      },
    }),
  );
  const approvals = store.add(
    new LazyApprovals({ isTest, clock, secrets, mutes, path: pathOf(context, 'tool-approvals.json') }),
  );
  const elicitation = store.add(createLazyElicitation({ ...asking, validator }));
  const answersInRun = new AnswersInRun(audit);
  return { asking, questions, mutes, validator, sampling, chosenModels, approvals, elicitation, answersInRun };
}

export async function endCore({
  registry,
  audit,
  recorded,
}: Pick<Core, 'registry' | 'audit' | 'recorded'>): Promise<void> {
  await registry.end();
  await recorded.written;
  // After the servers, so that their end is recorded too.
  await audit.dispose();
}

function isTestRun({ extensionMode }: ExtensionContext): boolean {
  return extensionMode === ExtensionMode.Test;
}

/** A file beside the workspace's other state; windows without a folder share one. */
export function pathOf({ storageUri, globalStorageUri }: ExtensionContext, name: string): string {
  return Uri.joinPath(storageUri ?? globalStorageUri, name).fsPath;
}

/** Name and version from the manifest, which every server gets in the handshake. */
function extensionIdentity(context: ExtensionContext): Implementation {
  const manifest: unknown = context.extension.packageJSON;
  const version = isRecord(manifest) && isString(manifest['version']) ? manifest['version'] : '0.0.0';
  return { name: 'patchbay', title: 'Patchbay', version };
}
