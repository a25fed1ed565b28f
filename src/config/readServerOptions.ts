import { type AuthFlow, type AuthSettings, credentialsOf } from '../base/authSettings.ts';
import { isString, isStringArray, isStringRecord } from '../base/json.ts';
import { readLoopbackUri } from '../base/loopbackUri.ts';
import { protocolRevisions } from '../protocol/session/revision.ts';
import type { EntryReport } from './configurationProblem.ts';
import { type JsonNode, type JsonProperty, propertyOf } from './jsonDocument.ts';
import type { DevelopmentOptions, ServerOptions } from './serverDefinition.ts';

/** Who wrote the options: a workspace cannot set options that extend permissions. */
export type OptionsScope = 'user' | 'workspace';

type Rule = ValueRule | { readonly members: Rules };
type Rules = Readonly<Record<string, Rule>>;

interface ValueRule {
  readonly isValid: (value: unknown) => boolean;
  /** Completes "must be". */
  readonly expected: string;
  /** Used instead of an invalid value. */
  readonly instead?: unknown;
}

const flag: ValueRule = { isValid: (value) => typeof value === 'boolean', expected: 'true or false' };
const text: ValueRule = {
  isValid: (value) => isString(value) && value.trim() !== '',
  expected: 'a string that is not empty',
};
/** The longest delay of a timer, about 24 days. */
const maximumTimeoutMs = 2 ** 31 - 1;
const timeout: ValueRule = {
  isValid: (value) => typeof value === 'number' && value > 0 && value <= maximumTimeoutMs,
  expected: `a number of milliseconds from 1 to ${maximumTimeoutMs}`,
};
const authFlows: readonly AuthFlow[] = ['authorizationCode', 'clientCredentials', 'enterprise', 'workloadIdentity'];

function oneOf(values: readonly unknown[], expected: string): ValueRule {
  return { isValid: (value) => values.includes(value), expected: `one of ${expected}` };
}

/** Texts of `auth` may contain variables, so their content is checked when they are used. */
const authRules = {
  flow: oneOf(authFlows, authFlows.map((flow) => `"${flow}"`).join(', ')),
  issuer: text,
  clientId: text,
  clientSecret: text,
  scopes: {
    isValid: (value) => isStringArray(value) && value.every((scope) => /^\S+$/.test(scope)),
    expected: 'a list of scopes, without spaces in any of them',
  },
  resource: {
    isValid: (value) => value === false || text.isValid(value),
    expected: 'a string that is not empty, or false',
  },
  parameters: { isValid: isStringRecord, expected: 'an object of strings' },
  redirectPort: { ...wholeNumber(65_535), expected: 'a port from 1 to 65535' },
  redirectUri: {
    isValid: (value) => isString(value) && readLoopbackUri(value) !== undefined,
    expected: 'an http address of this machine without a query, such as "http://localhost:3118/callback"',
  },
  metadataUrl: text,
  clientMetadataUrl: text,
  privateKey: text,
  signingAlgorithm: text,
  assertion: text,
  idp: { members: { issuer: text, tokenEndpoint: text, clientId: text, clientSecret: text, idToken: text } },
  dpop: flag,
  allowInsecure: flag,
} satisfies Record<keyof AuthSettings, Rule>;

const watchedGlobs = 50;
const isGlob = (value: unknown): boolean => isString(value) && value.trim() !== '' && value.length <= 1_000;

const devRules = {
  watch: {
    isValid: (value) =>
      isGlob(value) || (Array.isArray(value) && value.length <= watchedGlobs && value.every((glob) => isGlob(glob))),
    expected: `a glob such as "src/**/*.ts", or a list of up to ${watchedGlobs}`,
  },
  debug: { members: { type: oneOf(['node', 'debugpy'], '"node", "debugpy"'), debugpyPath: text } },
} satisfies Record<keyof DevelopmentOptions, Rule>;

const optionRules = {
  timeouts: {
    members: {
      connectMs: timeout,
      requestMs: timeout,
      maximumMs: timeout,
      pingMs: {
        isValid: (value) => value === 0 || timeout.isValid(value),
        expected: `${timeout.expected}, or 0 for never`,
      },
    },
  },
  revision: oneOf(protocolRevisions, `the revisions ${protocolRevisions.join(', ')}`),
  roots: {
    isValid: (value) => value === 'all' || value === 'none' || isStringArray(value),
    expected: '"all", "none", or a list of workspace folder names; until then none is shared',
    // The author wants a restriction, and the default would be all folders.
    instead: 'none',
  },
  autoStart: flag,
  autoRestart: flag,
  trace: flag,
  dev: { members: devRules },
  // Beyond these, strings are too long for V8.
  limits: { members: { messageBytes: wholeNumber(512 * 1024 ** 2), members: wholeNumber(50_000_000) } },
  auth: { members: authRules },
  for: {
    isValid: text.isValid,
    expected:
      'the origin of a server, such as "https://example.com", its socket, such as "unix:///path/of/the.sock", or what it runs, such as "npx my-server"',
  },
} satisfies Record<keyof ServerOptions | 'for', Rule>;

