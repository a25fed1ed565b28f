import { urlWithoutSecrets, signInFailed } from './signInErrors.ts';

/** Decides which addresses named by a server may be requested during sign-in. */
export interface AddressPolicy {
  /** @throws {PatchbayError} `needsSignIn` with the reason; `what` names the address, such as "its token endpoint" */
  check(address: string | URL, what: string): URL;
}

type Network = 'public' | 'private' | 'linkLocal' | 'loopback';

/**
 * https everywhere, http on loopback only. A server must not point into a private network that it is not part of: literal
 * private addresses and names of this machine are refused unless the server has one too (MCP documentation, Security Best
 * Practices / Server-Side Request Forgery).
 * @param server the MCP server
 * @param allowInsecure allows http and any address, for test setups
 */
export function createAddressPolicy(server: URL, allowInsecure: boolean): AddressPolicy {
  const home = networkOf(server.hostname);
  return {
    check(address, what) {
      if (!URL.canParse(address))
        throw signInFailed(`${capitalized(what)} is no address: ${urlWithoutSecrets(address)}.`);
      const url = new URL(address);
      const network = networkOf(url.hostname);
      const isWeb = url.protocol === 'https:' || url.protocol === 'http:';
      if (!isWeb || url.username !== '' || url.password !== '') {
        throw signInFailed(
          `${capitalized(what)} is an address of a kind that is not safe to use: ${urlWithoutSecrets(url)}.`,
        );
      }
      if (allowInsecure) return url;
      if (url.protocol === 'http:' && network !== 'loopback') {
        throw signInFailed(
          `${capitalized(what)} is not encrypted: ${urlWithoutSecrets(url)}. If this is a test setup, allow it with "allowInsecure".`,
        );
      }
      if (network !== 'public' && network !== home) {
        throw signInFailed(
          `${capitalized(what)} lies in a private network where the server is not: ${urlWithoutSecrets(url)}. If that is meant, allow it with "allowInsecure".`,
        );
      }
      return url;
    },
  };
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** @param host as `URL.hostname` returns it: IPv4 with four decimal parts, IPv6 in brackets and shortened, names in lower case */
export function networkOf(host: string): Network {
  const name = host.replace(/\.$/, '');
  if (name === 'localhost' || name.endsWith('.localhost')) return 'loopback';
  if (name.startsWith('[')) return networkOfIpv6(name.slice(1, -1));
  const parts = /^(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(name);
  return parts === null ? 'public' : networkOfIpv4(Number(parts[1]), Number(parts[2]));
}

/** RFC 6890 and its updates. */
function networkOfIpv4(first: number, second: number): Network {
  if (first === 127 || first === 0) return 'loopback';
  if (first === 169 && second === 254) return 'linkLocal';
  const isPrivate =
    first === 10 ||
    (first === 172 && second >= 16 && second <= 31) ||
    (first === 192 && second === 168) ||
    (first === 100 && second >= 64 && second <= 127) ||
    (first === 198 && (second === 18 || second === 19)) ||
    first >= 224;
  return isPrivate ? 'private' : 'public';
}

function networkOfIpv6(address: string): Network {
  if (address === '::' || address === '::1') return 'loopback';
  // An embedded IPv4 address (::ffff:0:0/96 and 64:ff9b::/96), written as two groups.
  const mapped = /^(?:::ffff:|64:ff9b::)([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(address);
  if (mapped !== null) {
    const high = Number.parseInt(mapped[1] ?? '0', 16);
    return networkOfIpv4(high >> 8, high & 0xff);
  }
  const first = Number.parseInt(address.split(':')[0] || '0', 16);
  if ((first & 0xffc0) === 0xfe80) return 'linkLocal';
  return (first & 0xfe00) === 0xfc00 || (first & 0xff00) === 0xff00 ? 'private' : 'public';
}
