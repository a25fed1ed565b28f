import { homedir } from 'node:os';
import { commands, type ExtensionContext, ExtensionMode, Uri, window, workspace } from 'vscode';
import type { Clock } from '../../base/clock.ts';
import type { Disposable, DisposableStore } from '../../base/disposable.ts';
import { isRecord, isString } from '../../base/json.ts';
import type { Logger } from '../../base/logger.ts';
import { memoizeAsync } from '../../base/sharedPromise.ts';
import { type ClientManager, createClientManager } from '../../client/server/clientManager.ts';
import { createQuestionMutes, type QuestionMutes } from '../../client/serverRequests/questionMutes.ts';
import type { SchemaValidator } from '../../client/validation/schemaValidator.ts';
import type { Implementation } from '../../protocol/mcp/base.ts';
import { createTransports } from '../../transport/launch/createTransports.ts';
import type { ProcessLedger } from '../../transport/stdio/processLedger.ts';
import { CommandIds } from '../commandIds.ts';
import { openConfiguration, openFolders } from '../configuration/configurationFiles.ts';
import { type ConfigurationService, createConfigurationService } from '../configuration/configurationService.ts';
import { createDemoSource } from '../configuration/demoServer.ts';
import { createInputStore, type InputStore } from '../configuration/inputStore.ts';
import { createRequesters, type Requesters } from '../configuration/requester.ts';
import {
  createLaunchPreparation,
  createTrustService,
  type RootsSharing,
  type TrustService,
} from '../configuration/trust.ts';
import {
  createLazyApprovals,
  createLazyElicitation,
  createLazySampling,
  type LazyApprovals,
  type LazyElicitation,
  type LazySampling,
} from '../consent/consentServices.ts';
import { createOpenQuestions, type OpenQuestions } from '../consent/openQuestions.ts';
import { createLazyDefinitions, type LazyDefinitions } from '../definitions/lazyDefinitions.ts';
import type { DiagnosisPorts } from '../diagnosis/diagnoseServer.ts';
import { createChannelLogger } from '../platform/channelLogger.ts';
import { type AuditFile, createAuditFile } from '../servers/auditFile.ts';
import { createMessageTraces, type MessageTraces } from '../servers/messageTraces.ts';
import { createServerLogs, type ServerLogs } from '../servers/serverLogs.ts';
import { createRememberedContents, createRememberedEras, createRememberedTasks } from '../servers/serverMemory.ts';
import { createServerRegistry, type ServerRegistry } from '../servers/serverRegistry.ts';
import { sharedFolders, workspaceRoots } from '../servers/workspaceRoots.ts';
import { createLazySignIns, type LazySignIns } from '../signIn/signIns.ts';
import { createSchemaChecks } from './schemaChecks.ts';

/** The host without its views: what is configured, what runs, and who answers. */
export interface Core {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly logs: ServerLogs;
  readonly traces: MessageTraces;
  readonly audit: AuditFile;
  readonly inputs: InputStore;
  readonly trust: TrustService;
  readonly configuration: ConfigurationService;
  readonly questions: OpenQuestions;
  readonly mutes: QuestionMutes;
  readonly validator: SchemaValidator;
  readonly definitions: LazyDefinitions;
  readonly sampling: LazySampling;
  readonly approvals: LazyApprovals;
  readonly signIns: LazySignIns;
  readonly manager: ClientManager;
  readonly registry: ServerRegistry;
  readonly diagnosis: DiagnosisPorts;
  /** Nothing on Windows, which cannot tell whose process one was. */
  readonly ledger: () => Promise<ProcessLedger | undefined>;
  readonly showLog: () => void;
}

