import type { Agent } from 'node:http';
import { HttpProxyAgent } from 'http-proxy-agent';
import { HttpsProxyAgent } from 'https-proxy-agent';
import { getOrMake } from '../../base/memoize.ts';
import { environmentProxy, type ProxyEnvironment } from '../../base/proxyRules.ts';
import { basicCredentials, withoutUser } from '../http/requestHeaders.ts';

/** The proxies of one HTTP client, and its connections through them. Disposing it closes the idle ones. */
export type ProxyRoutes = ReturnType<typeof createEnvironmentProxies>;

const idleMs = 30_000;

/**
 * Routes through the proxies of environment variables, for a host without proxies of its own: see {@link environmentProxy}.
 * Encrypted requests pass through a tunnel (`CONNECT`), others are sent to the proxy with their whole URL.
 */
export function createEnvironmentProxies(environment: ProxyEnvironment) {
  const agents = new Map<string, Agent>();
  return {
    /**
     * @returns `undefined` where a URL is reached directly; else host and port of the proxy, and the agent, which sends the
     * credentials of the proxy to the proxy only, and keeps connections
     */
    routeTo(url: URL): { readonly agent: Agent; readonly proxy: string } | undefined {
      const proxy = environmentProxy(url, environment);
      if (proxy === undefined) return undefined;
      const key = `${url.protocol} ${proxy.href}`;
      const agent = getOrMake(agents, key, () => createAgent(url.protocol === 'https:', proxy));
      return { agent, proxy: proxy.host };
    },
    dispose: (): void => agents.forEach((agent) => agent.destroy()),
  };
}

function createAgent(isSecure: boolean, proxy: URL): Agent {
  const headers =
    proxy.username === '' && proxy.password === '' ? {} : { 'Proxy-Authorization': basicCredentials(proxy) };
  const options = { keepAlive: true, scheduling: 'lifo', timeout: idleMs, headers } as const;
  // The agents show the address in what they emit and log.
  const address = withoutUser(proxy);
  return isSecure ? new HttpsProxyAgent(address, options) : new HttpProxyAgent(address, options);
}
