import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { PatchbayError } from '../../base/errors.ts';
import { Emitter, type Event } from '../../base/event.ts';
import type { LaunchPlan } from '../../base/launchPlan.ts';
import { describeLookAlikes } from '../../base/lookAlike.ts';
import { definitionIdentity } from '../../client/connection/launchIdentity.ts';
import type { ClientManager } from '../../client/server/clientManager.ts';
import type { ContentKind } from '../../client/contents.ts';
import type { Server, ServerState } from '../../client/server/server.ts';
import type { ConfiguredServer } from '../../config/configuredServer.ts';
import { type RequestedBy, type Requester, type Requesters, startFor } from '../configuration/requester.ts';

/** A configured server and its connection, together for as long as the label stays configured. */
export interface HostServer {
  readonly label: string;
  readonly configured: ConfiguredServer;
  readonly server: Server;
  /** The definition changed after the running process was started; a restart would use the new one. */
  readonly isStale: boolean;
  /** How its label could be taken for another, in a few words; `undefined` for nearly all. */
  readonly lookAlike: string | undefined;
  /**
   * Starts the server for `requester`, who may be asked for approval, input values and a sign-in; `server.start` asks no one.
   * @param until resolves as soon as this list is there, instead of all lists
   */
  start(requester: Requester, signal?: AbortSignal, until?: ContentKind): Promise<void>;
  restart(requester: Requester): Promise<void>;
}

/** A server's new state. */
export interface ServerStateChange {
  readonly label: string;
  readonly state: ServerState;
}

/** All servers of the window, in the order of their configuration. */
export interface ServerRegistry {
  readonly servers: readonly HostServer[];
  get(label: string): HostServer | undefined;
  /**
   * The configuration changed: servers may have come, gone or been redefined. State and contents have events of their own
   * on each {@link Server}.
   */
  readonly onDidChangeServers: Event<void>;
  /** Any server's definition, state or contents changed: at most one event for each server in a turn of the event loop. */
  readonly onDidChangeAny: Event<HostServer>;
  /** Any server's state changed: fires for each change, in the same turn, before {@link onDidChangeAny}. */
  readonly onDidChangeState: Event<ServerStateChange>;
}

/** What {@link createServerRegistry} needs. */
export interface ServerRegistryOptions {
  readonly manager: ClientManager;
  /** The servers configured now; {@link onDidChangeConfiguration} fires when they change. */
  readonly configured: () => readonly ConfiguredServer[];
  readonly onDidChangeConfiguration: Event<unknown>;
  /** Expands variables, then asks for trust. */
  readonly plan: (server: ConfiguredServer, requestedBy: () => RequestedBy, signal: AbortSignal) => Promise<LaunchPlan>;
  readonly requesters: Requesters;
}

/** Keeps one connection for each configured label, in step with the configuration. */
export function createServerRegistry(options: ServerRegistryOptions): ServerRegistry & Disposable {
  return new ConnectionRegistry(options);
}

/** One label, for as long as it is configured. */
class RegisteredServer implements HostServer {
  readonly server: Server;
  readonly subscriptions = new DisposableStore();
  configured: ConfiguredServer;
  lookAlike: string | undefined;
  readonly #requesters: Requesters;
  #definition: { readonly of: ConfiguredServer; readonly text: string } | undefined;
  /** Identifies what the current process was started from; `undefined` while there is none. */
  startedFrom: string | undefined;

  constructor(configured: ConfiguredServer, server: Server, requesters: Requesters) {
    this.configured = configured;
    this.server = server;
    this.#requesters = requesters;
  }

  get label(): string {
    return this.configured.label;
  }

  get isStale(): boolean {
    return this.startedFrom !== undefined && this.startedFrom !== identityOf(this.configured);
  }

