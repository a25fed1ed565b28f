import type { AuthSettings } from '../base/authSettings.ts';
import { isString } from '../base/json.ts';
import type { EntryReport } from './configurationProblem.ts';
import { type JsonNode, type JsonProperty, propertyOf } from './jsonDocument.ts';
import { type OptionsScope, readServerOptions } from './readServerOptions.ts';

/** Members of `oauth` (Claude Code, VS Code, Gemini CLI, opencode, Codex) and of `auth` (Cursor), and the options that they are here. */
const optionNames: Readonly<Record<string, keyof AuthSettings>> = {
  CLIENT_ID: 'clientId',
  CLIENT_SECRET: 'clientSecret',
  authServerMetadataUrl: 'metadataUrl',
  callbackPort: 'redirectPort',
  callback_port: 'redirectPort',
  clientId: 'clientId',
  clientSecret: 'clientSecret',
  client_id: 'clientId',
  client_secret: 'clientSecret',
  issuer: 'issuer',
  redirectUri: 'redirectUri',
  redirect_uri: 'redirectUri',
  scope: 'scopes',
  scopes: 'scopes',
};

/** The same beside `oauth`: of Copilot CLI, Codex, Amazon Q and Kiro. */
const entryNames: Readonly<Record<string, keyof AuthSettings>> = {
  oauthClientId: 'clientId',
  oauthScopes: 'scopes',
  oauth_resource: 'resource',
  scopes: 'scopes',
};

/** The members of an entry that hold texts about signing in, in which variables are expanded. */
export const oauthKeys = ['oauth', 'auth', ...Object.keys(entryNames)] as const;

export function isSignInKey(key: string): boolean {
  return Object.hasOwn(entryNames, key);
}

/**
 * Reads what other clients have in an entry for signing in, as Patchbay's own option `auth`. What a workspace cannot set is
 * reported under the name of that option.
 */
export function readOAuth(entry: JsonNode, report: EntryReport, scope: OptionsScope): AuthSettings {
  const settings = [...membersOf(entry, 'oauth', report), ...membersOf(entry, 'auth', report)];
  for (const [key, name] of Object.entries(entryNames)) {
    const member = propertyOf(entry, key);
    if (member !== undefined) settings.push(named(member, name));
  }
  const [first] = settings;
  if (first === undefined) return {};
  const auth = objectOf(settings, first);
  const options = objectOf([{ ...first, key: 'auth', value: auth }], first);
  return readServerOptions(options, report, scope).options.auth ?? {};
}

function membersOf(entry: JsonNode, key: 'oauth' | 'auth', report: EntryReport): JsonProperty[] {
  const holder = propertyOf(entry, key);
  // true and false say whether the client may sign in, which the person decides here.
  if (holder === undefined || holder.value.type === 'boolean') return [];
  if (holder.value.type !== 'object') {
    // Another "auth" is reported as a key that is not known.
    if (key === 'oauth') report.badType(holder, 'an object');
    return [];
  }
  return holder.value.properties.flatMap((member) => {
    const name = Object.hasOwn(optionNames, member.key) ? optionNames[member.key] : undefined;
    if (member.isOverridden || member.value.type === 'null') return [];
    if (name !== undefined) return [named(member, name)];
    if (member.value.type !== 'boolean')
      report.add('unusedKey', 'warning', `"${key}.${member.key}" is not used.`, member.keyRange);
    return [];
  });
}

function named(member: JsonProperty, key: keyof AuthSettings): JsonProperty {
  return { ...member, key, value: key === 'scopes' ? listOf(member.value) : member.value };
}

/** Scopes in one text, as in a request (RFC 6749, section 3.3), become a list. */
function listOf(node: JsonNode): JsonNode {
  if (!isString(node.value)) return node;
  return { ...node, type: 'array', value: node.value.match(/\S+/g) ?? [] };
}

function objectOf(properties: readonly JsonProperty[], { value: { range } }: JsonProperty): JsonNode {
  const value = Object.fromEntries(properties.map((property) => [property.key, property.value.value]));
  return { type: 'object', value, range, properties, items: [] };
}
