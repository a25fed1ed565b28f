import {
  type AuthFlow,
  type AuthSettings,
  type IdentityProviderSettings,
  secretMembersOf,
} from '../base/authSettings.ts';
import { isString, isStringArray } from '../base/json.ts';
import type { ServerLimits } from '../base/limits.ts';
import { protocolRevisions } from '../protocol/session/revision.ts';
import type { EntryReport } from './entryReport.ts';
import { type JsonNode, type JsonProperty, propertyOf } from './jsonDocument.ts';
import type { RootsChoice, ServerOptions, Timeouts } from './serverDefinition.ts';

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

const optionKeys = ['timeouts', 'revision', 'roots', 'autoStart', 'autoRestart', 'trace', 'limits', 'auth'];
const targetKey = 'for';
const timeoutKeys = ['connectMs', 'requestMs', 'maximumMs', 'pingMs'] as const;
const limitKeys = ['messageBytes', 'members'] as const;
/** Beyond these, strings are too long for V8. */
const maximumLimits: ServerLimits = {
  messageBytes: 512 * 1024 ** 2,
  members: 50_000_000,
};
/** The longest delay of a timer, about 24 days. */
const maximumTimeoutMs = 2 ** 31 - 1;

/** Who wrote the options: a workspace cannot set options that extend permissions. */
export type OptionsScope = 'user' | 'workspace';

/** Options that only the user can set: automatic start, roots, and limits. */
const userKeys = new Set(['autoStart', 'roots', 'limits']);

/** Reads Patchbay's options of one server. Options that are invalid, or not allowed in this scope, are reported and ignored. */
export function readServerOptions(node: JsonNode, report: EntryReport, scope: OptionsScope): ServerOptions {
  const options: Mutable<ServerOptions> = {};
  if (node.type !== 'object') {
    report.add('badOption', 'error', 'the options must be an object.', node.range);
    return options;
  }
  for (const property of node.properties) {
    if (property.isOverridden) continue;
    if (scope === 'workspace' && userKeys.has(property.key)) report.ignoredOption(property, property.key);
    else readOption(property, options, report, scope);
  }
  return options;
}

/** Reads `for` of an entry of the setting: the definition that the options are bound to. */
export function readOptionsTarget(node: JsonNode, report: EntryReport): string | undefined {
  const target = propertyOf(node, targetKey);
  if (target === undefined) return undefined;
  if (isString(target.value.value) && target.value.value.trim() !== '') return target.value.value.trim();
  badOption(
    report,
    target,
    'the origin of a server, such as "https://example.com", its socket, such as "unix:///path/of/the.sock", or what it runs, such as "npx my-server"',
  );
  return undefined;
}

function readOption(
  property: JsonProperty,
  options: Mutable<ServerOptions>,
  report: EntryReport,
  scope: OptionsScope,
): void {
  const { key, value } = property;
  switch (key) {
    case 'timeouts':
      options.timeouts = readTimeouts(value, report);
      return;
    case 'revision':
      if (isProtocolRevision(value.value)) options.revision = value.value;
      else badOption(report, property, `one of the revisions ${protocolRevisions.join(', ')}`);
      return;
    case 'roots':
      if (isRootsChoice(value.value)) options.roots = value.value;
      else {
        // The author wants a restriction, and the default would be all folders.
        options.roots = 'none';
        badOption(
          report,
          property,
          '"all", "none", or a list of workspace folder names; until then it is told of none',
        );
      }
      return;
    case 'autoStart':
    case 'autoRestart':
    case 'trace':
      if (typeof value.value === 'boolean') options[key] = value.value;
      else badOption(report, property, 'true or false');
      return;
    case 'limits':
      options.limits = readLimits(value, report);
      return;
    case 'auth':
      options.auth = readAuthSettings(value, report, scope);
      return;
    case targetKey:
      // Read by `readOptionsTarget`.
      if (scope === 'workspace') report.ignoredOption(property, key);
      return;
    default:
      report.unknownKey(property, optionKeys);
  }
}

function readTimeouts(node: JsonNode, report: EntryReport): Partial<Timeouts> {
  const timeouts: Mutable<Partial<Timeouts>> = {};
  if (node.type !== 'object') report.add('badOption', 'error', '"timeouts" must be an object.', node.range);
  for (const property of node.properties) {
    const key = timeoutKeys.find((known) => known === property.key);
    const { value } = property.value;
    if (key === undefined) report.unknownKey(property, timeoutKeys);
    else if (isTimeout(value) && (value > 0 || key === 'pingMs')) timeouts[key] = value;
    else badOption(report, property, timeoutRange(key));
  }
  return timeouts;
}

function isTimeout(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= maximumTimeoutMs;
}

function timeoutRange(key: keyof Timeouts): string {
  const range = `a number of milliseconds from 1 to ${maximumTimeoutMs}`;
  return key === 'pingMs' ? `${range}, or 0 for never` : range;
}

function readLimits(node: JsonNode, report: EntryReport): Partial<ServerLimits> {
  const limits: Mutable<Partial<ServerLimits>> = {};
  if (node.type !== 'object') report.add('badOption', 'error', '"limits" must be an object.', node.range);
  for (const property of node.properties) {
    const key = limitKeys.find((known) => known === property.key);
    const { value } = property.value;
    if (key === undefined) report.unknownKey(property, limitKeys);
    else if (isWholeNumber(value, maximumLimits[key])) limits[key] = value;
    else badOption(report, property, `a whole number from 1 to ${maximumLimits[key]}`);
  }
  return limits;
}

function isWholeNumber(value: unknown, maximum: number): value is number {
  return Number.isSafeInteger(value) && Number(value) > 0 && Number(value) <= maximum;
}

function isProtocolRevision(value: unknown): value is string {
  return protocolRevisions.some((revision) => revision === value);
}

function isRootsChoice(value: unknown): value is RootsChoice {
  return value === 'all' || value === 'none' || isStringArray(value);
}

function badOption(report: EntryReport, property: JsonProperty, expected: string): void {
  report.add('badOption', 'error', `the option "${property.key}" must be ${expected}.`, property.value.range);
}

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

/** The members of `auth` except `idp`. Texts may contain variables, so their content is checked when they are used. */
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

/** Members that a workspace cannot set: secrets, assertions about the person, and exceptions from protection. */
const userMembers = new Set(['clientSecret', 'privateKey', 'assertion', 'idp', 'allowInsecure']);

/** Reads the option `auth`. Members that are invalid, or not allowed in this scope, are reported and ignored. */
function readAuthSettings(node: JsonNode, report: EntryReport, scope: OptionsScope): AuthSettings {
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

/** Secrets without an issuer are not sent, which is reported. */
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
