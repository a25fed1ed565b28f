import type { AuthSettings } from '../base/authSettings.ts';
import { type LoopbackUri, readLoopbackUri } from '../base/loopbackUri.ts';
import type { RegistrationKind, SignInRedirect } from './ports.ts';
import { quoted, signInFailed } from './signInErrors.ts';

/** The path of a redirect URI that is registered by hand or in a metadata document. */
const fixedPath = '/callback';

/** The same port each time, so that a client that was registered with it can be used again. */
const defaultPort = 33_418;

/**
 * With dynamic registration each issuer has its own path (RFC 9700, section 4.4.2.2): then host and port alone are those of the
 * settings.
 */
export async function redirectOf(
  registration: RegistrationKind,
  issuer: string,
  { redirectUri, redirectPort }: AuthSettings,
): Promise<SignInRedirect> {
  const isDynamic = registration === 'dynamic';
  const fixed = readFixed(redirectUri);
  const path = isDynamic ? `${fixedPath}/${await digestOf(issuer)}` : (fixed?.path ?? fixedPath);
  const { host, port = redirectPort } = fixed ?? {};
  if (port === undefined) return { path, host, ports: [defaultPort, 0] };
  return { path, host, ports: fixed === undefined ? [port, 0] : [port] };
}

/** @returns the ports of redirect URIs at this machine that can be used again: none where the settings have one */
export function loopbackPorts(redirectUris: readonly string[], { redirectUri, redirectPort }: AuthSettings): number[] {
  const { host = '127.0.0.1', port = redirectPort } = readFixed(redirectUri) ?? {};
  if (port !== undefined) return [];
  return redirectUris.filter((uri) => uri.startsWith(`http://${host}:`)).map((uri) => Number(new URL(uri).port));
}

function readFixed(redirectUri: string | undefined): LoopbackUri | undefined {
  return redirectUri === undefined ? undefined : readLoopbackUri(redirectUri);
}

async function digestOf(text: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  // Half of the digest is enough, and the path is visible to people.
  return btoa(String.fromCharCode(...digest.subarray(0, 16)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

/** @throws {PatchbayError} `needsSignIn` for a callback to another redirect URI, which may belong to another issuer */
export function checkRedirectUri(callback: URL, redirectUri: string, issuer: string): void {
  const expected = new URL(redirectUri);
  const isThere =
    callback.protocol === expected.protocol &&
    callback.host === expected.host &&
    callback.pathname === expected.pathname &&
    [...expected.searchParams].every(([name, value]) => callback.searchParams.getAll(name).includes(value));
  if (isThere) return;
  throw signInFailed(
    `The browser came back to an address that does not belong to this sign-in at ${quoted(issuer)}, so the answer is not used (it came to the address of another authorization server). Sign in again.`,
  );
}
