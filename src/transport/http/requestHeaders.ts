import { PatchbayError } from '../../base/errors.ts';
import type { RemoteLaunchPlan } from '../../base/launchPlan.ts';
import { percentDecoded, utf8Characters } from '../../base/truncate.ts';

const protocolOwned = /^(accept|content-type|last-event-id|mcp-(session-id|protocol-version|method|name|param-.*))$/;
const connectionOwned = /^(connection|content-length|expect|keep-alive|te|trailer|transfer-encoding|upgrade)$/;

/**
 * User and password of the URL are one too.
 * @returns `ignored`: names of configured headers that are not sent, because the protocol or HTTP sets them
 * @throws {PatchbayError} `configuration` for an invalid header
 */
export function configuredHeaders({ url, headers }: Pick<RemoteLaunchPlan, 'url' | 'headers'>) {
  const result: Record<string, string> = {};
  const ignored: string[] = [];
  if (url.username !== '' || url.password !== '') result['authorization'] = basicCredentials(url);
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
    // The platform's message contains the value, which may be a secret.
    throw new PatchbayError(
      'configuration',
      `The header "${name.slice(0, 100)}" cannot be sent: its name or value has characters that HTTP does not allow. Correct it under "headers".`,
    );
  }
}

/** User and password of a URL as a header (RFC 7617, section 2). */
export function basicCredentials({ username, password }: URL): string {
  return `Basic ${btoa(utf8Characters(`${percentDecoded(username)}:${percentDecoded(password)}`))}`;
}

/** In characters; a longer id is not sent back. */
const maximumEventIdLength = 4_096;

/** UTF-8 bytes as characters, like EventSource. @returns `undefined` for no id, or one that cannot be sent */
export function eventIdHeader(id: string | undefined): string | undefined {
  if (id === undefined || id === '' || id.length > maximumEventIdLength || /[\0-\x08\x0A-\x1F\x7F]/.test(id))
    return undefined;
  return utf8Characters(id);
}

/** A copy of a URL without user and password, which {@link configuredHeaders} reads. */
export function withoutUser(url: URL): URL {
  const bare = new URL(url);
  bare.username = '';
  bare.password = '';
  return bare;
}
