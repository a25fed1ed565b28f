import type { CreateHttpClient } from '../../base/httpClient.ts';
import { PatchbayError } from '../../base/errors.ts';
import type { LaunchPlan, RemoteLaunchPlan, ReplayMode } from '../../base/launchPlan.ts';
import { memoizeAsync } from '../../base/sharedPromise.ts';
import { messageLimits, type ServerLimits } from '../../base/limits.ts';
import type { HttpAuthorizer } from '../../protocol/httpAuthorizer.ts';
import type { ReplayPorts } from '../replay/replayTransport.ts';
import type { HttpPorts } from '../http/requestSender.ts';
import type { EnvironmentVariables } from '../stdio/environment.ts';
import type { ProcessLedger } from '../stdio/processLedger.ts';
import type { Transport } from '../transport.ts';

export interface TransportPorts extends Pick<HttpPorts, 'clock' | 'random'> {
  /** Reads a recorded session; see `ReplayPorts`. Absent: none is played. */
  readonly readRecording?: ReplayPorts['readRecording'];
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
  const replay = async (path: string, mode: ReplayMode): Promise<Transport> => {
    const { readRecording, clock } = ports;
    if (readRecording === undefined)
      throw new PatchbayError('configuration', 'Recorded sessions cannot be played here.');
    const { ReplayTransport } = await import('../replay/replayTransport.ts');
    return new ReplayTransport(path, mode, { clock, readRecording });
  };
  return async (plan, overrides) => {
    if (plan.kind === 'stdio' && plan.replay !== undefined) return replay(plan.command, plan.replay);
    if (plan.kind === 'stdio') return (await stdio())(plan, messageLimits(overrides));
    const create = await http();
    const authorizer = plan.socketPath === undefined ? await ports.authorizerFor?.(plan) : undefined;
    return create(plan, authorizer, overrides);
  };
}
