import type { RemoteLaunchPlan } from '../../base/launchPlan.ts';
import type { MessageLimits } from '../../base/limits.ts';
import type { Transport } from '../transport.ts';
import type { HttpAuthorizer } from '../../protocol/httpAuthorizer.ts';
import type { HttpPorts } from './httpPorts.ts';
import { createPatientFetch } from './patientFetch.ts';
import { createSseTransport } from './sseTransport.ts';
import { createStreamableHttpTransport } from './streamableHttpTransport.ts';

/**
 * Makes the transport a plan for a remote server asks for. Its authorizer ends with it; without one, requests go out as
 * configured.
 */
export function createHttpTransports(
  ports: Omit<HttpPorts, 'authorizer' | 'limits'>,
): (plan: RemoteLaunchPlan, authorizer: HttpAuthorizer | undefined, limits: MessageLimits) => Transport {
  const fetch = createPatientFetch(ports.fetch);
  return (plan, authorizer, limits) => {
    const create = plan.kind === 'sse' ? createSseTransport : createStreamableHttpTransport;
    const transport = create(plan, { ...ports, fetch, authorizer, limits });
    transport.onDidClose(() => authorizer?.dispose());
    return transport;
  };
}
