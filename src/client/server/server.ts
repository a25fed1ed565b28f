import type { PatchbayError } from '../../base/errors.ts';
import type { LaunchPlan } from '../../base/launchPlan.ts';
import type { Implementation } from '../../protocol/mcp/base.ts';
import type { ServerCapabilities } from '../../protocol/mcp/lifecycle.ts';
import type { ManagedServer } from './managedServer.ts';

/** How the revision was chosen: set by the user, remembered from an earlier start, or negotiated with the server. */
export type Negotiation = 'pinned' | 'remembered' | 'probed';

export interface SessionInfo {
  readonly protocolVersion: string;
  readonly negotiation: Negotiation;
  readonly transport: LaunchPlan['kind'];
  /** `URL.origin` of a remote server's address; a program, and a server behind a socket, has none. */
  readonly origin?: string | undefined;
  readonly server: Implementation;
  readonly capabilities: ServerCapabilities;
  readonly instructions: string | undefined;
  readonly handshakeMs: number;
}

/**
 * One configured server, for every revision and transport. The same object serves any number of starts.
 * Calls reject with a PatchbayError, a JsonRpcError from the server, or the signal's reason.
 */
export type Server = Omit<ManagedServer, 'dispose' | 'notifyRootsChanged'>;

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
