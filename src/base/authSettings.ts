/** How to sign in to one server, as `"patchbay": { "auth": … }` says it. Every member is optional: without any, all is found out. */
export interface AuthSettings {
  /**
   * - `authorizationCode` (the default): a person signs in with the browser.
   * - `clientCredentials`: this client signs in as itself (extension `oauth-client-credentials`).
   * - `enterprise`: an identity provider vouches for the person (extension `enterprise-managed-authorization`).
   * - `workloadIdentity`: a JWT of the platform vouches for this client (extension `auth/wif`).
   */
  readonly flow?: AuthFlow;
  /** The authorization server the client id belongs to. Another one is refused. */
  readonly issuer?: string;
  /** Registered beforehand. */
  readonly clientId?: string;
  readonly clientSecret?: string;
  /** Asked for in place of what the server suggests. */
  readonly scopes?: readonly string[];
  /** The port of the loopback address the browser comes back to. */
  readonly redirectPort?: number;
  /** A client id metadata document: an https URL that is the client id. */
  readonly clientMetadataUrl?: string;
  /** Authenticates the client by `private_key_jwt`: PKCS #8 in PEM, or a JWK as JSON. */
  readonly privateKey?: string;
  /** JWS name of the algorithm of `privateKey`, such as `ES256`. */
  readonly signingAlgorithm?: string;
  /** The JWT of the flow `workloadIdentity`. */
  readonly assertion?: string;
  readonly idp?: IdentityProviderSettings;
  /** true: bind tokens to a key of this client (RFC 9449); false: never; absent: where the server asks for it. */
  readonly dpop?: boolean;
  /** Allow plain http and private addresses for signing in, as test setups need it. */
  readonly allowInsecure?: boolean;
}

export type AuthFlow = 'authorizationCode' | 'clientCredentials' | 'enterprise' | 'workloadIdentity';

/** The identity provider of the flow `enterprise`. */
export interface IdentityProviderSettings {
  /** Its metadata tell the token endpoint; not needed where `tokenEndpoint` is given. */
  readonly issuer?: string;
  readonly tokenEndpoint?: string;
  readonly clientId?: string;
  readonly clientSecret?: string;
  /** The ID token that vouches for the person. */
  readonly idToken?: string;
}

/** The members that prove who somebody is. They go only to the authorization server, or the identity provider, that the settings name. */
export const secretAuthMembers: readonly string[] = [
  'clientSecret',
  'privateKey',
  'assertion',
  'idp.clientSecret',
  'idp.idToken',
];

/** Which of them there are, with the names of {@link secretAuthMembers}. */
export function secretMembersOf({ idp, ...settings }: AuthSettings): string[] {
  const names = [...Object.keys(settings), ...Object.keys(idp ?? {}).map((name) => `idp.${name}`)];
  return secretAuthMembers.filter((name) => names.includes(name));
}
