import type { AuthorizationDescription } from '../../auth/authorizer.ts';
import type { MissingSignIn } from '../../auth/ports.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';
import type { LaunchPlan } from '../../base/launchPlan.ts';
import { describeLookAlikes } from '../../base/lookAlike.ts';
import { definitionIdentity } from '../../client/connection/launchIdentity.ts';
import type { ContentKind } from '../../client/contents.ts';
import type { ManagedServer, ManagedServerOptions, Server } from '../../client/server/managedServer.ts';
import type { ServerState } from '../../client/server/server.ts';
import type { ConfiguredServer } from '../../config/configuredServer.ts';
import { type RequestedBy, type Requester, type Requesters, startFor } from '../configuration/requester.ts';
import type { PrepareLaunch } from '../configuration/trust.ts';
import type { DevelopmentState } from './developmentStates.ts';
import type { DisabledServers } from './disabledServers.ts';
import type { Faults } from './toolFaults.ts';

interface Flag {
  /** Fires with the label. */
  readonly onDidChange: Event<string>;
}

/** Where the flags of servers come from, by label. */
interface ServerFlags {
  readonly questions: Flag & { isAsking(label: string): boolean };
  readonly mutes: Flag & { isMuted(label: string): boolean };
  readonly disabled: Flag & Pick<DisabledServers, 'isDisabled' | 'refusal'>;
  readonly debugged: Flag & { isDebugged(label: string): boolean; isDebuggable(server: ConfiguredServer): boolean };
  readonly recorded: Flag & { isRecorded(label: string): boolean };
  readonly toolFaults: Flag & { of(label: string): Faults };
  readonly development: Flag & { of(label: string): DevelopmentState | undefined };
  readonly signIns: Flag & {
    missing(label: string): MissingSignIn | undefined;
    authorization(label: string): AuthorizationDescription | undefined;
  };
}

/** A server as people see it: its configuration, its connection and its flags, for as long as the label stays configured. */
export class HostServer {
  readonly server: Server;
  configured: ConfiguredServer;
  /** How its label could be taken for another, in a few words; `undefined` for nearly all. */
  lookAlike: string | undefined;
  /** Identifies what the current process was started from; `undefined` while there is none. */
  startedFrom: string | undefined;
  /** Its start waits for the person: for a yes to what it runs, or for an input. */
  awaitsAnswer = false;
  readonly #requesters: Requesters;
  readonly #flags: ServerFlags;
  #definition: { readonly of: ConfiguredServer; readonly text: string } | undefined;

  constructor(configured: ConfiguredServer, server: Server, requesters: Requesters, flags: ServerFlags) {
    this.configured = configured;
    this.server = server;
    this.#requesters = requesters;
    this.#flags = flags;
  }

  get label(): string {
    return this.configured.label;
  }

