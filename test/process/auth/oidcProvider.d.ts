/** The parts that the tests use; the package has no types. */
declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http';

  interface StoredToken {
    readonly clientId: string;
    readonly scope?: string;
    readonly aud?: string | readonly string[];
    readonly jkt?: string;
    readonly isExpired: boolean;
    destroy(): Promise<void>;
  }

  export class Provider {
    constructor(issuer: string, configuration: object);
    readonly AccessToken: { find(token: string): Promise<StoredToken | undefined> };
    readonly ClientCredentials: { find(token: string): Promise<StoredToken | undefined> };
    callback(): RequestListener;
    on(event: string, listener: (...values: unknown[]) => void): void;
  }
}
