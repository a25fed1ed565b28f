import type { AuthFlow, AuthSettings } from '../../../src/base/authSettings.ts';
import { isRecord, isString, isStringArray, type UnknownRecord } from '../../../src/base/json.ts';
import type { RemoteServerDefinition } from '../../../src/config/serverDefinition.ts';

/** A call that a scenario requires of its user. */
export interface ToolCall {
  readonly name: string;
  readonly arguments: UnknownRecord;
}

/** The instructions of a scenario: what to configure, and what to call. */
export interface Configuration {
  readonly definition: RemoteServerDefinition;
  readonly toolCalls: readonly ToolCall[];
}

/** The client id metadata document of this client, as the suite expects it. */
const clientMetadataUrl = 'https://conformance-test.local/client-metadata.json';

/** Flows without a user, which the configuration selects. */
const flows: Readonly<Record<string, AuthFlow>> = {
  'auth/client-credentials-jwt': 'clientCredentials',
  'auth/client-credentials-basic': 'clientCredentials',
  'auth/enterprise-managed-authorization': 'enterprise',
  'auth/cross-app-access-complete-flow': 'enterprise',
  'auth/wif-jwt-bearer': 'workloadIdentity',
};

/**
 * @param context the JSON that the suite hands to some scenarios
 * @throws when the authorization server for the secrets cannot be found out
 */
export async function readConfiguration(
  url: string,
  scenario: string,
  context: string | undefined,
): Promise<Configuration> {
  const parsed: unknown = context === undefined ? {} : JSON.parse(context);
  const told = isRecord(parsed) ? parsed : {};
  const calls: unknown[] = Array.isArray(told['toolCalls']) ? told['toolCalls'] : [];
  const flow = flows[scenario];
  const credentials = readCredentials(told);
  const auth = {
    clientMetadataUrl,
    ...(flow !== undefined && { flow }),
    ...(isSecret(credentials) && { issuer: await findIssuer(url) }),
    ...credentials,
  };
  return { definition: { type: 'http', url, patchbay: { auth } }, toolCalls: calls.filter(isToolCall) };
}

function readCredentials(told: UnknownRecord): AuthSettings {
  const idp = pick(told, {
    clientId: 'idp_client_id',
    idToken: 'idp_id_token',
    issuer: 'idp_issuer',
    tokenEndpoint: 'idp_token_endpoint',
  });
  const own = pick(told, {
    clientId: 'client_id',
    clientSecret: 'client_secret',
    issuer: 'issuer',
    privateKey: 'private_key_pem',
    signingAlgorithm: 'signing_algorithm',
    assertion: 'valid_jwt',
  });
  return { ...own, ...(Object.keys(idp).length > 0 && { idp }) };
}

function isSecret({ clientSecret, privateKey, assertion, idp }: AuthSettings): boolean {
  return [clientSecret, privateKey, assertion, idp?.idToken].some((member) => member !== undefined);
}

/** Secrets need an issuer. If the suite does not name it, it is read from the server's metadata, as a user would look it up. */
async function findIssuer(url: string): Promise<string> {
  const { origin, pathname } = new URL(url);
  const response = await fetch(`${origin}/.well-known/oauth-protected-resource${pathname}`);
  const metadata: unknown = await response.json();
  const issuers = isRecord(metadata) ? metadata['authorization_servers'] : undefined;
  const [issuer] = isStringArray(issuers) ? issuers : [];
  if (issuer === undefined) throw new Error('The suite does not say whose its credentials are.');
  return issuer;
}

/** @param names of the members in the configuration, with their names in the instructions */
function pick(told: UnknownRecord, names: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(names).flatMap(([key, name]) => {
      const value = told[name];
      return isString(value) ? [[key, value] as const] : [];
    }),
  );
}

function isToolCall(value: unknown): value is ToolCall {
  return isRecord(value) && isString(value['name']) && isRecord(value['arguments']);
}
