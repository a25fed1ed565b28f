import type { PatchbayError } from '../base/errors.ts';

/** Where a connection stands. Every switch over `kind` is exhaustive. */
export type ServerState =
  | { readonly kind: 'stopped' }
  /** `isRetry`: by itself, after a crash. */
  | { readonly kind: 'starting'; readonly isRetry?: true }
  | { readonly kind: 'running' }
  /** Crashed; starts again at `retryAt` (milliseconds since the epoch). */
  | { readonly kind: 'waiting'; readonly retryAt: number; readonly error: PatchbayError }
  /** Will not start by itself. The codes `needsTrust` and `needsSignIn` are shown as states of their own. */
  | { readonly kind: 'failed'; readonly error: PatchbayError };
