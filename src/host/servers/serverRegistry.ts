import type { AuthorizationDescription } from '../../auth/authorizer.ts';
import type { MissingSignIn } from '../../auth/ports.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { PatchbayError } from '../../base/errors.ts';
import { Emitter, type Event } from '../../base/event.ts';
import type { LaunchPlan } from '../../base/launchPlan.ts';
import { describeLookAlikes } from '../../base/lookAlike.ts';
import type { ClientManager } from '../../client/server/clientManager.ts';
import type { ContentKind } from '../../client/contents.ts';
import type { Server } from '../../client/server/server.ts';
import type { QuestionMutes } from '../../client/serverRequests/questionMutes.ts';
import type { ConfiguredServer } from '../../config/configuredServer.ts';
import { type RequestedBy, type Requester, type Requesters, startFor } from '../configuration/requester.ts';
import type { OpenQuestions } from '../consent/openQuestions.ts';
import type { SignInState } from '../signIn/signIns.ts';
import type { MessageTraces } from './messageTraces.ts';

/** A configured server and its connection, together for as long as the label stays configured. */
export interface HostServer {
  readonly label: string;
  readonly configured: ConfiguredServer;
  readonly server: Server;
  /** The definition changed after the running process was started; a restart would use the new one. */
  readonly isStale: boolean;
  /** Every message of the server is shown. */
  readonly isTraced: boolean;
  /** How its label could be taken for another, in a few words; `undefined` for nearly all. */
  readonly lookAlike: string | undefined;
  /** The server has asked the person something, and waits for the answer. */
  readonly isAsking: boolean;
  /** What the server asks is refused unseen: the person has refused too much of it. */
  readonly isMuted: boolean;
  /** Why the server is without the sign-in it needs, for some of what it is asked at least. */
  readonly missingSignIn: MissingSignIn | undefined;
  /** The sign-in it was last used with in this window. */
  readonly authorization: AuthorizationDescription | undefined;
  /** Starts it for somebody who may be asked for approval, values and a sign-in; `server.start` asks nobody. */
  start(waiting: Requester, signal?: AbortSignal, until?: ContentKind): Promise<void>;
  restart(waiting: Requester): Promise<void>;
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
  /** Any server's state or contents changed: at most one event each turn of the event loop. */
  readonly onDidChangeAny: Event<HostServer>;
}

export interface ServerRegistryOptions {
  readonly manager: ClientManager;
  /** The servers configured now, and word of every change. */
  readonly configured: () => readonly ConfiguredServer[];
  readonly onDidChangeConfiguration: Event<unknown>;
  /** Expands variables, then asks for trust. */
  readonly plan: (server: ConfiguredServer, requestedBy: () => RequestedBy, signal: AbortSignal) => Promise<LaunchPlan>;
  readonly traces: Pick<MessageTraces, 'isOn' | 'onDidChange'>;
  readonly questions: Pick<OpenQuestions, 'isAsking' | 'onDidChange'>;
  readonly mutes: Pick<QuestionMutes, 'isMuted' | 'unmute' | 'onDidChange'>;
  readonly requesters: Requesters;
  readonly signIns: Pick<SignInState, 'missing' | 'setMissing' | 'authorization' | 'onDidChange'>;
}

/** Keeps one connection for each configured label, in step with the configuration. */
export function createServerRegistry(options: ServerRegistryOptions): ServerRegistry & Disposable {
  return new Registry(options);
}

type EntryOptions = Pick<ServerRegistryOptions, 'traces' | 'questions' | 'mutes' | 'requesters' | 'signIns'>;

/** One label, for as long as it is configured. */
class Entry implements HostServer {
  readonly server: Server;
  readonly subscriptions = new DisposableStore();
  configured: ConfiguredServer;
  lookAlike: string | undefined;
  readonly #options: EntryOptions;
  /** Identifies what the current process was started from; `undefined` while there is none. */
  startedFrom: string | undefined;

  constructor(configured: ConfiguredServer, server: Server, options: EntryOptions) {
    this.configured = configured;
    this.server = server;
    this.#options = options;
  }

  get label(): string {
    return this.configured.label;
  }

  get isStale(): boolean {
    return this.startedFrom !== undefined && this.startedFrom !== identityOf(this.configured);
  }

  get isTraced(): boolean {
    return this.#options.traces.isOn(this.label);
  }

  get isAsking(): boolean {
    return this.#options.questions.isAsking(this.label);
  }

  get isMuted(): boolean {
    return this.#options.mutes.isMuted(this.label);
  }

  get missingSignIn(): HostServer['missingSignIn'] {
    return this.#options.signIns.missing(this.label);
  }

  get authorization(): HostServer['authorization'] {
    return this.#options.signIns.authorization(this.label);
  }

  start(waiting: Requester, signal?: AbortSignal, until?: ContentKind): Promise<void> {
    return startFor(waiting, this.label, this.#options.requesters, () => this.server.start(signal, until));
  }

  restart(waiting: Requester): Promise<void> {
    return startFor(waiting, this.label, this.#options.requesters, () => this.server.restart());
  }
}

class Registry implements ServerRegistry, Disposable {
  readonly #options: ServerRegistryOptions;
  readonly #store = new DisposableStore();
  readonly #onDidChangeServers = this.#store.add(new Emitter<void>());
  readonly #onDidChangeAny = this.#store.add(new Emitter<HostServer>());
  readonly #changed = new Set<HostServer>();
  #entries = new Map<string, Entry>();

  readonly onDidChangeServers = this.#onDidChangeServers.event;
  readonly onDidChangeAny = this.#onDidChangeAny.event;

  constructor(options: ServerRegistryOptions) {
    this.#options = options;
    this.#configure();
    this.#store.add(options.onDidChangeConfiguration(() => this.#configure()));
    for (const { onDidChange } of [options.traces, options.questions, options.mutes, options.signIns]) {
      this.#store.add(
        onDidChange((label) => {
          const entry = this.#entries.get(label);
          if (entry !== undefined) this.#announce(entry);
        }),
      );
    }
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
      configured.map(({ label }) => ({
        label,
        options: () => this.#entries.get(label)?.configured.options ?? {},
        plan: (signal) => this.#plan(label, signal),
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

  #add(configured: ConfiguredServer): Entry {
    const server = this.#options.manager.get(configured.label);
    if (server === undefined) throw new Error(`No connection was made for ${configured.label}`);
    const entry = new Entry(configured, server, this.#options);
    entry.subscriptions.add(
      server.onDidChangeState((state) => {
        const { kind } = state;
        // A server that crashes does not earn itself another hearing.
        if (state.kind === 'starting' && state.isRetry !== true) this.#options.mutes.unmute(entry.label);
        if (kind === 'stopped' || kind === 'failed') entry.startedFrom = undefined;
        // The next start finds out anew.
        if (kind === 'stopped' || kind === 'starting') this.#options.signIns.setMissing(entry.label, undefined);
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

/** What a running process depends on. Roots and timeouts are read when they are used and need no restart. */
function identityOf({ definition, options }: ConfiguredServer): string {
  const { patchbay: _, ...launched } = definition;
  return JSON.stringify([launched, options.revision, options.auth]);
}
