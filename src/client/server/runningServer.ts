import { canonicalJson, sha256 } from '../../base/digest.ts';
import type { LaunchPlan } from '../../base/launchPlan.ts';
import type { Logger } from '../../base/logger.ts';
import { memoize } from '../../base/memoize.ts';
import { defaultTimeouts, type ServerOptions } from '../../config/serverDefinition.ts';
import { ErrorCodes, JsonRpcError } from '../../protocol/jsonRpc.ts';
import {
  type Completion,
  type CompletionArgument,
  type CompletionReference,
  readCompletion,
} from '../../protocol/mcp/completion.ts';
import { offersSkills } from '../../protocol/mcp/lifecycle.ts';
import { type GetPromptResult, readGetPromptResult } from '../../protocol/mcp/prompts.ts';
import { readReadResourceResult, type ReadResourceResult } from '../../protocol/mcp/resources.ts';
import { isAtLeast } from '../../protocol/session/revision.ts';
import type { ProtocolSession, ServerEventHandlers } from '../../protocol/session/session.ts';
import type { Transport, TransportLog } from '../../transport/transport.ts';
import { type Connection, type ConnectionOptions, openConnection } from '../connection/connection.ts';
import { rememberedStrategyOf } from '../connection/connectionStrategy.ts';
import type { Contents } from '../contents.ts';
import { Catalogue } from '../lists/catalogue.ts';
import { summarizeListed } from '../lists/contentsMemory.ts';
import { createServerRequestHandlers } from '../serverRequests/serverRequestHandlers.ts';
import { readSkillFile, type VerifiedSkillFile } from '../skills/readSkillFile.ts';
import type { TaskList } from '../tasks/taskList.ts';
import { TaskManager } from '../tasks/taskManager.ts';
import { createToolCalls, type ToolCalls } from '../toolCalls/toolCalls.ts';
import { type CallOptions, capabilityMissing, type UseDispatcher } from '../useDispatcher.ts';
import type { Server, SessionInfo } from './server.ts';
import type { ServerPorts } from './serverPorts.ts';
import { Subscriptions } from './subscriptions.ts';

/**
 * A server while it runs: an open connection, the lists of the server, and the requests it can be sent. Loaded with the
 * first start, with everything that needs the protocol.
 */
export interface RunningServer extends Pick<
  Connection,
  'session' | 'authorizationContext' | 'heartbeat' | 'onDidEnd' | 'dispose'
> {
  readonly catalogue: Catalogue;
  /** How the connection was made. */
  readonly connectionInfo: Pick<SessionInfo, 'handshakeMs' | 'negotiation' | 'transport' | 'origin'>;
  readonly subscriptions: Subscriptions;
  readonly taskManager: TaskManager;
  readonly toolCalls: ToolCalls;
  /** What to remember of the lists; those that are still being read are taken from `lastSeen`. */
  summary(lastSeen: Contents): Contents;
  /** Requests `resources/read`. @throws what the request throws */
  readResource(uri: string, options: CallOptions): Promise<ReadResourceResult>;
  /** Requests `prompts/get`. @throws what the request throws */
  getPrompt(name: string, args: Readonly<Record<string, string>>, options: CallOptions): Promise<GetPromptResult>;
  /** Requests `completion/complete`: see {@link completeArgument}. */
  readonly complete: Server['complete'];
  /**
   * Reads a file of a skill and verifies it: see {@link readSkillFile}.
   * @param read reads a resource, with the checks of a use
   * @throws {PatchbayError} `capabilityMissing`, `notVerified`; what reading throws
   */
  readSkillFile(
    skillUri: string,
    fileUri: string,
    read: (uri: string) => Promise<ReadResourceResult>,
    options: CallOptions,
  ): Promise<VerifiedSkillFile>;
}

/** The parts of a run that the next run of the same server goes on with. Between two runs they have no session. */
export type ContinuedParts = Pick<RunningServer, 'subscriptions' | 'taskManager' | 'toolCalls'>;