/** Builds the core. What is quickly released goes into `store`; processes and files end with {@link endCore}. */
export function composeCore(context: ExtensionContext, clock: Clock, store: DisposableStore): Core {
  const { workspaceState, globalState, secrets, extensionUri } = context;
  const channel = store.add(window.createOutputChannel('Patchbay', { log: true }));
  const logger = createChannelLogger(channel);
  const logs = store.add(createServerLogs(clock));
  const isTraceWanted = (label: string): boolean => servers.registry.get(label)?.configured.options.trace === true;
  const traces = store.add(createMessageTraces(isTraceWanted));
  const { platform } = process;
  const environment = createLazyEnvironment(clock, logger);
  const requesters = createRequesters();
  const isTest = context.extensionMode === ExtensionMode.Test;
  const inputs = createInputStore({ secrets, workspaceState, globalState });
  const lookAlike = (label: string): string | undefined => getRegistry().get(label)?.lookAlike;
  const rootsParts = (): RootsParts => ({ registry: getRegistry(), configuration });
  const trust = store.add(composeTrust(context, environment, lookAlike, rootsParts));
  const demo = createDemoSource(extensionUri, process.execPath);
  const files = { demo, inputs, environment, userHome: homedir(), clock, logger };
  const configuration = store.add(createConfigurationService(files));
  const audit = createAuditFile(pathOf(context, 'audit.jsonl'), () => clock.now(), logger);
  const questions = store.add(createOpenQuestions());
  const mutes = store.add(createQuestionMutes(audit, (label) => logs.logger(label)));
  const validator = store.add(createSchemaChecks(extensionUri, clock));
  const consent = { extensionUri, isTest, clock, audit, questions, lookAlike };
  const sampling = store.add(createLazySampling(consent));
  const approvals = store.add(createLazyApprovals(isTest));
  const elicitation = store.add(createLazyElicitation({ ...consent, validator }));
  const definitions = store.add(
    createLazyDefinitions({ folder: pathOf(context, 'definitions'), audit, logger, isTest }),
  );
  const network = { clock, platform, environment, fetch, random: Math.random };
  const log = (label: string): Logger => logs.logger(label);
  const getRegistry = (): ServerRegistry => servers.registry;
  const signIns = store.add(
    createLazySignIns({ ...consent, requesters, context, configuration, trust, registry: getRegistry, log, fetch }),
  );
  const services = {
    clock,
    logger,
    logs,
    traces,
    audit,
    inputs,
    trust,
    configuration,
    questions,
    mutes,
    definitions,
    sampling,
    approvals,
    signIns,
    validator,
  };
  const ledger = createLazyLedger(context, clock);
  const createTransport = createTransports({ ...network, ledger, authorizerFor: signIns.authorizerFor });
  const prepareLaunch = createLaunchPreparation(configuration, trust);
  const parts = { ...services, requesters, elicitation, createTransport, prepareLaunch };
  const servers = composeServers(parts, context, store);
  const diagnosis = createDiagnosisPorts({ ...network, prepare: forPerson(prepareLaunch), createTransport }, context);
  return { ...services, ...servers, diagnosis, ledger, showLog: () => channel.show() };
}

function composeTrust(
  { workspaceState, globalState, extensionMode }: ExtensionContext,
  environment: () => Promise<NodeJS.ProcessEnv>,
  lookAlike: (label: string) => string | undefined,
  parts: () => RootsParts,
): TrustService {
  return createTrustService({
    workspaceState,
    globalState,
    isTest: extensionMode === ExtensionMode.Test,
    platform: process.platform,
    folders: () => openFolders().map(({ path }) => path),
    environment,
    showConfiguration: openConfiguration,
    roots: createRootsConsent(parts),
    start: async (label) => commands.executeCommand(CommandIds.startServer, label),
    lookAlike,
  });
}

interface RootsParts {
  readonly registry: Pick<ServerRegistry, 'get'>;
  readonly configuration: Pick<ConfigurationService, 'refresh'>;
}

/** What a server is told of holds before it starts: the settings are read again when they were changed. */
function createRootsConsent(parts: () => RootsParts): RootsSharing {
  return {
    sharedPaths: (choice) => sharedFolders(choice).map(({ uri }) => uri.fsPath),
    async choose(label) {
      const { registry, configuration } = parts();
      const hostServer = registry.get(label);
      if (hostServer === undefined) return undefined;
      const { chooseRoots } = await import('../servers/chooseRoots.ts');
      const choice = await chooseRoots(hostServer);
      await configuration.refresh();
      return choice;
    },
  };
}

type ServerParts = Omit<Core, 'manager' | 'registry' | 'diagnosis' | 'ledger' | 'showLog'> & {
  readonly requesters: Requesters;
  readonly elicitation: LazyElicitation;
  readonly createTransport: ReturnType<typeof createTransports>;
  readonly prepareLaunch: ReturnType<typeof createLaunchPreparation>;
};

/** What a person's own command prepares may ask them. */
function forPerson(prepare: ReturnType<typeof createLaunchPreparation>) {
  return (server: Parameters<typeof prepare>[0], signal: AbortSignal) => prepare(server, () => 'person', signal);
}

