import type { StdioLaunchPlan } from '../../base/launchPlan.ts';
import type { Transport } from '../transport.ts';
import { createProcessTable } from './processes.ts';
import { createStdioTransport, type StdioPorts } from './stdioTransport.ts';

export type StdioTransports = (plan: StdioLaunchPlan) => Transport;

/** Makes stdio transports that share what asks the system about processes, so that fifty servers ask once. */
export function createStdioTransports(
  ports: Pick<StdioPorts, 'clock' | 'platform' | 'environment' | 'ledger' | 'processes'>,
): StdioTransports {
  const processes = ports.processes ?? createProcessTable(ports.platform);
  return (plan) => createStdioTransport(plan, { ...ports, processes });
}
