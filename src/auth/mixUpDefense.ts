// Mix-up attack: an authorization server makes this client send it the code of another one (RFC 9207, section 1; RFC 9700,
// section 4.4).
import type { AuthorizationServer } from 'oauth4webapi';
import type { AuthSettings } from '../base/authSettings.ts';
import { isRecord, parseJson } from '../base/json.ts';
import type { ServerMetadata } from './discovery.ts';
import { sameIssuer } from './issuers.ts';
import type { AuthorizationStore, RegistrationKind, SignInCaution, SignInEndpoint } from './ports.ts';

const endpointNames = {
  authorization_endpoint: 'authorization',
  token_endpoint: 'token',
  registration_endpoint: 'registration',
  revocation_endpoint: 'revocation',
} as const;

/** @returns the endpoints in the metadata of an authorization server, in the order of their use */
export function endpointsOf(server: AuthorizationServer): SignInEndpoint[] {
  return Object.entries(endpointNames).flatMap(([name, kind]) => {
    const address = server[name as keyof typeof endpointNames];
    return address === undefined ? [] : [{ kind, address, isForeign: isForeign(address, server.issuer) }];
  });
}

function isForeign(address: string, issuer: string): boolean {
  return new URL(address).origin !== new URL(issuer).origin;
}

/**
 * Finds the risks that need a separate confirmation: endpoints with another origin than the issuer; a callback that does
 * not identify its issuer; and where a rule of the specification shuts out large providers, what they leave out.
 * A fixed redirect URI is shared by all issuers, so it needs `iss` in the callback, or settings that bind the client to the issuer.
 * @returns `undefined` without such a risk
 */
export function cautionOf(
  server: ServerMetadata,
  registration: RegistrationKind,
  settings: AuthSettings,
): ConfirmedCaution | undefined {
  const foreign = endpointsOf(server).filter((endpoint) => endpoint.isForeign);
  const isMarked = registration === 'dynamic' || server.authorization_response_iss_parameter_supported === true;
  const isAnswerUnmarked = !isMarked && !sameIssuer(server.issuer, settings.issuer);
  const { issuerTemplate, code_challenge_methods_supported: methods } = server;
  const isPkceUnannounced = methods === undefined;
  if (foreign.length === 0 && !isAnswerUnmarked && !isPkceUnannounced && issuerTemplate === undefined) return undefined;
  return {
    foreign,
    isAnswerUnmarked,
    ...(isPkceUnannounced && { isPkceUnannounced }),
    ...(issuerTemplate !== undefined && { issuerTemplate }),
  };
}

/** @returns the risks, each as the rest of a sentence about the authorization server */
export function risksOf({ foreign, isAnswerUnmarked, isPkceUnannounced, issuerTemplate }: ConfirmedCaution): string[] {
  return [
    ...(foreign.length > 0 ? ['uses addresses of other hosts'] : []),
    ...(isAnswerUnmarked ? ['answers without saying who it is'] : []),
    ...(isPkceUnannounced === true ? ['does not say that it supports PKCE with S256'] : []),
    ...(issuerTemplate === undefined ? [] : ['has metadata that are not of one tenant only']),
  ];
}

export type ConfirmedCaution = Pick<
  SignInCaution,
  'foreign' | 'isAnswerUnmarked' | 'isPkceUnannounced' | 'issuerTemplate'
>;

/** Stores accepted risks by issuer. They apply only to exactly the same endpoints. */
export class CautionStore {
  readonly #store: AuthorizationStore;

  constructor(store: AuthorizationStore) {
    this.#store = store;
  }

  async has(caution: SignInCaution): Promise<boolean> {
    return (await this.#store.get(keyOf(caution.issuer))) === valueOf(caution);
  }

  async find(issuer: string): Promise<ConfirmedCaution | undefined> {
    const value = parseJson((await this.#store.get(keyOf(issuer))) ?? '');
    const isAllowed = isRecord(value) && Array.isArray(value['foreign']) && value['foreign'].every(isRecord);
    return isAllowed ? (value as unknown as ConfirmedCaution) : undefined;
  }

  save(caution: SignInCaution): Promise<void> {
    return this.#store.set(keyOf(caution.issuer), valueOf(caution));
  }

  forget(issuer: string): Promise<void> {
    return this.#store.delete(keyOf(issuer));
  }
}

function keyOf(issuer: string): string {
  return `caution:${issuer}`;
}

function valueOf({ foreign, isAnswerUnmarked, isPkceUnannounced, issuerTemplate }: SignInCaution): string {
  return JSON.stringify({ foreign, isAnswerUnmarked, isPkceUnannounced, issuerTemplate });
}
