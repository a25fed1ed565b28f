import { PatchbayError } from '../../base/errors.ts';
import type { RemoteLaunchPlan } from '../../base/launchPlan.ts';

export interface ConfiguredHeaders {
  readonly headers: Readonly<Record<string, string>>;
  /** Names of headers that were configured but belong to the protocol or to HTTP itself. */
  readonly ignored: readonly string[];
}

const protocolOwned = /^(accept|content-type|last-event-id|mcp-(session-id|protocol-version|method|name|param-.*))$/;
const connectionOwned = /^(connection|content-length|expect|keep-alive|te|trailer|transfer-encoding|upgrade)$/;

/**
 * The headers a plan asks for, names in lower case; a user and password in the URL become `Authorization`.
 * @throws {PatchbayError} `configuration` for one that cannot be sent
 */
export function configuredHeaders({ url, headers }: Pick<RemoteLaunchPlan, 'url' | 'headers'>): ConfiguredHeaders {
  const result: Record<string, string> = {};
  const ignored: string[] = [];
  if (url.username !== '' || url.password !== '') result['authorization'] = basicAuthorization(url);
  for (const [name, value] of Object.entries(headers)) {
    const lowerName = name.toLowerCase();
    if (protocolOwned.test(lowerName) || connectionOwned.test(lowerName)) ignored.push(name);
    else result[lowerName] = checkedValue(name, value);
  }
  return { headers: result, ignored };
}

function checkedValue(name: string, value: string): string {
  try {
    return new Headers([[name, value]]).get(name) ?? '';
  } catch {
    // The platform's message would repeat the value, which may be a secret.
    throw new PatchbayError(
      'configuration',
      `The header "${name.slice(0, 100)}" cannot be sent: its name or value has characters that HTTP does not allow. Correct it under "headers".`,
    );
  }
}

function basicAuthorization({ username, password }: URL): string {
  const bytes = new TextEncoder().encode(`${decoded(username)}:${decoded(password)}`);
  return `Basic ${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A percent sign that encodes nothing stays in a URL as it was written.
    return text;
  }
}

const maximumEventIdLength = 4_096;

/**
 * An event id as a header value: UTF-8 bytes, as the platform's own EventSource sends it.
 * @returns `undefined` for an id that cannot be sent, or none
 */
export function eventIdHeader(id: string | undefined): string | undefined {
  if (id === undefined || id === '' || id.length > maximumEventIdLength || /[\0-\x08\x0A-\x1F\x7F]/.test(id))
    return undefined;
  return Array.from(new TextEncoder().encode(id), (byte) => String.fromCharCode(byte)).join('');
}

/** `fetch` takes no URL with a user in it. */
export function withoutUser(url: URL): URL {
  const bare = new URL(url);
  bare.username = '';
  bare.password = '';
  return bare;
}
