import type { RemoteLaunchPlan } from '../../base/launchPlan.ts';
import type { Transport } from '../transport.ts';
import type { HttpAuthorizer } from '../../protocol/httpAuthorizer.ts';
import type { HttpPorts } from './httpPorts.ts';
import { createPatientFetch } from './patientFetch.ts';
import { createSseTransport } from './sseTransport.ts';
import { createStreamableHttpTransport } from './streamableHttpTransport.ts';

export interface HttpTransportsPorts extends Omit<HttpPorts, 'authorizer'> {
  /** Signs requests to one server in; absent, or nothing: they go out as configured. */
  readonly authorizerFor?: ((plan: RemoteLaunchPlan) => HttpAuthorizer | undefined) | undefined;
}

/** Makes the transport a plan for a remote server asks for. */
export function createHttpTransports(ports: HttpTransportsPorts): (plan: RemoteLaunchPlan) => Transport {
  const fetch = createPatientFetch(ports.fetch);
  return (plan) => {
    const create = plan.kind === 'sse' ? createSseTransport : createStreamableHttpTransport;
    const authorizer = ports.authorizerFor?.(plan);
    const transport = create(plan, { ...ports, fetch, authorizer });
    transport.onDidClose(() => authorizer?.dispose());
    return transport;
  };
}
