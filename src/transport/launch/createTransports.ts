import type { CreateHttpClient } from '../../base/httpClient.ts';
import type { LaunchPlan, RemoteLaunchPlan } from '../../base/launchPlan.ts';
import { memoizeAsync } from '../../base/sharedPromise.ts';
import { messageLimits, type ServerLimits } from '../../base/limits.ts';
import type { HttpAuthorizer } from '../../protocol/httpAuthorizer.ts';
import type { HttpPorts } from '../http/requestSender.ts';
import type { EnvironmentVariables } from '../stdio/environment.ts';
import type { ProcessLedger } from '../stdio/processLedger.ts';
import type { Transport } from '../transport.ts';

export interface TransportPorts extends Pick<HttpPorts, 'clock' | 'random'> {
  /** Loads what creates the HTTP clients of servers. */
  readonly loadHttp: () => Promise<CreateHttpClient>;
  /** Creates the authorizer of one server; absent or `undefined`: requests use the configured headers only. */
  readonly authorizerFor?: (plan: RemoteLaunchPlan) => Promise<HttpAuthorizer | undefined>;
  readonly platform: NodeJS.Platform;
  /** The environment of a terminal; servers inherit its safe part. */
  readonly environment: () => Promise<EnvironmentVariables>;
  /** Records running servers, to find leftovers after a crash; absent: no record. */
  readonly ledger?: () => Promise<ProcessLedger | undefined>;
}

/**
 * Returns a function that creates the transport of a launch plan, with the limits that its settings change. The code of each
 * kind is loaded at its first use.
 * @throws {PatchbayError} `configuration` for an invalid plan (from the returned function)
 */
export function createTransports(
  ports: TransportPorts,
): (plan: LaunchPlan, overrides?: Partial<ServerLimits>) => Promise<Transport> {
  const stdio = memoizeAsync(async () => {
    const { createStdioTransports } = await import('../stdio/stdioTransport.ts');
    return createStdioTransports({ ...ports, ledger: await ports.ledger?.() });
  });
  const http = memoizeAsync(async () => {
    const [{ createHttpTransports }, createHttpClient] = await Promise.all([
      import('../http/streamableHttpTransport.ts'),
      ports.loadHttp(),
    ]);
    return createHttpTransports({ ...ports, createHttpClient });
  });
  return async (plan, overrides) => {
    if (plan.kind === 'stdio' && plan.replay !== undefined) {
      const { createReplay } = await import('../replay/createReplay.ts');
      return createReplay(plan.command, plan.replay, ports.clock);
    }
    if (plan.kind === 'stdio') return (await stdio())(plan, messageLimits(overrides));
    const create = await http();
    const authorizer = plan.socketPath === undefined ? await ports.authorizerFor?.(plan) : undefined;
    return create(plan, authorizer, overrides);
  };
}