export interface RunningServerOptions extends Pick<ServerEventHandlers, 'resourceUpdated' | 'logged'> {
  readonly plan: LaunchPlan;
  readonly options: ServerOptions;
  readonly ports: ServerPorts;
  readonly liveness: NonNullable<ConnectionOptions['liveness']>;
  readonly dispatcher: UseDispatcher;
  readonly tasks: TaskList;
  /** Continues in this run; `undefined` at the first start. */
  readonly previous: ContinuedParts | undefined;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/**
 * Connects, and starts to read the lists of the server; they are complete one by one.
 * @throws {PatchbayError} why it failed, after everything was released; or the signal's reason
 */
export async function openRunningServer(options: RunningServerOptions): Promise<RunningServer> {
  const { plan, ports, dispatcher, tasks, logger } = options;
  const { revision } = options.options;
  const { clock, random, strategies } = ports;
  const { label, activity } = dispatcher.server;
  const {
    subscriptions = new Subscriptions(logger),
    taskManager = new TaskManager({ list: tasks, activity, clock, random, logger }),
    // Counts the refusals that it records: the maximum in a minute holds across restarts.
    toolCalls = createToolCalls(ports, { dispatcher, tasks, taskManager, logger }),
  } = options.previous ?? {};
  const remembered = revision === undefined ? strategies.load(plan) : undefined;
  // Events that arrive before the catalogue exists need no action: the first listing includes their changes.
  const opened: { catalogue?: Catalogue } = {};
  const connection = await openConnection({
    ...connectionOptions(options, {
      listChanged: (kind) => opened.catalogue?.invalidate(kind),
      resourceUpdated: options.resourceUpdated,
      logged: options.logged,
      taskChanged: (id) => taskManager.poll(id),
    }),
    remembered,
  });
  const strategy = rememberedStrategyOf(connection.strategy, connection.era);
  if (revision === undefined && connection.isEraCertain) strategies.save(plan, strategy);
  const { session, authorizationContext, heartbeat, onDidEnd } = connection;
  const catalogue = new Catalogue({ session, clock, logger });
  opened.catalogue = catalogue;
  authorizationContext?.onDidChange((change) => catalogue.authorizationChanged(change));
  catalogue.listAll();
  return {
    session,
    authorizationContext,
    heartbeat,
    onDidEnd,
    catalogue,
    connectionInfo: describeConnection(
      connection,
      revision !== undefined ? 'pinned' : remembered === strategy ? 'remembered' : 'probed',
    ),
    subscriptions,
    taskManager,
    toolCalls,
    summary: (lastSeen) => summarizeListed(catalogue, lastSeen),
    ...createRequests(connection, catalogue, label),
    async dispose() {
      catalogue.dispose();
      await connection.dispose();
    },
  };
}

type Requests = Pick<RunningServer, 'readResource' | 'getPrompt' | 'complete' | 'readSkillFile'>;

function createRequests({ session }: Connection, catalogue: Catalogue, label: string): Requests {
  return {
    readResource: async (uri, callOptions) =>
      readReadResourceResult(await session.request('resources/read', { uri }, callOptions)),
    getPrompt: async (name, args, callOptions) =>
      readGetPromptResult(await session.request('prompts/get', { name, arguments: args }, callOptions)),
    complete: (...asked) => completeArgument(session, ...asked),
    async readSkillFile(skillUri, fileUri, read, callOptions) {
      if (!offersSkills(session.capabilities)) throw capabilityMissing(label, 'skills');
      const get = (uri: string): Promise<unknown> => session.request('skills/get', { uri }, callOptions);
      const refresh = (uri: string): void => {
        session.invalidateResource?.(uri);
        catalogue.invalidate('skills');
      };
      return readSkillFile({ listed: catalogue.contents.skills, get, read, refresh }, skillUri, fileUri);
    },
  };
}

function connectionOptions(
  { plan, options, ports, liveness, dispatcher, logger, signal }: RunningServerOptions,
  events: ServerEventHandlers,
): Omit<ConnectionOptions, 'remembered'> {
  const { audit, clock, clientInfo, random, trace, knownSecrets } = ports;
  const { label, activity } = dispatcher.server;
  const requesting = { label, definition: memoize(() => launchDigest(plan)), cause: () => activity.describe() };
  const features = createServerRequestHandlers(requesting, ports.clientFeatures, audit, clock);
  return {
    plan,
    createTransport: async (variant): Promise<Transport> => {
      const transport = await ports.createTransport(variant, options.limits);
      transport.onLog((entry) => logTransportEntry(logger, entry));
      return transport;
    },
    setup: {
      clientInfo,
      capabilities: features.capabilities,
      requests: features.handlers,
      revision: options.revision,
      random,
      events,
    },
    timeouts: { ...defaultTimeouts, ...options.timeouts },
    liveness,
    clock,
    logger,
    trace: trace && (() => trace(label)),
    knownSecrets,
    signal,
  };
}

/** @returns digest of all that is launched or called, variables and headers included: what a person allows is bound to it */
function launchDigest(plan: LaunchPlan): Promise<string> {
  if (plan.kind === 'stdio') {
    const { command, program, args, cwd, env } = plan;
    return sha256(canonicalJson([command, program ?? null, args, cwd ?? null, env]));
  }
  const { url, socketPath, headers } = plan;
  return sha256(canonicalJson([url.href, socketPath ?? null, headers]));
}

function describeConnection(
  { handshakeMs, strategy: { plan } }: Connection,
  negotiation: SessionInfo['negotiation'],
): RunningServer['connectionInfo'] {
  const hasOrigin = plan.kind !== 'stdio' && plan.socketPath === undefined;
  return { handshakeMs, negotiation, transport: plan.kind, origin: hasOrigin ? plan.url.origin : undefined };
}

/** Writes an entry of a transport to the log of its server, at the level of its source. */
function logTransportEntry(logger: Logger, entry: TransportLog): void {
  switch (entry.source) {
    case 'stderr':
      return logger.info(entry.text);
    case 'noise':
      return logger.warn(
        `Ignored on stdout, where only messages of the protocol belong (write logs to stderr): ${entry.text}`,
      );
    case 'note':
      return logger.debug(() => entry.text);
    case 'http':
      // Part of the message trace only.
      return;
  }
}

/**
 * Requests `completion/complete` (2025-11-25, Server Features / Utilities / Completion).
 * @param context arguments that already have a value
 * @returns no values if the server does not support completion
 * @throws what the request throws
 */
async function completeArgument(
  session: Pick<ProtocolSession, 'revision' | 'capabilities' | 'request'>,
  reference: CompletionReference,
  argument: CompletionArgument,
  context: Readonly<Record<string, string>> = {},
  options: CallOptions = {},
): Promise<Completion> {
  const { revision, capabilities } = session;
  // 2024-11-05 has completion but no capability for it: the request is sent, and may fail.
  const isDeclared = capabilities.completions !== undefined;
  if (!isDeclared && isAtLeast(revision, '2025-03-26')) return { values: [] };
  const hasContext = isAtLeast(revision, '2025-06-18') && Object.keys(context).length > 0;
  const params = { ref: reference, argument, ...(hasContext && { context: { arguments: context } }) };
  try {
    return readCompletion(await session.request('completion/complete', params, options));
  } catch (error) {
    if (error instanceof JsonRpcError && error.code === ErrorCodes.methodNotFound) return { values: [] };
    throw error;
  }
}