/** The servers themselves, with everybody who answers them. */
function composeServers(
  { clock, logs, traces, audit, configuration, ...parts }: ServerParts,
  context: ExtensionContext,
  store: DisposableStore,
): Pick<Core, 'manager' | 'registry'> {
  const { workspaceState } = context;
  const { questions, mutes, requesters, definitions, sampling, approvals, elicitation, signIns, validator } = parts;
  const { createTransport, prepareLaunch } = parts;
  const manager = createClientManager(
    {
      clientInfo: extensionIdentity(context),
      clock,
      random: Math.random,
      audit,
      contentsMemory: store.add(createRememberedContents(workspaceState, clock)),
      strategies: createRememberedEras(workspaceState),
      taskMemory: createRememberedTasks(workspaceState),
      guard: definitions,
      toolCalls: { validator, approve: approvals.approve },
      clientFeatures: {
        roots: (label) => workspaceRoots(registry.get(label)?.configured.options.roots),
        sampling: sampling.handle,
        elicitation: elicitation.handle,
        mutes,
      },
      createTransport,
      trace: (label) => traces.sink(label),
    },
    (label) => logs.logger(label),
  );
  const registry: ServerRegistry & Disposable = store.add(
    createServerRegistry({
      manager,
      configured: () => configuration.snapshot.servers,
      onDidChangeConfiguration: configuration.onDidChange,
      plan: prepareLaunch,
      traces,
      questions,
      mutes,
      requesters,
      signIns: signIns.state,
    }),
  );
  return { manager, registry };
}

/** The environment of the user's login shell, asked for when the first server starts. */
function createLazyEnvironment(clock: Clock, logger: Logger): () => Promise<NodeJS.ProcessEnv> {
  const load = memoizeAsync(async () => {
    const { createLoginEnvironment } = await import('../../transport/stdio/loginShell.ts');
    const note = (text: string): void => logger.warn(text);
    return createLoginEnvironment(process.env, { clock, platform: process.platform, note });
  });
  return async () => (await load())();
}

type DiagnosisParts = Omit<DiagnosisPorts, 'environments' | 'proxy' | 'clientInfo'> & {
  readonly environment: () => Promise<NodeJS.ProcessEnv>;
};

/** A diagnosis tells the editor's own surroundings from those of the servers. */
function createDiagnosisPorts({ environment, ...parts }: DiagnosisParts, context: ExtensionContext): DiagnosisPorts {
  return {
    ...parts,
    environments: async () => ({ editor: process.env, login: await environment() }),
    proxy: () => ({ setting: workspace.getConfiguration('http').get('proxy', ''), environment: process.env }),
    clientInfo: extensionIdentity(context),
  };
}

/** Of all windows of this machine. */
function createLazyLedger({ globalStorageUri }: ExtensionContext, clock: Clock): Core['ledger'] {
  const { platform, pid } = process;
  if (platform === 'win32') return () => Promise.resolve(undefined);
  return memoizeAsync(async () => {
    const { createProcessLedger } = await import('../../transport/stdio/processLedger.ts');
    const { createProcessTable } = await import('../../transport/stdio/processes.ts');
    const folder = Uri.joinPath(globalStorageUri, 'processes').fsPath;
    const kill = (target: number, signal: NodeJS.Signals): void => void process.kill(target, signal);
    return createProcessLedger({ folder, processes: createProcessTable(platform), clock, pid, kill });
  });
}

/** Ends every process and writes what is not yet on disk. */
export async function endCore({ manager, audit }: Pick<Core, 'manager' | 'audit'>): Promise<void> {
  await manager.dispose();
  // The end of the servers is on record too.
  await audit.dispose();
}

/** Beside the workspace's other state; windows without a folder share one place. */
function pathOf({ storageUri, globalStorageUri }: ExtensionContext, name: string): string {
  return Uri.joinPath(storageUri ?? globalStorageUri, name).fsPath;
}

/** How servers get to know us: name and version from the manifest. */
function extensionIdentity(context: ExtensionContext): Implementation {
  const manifest: unknown = context.extension.packageJSON;
  const version = isRecord(manifest) && isString(manifest['version']) ? manifest['version'] : '0.0.0';
  return { name: 'patchbay', title: 'Patchbay', version };
}
