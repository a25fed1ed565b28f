import { type Disposable, DisposableStore } from '../base/disposable.ts';
import { Emitter, type Event } from '../base/event.ts';
import type { ClientManager } from '../client/clientManager.ts';
import type { ConfiguredServer } from '../config/configuredServer.ts';
import type { LaunchPlan } from '../config/serverDefinition.ts';
import type { HostServer, ServerRegistry } from './serverRegistry.ts';

export interface ServerRegistryOptions {
  readonly manager: ClientManager;
  /** The servers configured now, and word of every change. */
  readonly configured: () => readonly ConfiguredServer[];
  readonly onDidChangeConfiguration: Event<unknown>;
  /** Expands variables, then asks for trust. */
  readonly plan: (server: ConfiguredServer, signal: AbortSignal) => Promise<LaunchPlan>;
}

interface Entry extends HostServer {
  configured: ConfiguredServer;
  /** The definition the current process was started from. */
  startedFrom: string | undefined;
  readonly subscriptions: DisposableStore;
}

/** Keeps one connection for each configured label, in step with the configuration. */
export function createServerRegistry(options: ServerRegistryOptions): ServerRegistry & Disposable {
  const { manager } = options;
  const disposables = new DisposableStore();
  const onDidChangeServers = disposables.add(new Emitter<void>());
  const onDidChangeAny = disposables.add(new Emitter<HostServer>());
  const changed = new Set<HostServer>();
  let entries = new Map<string, Entry>();

  function announce(entry: HostServer): void {
    if (changed.size === 0) queueMicrotask(flush);
    changed.add(entry);
  }

  function flush(): void {
    const batch = [...changed];
    changed.clear();
    for (const entry of batch) onDidChangeAny.fire(entry);
  }

  function createEntry(configured: ConfiguredServer): Entry {
    const server = manager.get(configured.label);
    if (server === undefined) throw new Error(`No connection for ${configured.label}`);
    const subscriptions = new DisposableStore();
    const entry: Entry = {
      label: configured.label,
      configured,
      server,
      startedFrom: undefined,
      subscriptions,
      get isStale() {
        const { kind } = server.state;
        return kind !== 'stopped' && kind !== 'failed' && entry.startedFrom !== undefined && entry.startedFrom !== identityOf(entry.configured);
      },
    };
    subscriptions.add(server.onDidChangeState(() => announce(entry)));
    subscriptions.add(server.onDidChangeContents(() => announce(entry)));
    return entry;
  }

  async function plan(label: string, signal: AbortSignal): Promise<LaunchPlan> {
    const entry = entries.get(label);
    if (entry === undefined) throw new Error(`${label} is no longer configured`);
    const { configured } = entry;
    const launchPlan = await options.plan(configured, signal);
    entry.startedFrom = identityOf(configured);
    return launchPlan;
  }

  function configure(): void {
    const configured = options.configured();
    manager.configure(
      configured.map(({ label }) => ({
        label,
        options: () => entries.get(label)?.configured.options ?? {},
        plan: (signal) => plan(label, signal),
      })),
    );
    const before = entries;
    entries = new Map(configured.map((server) => [server.label, before.get(server.label) ?? createEntry(server)]));
    for (const [label, entry] of before) if (!entries.has(label)) entry.subscriptions.dispose();
    for (const server of configured) redefine(entries.get(server.label), server);
    onDidChangeServers.fire();
  }

  function redefine(entry: Entry | undefined, configured: ConfiguredServer): void {
    if (entry === undefined || entry.configured === configured) return;
    entry.configured = configured;
    announce(entry);
  }

  configure();
  disposables.add(options.onDidChangeConfiguration(configure));
  return {
    get servers() {
      return [...entries.values()];
    },
    get: (label) => entries.get(label),
    onDidChangeServers: onDidChangeServers.event,
    onDidChangeAny: onDidChangeAny.event,
    dispose() {
      disposables.dispose();
      for (const entry of entries.values()) entry.subscriptions.dispose();
    },
  };
}

/** What a running process depends on. Roots and timeouts are read when they are used and need no restart. */
function identityOf({ definition, options }: ConfiguredServer): string {
  const { patchbay: _, ...launched } = definition;
  return JSON.stringify([launched, options.revision, options.auth]);
}
