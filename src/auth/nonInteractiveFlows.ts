import type { AuthSettings } from '../base/authSettings.ts';
import { PatchbayError } from '../base/errors.ts';
import { configuredClient, type RegisteredClient } from './clients.ts';
import { fetchServerMetadata, resourceParameter } from './discovery.ts';
import type { SignIn } from './signInContext.ts';
import { requestToken, type SignInResult } from './tokenRequests.ts';

const jwtBearer = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const tokenType = 'urn:ietf:params:oauth:token-type:';

/**
 * The flows without a person: client credentials, workload identity, identity provider. No retries, and no fallback from one
 * flow to another.
 * @throws {PatchbayError} `configuration` naming the setting that is missing, or `needsSignIn`
 */
export async function signInNonInteractively(signIn: SignIn, signal: AbortSignal): Promise<SignInResult> {
  const { settings, target, scopes, dpop, authFetch } = signIn;
  const client = clientOf(settings);
  const parameters = {
    ...settings.parameters,
    ...resourceParameter(target),
    ...(scopes.length > 0 && { scope: scopes.join(' ') }),
  };
  const request = async (grantType: string, more: Readonly<Record<string, string>> = {}): Promise<SignInResult> => ({
    client,
    token: await requestToken(
      { server: target.server, client, grantType, parameters: { ...parameters, ...more }, dpop },
      authFetch,
      signal,
    ),
  });
  if (settings.flow === 'workloadIdentity') {
    const assertion = requireSetting(settings.assertion, '"assertion", the JWT of the workload');
    return request(jwtBearer, { assertion });
  }
  if (settings.flow === 'enterprise') return request(jwtBearer, { assertion: await requestIdJag(signIn, signal) });
  if (settings.clientSecret === undefined) requireSetting(settings.privateKey, '"clientSecret" or "privateKey"');
  return request('client_credentials');
}

function clientOf(settings: AuthSettings): RegisteredClient {
  if (settings.clientId === undefined && settings.flow === 'workloadIdentity') {
    return { kind: 'configured', clientId: '' };
  }
  if (settings.clientId === undefined && settings.flow === 'enterprise' && settings.clientMetadataUrl !== undefined) {
    return configuredClient('document', settings);
  }
  return configuredClient('configured', { ...settings, clientId: requireSetting(settings.clientId, '"clientId"') });
}

/** Gets an ID-JAG for the authorization server from the identity provider (enterprise-managed-authorization, section 4). */
async function requestIdJag({ settings, target, scopes, authFetch }: SignIn, signal: AbortSignal): Promise<string> {
  const idp = settings.idp ?? {};
  const client: RegisteredClient = {
    kind: 'configured',
    clientId: requireSetting(idp.clientId, '"idp.clientId"'),
    clientSecret: idp.clientSecret,
  };
  const parameters = {
    requested_token_type: `${tokenType}id-jag`,
    audience: target.server.issuer,
    ...resourceParameter(target),
    subject_token: requireSetting(idp.idToken, '"idp.idToken"'),
    subject_token_type: `${tokenType}id_token`,
    ...(scopes.length > 0 && { scope: scopes.join(' ') }),
  };
  const { tokenEndpoint, issuer } = idp;
  const server =
    tokenEndpoint === undefined
      ? await fetchServerMetadata(
          requireSetting(issuer, '"idp.issuer" or "idp.tokenEndpoint"'),
          authFetch,
          signal,
          'If they are elsewhere, set "idp.tokenEndpoint" under "auth".',
        )
      : { issuer: issuer ?? tokenEndpoint, token_endpoint: tokenEndpoint };
  const grantType = 'urn:ietf:params:oauth:grant-type:token-exchange';
  return (await requestToken({ server, client, grantType, parameters }, authFetch, signal)).accessToken;
}

function requireSetting(value: string | undefined, what: string): string {
  if (value !== undefined && value !== '') return value;
  throw new PatchbayError(
    'configuration',
    `Signing in needs ${what} under "patchbay": { "auth": … } of the server's entry.`,
  );
}
