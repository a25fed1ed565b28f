import type { AsyncDisposable } from '../../base/disposable.ts';
import { canonicalJson, sha256 } from '../../base/digest.ts';
import { isPatchbayError } from '../../base/errors.ts';
import type { LaunchPlan } from '../../base/launchPlan.ts';
import type { Logger } from '../../base/logger.ts';
import { memoize } from '../../base/memoize.ts';
import { RateLimiter } from '../../base/rateLimiter.ts';
import { defaultTimeouts, type ServerOptions } from '../../config/serverDefinition.ts';
import { ErrorCodes, JsonRpcError } from '../../protocol/jsonRpc.ts';
import {
  type Completion,
  type CompletionArgument,
  type CompletionReference,
  readCompletion,
} from '../../protocol/mcp/completion.ts';
import { offersSkills } from '../../protocol/mcp/lifecycle.ts';
import { readGetSkillResult } from '../../protocol/mcp/skills.ts';
import { type GetPromptResult, readGetPromptResult } from '../../protocol/mcp/prompts.ts';
import { readReadResourceResult, type ReadResourceResult } from '../../protocol/mcp/resources.ts';
import { isAtLeast } from '../../protocol/session/revision.ts';
import type { ServerEventHandlers } from '../../protocol/session/session.ts';
import type { Transport, TransportLog } from '../../transport/transport.ts';
import { type Connection, type ConnectionOptions, openConnection } from '../connection/connection.ts';
import type { Contents } from '../contents.ts';
import { Catalogue } from '../lists/catalogue.ts';
import { summarizeListed } from '../lists/contentsMemory.ts';
import { createServerRequestHandlers } from '../serverRequests/serverRequestHandlers.ts';
import { readSkillFile, type VerifiedSkillFile } from '../skills/readSkillFile.ts';
import type { TaskList } from '../tasks/taskList.ts';
import { TaskManager } from '../tasks/taskManager.ts';
import { ToolCalls } from '../toolCalls/toolCalls.ts';
import { type CallOptions, capabilityMissing, type UseDispatcher } from '../useDispatcher.ts';
import type { ServerPorts, SessionInfo } from './server.ts';
import { Subscriptions } from './subscriptions.ts';

/** The parts of a run that the next run of the same server goes on with. Between two runs they have no session. */
export interface ContinuedParts {
  readonly subscriptions: Subscriptions;
  readonly taskManager: TaskManager;
  readonly toolCalls: ToolCalls;
}

interface RunningServerOptions extends Pick<ServerEventHandlers, 'resourceUpdated' | 'logged'> {
  readonly plan: LaunchPlan;
  readonly options: ServerOptions;
  readonly ports: ServerPorts;
  readonly liveness: NonNullable<ConnectionOptions['liveness']>;
  readonly dispatcher: UseDispatcher;
  readonly tasks: TaskList;
  /** Continues in this run; `undefined` at the first start. */
  readonly previous: ContinuedParts | undefined;
  /** Called for each line on the stdout of a program that is no message. */
  readonly ignoredLine: () => void;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/**
 * A server while it runs: an open connection, the lists of the server, and the requests it can be sent. Loaded with the
 * first start, with everything that needs the protocol.
 */
export class RunningServer implements AsyncDisposable {
  readonly connection: Connection;
  readonly catalogue: Catalogue;
  readonly parts: ContinuedParts;
  readonly #dispatcher: UseDispatcher;
  readonly #negotiation: SessionInfo['negotiation'];

  private constructor(
    connection: Connection,
    catalogue: Catalogue,
    parts: ContinuedParts,
    dispatcher: UseDispatcher,
    negotiation: SessionInfo['negotiation'],
  ) {
    this.connection = connection;
    this.catalogue = catalogue;
    this.parts = parts;
    this.#dispatcher = dispatcher;
    this.#negotiation = negotiation;
  }

  /**
   * Connects, and starts to read the lists of the server; they are complete one by one.
   * @throws {PatchbayError} why it failed, after everything was released; or the signal's reason
   */
  static async open(options: RunningServerOptions): Promise<RunningServer> {
    const { plan, ports, dispatcher, tasks, logger, previous, resourceUpdated, logged } = options;
    const { revision } = options.options;
    const { clock, random, strategies } = ports;
    const taskManager =
      previous?.taskManager ?? new TaskManager(tasks, dispatcher.server.activity, clock, random, logger);
    const parts = previous ?? {
      subscriptions: new Subscriptions(logger),
      taskManager,
      // Counts the refusals that it records: the maximum in a minute holds across restarts.
      toolCalls: new ToolCalls(dispatcher, taskManager, ports.toolCalls, clock, logger),
    };
    const remembered = revision === undefined ? strategies.load(plan) : undefined;
    // Events that arrive before the catalogue exists need no action: the first listing includes their changes.
    const opened: { catalogue?: Catalogue } = {};
    const events: ServerEventHandlers = {
      listChanged: (kind) => opened.catalogue?.invalidate(kind),
      resourceUpdated,
      logged,
      taskChanged: (id) => taskManager.poll(id),
    };
    const connection = await openConnection({ ...connectionOptions(options, events), remembered });
    const strategy = connection.strategy.plan.kind === 'sse' ? 'sse' : connection.era;
    if (revision === undefined && connection.isCertain) strategies.save(plan, strategy);
    const catalogue = new Catalogue(connection.session, clock, logger);
    opened.catalogue = catalogue;
    connection.authorizationContext?.onDidChange((change) => catalogue.authorizationChanged(change));
    catalogue.listAll();
    const negotiation = revision !== undefined ? 'pinned' : remembered === strategy ? 'remembered' : 'probed';
    return new RunningServer(connection, catalogue, parts, dispatcher, negotiation);
  }

