import { hostKindOf, isThisComputer } from '../base/hostKind.ts';
import { urlWithoutSecrets, signInFailed } from './signInErrors.ts';

/** Decides which addresses named by a server may be requested during sign-in. */
export interface AddressPolicy {
  /** @throws {PatchbayError} `needsSignIn` with the reason; `what` names the address, such as "its token endpoint" */
  check(address: string | URL, what: string): URL;
}

/**
 * https everywhere, http on loopback only. A server must not point into a private network that it is not part of: private
 * addresses, names of this machine and of local networks are refused unless the server has one of the same kind (MCP documentation, Security Best
 * Practices / Server-Side Request Forgery).
 * @param server the MCP server
 * @param allowInsecure allows http and any address, for test setups
 */
export function createAddressPolicy(server: URL, allowInsecure: boolean): AddressPolicy {
  const home = hostKindOf(server.hostname);
  return {
    check(address, what) {
      if (!URL.canParse(address))
        throw signInFailed(`${capitalized(what)} is no address: ${urlWithoutSecrets(address)}.`);
      const url = new URL(address);
      const network = hostKindOf(url.hostname);
      const isWeb = url.protocol === 'https:' || url.protocol === 'http:';
      if (!isWeb || url.username !== '' || url.password !== '') {
        throw signInFailed(
          `${capitalized(what)} is an address of a kind that is not safe to use: ${urlWithoutSecrets(url)}.`,
        );
      }
      if (allowInsecure) return url;
      if (url.protocol === 'http:' && !isThisComputer(url.hostname)) {
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
