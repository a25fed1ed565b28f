import type { PatchbayError } from '../base/errors.ts';

/** The state of a server. Every switch over `kind` is exhaustive. */
export type ServerState =
  | { readonly kind: 'stopped' }
  /** `isRetry`: an automatic restart after a crash. */
  | { readonly kind: 'starting'; readonly isRetry?: true }
  | { readonly kind: 'running' }
  /** Crashed; restarts at `retryAt` (milliseconds since the epoch). */
  | { readonly kind: 'waiting'; readonly retryAt: number; readonly error: PatchbayError }
  /** Does not restart by itself. The codes `needsTrust` and `needsSignIn` are shown as separate states. */
  | { readonly kind: 'failed'; readonly error: PatchbayError };
