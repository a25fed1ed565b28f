import { type ExtensionContext, Uri, window } from 'vscode';
import type { AuthorizationDescription, Authorizer } from '../../auth/authorizer.ts';
import type { MissingSignIn } from '../../auth/ports.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { PatchbayError } from '../../base/errors.ts';
import { Emitter, type Event } from '../../base/event.ts';
import type { RemoteLaunchPlan } from '../../base/launchPlan.ts';
import { memoizeAsync } from '../../base/sharedPromise.ts';
import type { ConfigurationService } from '../configuration/configurationService.ts';
import type { TrustService } from '../configuration/trust.ts';
import type { ServerRegistry } from '../servers/serverRegistry.ts';
import { createEditorRedirects } from './redirects.ts';
import type { SignInOptions, SignInService } from './signInService.ts';

export interface LazySignInsOptions extends Pick<
  SignInOptions,
  'requesters' | 'audit' | 'log' | 'clock' | 'fetch' | 'isTest'
> {
  readonly context: Pick<ExtensionContext, 'secrets' | 'globalStorageUri' | 'extension'>;
  readonly configuration: Pick<ConfigurationService, 'get' | 'resolve'>;
  readonly trust: Pick<TrustService, 'checkWorkspace'>;
}

/** Signing in, as far as the window needs it before a remote server starts. */
export interface LazySignIns extends Disposable {
  readonly state: SignInState;
  /** Loaded with the first remote server that starts. */
  readonly service: () => Promise<SignInService>;
  /** Gives it the servers that it signs in. Call once, before a server starts or `service` is used. */
  follow(registry: Pick<ServerRegistry, 'get' | 'onDidChangeState'>): void;
  readonly authorizerFor: (plan: RemoteLaunchPlan) => Promise<Authorizer | undefined>;
}

/** Also takes what browsers bring back, so that they are answered when nobody waits any more. */
export function createLazySignIns(options: LazySignInsOptions): LazySignIns {
  const { context, configuration, trust } = options;
  const store = new DisposableStore();
  const state = store.add(createSignInState());
  let servers: Pick<ServerRegistry, 'get'> | undefined;
  const redirects = createEditorRedirects(context.extension.id);
  store.add(window.registerUriHandler(redirects));
  const service = memoizeAsync(async () => {
    const { createSignInService } = await import('./signInService.ts');
    const lockFolder = Uri.joinPath(context.globalStorageUri, 'locks').fsPath;
    const { secrets } = context;
    const resolve: SignInOptions['resolve'] = async (label, signal) => {
      const configured = configuration.get(label);
      if (configured === undefined) throw new PatchbayError('notFound', `“${label}” is not configured any more.`);
      trust.checkWorkspace(configured);
      // Only a person's own command comes here.
      return (await configuration.resolve(configured, () => 'person', signal)).plan;
    };
    const registry = { get: (label: string) => servers?.get(label) };
    return store.add(createSignInService({ ...options, secrets, lockFolder, registry, resolve, state, redirects }));
  });
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

/** What the window knows of signing in, by label of the server. The code that signs in is elsewhere, and loaded late. */
export interface SignInState extends Disposable {
  /** A server that runs may need a sign-in for some of what it is asked. */
  missing(label: string): MissingSignIn | undefined;
  setMissing(label: string, missing: MissingSignIn | undefined): void;
  /** The sign-in a server was last used with in this window. */
  authorization(label: string): AuthorizationDescription | undefined;
  setAuthorization(label: string, authorization: AuthorizationDescription | undefined): void;
  /** Fires with the label. */
  readonly onDidChange: Event<string>;
}

export function createSignInState(): SignInState {
  const missing = new Map<string, MissingSignIn>();
  const authorizations = new Map<string, AuthorizationDescription>();
  const didChange = new Emitter<string>();
  const set = <T>(map: Map<string, T>, label: string, value: T | undefined): void => {
    if (map.get(label) === value) return;
    if (value === undefined) map.delete(label);
    else map.set(label, value);
    didChange.fire(label);
  };
  return {
    missing: (label) => missing.get(label),
    setMissing: (label, value) => set(missing, label, value),
    authorization: (label) => authorizations.get(label),
    setAuthorization: (label, value) => set(authorizations, label, value),
    onDidChange: didChange.event,
    dispose: () => didChange.dispose(),
  };
}
