import type { StdioLaunchPlan } from '../../base/launchPlan.ts';
import type { MessageLimits } from '../../base/limits.ts';
import type { Transport } from '../transport.ts';
import { createProcessTable } from './processes.ts';
import { createStdioTransport, type StdioPorts } from './stdioTransport.ts';

/** Creates the stdio transport of a launch plan. */
export type StdioTransports = (plan: StdioLaunchPlan, limits: MessageLimits) => Transport;

/** Returns a function that creates stdio transports, which share one process table: fifty servers list the processes once. */
export function createStdioTransports(
  ports: Pick<StdioPorts, 'clock' | 'platform' | 'environment' | 'ledger' | 'processes'>,
): StdioTransports {
  const processes = ports.processes ?? createProcessTable(ports.platform);
  return (plan, limits) => createStdioTransport(plan, { ...ports, processes, limits });
}
