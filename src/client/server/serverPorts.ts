import type { Clock } from '../../base/clock.ts';
import type { LaunchPlan } from '../../base/launchPlan.ts';
import type { ServerLimits } from '../../base/limits.ts';
import type { Implementation } from '../../protocol/mcp/base.ts';
import type { Transport } from '../../transport/transport.ts';
import type { AuditLog } from '../auditLog.ts';
import type { ServerIdentities } from '../connection/launchIdentity.ts';
import type { StrategyMemory } from '../connection/connectionStrategy.ts';
import type { ContentsMemory } from '../lists/contentsMemory.ts';
import type { ClientFeaturePorts } from '../serverRequests/serverRequestHandlers.ts';
import type { TaskMemory } from '../tasks/serverTask.ts';
import type { ToolCallPorts } from '../toolCalls/ports.ts';
import type { KnownSecret } from '../../secrets/knownValues.ts';
import type { TraceSink } from '../trace/messageTrace.ts';
import type { UseGuard } from '../useDispatcher.ts';

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
  /** Called for every message of a server: returns the sink that shows it. Absent: messages are never traced. */
  readonly trace?: (label: string) => TraceSink | undefined;
  /** What a trace hides beside the secrets of its server. */
  readonly knownSecrets?: () => readonly KnownSecret[];
}
