import { type ExtensionContext, Uri, window } from 'vscode';
import type { AuthorizationDescription, Authorizer } from '../../auth/authorizer.ts';
import type { MissingSignIn } from '../../auth/ports.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { PatchbayError } from '../../base/errors.ts';
import { Emitter } from '../../base/event.ts';
import type { RemoteLaunchPlan } from '../../base/launchPlan.ts';
import { memoizeAsync } from '../../base/sharedPromise.ts';
import type { ConfigurationService } from '../configuration/configurationService.ts';
import type { TrustService } from '../configuration/trust.ts';
import type { ServerRegistry } from '../servers/serverRegistry.ts';
import type { SignInOptions, SignInService } from './signInService.ts';

export interface LazySignInsOptions extends Pick<
  SignInOptions,
  'requesters' | 'audit' | 'log' | 'clock' | 'http' | 'isTest'
> {
  readonly context: Pick<ExtensionContext, 'secrets' | 'globalStorageUri' | 'extension'>;
  readonly configuration: Pick<ConfigurationService, 'get' | 'resolve'>;
  readonly trust: Pick<TrustService, 'checkWorkspace'>;
}

/** What the window needs of signing in before the first remote server starts. */
export interface LazySignIns extends Disposable {
  readonly state: SignInState;
  /** Loaded with the first remote server that starts. */
  readonly service: () => Promise<SignInService>;
  /** Gives it the servers that it signs in. Call once, before a server starts or `service` is used. */
  follow(registry: Pick<ServerRegistry, 'get' | 'onDidChangeState'>): void;
  readonly authorizerFor: (plan: RemoteLaunchPlan) => Promise<Authorizer | undefined>;
}

/** Also handles the redirects of browsers, so that the person gets an answer even if no sign-in waits. */
export function createLazySignIns(options: LazySignInsOptions): LazySignIns {
  const { context, configuration, trust } = options;
  const store = new DisposableStore();
  const state = store.add(new SignInState());
  let servers: Pick<ServerRegistry, 'get'> | undefined;
  const service = memoizeAsync(async () => {
    const { SignInService } = await import('./signInService.ts');
    const lockFolder = Uri.joinPath(context.globalStorageUri, 'locks').fsPath;
    const { secrets } = context;
    const resolve: SignInOptions['resolve'] = async (label, signal) => {
      const configured = configuration.get(label);
      if (configured === undefined) throw new PatchbayError('notFound', `“${label}” is not configured any more.`);
      trust.checkWorkspace(configured);
      // Only commands of the person come here.
      return (await configuration.resolve(configured, () => 'person', signal)).plan;
    };
    const registry = { get: (label: string) => servers?.get(label) };
    const own = { secrets, lockFolder, registry, resolve, state, extensionId: context.extension.id };
    return store.add(new SignInService({ ...options, ...own }));
  });
  store.add(window.registerUriHandler({ handleUri: async (uri) => (await service()).redirects.handleUri(uri) }));
  const authorizerFor: LazySignIns['authorizerFor'] = async (plan) => (await service()).authorizerFor(plan);
  return {
    state,
    service,
    follow(registry) {
      servers = registry;
      store.add(
        registry.onDidChangeState(({ label, state: { kind } }) => {
          // The next start finds out again whether a sign-in is missing.
          if (kind === 'stopped' || kind === 'starting') state.setMissing(label, undefined);
        }),
      );
    },
    authorizerFor,
    dispose: () => store.dispose(),
  };
}

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
