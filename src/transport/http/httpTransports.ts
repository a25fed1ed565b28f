import { PatchbayError } from '../../base/errors.ts';
import type { RemoteLaunchPlan } from '../../base/launchPlan.ts';
import { messageLimits, type ServerLimits } from '../../base/limits.ts';
import type { HttpAuthorizer } from '../../protocol/httpAuthorizer.ts';
import type { Transport } from '../transport.ts';
import type { HttpPorts } from './requestSender.ts';
import { SseTransport } from './sseTransport.ts';
import { StreamableHttpTransport } from './streamableHttpTransport.ts';

/**
 * Returns a function that creates the transport of a remote launch plan: HTTP+SSE or Streamable HTTP. The authorizer is
 * disposed with the transport; without one, requests use the configured headers only.
 * @throws {PatchbayError} `configuration` for sign-in over a socket (from the returned function)
 */
export function createHttpTransports(
  ports: Omit<HttpPorts, 'authorizer' | 'limits'>,
): (plan: RemoteLaunchPlan, authorizer: HttpAuthorizer | undefined, overrides?: Partial<ServerLimits>) => Transport {
  return (plan, authorizer, overrides) => {
    if (plan.socketPath !== undefined && plan.auth !== undefined) throw signInOverSocketError();
    const HttpTransport = plan.kind === 'sse' ? SseTransport : StreamableHttpTransport;
    const limits = messageLimits(overrides);
    const transport = new HttpTransport(plan, { ...ports, authorizer, limits });
    transport.onDidClose(() => authorizer?.dispose());
    return transport;
  };
}

/** A socket has no origin that a token could be bound to (RFC 8707), and that metadata could be checked against (RFC 9728). */
function signInOverSocketError(): PatchbayError {
  const advice = 'Remove the option "auth", and set an "Authorization" header under "headers" if the server needs one.';
  return new PatchbayError('configuration', `There is no sign-in over a socket. ${advice}`);
}
