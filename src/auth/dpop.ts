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

/** Proofs that tokens are used by whom they were issued to (RFC 9449). One key, the nonces of every server it talks to. */
export interface Dpop {
  /** For requests to the token endpoint. */
  readonly handle: DPoPHandle;
  readonly jwk: DpopKeyJwk;
  /** A fresh proof for one request to the MCP server. */
  proof(method: string, url: URL, accessToken: string): Promise<string>;
  /** Uses `nonce` in proofs for `origin` from now on. */
  setNonce(origin: string, nonce: string): void;
}

const curve = { name: 'ECDSA', namedCurve: 'P-256' } as const;
/** One for the MCP server, a few for authorization servers; more would only be forgotten ones. */
const maximumNonces = 20;

/** The keys in use. A grant that is loaded again keeps the nonces its key has learned. */
export interface DpopKeyring {
  /** @param kept the key of an earlier grant; without it a new one is made */
  get(kept: DpopKeyJwk | undefined): Promise<Dpop>;
  /** The server at `origin` has handed out a nonce. */
  setNonce(origin: string, nonce: string): void;
}

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
    // For use, the private key cannot be taken out again.
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
