import type { Uri } from 'vscode';
import { type Disposable, DisposableStore, toDisposable } from '../../base/disposable.ts';
import { isCancellation, messageOf } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import type { Server } from '../../client/server/server.ts';
import type { ServerRegistry } from '../servers/serverRegistry.ts';

interface ResourceWatchesPorts {
  /** @param documents that show the resource */
  readonly onChange: (server: string, uri: string, documents: readonly Uri[]) => void;
  readonly mayAsk: (server: string, documents: readonly Uri[]) => boolean;
  /** What kept {@link mayAsk} false may be over. */
  readonly onDidGrantTrust: (listener: () => void) => Disposable;
}

interface Watch {
  /** One for each watcher. */
  readonly documents: Uri[];
  readonly subscriptions: DisposableStore;
}

/** Subscribes to a resource that is open once for all its watchers, and again after its server has started again. */
export class ResourceWatches implements Disposable {
  readonly #registry: Pick<ServerRegistry, 'get'>;
  readonly #logger: Logger;
  readonly #ports: ResourceWatchesPorts;
  readonly #watches = new Map<string, Watch>();

  constructor(registry: Pick<ServerRegistry, 'get'>, logger: Logger, ports: ResourceWatchesPorts) {
    this.#registry = registry;
    this.#logger = logger;
    this.#ports = ports;
  }

  /** Several watches of one resource share a subscription. Dispose the result to stop. @param document that shows it */
  watch(server: string, uri: string, document: Uri): Disposable {
    const key = JSON.stringify([server, uri]);
    const known = this.#watches.get(key);
    const watch = known ?? { documents: [], subscriptions: new DisposableStore() };
    watch.documents.push(document);
    this.#watches.set(key, watch);
    if (known === undefined) this.#begin(server, uri, watch);
    return toDisposable(() => {
      // Whether the server may be asked depends on the documents.
      if (watch.documents.length === 1) watch.subscriptions.dispose();
      watch.documents.splice(watch.documents.indexOf(document), 1);
      if (watch.documents.length === 0) this.#watches.delete(key);
    });
  }

  dispose(): void {
    for (const { subscriptions } of this.#watches.values()) subscriptions.dispose();
    this.#watches.clear();
  }

  #begin(label: string, uri: string, { documents, subscriptions }: Watch): void {
    const { mayAsk, onDidGrantTrust } = this.#ports;
    const server = this.#registry.get(label)?.server;
    if (server === undefined) return;
    const change = (): void => this.#ports.onChange(label, uri, documents);
    const attempt = (what: 'subscribe' | 'unsubscribe'): void => {
      if (!canSubscribe(server) || !mayAsk(label, documents)) return;
      server[what](uri).catch((error: unknown) => {
        if (!isCancellation(error)) this.#logger.debug(() => `${label}: ${what} ${uri}: ${messageOf(error)}`);
      });
    };
    const resume = (): void => {
      attempt('subscribe');
      change();
    };
    subscriptions.add(server.onDidUpdateResource((update) => isPartOf(update.uri, uri) && change()));
    subscriptions.add(server.onDidInvalidateReads(change));
    // A server that has started again has no subscription, and may have other contents.
    subscriptions.add(server.onDidChangeState(({ kind }) => kind === 'running' && resume()));
    subscriptions.add(onDidGrantTrust(resume));
    subscriptions.add(toDisposable(() => attempt('unsubscribe')));
    attempt('subscribe');
  }
}

/** An update may name something inside what was subscribed to (resources, "Subscriptions"). */
function isPartOf(updated: string, watched: string): boolean {
  return updated === watched || updated.startsWith(watched.endsWith('/') ? watched : `${watched}/`);
}

function canSubscribe({ state, session }: Server): boolean {
  return state.kind === 'running' && session?.capabilities.resources?.subscribe === true;
}
