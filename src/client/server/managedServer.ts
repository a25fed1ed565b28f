import { raceAbort } from '../../base/abort.ts';
import { Backoff } from '../../base/backoff.ts';
import { type AsyncDisposable, DisposableStore } from '../../base/disposable.ts';
import { CancelledError, messageOf } from '../../base/errors.ts';
import { Emitter } from '../../base/event.ts';
import type { LaunchPlan } from '../../base/launchPlan.ts';
import type { Logger } from '../../base/logger.ts';
import type { ServerOptions } from '../../config/serverDefinition.ts';
import type { ContextChange } from '../../protocol/httpAuthorizer.ts';
import type { Completion } from '../../protocol/mcp/completion.ts';
import type { LoggingLevel, LoggingMessage } from '../../protocol/mcp/logging.ts';
import type { GetPromptResult } from '../../protocol/mcp/prompts.ts';
import type { ReadResourceResult } from '../../protocol/mcp/resources.ts';
import type { CallToolResult } from '../../protocol/mcp/tools.ts';
import type { ProtocolSession } from '../../protocol/session/session.ts';
import { createActivity } from '../activity.ts';
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
import type { VerifiedSkillFile } from '../skills/readSkillFile.ts';
import type { ServerTask } from '../tasks/serverTask.ts';
import { TaskList } from '../tasks/taskList.ts';
import type { ResultFindings, ToolCallOptions } from '../toolCalls/ports.ts';
import {
  type CallOptions,
  capabilityMissing,
  createUseDispatcher,
  notRunning,
  type UseDispatcher,
} from '../useDispatcher.ts';
import { Lifecycle } from './lifecycle.ts';
import type { ContinuedParts, RunningServer } from './runningServer.ts';
import type { Server, ServerState, SessionInfo } from './server.ts';
import type { ServerPorts } from './serverPorts.ts';

export interface ManagedServerOptions {
  readonly label: string;
  readonly logger: Logger;
  readonly ports: ServerPorts;
  /** The definition as it is configured now: see `definitionIdentity`. */
  readonly definition: () => string;
  /** Called at every start, so that a changed definition applies at the next one. */
  readonly options: () => ServerOptions;
  /** Expands variables and asks for trust. Rejects with a PatchbayError if the server may not start. */
  readonly plan: (signal: AbortSignal) => Promise<LaunchPlan>;
}

const restartPolicy = { initialMs: 1_000, factor: 2, maximumMs: 30_000, limit: 5, resetAfterMs: 60_000 };

const notListed: ListState = { isLoading: false, failure: undefined };

/** A {@link Server} with the operations of its owner. */
export class ManagedServer implements AsyncDisposable, Server {
  readonly label: string;
  readonly #options: ManagedServerOptions;
  readonly #lifecycle: Lifecycle<RunningServer>;
  readonly #activity = createActivity();
  readonly #emitters = new DisposableStore();
  readonly #onDidChangeContents = this.#emitters.add(new Emitter<ContentKind>());
  readonly #onDidUpdateResource = this.#emitters.add(new Emitter<{ readonly uri: string }>());
  readonly #onDidInvalidateReads = this.#emitters.add(new Emitter<void>());
  readonly #onDidLog = this.#emitters.add(new Emitter<LoggingMessage>());
  readonly #onDidChangeResponsiveness = this.#emitters.add(new Emitter<void>());
  readonly #tasks: TaskList;
  readonly #dispatcher: UseDispatcher;
  /** The identity of what runs or is being started. */
  #launched: string | undefined;
  /** That of the definition, which is asked for often. */
  #configured: { readonly definition: string; readonly identity: string } | undefined;
  /** What is remembered of an identity. */
  #memory: { readonly identity: string; readonly remembered: RememberedContents | undefined } | undefined;
  #rootsVersion = 0;
  /** What continues from one run to the next, and the identity of the last run; `undefined` before the first start. */
  #continued: (ContinuedParts & { readonly of: string }) | undefined;

