import type { AuthorizationDescription } from '../../auth/authorizer.ts';
import type { MissingSignIn } from '../../auth/ports.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';
import type { ContentKind } from '../../client/contents.ts';
import type { Server } from '../../client/server/server.ts';
import type { ConfiguredServer } from '../../config/configuredServer.ts';
import type { Requester } from '../configuration/requester.ts';
import type { HostServer, ServerRegistry } from './serverRegistry.ts';

/** A server as people see it: its configuration and connection, and what else of it is open in this window. */
export interface ServerViewModel extends HostServer {
  /** Every message of the server is shown. */
  readonly isTraced: boolean;
  /** The server has asked the person something, and waits for the answer. */
  readonly isAsking: boolean;
  /** Requests of the server are refused without showing them: the person has refused too many. */
  readonly isMuted: boolean;
  /** Why the server is without the sign-in it needs for at least some requests; `undefined` where it is not. */
  readonly missingSignIn: MissingSignIn | undefined;
  /** The sign-in it was last used with in this window. */
  readonly authorization: AuthorizationDescription | undefined;
}

/** The registry for what shows servers. */
export interface ServerViewModels extends ServerRegistry {
  readonly servers: readonly ServerViewModel[];
  get(label: string): ServerViewModel | undefined;
  /** Fires as the registry's event does, and when a flag of {@link ServerViewModel} changed. */
  readonly onDidChangeAny: Event<ServerViewModel>;
}

/** Where the flags come from, by label of the server. Each event fires with the label. */
export interface ServerFlagSources {
  readonly traces: { isOn(label: string): boolean; readonly onDidChange: Event<string> };
  readonly questions: { isAsking(label: string): boolean; readonly onDidChange: Event<string> };
  readonly mutes: { isMuted(label: string): boolean; readonly onDidChange: Event<string> };
  readonly signIns: {
    missing(label: string): MissingSignIn | undefined;
    authorization(label: string): AuthorizationDescription | undefined;
    readonly onDidChange: Event<string>;
  };
}

/** Adds the flags to the servers of a registry. */
export function createServerViewModels(
  registry: ServerRegistry,
  sources: ServerFlagSources,
): ServerViewModels & Disposable {
  const store = new DisposableStore();
  const didChange = store.add(new Emitter<ServerViewModel>());
  const models = new WeakMap<HostServer, ServerViewModel>();
  const pending = new Set<string>();

  function modelOf(hostServer: HostServer): ServerViewModel {
    let model = models.get(hostServer);
    if (model === undefined) {
      model = new FlaggedServer(hostServer, sources);
      models.set(hostServer, model);
    }
    return model;
  }

  function get(label: string): ServerViewModel | undefined {
    const hostServer = registry.get(label);
    return hostServer && modelOf(hostServer);
  }

  function flush(): void {
    const labels = [...pending];
    pending.clear();
    for (const label of labels) {
      const model = get(label);
      if (model !== undefined) didChange.fire(model);
    }
  }

  function flagChanged(label: string): void {
    // One microtask later than the registry's own batch: a server that changed there too in this turn fires once.
    if (pending.size === 0) queueMicrotask(() => queueMicrotask(flush));
    pending.add(label);
  }

  for (const { onDidChange } of [sources.traces, sources.questions, sources.mutes, sources.signIns])
    store.add(onDidChange(flagChanged));
  store.add(
    registry.onDidChangeAny((hostServer) => {
      pending.delete(hostServer.label);
      didChange.fire(modelOf(hostServer));
    }),
  );
  return {
    get servers() {
      return registry.servers.map(modelOf);
    },
    get,
    onDidChangeServers: registry.onDidChangeServers,
    onDidChangeState: registry.onDidChangeState,
    onDidChangeAny: didChange.event,
    dispose: () => store.dispose(),
  };
}

class FlaggedServer implements ServerViewModel {
  readonly #host: HostServer;
  readonly #sources: ServerFlagSources;

  constructor(host: HostServer, sources: ServerFlagSources) {
    this.#host = host;
    this.#sources = sources;
  }

  get label(): string {
    return this.#host.label;
  }

  get configured(): ConfiguredServer {
    return this.#host.configured;
  }

  get server(): Server {
    return this.#host.server;
  }

  get isStale(): boolean {
    return this.#host.isStale;
  }

  get lookAlike(): string | undefined {
    return this.#host.lookAlike;
  }

  get isTraced(): boolean {
    return this.#sources.traces.isOn(this.label);
  }

  get isAsking(): boolean {
    return this.#sources.questions.isAsking(this.label);
  }

  get isMuted(): boolean {
    return this.#sources.mutes.isMuted(this.label);
  }

  get missingSignIn(): MissingSignIn | undefined {
    return this.#sources.signIns.missing(this.label);
  }

  get authorization(): AuthorizationDescription | undefined {
    return this.#sources.signIns.authorization(this.label);
  }

  start(requester: Requester, signal?: AbortSignal, until?: ContentKind): Promise<void> {
    return this.#host.start(requester, signal, until);
  }

  restart(requester: Requester): Promise<void> {
    return this.#host.restart(requester);
  }
}
