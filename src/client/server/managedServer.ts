import { raceAbort } from '../../base/abort.ts';
import { Backoff } from '../../base/backoff.ts';
import { Coalescer } from '../../base/coalescer.ts';
import { type AsyncDisposable, DisposableStore } from '../../base/disposable.ts';
import { CancelledError, messageOf, PatchbayError } from '../../base/errors.ts';
import { Emitter, type Event } from '../../base/event.ts';
import type { LaunchPlan } from '../../base/launchPlan.ts';
import type { Logger } from '../../base/logger.ts';
import type { ServerOptions } from '../../config/serverDefinition.ts';
import type { ContextChange } from '../../protocol/httpAuthorizer.ts';
import type { LoggingLevel, LoggingMessage } from '../../protocol/mcp/logging.ts';
import type { CallToolResult } from '../../protocol/mcp/tools.ts';
import type { ProtocolSession } from '../../protocol/session/session.ts';
import {
  type ContentKind,
  contentKinds,
  type Contents,
  type DefinedKind,
  emptyContents,
  type ListOwner,
  type ListState,
} from '../contents.ts';
import type { RememberedContents } from '../lists/contentsMemory.ts';
import type { ServerTask } from '../tasks/serverTask.ts';
import { TaskList } from '../tasks/taskList.ts';
import type { ResultFindings, ToolCallOptions } from '../toolCalls/ports.ts';
import { Activity, type CallOptions, capabilityMissing, notRunning, UseDispatcher } from '../useDispatcher.ts';
import { Lifecycle } from './lifecycle.ts';
import type { ContinuedParts, RunningServer } from './runningServer.ts';
import type { ServerPorts, ServerState, SessionInfo } from './server.ts';

export interface ManagedServerOptions {
  readonly label: string;
  readonly logger: Logger;
  readonly ports: ServerPorts;
  /** The definition as it is configured now: see `definitionIdentity`. */
  readonly definition: () => string;
  /** Called at every start, so that a changed definition applies at the next one. */
  readonly options: () => ServerOptions;
  /** Why the server must not start now, for any caller. */
  readonly refusal?: () => PatchbayError | undefined;
  /** Expands variables and asks for trust. Rejects with a PatchbayError if the server may not start. */
  readonly plan: (signal: AbortSignal) => Promise<LaunchPlan>;
}

/**
 * One configured server, for every revision and transport. The same object serves any number of starts.
 * Calls reject with a PatchbayError, a JsonRpcError from the server, or the signal's reason.
 */
export type Server = Omit<ManagedServer, 'dispose'>;

const restartPolicy = { initialMs: 1_000, factor: 2, maximumMs: 30_000, limit: 5, resetAfterMs: 60_000 };

const notListed: ListState = { isLoading: false, failure: undefined };

/** A {@link Server} with the operations of its owner. */
export class ManagedServer implements AsyncDisposable {
  readonly label: string;
  readonly #options: ManagedServerOptions;
  readonly #lifecycle: Lifecycle;
  readonly #activity = new Activity();
  readonly #emitters = new DisposableStore();
  readonly #onDidChangeContents = this.#emitters.add(new Emitter<ContentKind>());
  readonly #onDidUpdateResource = this.#emitters.add(new Emitter<{ readonly uri: string }>());
  readonly #onDidInvalidateReads = this.#emitters.add(new Emitter<void>());
  readonly #onDidLog = this.#emitters.add(new Emitter<LoggingMessage>());
  readonly #onDidChangeResponsiveness = this.#emitters.add(new Emitter<void>());
  readonly #onDidIgnoreOutput = this.#emitters.add(new Emitter<void>());
  readonly #ignored: Coalescer;
  #ignoredLines = 0;
  readonly #tasks: TaskList;
  readonly #dispatcher: UseDispatcher;
  /** The identity of what runs or is being started. */
  #launched: string | undefined;
  /** That of the definition, which is asked for often. */
  #configured: { readonly definition: string; readonly identity: string } | undefined;
  #memory: { readonly identity: string; readonly remembered: RememberedContents | undefined } | undefined;
  #rootsVersion = 0;
  /** What continues from one run to the next, and the identity of the last run; `undefined` before the first start. */
  #continued: (ContinuedParts & { readonly of: string }) | undefined;

  readonly onDidChangeState: Event<ServerState>;
  /** Tool calls that the server continues as tasks, and ended tasks that no call waited for. */
  readonly onDidChangeTasks: Event<ServerTask>;
  readonly onDidChangeContents = this.#onDidChangeContents.event;
  readonly onDidUpdateResource = this.#onDidUpdateResource.event;
  /** The account or its scopes changed: resources that were read before may have other contents now. */
  readonly onDidInvalidateReads = this.#onDidInvalidateReads.event;
  readonly onDidLog = this.#onDidLog.event;
  readonly onDidChangeResponsiveness = this.#onDidChangeResponsiveness.event;
  /** {@link ignoredLines} has changed; fires once a second at most. */
  readonly onDidIgnoreOutput = this.#onDidIgnoreOutput.event;

