import type { AuthFetch } from './authFetch.ts';
import type { ClientRegistry } from './clients.ts';
import type { Discovery, SignInTarget } from './discovery.ts';
import type { Dpop, DpopKeyring } from './dpop.ts';
import type { CautionStore } from './mixUpDefense.ts';
import type { AuthorizerOptions } from './ports.ts';

export interface SignInContext extends AuthorizerOptions {
  readonly registry: ClientRegistry;
  readonly cautions: CautionStore;
  readonly discovery: Discovery;
  readonly keyring: DpopKeyring;
  readonly authFetch: AuthFetch;
}

export interface SignIn extends SignInContext {
  readonly target: SignInTarget;
  readonly scopes: readonly string[];
  readonly previousScopes: readonly string[] | undefined;
  readonly dpop: Dpop | undefined;
  /** The sign-in before brought no refresh token, although it was asked for one. */
  readonly needsConsent: boolean;
}
