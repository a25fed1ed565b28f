import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toDisposable } from '../../base/disposable.ts';
import { PatchbayError } from '../../base/errors.ts';
import { hasCode } from '../platform/plainFiles.ts';
import { callbackPath, lateRedirectText, type Redirect, unexpectedRedirectText } from './redirects.ts';

/**
 * Listens for the redirect on the loopback address (RFC 8252, section 7.3).
 * @param ports tried in this order; 0 is any free port
 * @param path the redirect path of this sign-in
 * @param host in the redirect URI, a loopback name or address. A browser may take the name for either address, so both are listened at
 * @throws {PatchbayError} `configuration` when all ports are in use
 */
export async function openLoopbackRedirect(
  ports: readonly number[],
  path: string,
  host = '127.0.0.1',
): Promise<Redirect> {
  const addresses = host === 'localhost' ? ['127.0.0.1', '::1'] : [host.replace(/[[\]]/g, '')];
  const servers = addresses.map(() => createServer());
  const port = await listen(servers, ports, addresses);
  const redirectUri = `http://${host}:${port}${path}`;
  const { pathname, host: authority } = new URL(redirectUri);
  let expected: { readonly state: string; readonly arrived: (url: URL) => void } | undefined;
  const respond = ({ method, url: target = '', headers }: IncomingMessage, response: ServerResponse): void => {
    const url = URL.canParse(target, redirectUri) ? new URL(target, redirectUri) : undefined;
    // The name of another site may resolve to this address (DNS rebinding).
    const isForUs =
      headers.host === authority && (url?.pathname === pathname || url?.pathname.startsWith(callbackPath) === true);
    if (method !== 'GET' || url === undefined || !isForUs) return answer(response, 404, 'This page does not exist.');
    if (url.searchParams.get('state') !== expected?.state) return answer(response, 400, lateRedirectText);
    const { arrived } = expected;
    expected = undefined;
    // An answer at the address of another issuer ends the sign-in, which refuses it.
    if (url.pathname === pathname) answer(response, 200, 'Return to the editor. You can close this page.');
    else answer(response, 400, unexpectedRedirectText);
    arrived(url);
  };
  for (const server of servers) server.on('request', respond);
  return {
    redirectUri,
    expect(state, arrived) {
      expected = { state, arrived };
      return toDisposable(() => {
        expected = undefined;
      });
    },
    dispose() {
      for (const server of servers) {
        server.close();
        server.closeIdleConnections();
      }
    },
  };
}

/** Listens on the first port that is free at all addresses. @returns that port */
async function listen(
  servers: readonly Server[],
  [port = 0, ...others]: readonly number[],
  addresses: readonly string[],
): Promise<number> {
  let found = port;
  try {
    for (const [index, server] of servers.entries()) {
      const address = addresses[index];
      await once(server.listen(found, address), 'listening').catch((error: unknown) => {
        // Not every machine has an address of version 6, which "localhost" may stand for.
        if (index === 0 || !hasCode(error, 'EADDRNOTAVAIL', 'EAFNOSUPPORT')) throw error;
      });
      if (index === 0) found = (server.address() as AddressInfo).port;
    }
    return found;
  } catch (error) {
    for (const server of servers) server.close();
    if (!hasCode(error, 'EADDRINUSE', 'EACCES', 'EADDRNOTAVAIL')) throw error;
    if (others.length > 0) return listen(servers, others, addresses);
    const why = hasCode(error, 'EADDRINUSE')
      ? 'is used by another program. End that program, or set'
      : 'may not be used by this program. Set';
    throw new PatchbayError(
      'configuration',
      `Port ${port} of this machine, which the sign-in needs, ${why} another port in "redirectUri" or "redirectPort" under "auth".`,
    );
  }
}

/** Answers with a page of fixed text only. */
function answer(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'",
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    Connection: 'close',
  });
  const style = 'body{font:18px system-ui;max-width:36em;margin:20vh auto;padding:0 1em;color-scheme:light dark}';
  response.end(
    `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>Patchbay</title><style>${style}</style><main><h1>Patchbay</h1><p>${text}</p></main></html>`,
  );
}
