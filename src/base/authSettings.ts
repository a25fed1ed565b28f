import { isString } from './json.ts';

/** How to sign in to one server: `"patchbay": { "auth": … }` of its entry. All members are optional; discovery finds the rest. */
export interface AuthSettings {
  /**
   * - `authorizationCode` (the default): a person signs in with the browser.
   * - `clientCredentials`: this client signs in as itself (extension `oauth-client-credentials`).
   * - `enterprise`: an identity provider issues an assertion for the person (extension `enterprise-managed-authorization`).
   * - `workloadIdentity`: the platform issues a JWT for this client (extension `auth/wif`).
   */
  readonly flow?: AuthFlow;
  /** The authorization server that issued the client id. Sign-in at any other one is refused. */
  readonly issuer?: string;
  /** Of a client that was registered beforehand. */
  readonly clientId?: string;
  readonly clientSecret?: string;
  /** Scopes to request instead of those that the server suggests. */
  readonly scopes?: readonly string[];
  /** The resource indicator (RFC 8707) to send instead of the one that the server names; false: none. */
  readonly resource?: string | false;
  /** Sent with the request that starts the sign-in, or for the token where no browser is used; not in place of what this client sets. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** The port of the loopback redirect URI. */
  readonly redirectPort?: number;
  /** The whole redirect URI of a client that was registered with it by hand; see `readLoopbackUri`. Without a port, any is used. */
  readonly redirectUri?: string;
  /** Where the metadata of the authorization server are, if not at an address that its issuer gives. */
  readonly metadataUrl?: string;
  /** A client id metadata document: an https URL that is the client id. */
  readonly clientMetadataUrl?: string;
  /** Authenticates the client by `private_key_jwt`: PKCS #8 in PEM, or a JWK as JSON. */
  readonly privateKey?: string;
  /** JWS name of the algorithm of `privateKey`, such as `ES256`. */
  readonly signingAlgorithm?: string;
  /** The JWT of the flow `workloadIdentity`. */
  readonly assertion?: string;
  readonly idp?: {
    /** Its metadata name the token endpoint; not needed when `tokenEndpoint` is set. */
    readonly issuer?: string;
    readonly tokenEndpoint?: string;
    readonly clientId?: string;
    readonly clientSecret?: string;
    /** The ID token of the person. */
    readonly idToken?: string;
  };
  /** true: bind tokens to a key of this client (RFC 9449); false: never; absent: when the server asks for it. */
  readonly dpop?: boolean;
  /** Allow plain http and private addresses for sign-in, for test setups. */
  readonly allowInsecure?: boolean;
}

export type AuthFlow = 'authorizationCode' | 'clientCredentials' | 'enterprise' | 'workloadIdentity';

/** Credentials: they are sent only to the authorization server or identity provider that the settings name. */
export const secretAuthMembers: readonly string[] =
  'clientSecret privateKey assertion idp.clientSecret idp.idToken'.split(' ');

/** @returns the credentials in `settings`, by their names in {@link secretAuthMembers} */
export function credentialsOf({ idp = {}, ...settings }: AuthSettings): ReadonlyMap<string, string> {
  const members: Readonly<Record<string, unknown>> = {
    ...settings,
    'idp.clientSecret': idp.clientSecret,
    'idp.idToken': idp.idToken,
  };
  return new Map(secretAuthMembers.flatMap((name) => (isString(members[name]) ? [[name, members[name]]] : [])));
}
