import { type Disposable, DisposableStore, toDisposable } from '../../base/disposable.ts';
import { isCancellation, messageOf } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import type { Server } from '../../client/server/server.ts';
import type { ServerRegistry } from '../servers/serverRegistry.ts';

export interface ResourceWatchesOptions {
  readonly registry: Pick<ServerRegistry, 'get'>;
  /** The resource may have changed. */
  readonly onChange: (server: string, uri: string) => void;
  /** Whether the server can be asked for the resource now. */
  readonly mayAsk: (server: string, uri: string) => boolean;
  /** What kept {@link mayAsk} false may be over. */
  readonly onDidGrantTrust: (listener: () => void) => Disposable;
  readonly logger: Logger;
}

/** Subscribes to a resource that is open once for all its watchers, and again after its server has started again. */
export function createResourceWatches(options: ResourceWatchesOptions) {
  const { registry, onChange, logger } = options;
  const watches = new Map<string, ReturnType<typeof begin>>();

  function begin(label: string, uri: string): { count: number; readonly subscriptions: DisposableStore } {
    const subscriptions = new DisposableStore();
    const server = registry.get(label)?.server;
    if (server === undefined) return { count: 0, subscriptions };
    const attempt = (what: 'subscribe' | 'unsubscribe'): void => {
      if (!canSubscribe(server) || !options.mayAsk(label, uri)) return;
      server[what](uri).catch((error: unknown) => {
        if (!isCancellation(error)) logger.debug(() => `${label}: ${what} ${uri}: ${messageOf(error)}`);
      });
    };
    subscriptions.add(
      server.onDidUpdateResource((update) => {
        if (isPartOf(update.uri, uri)) onChange(label, uri);
      }),
    );
    subscriptions.add(server.onDidInvalidateReads(() => onChange(label, uri)));
    const resume = (): void => {
      attempt('subscribe');
      onChange(label, uri);
    };
    // A server that has started again has no subscription, and may have other contents.
    subscriptions.add(server.onDidChangeState(({ kind }) => kind === 'running' && resume()));
    subscriptions.add(options.onDidGrantTrust(resume));
    subscriptions.add(toDisposable(() => attempt('unsubscribe')));
    attempt('subscribe');
    return { count: 0, subscriptions };
  }

  return {
    /** Several watches of one resource share a subscription. Dispose the result to stop. */
    watch(server: string, uri: string): Disposable {
      const key = JSON.stringify([server, uri]);
      const watch = watches.get(key) ?? begin(server, uri);
      watches.set(key, watch);
      watch.count += 1;
      return toDisposable(() => {
        watch.count -= 1;
        if (watch.count > 0) return;
        watches.delete(key);
        watch.subscriptions.dispose();
      });
    },
    dispose(): void {
      for (const { subscriptions } of watches.values()) subscriptions.dispose();
      watches.clear();
    },
  };
}

/** An update may name something inside what was subscribed to (resources, "Subscriptions"). */
export function isPartOf(updated: string, watched: string): boolean {
  return updated === watched || updated.startsWith(watched.endsWith('/') ? watched : `${watched}/`);
}

function canSubscribe({ state, session }: Server): boolean {
  return state.kind === 'running' && session?.capabilities.resources?.subscribe === true;
}
