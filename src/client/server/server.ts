import type { Clock } from '../../base/clock.ts';
import type { PatchbayError } from '../../base/errors.ts';
import type { LaunchPlan } from '../../base/launchPlan.ts';
import type { ServerLimits } from '../../base/limits.ts';
import type { Implementation } from '../../protocol/mcp/base.ts';
import type { ServerCapabilities } from '../../protocol/mcp/lifecycle.ts';
import type { KnownSecret } from '../../secrets/knownValues.ts';
import type { Transport } from '../../transport/transport.ts';
import type { AuditLog } from '../auditLog.ts';
import type { StrategyMemory } from '../connection/connectionStrategy.ts';
import type { ServerIdentities } from '../connection/launchIdentity.ts';
import type { ContentsMemory } from '../lists/contentsMemory.ts';
import type { ClientFeaturePorts } from '../serverRequests/serverRequestHandlers.ts';
import type { TaskMemory } from '../tasks/serverTask.ts';
import type { ToolCallPorts } from '../toolCalls/ports.ts';
import type { OpenTap } from '../trace/connectionTap.ts';
import type { UseGuard } from '../useDispatcher.ts';

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

/** What all servers of a host share: the ports to the platform and to the person. */
export interface ServerPorts {
  readonly clientInfo: Implementation;
  readonly clock: Clock;
  readonly random: () => number;
  readonly audit: AuditLog;
  readonly clientFeatures: ClientFeaturePorts;
  readonly identities: ServerIdentities;
  readonly contentsMemory: ContentsMemory;
  readonly strategies: StrategyMemory;
  readonly taskMemory: TaskMemory;
  /** Checks every use of a definition. Absent: every use is allowed. */
  readonly guard?: UseGuard;
  readonly toolCalls: ToolCallPorts;
  readonly createTransport: (plan: LaunchPlan, limits?: Partial<ServerLimits>) => Promise<Transport>;
  /** Called for each connection: what it returns is told of all that goes over it. */
  readonly tap?: OpenTap;
  /** What a tap hides beside the secrets of its server. */
  readonly knownSecrets?: () => readonly KnownSecret[];
}
