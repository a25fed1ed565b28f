import type { Uri } from 'vscode';
import { type Disposable, DisposableStore, toDisposable } from '../../base/disposable.ts';
import { isCancellation, messageOf } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import type { Server } from '../../client/server/server.ts';
import type { ServerRegistry } from '../servers/serverRegistry.ts';

interface ResourceWatchesOptions {
  readonly registry: Pick<ServerRegistry, 'get'>;
  readonly onChange: (server: string, uri: string) => void;
  readonly mayAsk: (server: string, uri: string) => boolean;
  /** What kept {@link mayAsk} false may be over. */
  readonly onDidGrantTrust: (listener: () => void) => Disposable;
  readonly logger: Logger;
}

interface Watch {
  /** One for each watcher. */
  readonly documents: Uri[];
  readonly subscriptions: DisposableStore;
}

/** Subscribes to a resource that is open once for all its watchers, and again after its server has started again. */
export class ResourceWatches implements Disposable {
  readonly #options: ResourceWatchesOptions;
  /** By server and resource. */
  readonly #watches = new Map<string, Watch>();

  constructor(options: ResourceWatchesOptions) {
    this.#options = options;
  }

  /** Several watches of one resource share a subscription. Dispose the result to stop. @param document that shows it */
  watch(server: string, uri: string, document: Uri): Disposable {
    const key = JSON.stringify([server, uri]);
    const known = this.#watches.get(key);
    const watch = known ?? { documents: [], subscriptions: new DisposableStore() };
    watch.documents.push(document);
    this.#watches.set(key, watch);
    if (known === undefined) this.#begin(server, uri, watch.subscriptions);
    return toDisposable(() => {
      // Whether the server may be asked depends on the documents.
      if (watch.documents.length === 1) watch.subscriptions.dispose();
      watch.documents.splice(watch.documents.indexOf(document), 1);
      if (watch.documents.length === 0) this.#watches.delete(key);
    });
  }

  documentsOf(server: string, uri: string): readonly Uri[] {
    return this.#watches.get(JSON.stringify([server, uri]))?.documents ?? [];
  }

  dispose(): void {
    for (const { subscriptions } of this.#watches.values()) subscriptions.dispose();
    this.#watches.clear();
  }

  #begin(label: string, uri: string, subscriptions: DisposableStore): void {
    const { registry, onChange, mayAsk, onDidGrantTrust, logger } = this.#options;
    const server = registry.get(label)?.server;
    if (server === undefined) return;
    const attempt = (what: 'subscribe' | 'unsubscribe'): void => {
      if (!canSubscribe(server) || !mayAsk(label, uri)) return;
      server[what](uri).catch((error: unknown) => {
        if (!isCancellation(error)) logger.debug(() => `${label}: ${what} ${uri}: ${messageOf(error)}`);
      });
    };
    const resume = (): void => {
      attempt('subscribe');
      onChange(label, uri);
    };
    subscriptions.add(server.onDidUpdateResource((update) => isPartOf(update.uri, uri) && onChange(label, uri)));
    subscriptions.add(server.onDidInvalidateReads(() => onChange(label, uri)));
    // A server that has started again has no subscription, and may have other contents.
    subscriptions.add(server.onDidChangeState(({ kind }) => kind === 'running' && resume()));
    subscriptions.add(onDidGrantTrust(resume));
    subscriptions.add(toDisposable(() => attempt('unsubscribe')));
    attempt('subscribe');
  }
}

/** An update may name something inside what was subscribed to (resources, "Subscriptions"). */
export function isPartOf(updated: string, watched: string): boolean {
  return updated === watched || updated.startsWith(watched.endsWith('/') ? watched : `${watched}/`);
}

function canSubscribe({ state, session }: Server): boolean {
  return state.kind === 'running' && session?.capabilities.resources?.subscribe === true;
}
