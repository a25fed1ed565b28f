import {
  type AuthFlow,
  type AuthSettings,
  type IdentityProviderSettings,
  secretMembersOf,
} from '../base/authSettings.ts';
import { isString, isStringArray } from '../base/json.ts';
import type { EntryReport } from './entryReport.ts';
import type { JsonNode, JsonProperty } from './jsonDocument.ts';
import type { OptionsScope } from './readServerOptions.ts';

interface Rule {
  readonly isValid: (value: unknown) => boolean;
  /** Completes "must be". */
  readonly expected: string;
}

const authFlows: readonly AuthFlow[] = ['authorizationCode', 'clientCredentials', 'enterprise', 'workloadIdentity'];

const text: Rule = {
  isValid: (value) => isString(value) && value.trim() !== '',
  expected: 'a string that is not empty',
};
const flag: Rule = { isValid: (value) => typeof value === 'boolean', expected: 'true or false' };

/** The members of `auth` but for `idp`. Texts may hold variables, so what they mean is judged when they are used. */
const rules: Readonly<Record<Exclude<keyof AuthSettings, 'idp'>, Rule>> = {
  flow: {
    isValid: (value) => authFlows.some((flow) => flow === value),
    expected: `one of ${authFlows.map((flow) => `"${flow}"`).join(', ')}`,
  },
  issuer: text,
  clientId: text,
  clientSecret: text,
  scopes: {
    isValid: (value) => isStringArray(value) && value.every((scope) => /^\S+$/.test(scope)),
    expected: 'a list of scopes, without spaces in any of them',
  },
  redirectPort: {
    isValid: (value) => Number.isInteger(value) && (value as number) > 0 && (value as number) < 65_536,
    expected: 'a port from 1 to 65535',
  },
  clientMetadataUrl: text,
  privateKey: text,
  signingAlgorithm: text,
  assertion: text,
  dpop: flag,
  allowInsecure: flag,
};

const idpRules: Readonly<Record<keyof IdentityProviderSettings, Rule>> = {
  issuer: text,
  tokenEndpoint: text,
  clientId: text,
  clientSecret: text,
  idToken: text,
};

/** What a workspace cannot set: secrets, what vouches for the person, and where protection ends. */
const userMembers = new Set(['clientSecret', 'privateKey', 'assertion', 'idp', 'allowInsecure']);

/** Reads how to sign in to a server. What is wrong, or not for this scope to say, is reported and left out. */
export function readAuthSettings(node: JsonNode, report: EntryReport, scope: OptionsScope): AuthSettings {
  if (node.type !== 'object') {
    report.add('badOption', 'error', 'the option "auth" must be an object.', node.range);
    return {};
  }
  const known = [...Object.keys(rules), 'idp'];
  const settings: Record<string, unknown> = {};
  for (const property of node.properties) {
    if (property.isOverridden) continue;
    if (scope === 'workspace' && userMembers.has(property.key)) {
      report.ignoredOption(property, `auth.${property.key}`);
      continue;
    }
    const value =
      property.key === 'idp' ? readIdp(property, report) : readMember(property, rules, 'auth', known, report);
    if (value !== undefined) settings[property.key] = value;
  }
  checkIssuer(node, settings, report);
  return settings;
}

/** Secrets without an authorization server they belong to are not sent. */
function checkIssuer(node: JsonNode, settings: AuthSettings, report: EntryReport): void {
  const [secret] = secretMembersOf(settings);
  if (secret === undefined || settings.issuer !== undefined) return;
  const place = node.properties.find(({ key }) => secret.split('.')[0] === key);
  const message = `"auth" holds "${secret}" and needs "issuer", the authorization server that may get it. Nothing is sent without. “Set Authorization Server…” offers the one that the server points to.`;
  report.add('missingIssuer', 'error', message, place?.keyRange ?? node.range);
}

function readIdp({ value }: JsonProperty, report: EntryReport): IdentityProviderSettings | undefined {
  if (value.type !== 'object') {
    report.add('badOption', 'error', 'the option "auth.idp" must be an object.', value.range);
    return undefined;
  }
  const members = value.properties
    .filter((property) => !property.isOverridden)
    .map(
      (property) => [property.key, readMember(property, idpRules, 'auth.idp', Object.keys(idpRules), report)] as const,
    );
  return Object.fromEntries(members.filter(([, member]) => member !== undefined));
}

function readMember(
  property: JsonProperty,
  from: Readonly<Record<string, Rule>>,
  place: string,
  known: readonly string[],
  report: EntryReport,
): unknown {
  const rule = Object.hasOwn(from, property.key) ? from[property.key] : undefined;
  if (rule === undefined) {
    report.unknownKey(property, known);
    return undefined;
  }
  const { value, range } = property.value;
  if (rule.isValid(value)) return value;
  report.add('badOption', 'error', `the option "${place}.${property.key}" must be ${rule.expected}.`, range);
  return undefined;
}
