import type { RemoteLaunchPlan } from '../../base/launchPlan.ts';
import { messageLimits, type ServerLimits } from '../../base/limits.ts';
import type { HttpAuthorizer } from '../../protocol/httpAuthorizer.ts';
import type { Transport } from '../transport.ts';
import type { HttpPorts } from './requestSender.ts';
import { createSseTransport } from './sseTransport.ts';
import { createStreamableHttpTransport } from './streamableHttpTransport.ts';

/**
 * Returns a function that creates the transport of a remote launch plan: HTTP+SSE or Streamable HTTP. The authorizer is
 * disposed with the transport; without one, requests use the configured headers only.
 */
export function createHttpTransports(
  ports: Omit<HttpPorts, 'authorizer' | 'limits' | 'connections'>,
): (plan: RemoteLaunchPlan, authorizer: HttpAuthorizer | undefined, overrides?: Partial<ServerLimits>) => Transport {
  return (plan, authorizer, overrides) => {
    const create = plan.kind === 'sse' ? createSseTransport : createStreamableHttpTransport;
    const limits = messageLimits(overrides);
    const transport = create(plan, { ...ports, authorizer, limits, connections: overrides?.connections });
    transport.onDidClose(() => authorizer?.dispose());
    return transport;
  };
}
