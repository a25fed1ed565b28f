import type { Clock } from '../base/clock.ts';
import { PatchbayError } from '../base/errors.ts';
import type { LaunchPlan } from '../base/launchPlan.ts';
import { lazy } from '../base/lazy.ts';
import type { EnvironmentVariables } from './stdio/environment.ts';
import type { Transport } from './transport.ts';

export interface TransportPorts {
  readonly clock: Clock;
  readonly platform: NodeJS.Platform;
  /** The environment servers inherit the safe part of. */
  readonly environment: () => Promise<EnvironmentVariables>;
}

/**
 * Makes the transport a plan asks for. Each kind is loaded when it is first asked for.
 * @throws {PatchbayError} `configuration` for a plan that no transport here can carry out
 */
export function createTransports(ports: TransportPorts): (plan: LaunchPlan) => Promise<Transport> {
  const stdio = lazy(async () => (await import('./stdio/stdioTransports.ts')).createStdioTransports(ports));
  return async (plan) => {
    if (plan.kind === 'stdio') return (await stdio())(plan);
    throw new PatchbayError(
      'configuration',
      `The server at ${plan.url.origin} cannot be reached: this version of Patchbay starts local servers (stdio) only.`,
    );
  };
}
