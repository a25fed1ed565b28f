import type { LaunchPlan } from '../base/launchPlan.ts';
import { lazy } from '../base/lazy.ts';
import type { HttpTransportsPorts } from './http/httpTransports.ts';
import type { EnvironmentVariables } from './stdio/environment.ts';
import type { Transport } from './transport.ts';

export interface TransportPorts extends Pick<HttpTransportsPorts, 'clock' | 'fetch' | 'random' | 'authorizerFor'> {
  readonly platform: NodeJS.Platform;
  /** The environment servers inherit the safe part of. */
  readonly environment: () => Promise<EnvironmentVariables>;
}

/**
 * Makes the transport a plan asks for. Each kind is loaded when it is first asked for.
 * @throws {PatchbayError} `configuration` for a plan that cannot be carried out
 */
export function createTransports(ports: TransportPorts): (plan: LaunchPlan) => Promise<Transport> {
  const stdio = lazy(async () => (await import('./stdio/stdioTransports.ts')).createStdioTransports(ports));
  const http = lazy(async () => (await import('./http/httpTransports.ts')).createHttpTransports(ports));
  return async (plan) => (plan.kind === 'stdio' ? (await stdio())(plan) : (await http())(plan));
}
