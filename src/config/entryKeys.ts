import type { EntryReport } from './configurationProblem.ts';
import type { JsonNode, JsonProperty } from './jsonDocument.ts';

export type Transport = 'stdio' | 'http' | 'sse';

const stdioKeys = ['type', 'command', 'args', 'cwd', 'env', 'envFile', 'patchbay'];
const remoteKeys = ['type', 'url', 'headers', 'patchbay'];

/** Keys of other clients that are read elsewhere, or that say nothing about how a server is reached. */
const otherClientsKeys =
  /^(?:alwaysLoad|comments?|description|disabled|displayName|enabled|gallery|icon|name|notes?|oauth|transport|transportType|version)$/;

/** Names for the same keys in other formats, or by habit. They are read too. */
export const synonyms: Readonly<Record<string, string>> = {
  arguments: 'args',
  cmd: 'command',
  directory: 'cwd',
  dotenv: 'envFile',
  endpoint: 'url',
  env_file: 'envFile',
  environment: 'env',
  httpUrl: 'url',
  serverUrl: 'url',
  uri: 'url',
  workingDirectory: 'cwd',
};

const allTools = 'Patchbay lists all tools of a server.';
const ownApprovals = 'Patchbay asks by its own rules before a tool is called.';
const ownTimeouts = 'Use "timeouts" in "patchbay.serverOptions".';
const noDevelopment = 'Patchbay does not watch or debug the program.';
const noSandbox = 'Patchbay has no sandbox: the program has all your rights.';

/** Keys that change what another client does with a server: what Patchbay does instead. */
const unusedKeys: Readonly<Record<string, string>> = {
  alwaysAllow: ownApprovals,
  autoApprove: ownApprovals,
  dev: noDevelopment,
  disabledTools: allTools,
  excludeTools: allTools,
  headersHelper: 'Patchbay does not run it. Use "headers", with ${env:NAME} or ${input:id} for what is secret.',
  includeTools: allTools,
  sandbox: noSandbox,
  sandboxEnabled: noSandbox,
  startupTimeout: ownTimeouts,
  timeout: ownTimeouts,
  tools: allTools,
  trust: ownApprovals,
  watchPaths: noDevelopment,
};

/** Without them the server fails, or may do more than its author allows. */
const neededKeys: ReadonlySet<string> = new Set(['headersHelper', 'sandbox', 'sandboxEnabled']);

/** True for the name of a comment, or of what is about the file. */
export function isRemark(key: string): boolean {
  return /^[_$]|^\/\//.test(key);
}

/** Reports the keys of an entry that are not used, and those that are given twice. */
export function reportKeys({ properties }: JsonNode, transport: Transport, report: EntryReport): void {
  const known = transport === 'stdio' ? stdioKeys : remoteKeys;
  const others = transport === 'stdio' ? remoteKeys : stdioKeys;
  const free = known.filter((name) => properties.every(({ key }) => key !== name));
  for (const property of properties) {
    const { key, keyRange } = property;
    if (property.isOverridden) {
      report.add('duplicateKey', 'warning', `"${key}" is given again further down; the last one counts.`, keyRange);
    } else if (known.includes(key) || otherClientsKeys.test(key) || isRemark(key)) {
      continue;
    } else if (Object.hasOwn(unusedKeys, key)) {
      const severity = neededKeys.has(key) ? 'warning' : 'information';
      if (hasEffect(property)) report.add('unusedKey', severity, `"${key}" is not used. ${unusedKeys[key]}`, keyRange);
    } else if (others.includes(key)) {
      // "command" and "url" without a type have their own message.
      if (key === 'url' && !properties.some((other) => other.key === 'type')) continue;
      const message = `"${key}" has no meaning for a server of type "${transport}".`;
      report.add('conflictingKeys', 'warning', message, keyRange);
    } else if (transport === 'stdio' || !isSignIn(property)) {
      // A second name for a key that is there means nothing else.
      report.unknownKey(property, Object.hasOwn(synonyms, key) ? [] : free);
    }
  }
}

/** Where other clients have the settings for signing in, besides `oauth`. */
function isSignIn({ key, value }: JsonProperty): boolean {
  return key === 'oauthClientId' || (key === 'auth' && value.type === 'object');
}

/** False for a value that changes nothing: off, an empty list, or all tools. */
function hasEffect({ value: { type, value, items, properties } }: JsonProperty): boolean {
  if (type === 'object') return properties.length > 0;
  if (type === 'array') return items.some((item) => item.value !== '*');
  return value !== false && value !== '';
}
