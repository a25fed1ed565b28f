import type { DPoPHandle } from 'oauth4webapi';

export interface DpopKeyJwk {
  readonly privateKey: JsonWebKey;
  readonly publicKey: JsonWebKey;
}

const curve = { name: 'ECDSA', namedCurve: 'P-256' } as const;

/** A DPoP key, and proofs that tokens are used by the client they were issued to (RFC 9449). */
export class Dpop {
  readonly jwk: DpopKeyJwk;
  /** For requests to the token endpoint. It keeps the nonces of authorization servers. */
  readonly handle: DPoPHandle;
  /** The nonce of further proofs for the MCP server. */
  nonce: string | undefined;
  readonly #keyPair: CryptoKeyPair;

  private constructor(jwk: DpopKeyJwk, keyPair: CryptoKeyPair, handle: DPoPHandle) {
    this.jwk = jwk;
    this.handle = handle;
    this.#keyPair = keyPair;
  }

  static async from(jwk: DpopKeyJwk): Promise<Dpop> {
    const { DPoP } = await import('oauth4webapi');
    const keyPair = {
      // The private key is not extractable.
      privateKey: await crypto.subtle.importKey('jwk', jwk.privateKey, curve, false, ['sign']),
      publicKey: await crypto.subtle.importKey('jwk', jwk.publicKey, curve, true, ['verify']),
    };
    return new Dpop(jwk, keyPair, DPoP({}, keyPair));
  }

  /** @returns a new proof for one request to the MCP server (RFC 9449, section 4.2) */
  async proof(method: string, { origin, pathname }: URL, accessToken: string): Promise<string> {
    const { generateProof } = await import('dpop');
    // `htu` is the address without query and fragment.
    return generateProof(this.#keyPair, `${origin}${pathname}`, method, this.nonce, accessToken);
  }
}

/** The current key. It is reused with its nonces when the same grant is loaded again. */
export class DpopKeyring {
  #current: Dpop | undefined;

  /** @param kept the key of an existing grant; without it a new key is generated */
  async get(kept: DpopKeyJwk | undefined): Promise<Dpop> {
    const current = this.#current;
    if (current !== undefined && current.jwk.publicKey.x === kept?.publicKey.x) return current;
    return (this.#current = await Dpop.from(kept ?? (await createKey())));
  }

  setNonce(nonce: string): void {
    if (this.#current !== undefined) this.#current.nonce = nonce;
  }
}

async function createKey(): Promise<DpopKeyJwk> {
  const { generateKeyPair } = await import('oauth4webapi');
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
  return {
    privateKey: await crypto.subtle.exportKey('jwk', privateKey),
    publicKey: await crypto.subtle.exportKey('jwk', publicKey),
  };
}
