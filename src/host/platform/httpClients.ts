import { workspace } from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import type { CreateHttpClient, HttpClient } from '../../base/httpClient.ts';
import { memoizeAsync } from '../../base/sharedPromise.ts';

/** The HTTP clients of the extension. The code for them is loaded with the first connection. */
export interface HttpClients extends Disposable {
  /** Loads what creates the clients of single servers. */
  readonly load: () => Promise<CreateHttpClient>;
  /** The client for all that is not a connection of its own: sign-ins, icons, diagnoses. */
  readonly shared: HttpClient;
}

/** @param userAgent the `User-Agent` of all requests */
export function createHttpClients(userAgent: string): HttpClients {
  const load = memoizeAsync(async (): Promise<CreateHttpClient> => {
    const { createNodeHttpClient } = await import('../../transport/network/nodeHttpClient.ts');
    return () => createNodeHttpClient({ userAgent, verifiesCertificates });
  });
  let created: HttpClient | undefined;
  const shared = memoizeAsync(async () => (created = (await load())()));
  const dispose = (): void => created?.dispose();
  return { load, shared: { send: async (request) => (await shared()).send(request), dispose }, dispose };
}

/**
 * VS Code applies `http.proxyStrictSSL` to its own requests, but not to those of extensions. Only the person can switch the
 * verification off: values of folders do not count.
 */
function verifiesCertificates(): boolean {
  return workspace.getConfiguration('http').inspect<boolean>('proxyStrictSSL')?.globalValue !== false;
}