  readonly onDidChangeState: Server['onDidChangeState'];
  readonly onDidChangeTasks: Server['onDidChangeTasks'];
  readonly onDidChangeContents = this.#onDidChangeContents.event;
  readonly onDidUpdateResource = this.#onDidUpdateResource.event;
  readonly onDidInvalidateReads = this.#onDidInvalidateReads.event;
  readonly onDidLog = this.#onDidLog.event;
  readonly onDidChangeResponsiveness = this.#onDidChangeResponsiveness.event;

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
    this.#tasks = new TaskList({ label, memory, audit });
    this.onDidChangeTasks = this.#tasks.onDidChange;
    this.onDidChangeState = this.#lifecycle.onDidChangeState;
    this.onDidChangeState((state) => {
      this.#connectTasks(state.kind);
      if (state.kind === 'stopped' || state.kind === 'failed') this.#launched = undefined;
      if (state.kind === 'failed' || state.kind === 'waiting') logger.error(state.error.message);
    });
    this.#dispatcher = createUseDispatcher({
      label,
      guard: ports.guard,
      audit,
      activity: this.#activity,
      session: () => this.#session(),
      contents: () => this.contents,
      pendingList: (kind) => this.#lifecycle.current?.catalogue.pendingList(kind),
      listFailure: (kind) => this.#lifecycle.current?.catalogue.failure(kind),
      reloadList: (kind) => this.reloadList(kind),
      identity: () => this.identity,
    });
  }

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
    const running = this.#lifecycle.current;
    if (running === undefined) return undefined;
    const { revision, server, capabilities, instructions } = running.session;
    return { ...running.connectionInfo, protocolVersion: revision, server, capabilities, instructions };
  }

  get isResponsive(): boolean {
    return this.#lifecycle.current?.heartbeat?.isResponsive ?? true;
  }

  get isInUse(): boolean {
    return this.#activity.describe() !== undefined;
  }

  get contents(): Contents {
    return this.#lifecycle.current?.catalogue.contents ?? this.lastSeen;
  }

  get isRemembered(): boolean {
    return this.#lifecycle.current === undefined;
  }

  get rememberedAt(): number | undefined {
    return this.#remembered?.listedAt;
  }

  get lastSeen(): Contents {
    return this.#remembered?.contents ?? emptyContents;
  }

  listState(kind: ContentKind): ListState {
    return this.#lifecycle.current?.catalogue.state(kind) ?? notListed;
  }

  reloadList(kind: ContentKind): void {
    this.#lifecycle.current?.catalogue.reload(kind);
  }

  get problems(): readonly string[] {
    return this.#lifecycle.current?.catalogue.problems ?? [];
  }

  get tasks(): readonly ServerTask[] {
    return this.#tasks.all;
  }

  async start(signal?: AbortSignal, until?: ContentKind): Promise<void> {
    await this.#lifecycle.start(signal);
    const running = this.#lifecycle.current;
    const listing = until === undefined ? running?.catalogue.whenListed() : running?.catalogue.pendingList(until);
    await raceAbort(listing ?? Promise.resolve(), signal);
    if (running !== undefined && this.#lifecycle.current === running) return;
    const { state } = this;
    throw 'error' in state ? state.error : new CancelledError('The server was stopped');
  }

  stop(): Promise<void> {
    return this.#lifecycle.stop();
  }

  async restart(signal?: AbortSignal): Promise<void> {
    // Both at once: the start waits for the old process to end, and a later stop wins.
    const stopped = this.stop();
    await this.start(signal);
    await stopped;
  }

  preflight(kind: DefinedKind, key: string, options: CallOptions = {}): Promise<void> {
    return this.#dispatcher.preflight(kind, key, options);
  }

  callTool(name: string, args: object = {}, options: ToolCallOptions = {}): Promise<CallToolResult> {
    const { current } = this.#lifecycle;
    return current?.toolCalls.call(name, args, options) ?? Promise.reject(notRunning(this.label));
  }

  async cancelTask(id: string): Promise<void> {
    return this.#continued === undefined ? this.#tasks.cancelWhileStopped(id) : this.#continued.taskManager.cancel(id);
  }

  taskResult(id: string, findings?: ResultFindings): Promise<CallToolResult> {
    return this.#lifecycle.current?.toolCalls.taskResult(id, findings) ?? this.#tasks.result(id);
  }

  forgetTask(id: string): void {
    this.#tasks.forget(id);
  }

  readResource(uri: string, options: CallOptions = {}): Promise<ReadResourceResult> {
    return this.#dispatcher.dispatch(
      { kind: 'resources', key: uri, what: `resource ${uri}`, action: 'resourceRead', detail: { uri } },
      options,
      () => this.#running().readResource(uri, options),
    );
  }

  async readSkillFile(skillUri: string, fileUri: string, options: CallOptions = {}): Promise<VerifiedSkillFile> {
    return this.#running().readSkillFile(skillUri, fileUri, (uri) => this.readResource(uri, options), options);
  }

  getPrompt(
    name: string,
    args: Readonly<Record<string, string>> = {},
    options: CallOptions = {},
  ): Promise<GetPromptResult> {
    return this.#dispatcher.dispatch(
      { kind: 'prompts', key: name, what: `prompt ${name}`, action: 'prompt', detail: { prompt: name } },
      options,
      () => this.#running().getPrompt(name, args, options),
    );
  }

  async complete(...asked: Parameters<Server['complete']>): Promise<Completion> {
    return this.#running().complete(...asked);
  }

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

  async setLogLevel(level: LoggingLevel): Promise<void> {
    const session = this.#session();
    if (session.capabilities.logging === undefined) throw capabilityMissing(this.label, 'logging');
    await this.#continued?.subscriptions.setLogLevel(session, level);
  }

  forgetContents(): void {
    if (this.#lifecycle.current !== undefined) return;
    this.#remember(emptyContents);
    for (const kind of contentKinds) this.#onDidChangeContents.fire(kind);
  }

  refreshStale(owner: ListOwner): void {
    this.#lifecycle.current?.catalogue.refreshStale(owner);
  }

  async ping(signal?: AbortSignal): Promise<number> {
    const startedAt = this.#options.ports.clock.now();
    await this.#session().ping(signal && { signal });
    return this.#options.ports.clock.now() - startedAt;
  }

  /** Sends `notifications/roots/list_changed` if the server runs; no-op in 2026-07-28. */
  notifyRootsChanged(): void {
    this.#rootsVersion += 1;
    this.#sendRootsChanged(this.#lifecycle.current);
  }

  #sendRootsChanged(running: RunningServer | undefined): void {
    running?.session.notifyRootsChanged().catch((error: unknown) => this.#options.logger.debug(() => messageOf(error)));
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
    const launched = ports.identities.launched(definition, launchPlan);
    this.#launched = launched;
    this.#configured = undefined;
    // What was subscribed to at another server is nothing to this one.
    if (this.#continued?.of !== launched) this.#continued?.subscriptions.clear();
    const rootsVersion = this.#rootsVersion;
    // Loaded with the first start: a window whose servers stay stopped does not load the protocol.
    const { openRunningServer } = await import('./runningServer.ts');
    const running = await openRunningServer({
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
      signal,
    });
    const { subscriptions, taskManager, toolCalls } = running;
    this.#continued = { of: launched, subscriptions, taskManager, toolCalls };
    // The server may have requested its roots before they changed.
    if (rootsVersion !== this.#rootsVersion) this.#sendRootsChanged(running);
    this.#remember(running.summary(this.lastSeen));
    running.subscriptions.connected(running.session);
    running.heartbeat?.onDidChange(() => this.#onDidChangeResponsiveness.fire());
    running.catalogue.onDidChange((kind) => {
      this.#remember(running.summary(this.lastSeen));
      this.#onDidChangeContents.fire(kind);
    });
    running.authorizationContext?.onDidChange((change) => this.#authorizationChanged(running, change));
    return running;
  }

  /** The account or its scopes changed: ends tasks of another account, subscribes again, and invalidates resources. */
  #authorizationChanged(running: RunningServer, change: ContextChange): void {
    if (this.#lifecycle.current !== running) return;
    this.#connectTasks('running');
    this.#continued?.subscriptions.authorizationChanged(running.session, change);
    this.#onDidInvalidateReads.fire();
  }

  #connectTasks(state: ServerState['kind']): void {
    const running = this.#lifecycle.current;
    if (running !== undefined) {
      const { session, taskManager, authorizationContext } = running;
      const account = authorizationContext?.account() ?? '';
      taskManager.connected({ channel: session.tasks, server: this.identity, account });
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
    return this.#running().session;
  }

  #running(): RunningServer {
    if (this.#lifecycle.current === undefined) throw notRunning(this.label);
    return this.#lifecycle.current;
  }
}
