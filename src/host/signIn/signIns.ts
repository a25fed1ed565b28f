import { type Uri, window } from 'vscode';
import type { AuthorizationDescription, Authorizer } from '../../auth/authorizer.ts';
import type { MissingSignIn } from '../../auth/ports.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import type { RemoteLaunchPlan } from '../../base/launchPlan.ts';
import { memoizeAsync } from '../../base/sharedPromise.ts';
import type { ServerRegistry } from '../servers/serverRegistry.ts';
import type { SignInsOptions } from './signInService.ts';

/** Loads the service with the first remote server. A browser that comes back gets an answer even if no sign-in waits. */
export function createLazySignIns(options: SignInsOptions) {
  const store = new DisposableStore();
  const state = store.add(new SignInState());
  let servers: Pick<ServerRegistry, 'get'> | undefined;
  const service = memoizeAsync(async () => {
    const { SignInService } = await import('./signInService.ts');
    return store.add(new SignInService(options, state, (label) => servers?.get(label)));
  });
  const handleUri = async (uri: Uri): Promise<void> => (await service()).prompt.redirects.handleUri(uri);
  store.add(window.registerUriHandler({ handleUri }));
  return {
    state,
    service,
    authorizerFor: async (plan: RemoteLaunchPlan): Promise<Authorizer | undefined> =>
      (await service()).authorizerFor(plan),
    /** Gives it the servers that it signs in. Call once, before a server starts or `service` is used. */
    follow(registry: Pick<ServerRegistry, 'get' | 'onDidChangeState'>): void {
      servers = registry;
      store.add(
        registry.onDidChangeState(({ label, state: { kind } }) => {
          // The next start finds out again whether a sign-in is missing.
          if (kind === 'stopped' || kind === 'starting') state.setMissing(label, undefined);
        }),
      );
    },
    dispose: (): void => store.dispose(),
  };
}

export type LazySignIns = ReturnType<typeof createLazySignIns>;

/** The state of signing in that the window shows, by label of the server. The service that signs in is loaded later. */
export class SignInState implements Disposable {
  readonly #missing = new Map<string, MissingSignIn>();
  readonly #authorizations = new Map<string, AuthorizationDescription>();
  readonly #onDidChange = new Emitter<string>();

  /** Fires with the label of a server whose state changed. */
  readonly onDidChange = this.#onDidChange.event;

  /** A sign-in that a running server needs for some requests. */
  missing(label: string): MissingSignIn | undefined {
    return this.#missing.get(label);
  }

  setMissing(label: string, missing: MissingSignIn | undefined): void {
    this.#set(this.#missing, label, missing);
  }

  /** The sign-in with which this window last used the server. */
  authorization(label: string): AuthorizationDescription | undefined {
    return this.#authorizations.get(label);
  }

  setAuthorization(label: string, authorization: AuthorizationDescription | undefined): void {
    this.#set(this.#authorizations, label, authorization);
  }

  dispose(): void {
    this.#onDidChange.dispose();
  }

  #set<T>(map: Map<string, T>, label: string, value: T | undefined): void {
    if (map.get(label) === value) return;
    if (value === undefined) map.delete(label);
    else map.set(label, value);
    this.#onDidChange.fire(label);
  }
}
