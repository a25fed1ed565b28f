import { type HostKind, hostKindOf, isThisComputer } from '../base/hostKind.ts';
import { capitalized } from '../base/truncate.ts';
import { urlWithoutSecrets, signInFailed } from './signInErrors.ts';

/**
 * Decides which addresses named by a server may be requested during sign-in: https everywhere, http on loopback only. A server must
 * not point into a private network that it is not part of: private addresses, names of this machine and of local networks are
 * refused unless the server has one of the same kind (MCP documentation, Security Best Practices / Server-Side Request Forgery).
 */
export class AddressPolicy {
  readonly #home: HostKind;
  readonly #allowInsecure: boolean;

  /** @param allowInsecure allows http and any address, for test setups */
  constructor(server: URL, allowInsecure: boolean) {
    this.#home = hostKindOf(server.hostname);
    this.#allowInsecure = allowInsecure;
  }

  /** @throws {PatchbayError} `needsSignIn` with the reason; `what` names the address, such as "its token endpoint" */
  check(address: string | URL, what: string): URL {
    const refusal = (why: string, advice = ''): Error =>
      signInFailed(`${capitalized(what)} ${why}: ${urlWithoutSecrets(address)}.${advice}`);
    if (!URL.canParse(address)) throw refusal('is not an address');
    const url = new URL(address);
    const isWeb = url.protocol === 'https:' || url.protocol === 'http:';
    if (!isWeb || url.username !== '' || url.password !== '') throw refusal('is not a safe kind of address');
    if (this.#allowInsecure) return url;
    if (url.protocol === 'http:' && !isThisComputer(url.hostname))
      throw refusal('is not encrypted', ' If this is a test setup, allow it with "allowInsecure".');
    const network = hostKindOf(url.hostname);
    if (network !== 'public' && network !== this.#home) {
      const advice = ' If that is meant, allow it with "allowInsecure".';
      throw refusal('lies in a private network where the server is not', advice);
    }
    return url;
  }
}