  /** See {@link definitionIdentity}. */
  get definition(): string {
    const { configured } = this;
    if (this.#definition?.of !== configured)
      this.#definition = { of: configured, text: definitionIdentity(configured) };
    return this.#definition.text;
  }

  start(requester: Requester, signal?: AbortSignal, until?: ContentKind): Promise<void> {
    return startFor(requester, this.label, this.#requesters, () => this.server.start(signal, until));
  }

  restart(requester: Requester): Promise<void> {
    return startFor(requester, this.label, this.#requesters, () => this.server.restart());
  }
}

class ConnectionRegistry implements ServerRegistry, Disposable {
  readonly #options: ServerRegistryOptions;
  readonly #store = new DisposableStore();
  readonly #onDidChangeServers = this.#store.add(new Emitter<void>());
  readonly #onDidChangeAny = this.#store.add(new Emitter<HostServer>());
  readonly #onDidChangeState = this.#store.add(new Emitter<ServerStateChange>());
  readonly #changed = new Set<HostServer>();
  #entries = new Map<string, RegisteredServer>();

  readonly onDidChangeServers = this.#onDidChangeServers.event;
  readonly onDidChangeAny = this.#onDidChangeAny.event;
  readonly onDidChangeState = this.#onDidChangeState.event;

  constructor(options: ServerRegistryOptions) {
    this.#options = options;
    this.#configure();
    this.#store.add(options.onDidChangeConfiguration(() => this.#configure()));
  }

  get servers(): readonly HostServer[] {
    return [...this.#entries.values()];
  }

  get(label: string): HostServer | undefined {
    return this.#entries.get(label);
  }

  dispose(): void {
    this.#store.dispose();
    for (const { subscriptions } of this.#entries.values()) subscriptions.dispose();
  }

  #configure(): void {
    const { manager, configured: read } = this.#options;
    const configured = read();
    manager.configure(
      configured.map((server) => ({
        label: server.label,
        // A server that is new has no entry yet.
        definition: () => this.#entries.get(server.label)?.definition ?? definitionIdentity(server),
        options: () => this.#entries.get(server.label)?.configured.options ?? {},
        plan: (signal) => this.#plan(server.label, signal),
      })),
    );
    const before = this.#entries;
    this.#entries = new Map(configured.map((server) => [server.label, before.get(server.label) ?? this.#add(server)]));
    for (const [label, entry] of before) if (!this.#entries.has(label)) entry.subscriptions.dispose();
    const lookAlikes = describeLookAlikes([...this.#entries.keys()]);
    for (const entry of this.#entries.values()) entry.lookAlike = lookAlikes.get(entry.label);
    for (const server of configured) this.#redefine(server);
    this.#onDidChangeServers.fire();
  }

  #add(configured: ConfiguredServer): RegisteredServer {
    const server = this.#options.manager.get(configured.label);
    if (server === undefined) throw new Error(`No connection was made for ${configured.label}`);
    const entry = new RegisteredServer(configured, server, this.#options.requesters);
    entry.subscriptions.add(
      server.onDidChangeState((state) => {
        if (state.kind === 'stopped' || state.kind === 'failed') entry.startedFrom = undefined;
        this.#onDidChangeState.fire({ label: entry.label, state });
        this.#announce(entry);
      }),
    );
    entry.subscriptions.add(server.onDidChangeResponsiveness(() => this.#announce(entry)));
    entry.subscriptions.add(server.onDidChangeContents(() => this.#announce(entry)));
    entry.subscriptions.add(server.onDidChangeTasks(() => this.#announce(entry)));
    return entry;
  }

  #redefine(configured: ConfiguredServer): void {
    const entry = this.#entries.get(configured.label);
    if (entry === undefined || entry.configured === configured) return;
    entry.configured = configured;
    this.#announce(entry);
  }

  async #plan(label: string, signal: AbortSignal): Promise<LaunchPlan> {
    const entry = this.#entries.get(label);
    if (entry === undefined) throw new PatchbayError('configuration', `The server "${label}" is no longer configured.`);
    const { configured } = entry;
    const plan = await this.#options.plan(configured, () => this.#options.requesters.of(entry.server), signal);
    entry.startedFrom = identityOf(configured);
    return plan;
  }

  #announce(entry: HostServer): void {
    if (this.#changed.size === 0) queueMicrotask(() => this.#flush());
    this.#changed.add(entry);
  }

  #flush(): void {
    const batch = [...this.#changed];
    this.#changed.clear();
    for (const entry of batch) this.#onDidChangeAny.fire(entry);
  }
}

/** What a running process depends on, values included: a change needs a restart. Roots and timeouts are read when they are used and need no restart. */
function identityOf({ definition, options, source }: ConfiguredServer): string {
  const { patchbay: _, ...launched } = definition;
  // Paths in a definition start from the folder of its file.
  return JSON.stringify([launched, options.revision, options.auth, source.uri]);
}