/** What a workspace cannot set: what extends permissions, secrets, assertions about the person, exceptions from protection. */
export const userOnly: ReadonlySet<string> = new Set([
  'for',
  'autoStart',
  'roots',
  'limits',
  'dev.debug.debugpyPath',
  ...'clientSecret resource parameters metadataUrl privateKey assertion idp allowInsecure'
    .split(' ')
    .map((name) => `auth.${name}`),
]);

export interface OptionsEntry {
  readonly options: ServerOptions;
  /** The definition that they are bound to (`for`). */
  readonly target: string | undefined;
}

/** Reads Patchbay's options of one server. Options that are invalid, or not allowed in this scope, are reported and ignored. */
export function readServerOptions(node: JsonNode, report: EntryReport, scope: OptionsScope): OptionsEntry {
  if (node.type !== 'object') {
    report.add('badOption', 'error', 'the options must be an object.', node.range);
    return { options: {}, target: undefined };
  }
  const { for: target, dev, ...others } = readMembers(node, optionRules, '', report, scope);
  const options = { ...others, ...(dev !== undefined && { dev: withDebugger(dev as DevelopmentOptions) }) };
  const auth = propertyOf(node, 'auth')?.value;
  if (auth !== undefined) checkIssuer(auth, (options as ServerOptions).auth ?? {}, report);
  return { options, target: isString(target) ? target.trim() : undefined };
}

/** Reads `dev` of an entry, as VS Code has it. */
export function readDevelopment(node: JsonNode, report: EntryReport, scope: OptionsScope): DevelopmentOptions {
  if (node.type === 'object') return withDebugger(readMembers(node, devRules, 'dev.', report, scope));
  report.add('badOption', 'error', '"dev" must be an object, such as {"watch": "src/**/*.ts"}.', node.range);
  return {};
}

/** A debugger without a valid type is none. */
function withDebugger({ debug, ...others }: DevelopmentOptions): DevelopmentOptions {
  return debug?.type === undefined ? others : { ...others, debug };
}

/** @param place before the names of the members, as in `auth.` */
function readMembers(node: JsonNode, rules: Rules, place: string, report: EntryReport, scope: OptionsScope) {
  const values: Record<string, unknown> = {};
  const free = Object.keys(rules).filter((name) => node.properties.every(({ key }) => key !== name));
  for (const property of node.properties) {
    const name = place + property.key;
    const rule = Object.hasOwn(rules, property.key) ? rules[property.key] : undefined;
    if (property.isOverridden) continue;
    if (scope === 'workspace' && userOnly.has(name)) report.ignoredOption(property, name);
    else if (rule === undefined) report.unknownKey(property, free);
    else {
      const value = readValue(property, rule, name);
      if (value !== undefined) values[property.key] = value;
    }
  }
  return values;

  function readValue({ value: member }: JsonProperty, rule: Rule, name: string): unknown {
    const isGroup = 'members' in rule;
    if (isGroup ? member.type !== 'object' : !rule.isValid(member.value)) {
      const expected = isGroup ? 'an object' : rule.expected;
      report.add('badOption', 'error', `the option "${name}" must be ${expected}.`, member.range);
    } else if (!isGroup) return member.value;
    return isGroup ? readMembers(member, rule.members, `${name}.`, report, scope) : rule.instead;
  }
}

/** Secrets without an issuer are not sent, which is reported. */
function checkIssuer(node: JsonNode, settings: AuthSettings, report: EntryReport): void {
  const [secret] = credentialsOf(settings).keys();
  if (secret === undefined || settings.issuer !== undefined) return;
  const place = node.properties.find(({ key }) => secret.split('.')[0] === key);
  const message = `"auth" holds "${secret}" and needs "issuer", the authorization server that may get it. Nothing is sent without. “Set Authorization Server…” offers the one that the server points to.`;
  report.add('missingIssuer', 'error', message, place?.keyRange ?? node.range);
}

function wholeNumber(maximum: number): ValueRule {
  const isValid = (value: unknown): boolean =>
    Number.isSafeInteger(value) && Number(value) > 0 && Number(value) <= maximum;
  return { isValid, expected: `a whole number from 1 to ${maximum}` };
}
