import type { LaunchPlan, RemoteLaunchPlan } from '../base/launchPlan.ts';
import { lazy } from '../base/lazy.ts';
import { type MessageLimits, messageLimits } from '../base/limits.ts';
import type { HttpAuthorizer } from '../protocol/httpAuthorizer.ts';
import type { HttpPorts } from './http/httpPorts.ts';
import type { EnvironmentVariables } from './stdio/environment.ts';
import type { ProcessLedger } from './stdio/processLedger.ts';
import type { Transport } from './transport.ts';

export interface TransportPorts extends Pick<HttpPorts, 'clock' | 'fetch' | 'random'> {
  /** Signs the requests to one server in; absent, or nothing: they go out as configured. */
  readonly authorizerFor?: (plan: RemoteLaunchPlan) => Promise<HttpAuthorizer | undefined>;
  readonly platform: NodeJS.Platform;
  /** The environment servers inherit the safe part of. */
  readonly environment: () => Promise<EnvironmentVariables>;
  /** Where running servers are written down; absent: nowhere. */
  readonly ledger?: () => Promise<ProcessLedger | undefined>;
}

/**
 * Makes the transport a plan asks for. Each kind is loaded when it is first asked for.
 * @throws {PatchbayError} `configuration` for a plan that cannot be carried out
 */
export function createTransports(
  ports: TransportPorts,
): (plan: LaunchPlan, limits?: MessageLimits) => Promise<Transport> {
  const stdio = lazy(async () => {
    const { createStdioTransports } = await import('./stdio/stdioTransports.ts');
    return createStdioTransports({ ...ports, ledger: await ports.ledger?.() });
  });
  const http = lazy(async () => (await import('./http/httpTransports.ts')).createHttpTransports(ports));
  return async (plan, limits = messageLimits()) => {
    if (plan.kind === 'stdio') return (await stdio())(plan, limits);
    const create = await http();
    return create(plan, await ports.authorizerFor?.(plan), limits);
  };
}