  get info(): SessionInfo {
    const { session, handshakeMs, strategy } = this.connection;
    const { revision: protocolVersion, server, capabilities, instructions } = session;
    const { plan } = strategy;
    const origin = plan.kind !== 'stdio' && plan.socketPath === undefined ? plan.url.origin : undefined;
    const negotiation = this.#negotiation;
    const transport = plan.kind;
    return { protocolVersion, negotiation, transport, origin, server, capabilities, instructions, handshakeMs };
  }

  /** What to remember of the lists; those that are still being read are taken from `lastSeen`. */
  summary(lastSeen: Contents): Contents {
    return summarizeListed(this.catalogue, lastSeen);
  }

  readResource(uri: string, options: CallOptions = {}): Promise<ReadResourceResult> {
    return this.#dispatcher.dispatch(
      { kind: 'resources', key: uri, what: `resource ${uri}`, action: 'resourceRead', detail: { uri } },
      options,
      async (session) => readReadResourceResult(await session.request('resources/read', { uri }, options), uri),
    );
  }

  getPrompt(
    name: string,
    args: Readonly<Record<string, string>> = {},
    options: CallOptions = {},
  ): Promise<GetPromptResult> {
    return this.#dispatcher.dispatch(
      { kind: 'prompts', key: name, what: `prompt ${name}`, action: 'prompt', detail: { prompt: name } },
      options,
      async (session) => readGetPromptResult(await session.request('prompts/get', { name, arguments: args }, options)),
    );
  }

  /**
   * Reads a file of a skill and verifies it against the skill's entry.
   * @param skillUri of its SKILL.md; the skill need not be listed
   * @throws {PatchbayError} `notVerified`, `capabilityMissing`
   */
  async readSkillFile(skillUri: string, fileUri: string, options: CallOptions = {}): Promise<VerifiedSkillFile> {
    const { session } = this.connection;
    if (!offersSkills(session.capabilities)) throw capabilityMissing(this.#dispatcher.server.label, 'skills');
    const listed = this.catalogue.contents.skills.find(({ uri }) => uri === skillUri);
    // The server may have skills that it does not list.
    const skill = listed ?? readGetSkillResult(await session.request('skills/get', { uri: skillUri }, options));
    try {
      return await readSkillFile(skill, fileUri, (uri) => this.readResource(uri, options));
    } catch (error) {
      // The file or the entry may be out of date.
      if (isPatchbayError(error, 'notVerified')) {
        session.invalidateResource?.(fileUri);
        this.catalogue.invalidate('skills');
      }
      throw error;
    }
  }

  /**
   * Requests values for an argument (2025-11-25, Server Features / Utilities / Completion).
   * @param context arguments that already have a value (since 2025-06-18)
   * @returns no values if the server does not support completion
   */
  async complete(
    reference: CompletionReference,
    argument: CompletionArgument,
    context: Readonly<Record<string, string>> = {},
    options: CallOptions = {},
  ): Promise<Completion> {
    const { session } = this.connection;
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

  /** @param reason what open requests reject with */
  async dispose(reason?: Error): Promise<void> {
    this.catalogue.dispose();
    await this.connection.dispose(reason);
  }
}

/** Lines on stdout that are no messages, in the log. */
const noiseLimit = { count: 50, periodMs: 10_000 };

function connectionOptions(
  { plan, options, ports, liveness, dispatcher, ignoredLine, logger, signal }: RunningServerOptions,
  events: ServerEventHandlers,
): Omit<ConnectionOptions, 'remembered'> {
  const { audit, clock, clientInfo, random, tap, knownSecrets } = ports;
  const { label, activity } = dispatcher.server;
  const requesting = { label, definition: memoize(() => launchDigest(plan)), cause: () => activity.describe() };
  const leftOut = (count: number): void => logger.warn(`… ${count} more lines on stdout left out`);
  const noise = new RateLimiter(clock, noiseLimit, leftOut);
  const features = createServerRequestHandlers(requesting, ports.clientFeatures, audit, clock);
  return {
    plan,
    createTransport: async (variant): Promise<Transport> => {
      const transport = await ports.createTransport(variant, options.limits);
      transport.onLog((entry) => {
        if (entry.source !== 'noise') return logTransportEntry(logger, entry);
        if (variant.kind === 'stdio') ignoredLine();
        // A flood of them must not take the place of what else the log gets.
        noise.run(() => logTransportEntry(logger, entry));
      });
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
    tap: tap && { label, open: tap, secrets: knownSecrets },
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

/** Writes an entry of a transport to the log of its server, at the level of its source; `http` is part of the message trace only. */
function logTransportEntry(logger: Logger, { source, text }: TransportLog): void {
  if (source === 'stderr') logger.info(text);
  if (source === 'noise') logger.warn(`Ignored output on stdout (use stderr for logs): ${text}`);
  if (source === 'note') logger.debug(() => text);
}
