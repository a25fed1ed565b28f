import type { Uri } from 'vscode';
import { type Disposable, DisposableStore, toDisposable } from '../../base/disposable.ts';
import { isCancellation, messageOf } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import type { Server } from '../../client/server/managedServer.ts';
import type { ServerRegistry } from '../servers/serverRegistry.ts';

/**
 * Subscribes to a resource that is open once for all its watchers, and again after its server has started again.
 * @param onChange the resource may have other contents. `documents` show it
 * @param onDidGrantTrust what kept `mayAsk` false may be over
 */
export function createResourceWatches(
  registry: Pick<ServerRegistry, 'get'>,
  logger: Logger,
  onChange: (server: string, uri: string, documents: readonly Uri[]) => void,
  mayAsk: (server: string, documents: readonly Uri[]) => boolean,
  onDidGrantTrust: (listener: () => void) => Disposable,
) {
  /** `documents`: one for each watcher. */
  const watches = new Map<string, { readonly documents: Uri[]; readonly subscriptions: DisposableStore }>();

  function begin(label: string, uri: string, documents: readonly Uri[], subscriptions: DisposableStore): void {
    const server = registry.get(label)?.server;
    if (server === undefined) return;
    const change = (): void => onChange(label, uri, documents);
    const attempt = (what: 'subscribe' | 'unsubscribe'): void => {
      if (!canSubscribe(server) || !mayAsk(label, documents)) return;
      server[what](uri).catch((error: unknown) => {
        if (!isCancellation(error)) logger.debug(() => `${label}: ${what} ${uri}: ${messageOf(error)}`);
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

  return {
    /** Several watches of one resource share a subscription. Dispose the result to stop. @param document that shows it */
    watch(server: string, uri: string, document: Uri): Disposable {
      const key = JSON.stringify([server, uri]);
      const known = watches.get(key);
      const { documents, subscriptions } = known ?? { documents: [], subscriptions: new DisposableStore() };
      documents.push(document);
      watches.set(key, { documents, subscriptions });
      if (known === undefined) begin(server, uri, documents, subscriptions);
      return toDisposable(() => {
        // Whether the server may be asked depends on the documents.
        if (documents.length === 1) subscriptions.dispose();
        documents.splice(documents.indexOf(document), 1);
        if (documents.length === 0) watches.delete(key);
      });
    },
    dispose(): void {
      for (const { subscriptions } of watches.values()) subscriptions.dispose();
      watches.clear();
    },
  };
}

/** An update may name something inside what was subscribed to (resources, "Subscriptions"). */
function isPartOf(updated: string, watched: string): boolean {
  return updated === watched || updated.startsWith(watched.endsWith('/') ? watched : `${watched}/`);
}

function canSubscribe({ state, session }: Server): boolean {
  return state.kind === 'running' && session?.capabilities.resources?.subscribe === true;
}
