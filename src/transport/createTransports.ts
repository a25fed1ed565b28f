import type { Clock } from '../base/clock.ts';
import { PatchbayError } from '../base/errors.ts';
import type { LaunchPlan } from '../config/serverDefinition.ts';
import type { EnvironmentVariables } from './stdio/environment.ts';
import { createProcessTable } from './stdio/processes.ts';
import { createStdioTransport } from './stdio/stdioTransport.ts';
import type { Transport } from './transport.ts';

export interface TransportPorts {
  readonly clock: Clock;
  readonly platform: NodeJS.Platform;
  /** The environment servers inherit the safe part of. */
  readonly environment: () => Promise<EnvironmentVariables>;
}

/**
 * Makes the transport a plan asks for. All of them share what asks the system about processes, so that fifty servers
 * ask once.
 * @throws {PatchbayError} `configuration` for a plan that no transport here can carry out
 */
export function createTransports(ports: TransportPorts): (plan: LaunchPlan) => Transport {
  const processes = createProcessTable(ports.platform);
  return (plan) => {
    if (plan.kind === 'stdio') return createStdioTransport(plan, { ...ports, processes });
    throw new PatchbayError(
      'configuration',
      `The server at ${plan.url.origin} cannot be reached: this version of Patchbay starts local servers (stdio) only.`,
    );
  };
}
