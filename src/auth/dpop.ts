import {
  customFetch,
  DPoP,
  type DPoPHandle,
  generateKeyPair,
  modifyAssertion,
  protectedResourceRequest,
  allowInsecureRequests,
} from 'oauth4webapi';
import type { DpopKeyJwk } from './grant.ts';

/** A DPoP key, and proofs that tokens are used by the client they were issued to (RFC 9449). */
export interface Dpop {
  /** For requests to the token endpoint. */
  readonly handle: DPoPHandle;
  readonly jwk: DpopKeyJwk;
  /** @returns a new proof for one request to the MCP server (RFC 9449, section 4.2) */
  proof(method: string, url: URL, accessToken: string): Promise<string>;
  /** Sets the nonce of further proofs for `origin`. */
  setNonce(origin: string, nonce: string): void;
}

const curve = { name: 'ECDSA', namedCurve: 'P-256' } as const;
/** Maximum number of origins with a nonce. */
const maximumNonces = 20;

/** The current key. It is reused with its nonces when the same grant is loaded again. */
export interface DpopKeyring {
  /** @param kept the key of an existing grant; without it a new key is generated */
  get(kept: DpopKeyJwk | undefined): Promise<Dpop>;
  /** Sets the nonce that the server at `origin` has sent. */
  setNonce(origin: string, nonce: string): void;
}

/** @returns a keyring without a key */
export function createDpopKeyring(): DpopKeyring {
  let current: Dpop | undefined;
  return {
    async get(kept) {
      if (kept !== undefined && current !== undefined && current.jwk.publicKey.x === kept.publicKey.x) return current;
      current = await createDpop(kept);
      return current;
    },
    setNonce: (origin, nonce) => current?.setNonce(origin, nonce),
  };
}

async function createDpop(kept: DpopKeyJwk | undefined): Promise<Dpop> {
  const jwk = kept ?? (await createKey());
  const keyPair = {
    // The private key is not extractable.
    privateKey: await crypto.subtle.importKey('jwk', jwk.privateKey, curve, false, ['sign']),
    publicKey: await crypto.subtle.importKey('jwk', jwk.publicKey, curve, true, ['verify']),
  };
  const nonces = new Map<string, string>();
  const useNonce = (origin: string, nonce: string): void => {
    if (nonces.size >= maximumNonces) nonces.clear();
    nonces.set(origin, nonce);
  };
  const handle = DPoP({}, keyPair, {
    [modifyAssertion]: (_header, payload) => {
      const nonce = typeof payload['htu'] === 'string' ? nonces.get(new URL(payload['htu']).origin) : undefined;
      if (nonce !== undefined) payload['nonce'] = nonce;
    },
  });
  return {
    handle,
    jwk,
    setNonce: useNonce,
    async proof(method, url, accessToken) {
      let proof = '';
      // The library makes proofs only on the way to a request: this one ends here, the transport makes its own.
      await protectedResourceRequest(accessToken, method, url, undefined, undefined, {
        DPoP: handle,
        [allowInsecureRequests]: true,
        [customFetch]: (_url, { headers }) => {
          proof = headers['dpop'] ?? '';
          return Promise.resolve(new Response());
        },
      });
      return proof;
    },
  };
}

async function createKey(): Promise<DpopKeyJwk> {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
  return {
    privateKey: await crypto.subtle.exportKey('jwk', privateKey),
    publicKey: await crypto.subtle.exportKey('jwk', publicKey),
  };
}
