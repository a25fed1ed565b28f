import type { StdioLaunchPlan } from '../../base/launchPlan.ts';
import type { MessageLimits } from '../../base/limits.ts';
import type { Transport } from '../transport.ts';
import { createProcessTable } from './processes.ts';
import { createStdioTransport, type StdioPorts } from './stdioTransport.ts';

export type StdioTransports = (plan: StdioLaunchPlan, limits: MessageLimits) => Transport;

/** Makes stdio transports that share what asks the system about processes, so that fifty servers ask once. */
export function createStdioTransports(
  ports: Pick<StdioPorts, 'clock' | 'platform' | 'environment' | 'ledger' | 'processes'>,
): StdioTransports {
  const processes = ports.processes ?? createProcessTable(ports.platform);
  return (plan, limits) => createStdioTransport(plan, { ...ports, processes, limits });
}
