import type { AuthFlow, AuthSettings } from '../base/authSettings.ts';
import type { Disposable } from '../base/disposable.ts';
import type { Event } from '../base/event.ts';
import { Emitter } from '../base/event.ts';
import type { AuthorizationContext, ContextChange } from '../protocol/httpAuthorizer.ts';
import { contextOf, type Grant, readGrant } from './grant.ts';
import type { AuthorizationStore } from './ports.ts';
import { canonicalResource } from './resourceMetadata.ts';

/** The grant of one server, in the store and at hand. */
export interface GrantKeeper extends Disposable {
  /** As last read; read again after another window has changed it. */
  current(): Promise<Grant | undefined>;
  /** As it is in the store now. */
  reload(): Promise<Grant | undefined>;
  save(grant: Grant): Promise<void>;
  clear(): Promise<void>;
  /** One window, and one action in it, at a time. */
  lock<T>(action: () => Promise<T>, signal: AbortSignal, onWait?: () => void): Promise<T>;
  readonly onDidChange: Event<void>;
  /** Of the grant that was last read or saved. */
  readonly context: AuthorizationContext;
}

/** Entries of one address share a grant, unless they sign in as different clients or in different ways. */
function keyOf(server: URL, { flow = 'authorizationCode', clientId }: AuthSettings): string {
  return `grant:${JSON.stringify([canonicalResource(server), flow, clientId ?? ''])}`;
}

/** What a key of the store says of the sign-in it is for, or `undefined` for a key of another kind. */
export function readGrantKey(key: string): { readonly server: URL; readonly settings: AuthSettings } | undefined {
  if (!key.startsWith('grant:')) return undefined;
  const [server, flow, clientId] = JSON.parse(key.slice('grant:'.length)) as [string, AuthFlow, string];
  return { server: new URL(server), settings: { flow, ...(clientId !== '' && { clientId }) } };
}

export function createGrantKeeper(store: AuthorizationStore, server: URL, settings: AuthSettings): GrantKeeper {
  const key = keyOf(server, settings);
  const changed = new Emitter<void>();
  const contextChanged = new Emitter<ContextChange>();
  let known: Promise<Grant | undefined> | undefined;
  /** `undefined` until the store was read. */
  let context: ReturnType<typeof contextOf> | undefined;
  const enter = (grant: Grant | undefined): Grant | undefined => {
    const before = context;
    context = contextOf(grant);
    const { account, scopes } = context;
    if (before !== undefined && (before.account !== account || before.scopes !== scopes))
      contextChanged.fire({ before: before.account, account });
    return grant;
  };
  const reload = (): Promise<Grant | undefined> => {
    const reading = store.get(key).then(readGrant).then(enter);
    known = reading;
    reading.catch(() => {
      if (known === reading) known = undefined;
    });
    return reading;
  };
  const subscription = store.onDidChange((changedKey) => {
    if (changedKey !== key) return;
    known = undefined;
    changed.fire();
    // What is open must not wait for the next request to learn of it.
    if (context !== undefined) reload().catch(() => {});
  });
  return {
    current: () => known ?? reload(),
    reload,
    async save(grant) {
      await store.set(key, JSON.stringify(grant));
      known = Promise.resolve(enter(grant));
    },
    async clear() {
      await store.delete(key);
      known = Promise.resolve(enter(undefined));
    },
    lock: (action, signal, onWait) => store.lock(key, action, signal, onWait),
    onDidChange: changed.event,
    context: { account: () => context?.account ?? '', onDidChange: contextChanged.event },
    dispose() {
      subscription.dispose();
      changed.dispose();
      contextChanged.dispose();
    },
  };
}
