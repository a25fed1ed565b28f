import { workspace } from 'vscode';
import type { Event } from '../../base/event.ts';
import type { CreateHttpClient } from '../../base/httpClient.ts';
import { createLazyHttpClient } from '../../base/lazyHttpClient.ts';
import { memoizeAsync } from '../../base/sharedPromise.ts';

/**
 * The HTTP clients of the extension. The code for them is loaded with the first connection.
 * @param userAgent the `User-Agent` of all requests
 */
export function createHttpClients(userAgent: string) {
  const load = memoizeAsync(async (): Promise<CreateHttpClient> => {
    const [{ NodeHttpClient }, { createExtraAuthorities }] = await Promise.all([
      import('../../transport/network/nodeHttpClient.ts'),
      import('../../transport/network/extraAuthorities.ts'),
    ]);
    const otherAuthorities = createExtraAuthorities(process.env['NODE_EXTRA_CA_CERTS']);
    const options = { userAgent, verifiesCertificates, usesGlobalAgent, onDidChangeProxies, otherAuthorities };
    return () => new NodeHttpClient(options);
  });
  const shared = createLazyHttpClient(load);
  return {
    /** Loads what creates the clients of single servers. */
    load,
    /** The client for all that is not a connection of its own: sign-ins, icons, diagnoses. */
    shared,
    dispose: (): void => shared.dispose(),
  };
}

export type HttpClients = ReturnType<typeof createHttpClients>;

/**
 * VS Code applies `http.proxyStrictSSL` to its own requests, but not to those of extensions. Only the person can switch the
 * verification off: values of folders do not count.
 */
export function verifiesCertificates(): boolean {
  return workspace.getConfiguration('http').inspect<boolean>('proxyStrictSSL')?.globalValue !== false;
}

/** With `on`, VS Code adds its proxy to requests without an agent only; with the other values, to all or to none. */
function usesGlobalAgent(): boolean {
  return workspace.getConfiguration('http').get('proxySupport') === 'on';
}

/** VS Code chooses proxies and authorities by the settings that start with `http.`. */
const onDidChangeProxies: Event<void> = (listener) =>
  workspace.onDidChangeConfiguration((event) => event.affectsConfiguration('http') && listener());
