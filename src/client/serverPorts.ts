import type { Clock } from '../base/clock.ts';
import type { LaunchPlan } from '../base/launchPlan.ts';
import type { MessageLimits } from '../base/limits.ts';
import type { Implementation } from '../protocol/mcp/base.ts';
import type { Transport } from '../transport/transport.ts';
import type { AuditLog } from './auditLog.ts';
import type { ContentsMemory } from './contentsMemory.ts';
import type { EraMemory } from './eraMemory.ts';
import type { RequestAnswerers } from './requestGate.ts';
import type { TaskMemory } from './tasks/taskMemory.ts';
import type { ToolCallPorts } from './toolCalls/ports.ts';
import type { TraceSink } from './trace/wireTrace.ts';
import type { UseGuard } from './useGuard.ts';

/** What every server of a host shares. */
export interface ServerPorts {
  readonly clientInfo: Implementation;
  readonly clock: Clock;
  readonly random: () => number;
  readonly audit: AuditLog;
  readonly answerers: RequestAnswerers;
  readonly memory: ContentsMemory;
  readonly eras: EraMemory;
  readonly tasks: TaskMemory;
  /** Asked before anything is used. Absent: everything may be. */
  readonly guard?: UseGuard;
  /** Asked before a tool is called. */
  readonly toolCalls: ToolCallPorts;
  readonly createTransport: (plan: LaunchPlan, limits: MessageLimits) => Promise<Transport>;
  /** Asked at every message of a server, by its label: who shows it. Absent: nobody ever. */
  readonly trace?: (label: string) => TraceSink | undefined;
}
