import { type ExtensionContext, Uri, window } from 'vscode';
import type { Authorizer } from '../../auth/authorizer.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { PatchbayError } from '../../base/errors.ts';
import type { RemoteLaunchPlan } from '../../base/launchPlan.ts';
import { lazy } from '../../base/lazy.ts';
import type { ConfigurationService } from '../configuration/configurationService.ts';
import type { TrustService } from '../configuration/trust.ts';
import type { ServerRegistry } from '../serverRegistry.ts';
import { createEditorRedirects } from './editorRedirects.ts';
import { createSignInBoard, type SignInBoard } from './signInBoard.ts';
import type { SignInOptions, SignInService } from './signInService.ts';

export interface LazySignInsOptions extends Pick<
  SignInOptions,
  'attendance' | 'audit' | 'log' | 'clock' | 'fetch' | 'isTest'
> {
  readonly context: Pick<ExtensionContext, 'secrets' | 'globalStorageUri' | 'extension'>;
  readonly configuration: Pick<ConfigurationService, 'resolve'>;
  readonly trust: Pick<TrustService, 'checkWorkspace'>;
  /** Asked for late: it shows what the board says. */
  readonly registry: () => Pick<ServerRegistry, 'get'>;
}

/** Signing in, as far as the window needs it before a remote server starts. */
export interface LazySignIns extends Disposable {
  readonly board: SignInBoard;
  /** Loaded with the first remote server that starts. */
  readonly service: () => Promise<SignInService>;
  readonly authorizerFor: (plan: RemoteLaunchPlan) => Promise<Authorizer | undefined>;
}

/** Also takes what browsers bring back, so that they are answered when nobody waits any more. */
export function createLazySignIns(options: LazySignInsOptions): LazySignIns {
  const { context, configuration, trust, registry } = options;
  const store = new DisposableStore();
  const board = store.add(createSignInBoard());
  const redirects = createEditorRedirects(context.extension.id);
  store.add(window.registerUriHandler(redirects));
  const service = lazy(async () => {
    const { createSignInService } = await import('./signInService.ts');
    const lockFolder = Uri.joinPath(context.globalStorageUri, 'locks').fsPath;
    const { secrets } = context;
    const resolve: SignInOptions['resolve'] = async (label, signal) => {
      const configured = registry().get(label)?.configured;
      if (configured === undefined) throw new PatchbayError('notFound', `“${label}” is not configured any more.`);
      trust.checkWorkspace(configured);
      // Only a person's own command comes here.
      return (await configuration.resolve(configured, () => 'person', signal)).plan;
    };
    const ports = { ...options, secrets, lockFolder, registry: registry(), resolve, board, redirects };
    return store.add(createSignInService(ports));
  });
  const authorizerFor: LazySignIns['authorizerFor'] = async (plan) => (await service()).authorizerFor(plan);
  return { board, service, authorizerFor, dispose: () => store.dispose() };
}
