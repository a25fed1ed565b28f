import { generateProof } from 'dpop';
import { DPoP, type DPoPHandle, generateKeyPair } from 'oauth4webapi';

/** A DPoP key, and proofs that tokens are used by the client they were issued to (RFC 9449). */
export interface Dpop {
  /** For requests to the token endpoint. It keeps the nonces of authorization servers. */
  readonly handle: DPoPHandle;
  readonly jwk: DpopKeyJwk;
  /** @returns a new proof for one request to the MCP server (RFC 9449, section 4.2) */
  proof(method: string, url: URL, accessToken: string): Promise<string>;
  /** Sets the nonce of further proofs for the MCP server. */
  setNonce(nonce: string): void;
}

/** A DPoP key pair for storage. */
export interface DpopKeyJwk {
  readonly privateKey: JsonWebKey;
  readonly publicKey: JsonWebKey;
}

/** The current key. It is reused with its nonces when the same grant is loaded again. */
export interface DpopKeyring {
  /** @param kept the key of an existing grant; without it a new key is generated */
  get(kept: DpopKeyJwk | undefined): Promise<Dpop>;
  /** Sets the nonce that the MCP server has sent. */
  setNonce(nonce: string): void;
}

const curve = { name: 'ECDSA', namedCurve: 'P-256' } as const;

export function createDpopKeyring(): DpopKeyring {
  let current: Dpop | undefined;
  return {
    async get(kept) {
      if (kept !== undefined && current !== undefined && current.jwk.publicKey.x === kept.publicKey.x) return current;
      current = await createDpop(kept);
      return current;
    },
    setNonce: (nonce) => current?.setNonce(nonce),
  };
}

async function createDpop(kept: DpopKeyJwk | undefined): Promise<Dpop> {
  const jwk = kept ?? (await createKey());
  const keyPair = {
    // The private key is not extractable.
    privateKey: await crypto.subtle.importKey('jwk', jwk.privateKey, curve, false, ['sign']),
    publicKey: await crypto.subtle.importKey('jwk', jwk.publicKey, curve, true, ['verify']),
  };
  let serverNonce: string | undefined;
  return {
    handle: DPoP({}, keyPair),
    jwk,
    setNonce(nonce) {
      serverNonce = nonce;
    },
    // `htu` is the address without query and fragment.
    proof: (method, { origin, pathname }, accessToken) =>
      generateProof(keyPair, `${origin}${pathname}`, method, serverNonce, accessToken),
  };
}

async function createKey(): Promise<DpopKeyJwk> {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
  return {
    privateKey: await crypto.subtle.exportKey('jwk', privateKey),
    publicKey: await crypto.subtle.exportKey('jwk', publicKey),
  };
}
