import type { EntryReport } from './configurationProblem.ts';
import table from './entryKeys.json' with { type: 'json' };
import { isString } from '../base/json.ts';
import { isSignInKey } from './readOAuth.ts';
import type { JsonNode, JsonProperty } from './jsonDocument.ts';

export type Transport = 'stdio' | 'http' | 'sse';

const stdioKeys = ['type', 'command', 'args', 'cwd', 'env', 'envFile', 'dev', 'patchbay'];
const replayKeys = ['type', 'session', 'mode', 'patchbay'];
const remoteKeys = ['type', 'url', 'headers', 'patchbay'];

/** Keys of other clients that are read elsewhere, or that say nothing about how a server is reached. */
const otherClientsKeys =
  /^(?:alwaysLoad|bundled|comments?|description|disabled|displayName|display_name|enabled|faviconUrl|gallery|icon|id|name|notes?|oauth|source|sourceFile|transport|transportType|version)$/;

/** Names for the same keys in other formats, or by habit. They are read too. */
export const synonyms: Readonly<Record<string, string>> = table.synonyms;

/** @returns why an entry of this type is no server that Patchbay can start or reach; `undefined` if it may be one */
export function reasonAgainstType(type: unknown, command?: unknown, url?: unknown): string | undefined {
  if ((command ?? '') !== '' || (isString(url) && /^https?:/i.test(url))) return undefined;
  return table.notServers.find(({ types }) => isString(type) && types.split(' ').includes(type))?.why;
}

const namesInSmallLetters: ReadonlyMap<string, string> = new Map(
  [...Object.entries(synonyms), ...[...stdioKeys, ...remoteKeys].map((key) => [key, key] as const)].map(
    ([key, name]) => [key.toLowerCase(), name],
  ),
);

/** @returns the name here of a member that may have another one in other formats, or other letters */
export function ownName(key: string): string {
  return namesInSmallLetters.get(key.toLowerCase()) ?? key;
}

/** True for the name of a comment, or of what is about the file. */
export function isRemark(key: string): boolean {
  return /^[_$]|^\/\//.test(key);
}

/** Reports the keys of an entry that are not used, and those that are given twice. */
export function reportKeys({ properties }: JsonNode, transport: Transport | 'replay', report: EntryReport): void {
  const known = { stdio: stdioKeys, http: remoteKeys, sse: remoteKeys, replay: replayKeys }[transport];
  const others = [...stdioKeys, ...remoteKeys, ...replayKeys].filter((key) => !known.includes(key));
  const free = known.filter((name) => properties.every(({ key }) => key !== name));
  for (const property of properties) {
    const { key, keyRange } = property;
    const unused = table.unused.find(({ keys }) => keys.split(' ').includes(key));
    if (property.isOverridden) {
      report.add('duplicateKey', 'warning', `"${key}" is given again further down; the last one counts.`, keyRange);
    } else if (known.includes(key) || otherClientsKeys.test(key) || isRemark(key)) {
      continue;
    } else if (unused !== undefined) {
      // What is needed: without it the server fails, or may do more than its author allows.
      const severity = unused.isNeeded ? 'warning' : 'information';
      if (hasEffect(property)) report.add('unusedKey', severity, `"${key}" is not used. ${unused.instead}`, keyRange);
    } else if (others.includes(key)) {
      // "command" and "url" without a type have their own message.
      if ((key === 'url' && !properties.some((other) => other.key === 'type')) || !hasEffect(property)) continue;
      const message = `"${key}" has no meaning for a server of type "${transport}".`;
      report.add('conflictingKeys', 'warning', message, keyRange);
    } else if (transport === 'stdio' || !isSignIn(property)) {
      // A second name for a key that is there means nothing else.
      report.unknownKey(property, ownName(key) === key ? free : []);
    }
  }
}

/** Where other clients have the settings for signing in, besides `oauth`. */
function isSignIn({ key, value }: JsonProperty): boolean {
  return isSignInKey(key) || (key === 'auth' && value.type === 'object');
}

/** False for a value that changes nothing: off, an empty list, or all tools. */
function hasEffect({ value: { type, value, items, properties } }: JsonProperty): boolean {
  if (type === 'object') return properties.length > 0;
  if (type === 'array') return items.some((item) => item.value !== '*');
  return value !== false && value !== '';
}
