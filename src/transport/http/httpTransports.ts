import type { RemoteLaunchPlan } from '../../base/launchPlan.ts';
import type { MessageLimits } from '../../base/limits.ts';
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
  ports: Omit<HttpPorts, 'authorizer' | 'limits'>,
): (plan: RemoteLaunchPlan, authorizer: HttpAuthorizer | undefined, limits: MessageLimits) => Transport {
  return (plan, authorizer, limits) => {
    const create = plan.kind === 'sse' ? createSseTransport : createStreamableHttpTransport;
    const transport = create(plan, { ...ports, authorizer, limits });
    transport.onDidClose(() => authorizer?.dispose());
    return transport;
  };
}
