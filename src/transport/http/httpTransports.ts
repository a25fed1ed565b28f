import type { Fetch } from '../../base/fetch.ts';
import type { RemoteLaunchPlan } from '../../base/launchPlan.ts';
import type { MessageLimits } from '../../base/limits.ts';
import type { HttpAuthorizer } from '../../protocol/httpAuthorizer.ts';
import type { Transport } from '../transport.ts';
import type { HttpPorts } from './httpClient.ts';
import { createSseTransport } from './sseTransport.ts';
import { createStreamableHttpTransport } from './streamableHttpTransport.ts';

/**
 * Returns a function that creates the transport of a remote launch plan: HTTP+SSE or Streamable HTTP. The authorizer is
 * disposed with the transport; without one, requests use the configured headers only.
 */
export function createHttpTransports(
  ports: Omit<HttpPorts, 'authorizer' | 'limits'>,
): (plan: RemoteLaunchPlan, authorizer: HttpAuthorizer | undefined, limits: MessageLimits) => Transport {
  const fetch = createUnlimitedFetch(ports.fetch);
  return (plan, authorizer, limits) => {
    const create = plan.kind === 'sse' ? createSseTransport : createStreamableHttpTransport;
    const transport = create(plan, { ...ports, fetch, authorizer, limits });
    transport.onDidClose(() => authorizer?.dispose());
    return transport;
  };
}

/**
 * Returns a `fetch` without the timeouts of Node, which closes a connection after five minutes without data. A stream of
 * the server or a long tool call can be silent for longer. There is no standard option for that, but Node accepts an undici
 * agent with each request. Where Node has none, `fetch` is returned unchanged.
 *
 * VS Code's `fetch` replaces this agent where it adds system certificates (the default) or a proxy, so the timeout of five
 * minutes applies there. Streams that can be resumed are resumed; for other requests the error explains it
 * (`isIdleTimeout`).
 */
export function createUnlimitedFetch(fetch: Fetch): Fetch {
  const dispatcher = createUnlimitedAgent();
  return dispatcher === undefined ? fetch : (url, init) => fetch(url, Object.assign(init, { dispatcher }));
}

type AgentClass = new (options: { readonly headersTimeout: number; readonly bodyTimeout: number }) => object;

function createUnlimitedAgent(): object | undefined {
  // Node loads undici, and creates its agent, at the first use of one of its classes.
  void new Response();
  const current: unknown = Reflect.get(globalThis, Symbol.for('undici.globalDispatcher.1'));
  if (typeof current !== 'object' || current === null) return undefined;
  try {
    return new (current.constructor as AgentClass)({ headersTimeout: 0, bodyTimeout: 0 });
  } catch {
    // Another library has replaced the agent, and its class needs other options.
    return undefined;
  }
}