  get definition(): string {
    const { configured } = this;
    if (this.#definition?.of !== configured)
      this.#definition = { of: configured, text: definitionIdentity(configured) };
    return this.#definition.text;
  }

  /** The definition changed after the running process was started; a restart would use the new one. */
  get isStale(): boolean {
    return this.startedFrom !== undefined && this.startedFrom !== launchedPart(this.configured);
  }

  /** The server has asked the person something, and waits for the answer. */
  get isAsking(): boolean {
    return this.#flags.questions.isAsking(this.label);
  }

  /** Requests of the server are refused without showing them: the person has refused too many. */
  get isMuted(): boolean {
    return this.#flags.mutes.isMuted(this.label);
  }

  /** Nothing starts it in this workspace: the person does not want it. */
  get isDisabled(): boolean {
    return this.#flags.disabled.isDisabled(this.configured);
  }

  /** It runs under a debugger, or will after its start. */
  get isDebugged(): boolean {
    return this.#flags.debugged.isDebugged(this.label);
  }

  /** Its command line is one that a debugger is known for. */
  get isDebuggable(): boolean {
    return this.#flags.debugged.isDebuggable(this.configured);
  }

  get isRecorded(): boolean {
    return this.#flags.recorded.isRecorded(this.label);
  }

  /** Tools whose schemas are invalid. */
  get toolFaults(): Faults {
    return this.#flags.toolFaults.of(this.label);
  }

  /** What is known of it where its code is in the workspace. */
  get development(): DevelopmentState | undefined {
    return this.#flags.development.of(this.label);
  }

  /** Why the server is without the sign-in it needs for at least some requests; `undefined` where it is not. */
  get missingSignIn(): MissingSignIn | undefined {
    return this.#flags.signIns.missing(this.label);
  }

  /** The sign-in it was last used with in this window. */
  get authorization(): AuthorizationDescription | undefined {
    return this.#flags.signIns.authorization(this.label);
  }

  /**
   * Starts the server for `requester`, who may be asked for approval, input values and a sign-in; `server.start` asks no one.
   * @param until resolves as soon as this list is there, instead of all lists
   */
  start(requester: Requester, signal?: AbortSignal, until?: ContentKind): Promise<void> {
    return startFor(requester, this.label, this.#requesters, () => this.server.start(signal, until));
  }

  restart(requester: Requester): Promise<void> {
    return startFor(requester, this.label, this.#requesters, () => this.server.restart());
  }
}

export interface ServerStateChange {
  readonly label: string;
  readonly state: ServerState;
}

/** Makes the connection of a server, which is not started. */
export type Connect = (server: Omit<ManagedServerOptions, 'logger' | 'ports'>) => ManagedServer;

/** What the registry needs of `ConfigurationService`. */
interface Configuration {
  readonly snapshot: { readonly servers: readonly ConfiguredServer[] };
  readonly onDidChange: Event<unknown>;
}

/** All servers of the window, in the order of their configuration: one connection for each configured label. */
export class ServerRegistry implements Disposable {
  readonly #connect: Connect;
  readonly #configuration: Configuration;
  readonly #plan: PrepareLaunch;
  readonly #requesters: Requesters;
  readonly #flags: ServerFlags;
  readonly #store = new DisposableStore();
  readonly #onDidChangeServers = this.#store.add(new Emitter<void>());
  readonly #onDidChangeAny = this.#store.add(new Emitter<HostServer>());
  readonly #onDidChangeState = this.#store.add(new Emitter<ServerStateChange>());
  readonly #releases = new Map<HostServer, () => Promise<void>>();
  readonly #stopping = new Set<Promise<void>>();
  #entries = new Map<string, HostServer>();

  /**
   * The configuration changed: servers may have come, gone or been redefined. State and contents have events of their own
   * on each {@link Server}.
   */
  readonly onDidChangeServers = this.#onDidChangeServers.event;
  /** Any server's definition, state, contents, tasks or flags changed: fires for each change. */
  readonly onDidChangeAny = this.#onDidChangeAny.event;
  /** Any server's state changed: fires before {@link onDidChangeAny}. */
  readonly onDidChangeState = this.#onDidChangeState.event;

  /** @param plan expands variables, then asks for trust */
  constructor(
    connect: Connect,
    configuration: Configuration,
    plan: PrepareLaunch,
    requesters: Requesters,
    flags: ServerFlags,
  ) {
    this.#connect = connect;
    this.#configuration = configuration;
    this.#plan = plan;
    this.#requesters = requesters;
    this.#flags = flags;
    const { questions, mutes, toolFaults, development, signIns, disabled, debugged, recorded } = flags;
    for (const { onDidChange } of [questions, mutes, toolFaults, development, signIns, disabled, debugged, recorded])
      this.#store.add(onDidChange((label) => this.#announce(this.get(label))));
    this.#configure();
    this.#store.add(configuration.onDidChange(() => this.#configure()));
  }

  get servers(): readonly HostServer[] {
    return [...this.#entries.values()];
  }

  get(label: string): HostServer | undefined {
    return this.#entries.get(label);
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** Resolves when the last server has ended. */
  async end(): Promise<void> {
    for (const entry of this.#releases.keys()) this.#release(entry);
    await Promise.all(this.#stopping);
  }

  #configure(): void {
    const configured = this.#configuration.snapshot.servers;
    const before = this.#entries;
    this.#entries = new Map(configured.map((server) => [server.label, before.get(server.label) ?? this.#add(server)]));
    for (const [label, entry] of before) if (!this.#entries.has(label)) this.#release(entry);
    const lookAlikes = describeLookAlikes([...this.#entries.keys()]);
    for (const entry of this.#entries.values()) entry.lookAlike = lookAlikes.get(entry.label);
    for (const server of configured) {
      const entry = this.get(server.label);
      if (entry === undefined || entry.configured === server) continue;
      entry.configured = server;
      this.#announce(entry);
    }
    this.#onDidChangeServers.fire();
  }

  #add(configured: ConfiguredServer): HostServer {
    const server = this.#connect({
      label: configured.label,
      definition: () => entry.definition,
      options: () => entry.configured.options,
      refusal: () => this.#flags.disabled.refusal(entry.configured),
      plan: (signal) => this.#prepare(entry, signal),
    });
    const entry = new HostServer(configured, server, this.#requesters, this.#flags);
    const store = new DisposableStore();
    this.#releases.set(entry, () => {
      store.dispose();
      return server.dispose();
    });
    store.add(
      server.onDidChangeState((state) => {
        if (state.kind === 'stopped' || state.kind === 'failed') entry.startedFrom = undefined;
        this.#onDidChangeState.fire({ label: entry.label, state });
        this.#announce(entry);
      }),
    );
    const { onDidChangeResponsiveness, onDidChangeContents, onDidChangeTasks, onDidIgnoreOutput } = server;
    for (const onDidChange of [onDidChangeResponsiveness, onDidChangeContents, onDidChangeTasks, onDidIgnoreOutput])
      store.add(onDidChange(() => this.#announce(entry)));
    return entry;
  }

  #release(entry: HostServer): void {
    const release = this.#releases.get(entry);
    if (release === undefined) return;
    this.#releases.delete(entry);
    const stopped = release().finally(() => this.#stopping.delete(stopped));
    this.#stopping.add(stopped);
  }

  async #prepare(entry: HostServer, signal: AbortSignal): Promise<LaunchPlan> {
    const { configured } = entry;
    const announce = (awaitsAnswer: boolean): void => {
      if (entry.awaitsAnswer === awaitsAnswer) return;
      entry.awaitsAnswer = awaitsAnswer;
      this.#announce(entry);
    };
    // Called before each question.
    const requestedBy = (): RequestedBy => {
      const requester = this.#requesters.of(entry.server);
      announce(requester !== 'nobody');
      return requester;
    };
    try {
      const plan = await this.#plan(configured, requestedBy, signal);
      entry.startedFrom = launchedPart(configured);
      return plan;
    } finally {
      announce(false);
    }
  }

  #announce(entry: HostServer | undefined): void {
    if (entry !== undefined) this.#onDidChangeAny.fire(entry);
  }
}

/** What a running process depends on, values included: a change needs a restart. Roots and timeouts are read when they are used and need no restart. */
function launchedPart({ definition, options, source }: ConfiguredServer): string {
  const { patchbay: _, ...launched } = definition;
  // Paths in a definition start from the folder of its file.
  return JSON.stringify([launched, options.revision, options.auth, source.uri]);
}
