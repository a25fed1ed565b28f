import type { AuthSettings } from '../../../src/base/authSettings.ts';
import { isRecord, isString, type UnknownRecord } from '../../../src/base/json.ts';
import type { RemoteServerDefinition } from '../../../src/config/serverDefinition.ts';

/** A call a scenario asks its user to make. */
export interface ToolCall {
  readonly name: string;
  readonly arguments: UnknownRecord;
}

/** What a user was told: what to write into the configuration, and what to try. */
export interface Configuration {
  readonly definition: RemoteServerDefinition;
  readonly toolCalls: readonly ToolCall[];
}

/** @param context the JSON that the suite hands to some scenarios */
export function readConfiguration(url: string, context: string | undefined): Configuration {
  const parsed: unknown = context === undefined ? {} : JSON.parse(context);
  const told = isRecord(parsed) ? parsed : {};
  const calls: unknown[] = Array.isArray(told['toolCalls']) ? told['toolCalls'] : [];
  const auth = { clientMetadataUrl, ...readAuth(told) };
  return { definition: { type: 'http', url, patchbay: { auth } }, toolCalls: calls.filter(isToolCall) };
}

/** The client id metadata document that the suite expects of its clients. */
const clientMetadataUrl = 'https://conformance-test.local/client-metadata.json';

/** What one writes under `auth` when one is told these secrets, for a server of this kind. */
function readAuth(told: UnknownRecord): AuthSettings {
  const text = (name: string): string | undefined => (isString(told[name]) ? told[name] : undefined);
  const client = without({ clientId: text('client_id'), clientSecret: text('client_secret'), issuer: text('issuer') });
  const { private_key_pem: privateKey, idp_id_token: idToken, valid_jwt: assertion } = told;
  if (isString(assertion)) return { ...client, flow: 'workloadIdentity', assertion };
  if (isString(idToken)) {
    const tokenEndpoint = text('idp_token_endpoint');
    const idp = without({ idToken, tokenEndpoint, issuer: text('idp_issuer'), clientId: text('idp_client_id') });
    return { ...client, flow: 'enterprise', idp };
  }
  if (isString(privateKey)) {
    const key = without({ privateKey, signingAlgorithm: text('signing_algorithm') });
    return { ...client, flow: 'clientCredentials', ...key };
  }
  return text('name')?.includes('client-credentials') === true ? { ...client, flow: 'clientCredentials' } : client;
}

function without(record: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(record).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

function isToolCall(value: unknown): value is ToolCall {
  return isRecord(value) && isString(value['name']) && isRecord(value['arguments']);
}