  // Uses of the running server, see there. Each rejects with `notRunning` without one.
  readonly readResource: RunningServer['readResource'] = async (...use) => this.#running().readResource(...use);
  readonly readSkillFile: RunningServer['readSkillFile'] = async (...use) => this.#running().readSkillFile(...use);
  readonly getPrompt: RunningServer['getPrompt'] = async (...use) => this.#running().getPrompt(...use);
  readonly complete: RunningServer['complete'] = async (...use) => this.#running().complete(...use);

  constructor(options: ManagedServerOptions) {
    const { label, logger, ports } = options;
    const { clock, random, taskMemory: memory, audit } = ports;
    this.label = label;
    this.#options = options;
    this.#lifecycle = new Lifecycle({
      open: (signal) => this.#open(signal),
      backoff: new Backoff(restartPolicy, random),
      clock,
      isRestartWanted: () => options.options().autoRestart !== false,
    });
    this.#ignored = this.#emitters.add(new Coalescer(clock, 1_000, () => this.#onDidIgnoreOutput.fire()));
    this.#tasks = new TaskList(label, memory, audit);
    this.onDidChangeTasks = this.#tasks.onDidChange;
    this.onDidChangeState = this.#lifecycle.onDidChangeState;
    this.onDidChangeState((state) => {
      this.#connectTasks(state.kind);
      if (state.kind === 'stopped' || state.kind === 'failed') this.#launched = undefined;
      if ('error' in state) logger.error(state.error.message);
      else logger.info(() => lineOf(state, this.session));
    });
    this.#dispatcher = new UseDispatcher({
      label,
      guard: ports.guard,
      audit,
      activity: this.#activity,
      session: () => this.#session(),
      contents: () => this.contents,
      pendingList: (kind) => this.#lifecycle.current?.catalogue.pendingList(kind),
      currentList: (kind) => this.#lifecycle.current?.catalogue.currentList(kind),
      listFailure: (kind) => this.#lifecycle.current?.catalogue.failure(kind),
      reloadList: (kind) => this.reloadList(kind),
      identity: () => this.identity,
    });
  }

  /**
   * Who the server is: what runs, or else what was launched last from its definition, see `ServerIdentities`. What is kept of
   * a server belongs to its identity; another definition under the same label has another one.
   */
  get identity(): string {
    if (this.#launched !== undefined) return this.#launched;
    const { definition: read, ports } = this.#options;
    const definition = read();
    if (this.#configured?.definition !== definition)
      this.#configured = { definition, identity: ports.identities.last(definition) };
    return this.#configured.identity;
  }

  get state(): ServerState {
    return this.#lifecycle.state;
  }

  get session(): SessionInfo | undefined {
    return this.#lifecycle.current?.info;
  }

  /** `false` while the running server does not answer a ping. */
  get isResponsive(): boolean {
    return this.#lifecycle.current?.connection.heartbeat?.isResponsive ?? true;
  }

  /** A call of a tool, a resource or a prompt is open. */
  get isInUse(): boolean {
    return this.#activity.describe() !== undefined;
  }

  get contents(): Contents {
    return this.#lifecycle.current?.catalogue.contents ?? this.lastSeen;
  }

  /** True while `contents` is from memory and not listed by the running server. */
  get isRemembered(): boolean {
    return this.#lifecycle.current === undefined;
  }

  /** When the remembered `contents` were listed, in milliseconds since the epoch; `undefined` if nothing is remembered. */
  get rememberedAt(): number | undefined {
    return this.#remembered?.listedAt;
  }

  /** What the server offered last time, for lists that are not read yet: names and descriptions only. */
  get lastSeen(): Contents {
    return this.#remembered?.contents ?? emptyContents;
  }

  /** Neither loading nor failed while the server does not run. */
  listState(kind: ContentKind): ListState {
    return this.#lifecycle.current?.catalogue.state(kind) ?? notListed;
  }

  /** Reads one list again, as after a failure. Does nothing while the server does not run. */
  reloadList(kind: ContentKind): void {
    this.#lifecycle.current?.catalogue.reload(kind);
  }

  /** What could not be listed or used, one sentence each, with the failures of lists. */
  get problems(): readonly string[] {
    return this.#lifecycle.current?.catalogue.problems ?? [];
  }

  /** Lines on stdout that were no messages, since the last start. */
  get ignoredLines(): number {
    return this.#ignoredLines;
  }

  get tasks(): readonly ServerTask[] {
    return this.#tasks.all;
  }

  /**
   * Resolves when the server runs and each list has been read or has failed, see {@link listState}. Several calls share
   * one start; aborting one of them ends only its own wait.
   * @param until waits for this list only
   */
  async start(signal?: AbortSignal, until?: ContentKind): Promise<void> {
    const refusal = this.#options.refusal?.();
    if (refusal !== undefined) throw refusal;
    await this.#lifecycle.start(signal);
    const running = this.#lifecycle.current;
    const listing = until === undefined ? running?.catalogue.whenListed() : running?.catalogue.pendingList(until);
    await raceAbort(listing ?? Promise.resolve(), signal);
    if (running !== undefined && this.#lifecycle.current === running) return;
    const { state } = this;
    throw 'error' in state ? state.error : new CancelledError('The server was stopped');
  }

  /** Resolves when the process or connection has ended; never rejects. */
  stop(): Promise<void> {
    return this.#lifecycle.stop();
  }

  /** Stops and starts; resolves and rejects like {@link start}. */
  async restart(signal?: AbortSignal): Promise<void> {
    // Both at once: the start waits for the old process to end, and a later stop wins.
    const stopped = this.stop();
    await this.start(signal);
    await stopped;
  }

  /**
   * Starts the server again, and ends the old run once the new one is there: see {@link Lifecycle.replace}.
   * @param why a sentence for those whose requests are open
   */
  replace(why: string): Promise<void> {
    const refusal = this.#options.refusal?.();
    return refusal === undefined
      ? this.#lifecycle.replace(new PatchbayError('connectionClosed', why))
      : Promise.reject(refusal);
  }

  /**
   * Asks now what a use would ask, so that a person is not asked after filling in a form. The use itself is checked again.
   * @throws {PatchbayError} `declined`; cancellation
   */
  preflight(kind: DefinedKind, key: string, options: CallOptions = {}): Promise<void> {
    return this.#dispatcher.preflight(kind, key, options);
  }

  /**
   * Validates the arguments, asks for approval if needed, calls, validates the result, records: see {@link ToolCalls}.
   * @throws {PatchbayError} `invalidArguments`, `declined`; {@link InvalidResultError} without `onInvalid`
   */
  callTool(name: string, args: object = {}, options: ToolCallOptions = {}): Promise<CallToolResult> {
    const { current } = this.#lifecycle;
    return current?.parts.toolCalls.call(name, args, options) ?? Promise.reject(notRunning(this.label));
  }

  /** Cancels a task, and the call that waits for it. @throws {PatchbayError} `notRunning`, `capabilityMissing` */
  async cancelTask(id: string): Promise<void> {
    return this.#continued === undefined ? this.#tasks.cancelWhileStopped(id) : this.#continued.taskManager.cancel(id);
  }

  /**
   * Waits for the result of a task, and validates it like the result of its call.
   * @throws {InvalidResultError} without `onInvalid`
   */
  taskResult(id: string, findings?: ResultFindings): Promise<CallToolResult> {
    return this.#lifecycle.current?.parts.toolCalls.taskResult(id, findings) ?? this.#tasks.result(id);
  }

  /** Removes a task from the list; an open task is no longer polled, but not cancelled. */
  forgetTask(id: string): void {
    this.#tasks.forget(id);
  }

  /** Subscribes to changes of a resource, also after restarts. @throws {PatchbayError} `capabilityMissing` */
  async subscribe(uri: string): Promise<void> {
    const session = this.#session();
    if (session.capabilities.resources?.subscribe !== true)
      throw capabilityMissing(this.label, 'resource subscriptions');
    await this.#continued?.subscriptions.subscribe(session, uri);
  }

  async unsubscribe(uri: string): Promise<void> {
    this.#continued?.subscriptions.remove(uri);
    await this.#session().unsubscribe(uri);
  }

  /** Sets the minimum level of log messages, also after restarts. @throws {PatchbayError} `capabilityMissing` */
  async setLogLevel(level: LoggingLevel): Promise<void> {
    const session = this.#session();
    if (session.capabilities.logging === undefined) throw capabilityMissing(this.label, 'logging');
    await this.#continued?.subscriptions.setLogLevel(session, level);
  }

  /** Forgets what a stopped server offered last. Called when the person signs out of it. */
  forgetContents(): void {
    if (this.#lifecycle.current !== undefined) return;
    this.#remember(emptyContents);
    for (const kind of contentKinds) this.#onDidChangeContents.fire(kind);
  }

  /**
   * Call when a list is shown: lists it again in the background if it is older than the server's `ttlMs` and the server
   * sends no notifications of changes (2026-07-28, Server Features / Utilities / Caching).
   */
  refreshStale(owner: ListOwner): void {
    this.#lifecycle.current?.catalogue.refreshStale(owner);
  }

  /** @returns the round trip in milliseconds */
  async ping(signal?: AbortSignal): Promise<number> {
    const startedAt = this.#options.ports.clock.now();
    await this.#session().ping(signal && { signal });
    return this.#options.ports.clock.now() - startedAt;
  }

  /** Sends `notifications/roots/list_changed` if the server runs; no-op in 2026-07-28. */
  notifyRootsChanged(): void {
    this.#rootsVersion += 1;
    if (this.#lifecycle.current !== undefined) this.#sendRootsChanged(this.#lifecycle.current);
  }

  #sendRootsChanged({ connection }: RunningServer): void {
    const { logger } = this.#options;
    connection.session.notifyRootsChanged().catch((error: unknown) => logger.debug(() => messageOf(error)));
  }

  async dispose(): Promise<void> {
    await this.#lifecycle.dispose();
    this.#tasks.dispose();
    this.#emitters.dispose();
  }

  async #open(signal: AbortSignal): Promise<RunningServer> {
    const { logger, ports, options, plan } = this.#options;
    // A question to the user may stay open after the start was cancelled.
    const definition = this.#options.definition();
    const launchPlan = await raceAbort(plan(signal), signal);
    for (const warning of launchPlan.warnings ?? []) logger.warn(warning);
    const launched = ports.identities.launched(definition, launchPlan);
    this.#launched = launched;
    this.#configured = undefined;
    // What was subscribed to at another server is nothing to this one.
    if (this.#continued?.of !== launched) this.#continued?.subscriptions.clear();
    const rootsVersion = this.#rootsVersion;
    this.#ignoredLines = 0;
    // Loaded with the first start: a window whose servers stay stopped does not load the protocol.
    const { RunningServer: Running } = await import('./runningServer.ts');
    const running = await Running.open({
      plan: launchPlan,
      options: options(),
      ports,
      liveness: { isBusy: () => this.isInUse, isRestartWanted: () => options().autoRestart !== false },
      dispatcher: this.#dispatcher,
      tasks: this.#tasks,
      previous: this.#continued,
      logger,
      resourceUpdated: (uri) => this.#onDidUpdateResource.fire({ uri }),
      logged: (message) => this.#onDidLog.fire(message),
      ignoredLine: () => {
        this.#ignoredLines += 1;
        this.#ignored.request();
      },
      signal,
    });
    const { connection, catalogue, parts } = running;
    this.#continued = { ...parts, of: launched };
    // The server may have requested its roots before they changed.
    if (rootsVersion !== this.#rootsVersion) this.#sendRootsChanged(running);
    this.#remember(running.summary(this.lastSeen));
    parts.subscriptions.connected(connection.session);
    connection.heartbeat?.onDidChange(() => this.#onDidChangeResponsiveness.fire());
    catalogue.onDidChange((kind) => {
      this.#remember(running.summary(this.lastSeen));
      this.#onDidChangeContents.fire(kind);
    });
    connection.authorizationContext?.onDidChange((change) => this.#authorizationChanged(running, change));
    return running;
  }

  /** The account or its scopes changed: ends tasks of another account, subscribes again, and invalidates resources. */
  #authorizationChanged(running: RunningServer, change: ContextChange): void {
    if (this.#lifecycle.current !== running) return;
    this.#connectTasks('running');
    this.#continued?.subscriptions.authorizationChanged(running.connection.session, change);
    this.#onDidInvalidateReads.fire();
  }

  #connectTasks(state: ServerState['kind']): void {
    const running = this.#lifecycle.current;
    if (running !== undefined) {
      const { session, authorizationContext } = running.connection;
      const account = authorizationContext?.account() ?? '';
      running.parts.taskManager.connected({ channel: session.tasks, server: this.identity, account });
    } else this.#continued?.taskManager.disconnected(state === 'starting' || state === 'waiting');
  }

  #remember(contents: Contents): void {
    const { identity } = this;
    const remembered = { contents, listedAt: this.#options.ports.clock.now() };
    this.#memory = { identity, remembered };
    this.#options.ports.contentsMemory.save(identity, remembered);
  }

  get #remembered(): RememberedContents | undefined {
    const { identity } = this;
    if (this.#memory?.identity !== identity)
      this.#memory = { identity, remembered: this.#options.ports.contentsMemory.load(identity) };
    return this.#memory.remembered;
  }

  #session(): ProtocolSession {
    return this.#running().connection.session;
  }

  #running(): RunningServer {
    if (this.#lifecycle.current === undefined) throw notRunning(this.label);
    return this.#lifecycle.current;
  }
}

/** What the log says of a state that is no failure. */
function lineOf({ kind }: ServerState, session: SessionInfo | undefined): string {
  if (kind !== 'running' || session === undefined) return kind === 'stopped' ? 'Stopped.' : 'Starting.';
  const { transport, protocolVersion, handshakeMs } = session;
  return `Running: ${transport}, MCP ${protocolVersion}, ready after ${Math.round(handshakeMs)} ms.`;
}
