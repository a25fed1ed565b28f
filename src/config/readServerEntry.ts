import { isString } from '../base/json.ts';
import { addressForms, parseServerAddress } from '../base/serverAddress.ts';
import { type EntryReport, replaceFix } from './configurationProblem.ts';
import { type JsonNode, propertyOf } from './jsonDocument.ts';
import { type OptionsScope, readServerOptions } from './readServerOptions.ts';
import type { ServerDefinition, ServerOptions } from './serverDefinition.ts';

const stdioKeys = ['type', 'command', 'args', 'cwd', 'env', 'envFile', 'patchbay'];
const remoteKeys = ['type', 'url', 'headers', 'patchbay'];

const otherClientsKeys =
  /^(?:alwaysAllow|autoApprove|description|dev|disabled|disabledTools|displayName|enabled|excludeTools|gallery|headersHelper|icon|includeTools|name|oauth|sandbox|sandboxEnabled|startupTimeout|timeout|tools|transport|transportType|trust|version|watchPaths)$/;

/** Names for the same keys in other formats, or by habit. */
const synonyms: Readonly<Record<string, string>> = {
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

type Transport = 'stdio' | 'http' | 'sse';

const transportNames: Readonly<Record<string, Transport>> = {
  stdio: 'stdio',
  local: 'stdio',
  http: 'http',
  remote: 'http',
  'streamable-http': 'http',
  streamableHttp: 'http',
  streamable_http: 'http',
  sse: 'sse',
};

/**
 * Checks one server entry. Invalid members are reported and ignored; for an unusable entry (no command, no URL, unknown type)
 * a problem is reported and the result is `undefined`.
 *
 * With `"disabled": true`, a key of other clients, the entry stays in the list, so that a person can start it manually. It only
 * turns off `autoStart`.
 */
export function readServerEntry(node: JsonNode, report: EntryReport, scope: OptionsScope) {
  if (node.type !== 'object') return report.add('badType', 'error', 'the entry must be an object.', node.range);
  const transport = readTransport(node, report);
  if (transport === undefined) return undefined;
  reportKeys(node, transport, report);
  const definition = transport === 'stdio' ? readStdio(node, report) : readRemote(node, transport, report);
  if (definition === undefined) return undefined;
  return { definition, options: readOptions(node, report, scope) };
}

function readTransport(node: JsonNode, report: EntryReport): Transport | undefined {
  const type = propertyOf(node, 'type') ?? propertyOf(node, 'transport') ?? propertyOf(node, 'transportType');
  const hasCommand = propertyOf(node, 'command') !== undefined;
  if (type === undefined) {
    const url = propertyOf(node, 'url');
    if (hasCommand && url !== undefined) {
      const message = '"command" and "url" are both given; the command is used.';
      report.add('conflictingKeys', 'warning', message, url.keyRange);
    }
    const hasUrl = url !== undefined || node.properties.some(({ key }) => synonyms[key] === 'url');
    return hasUrl && !hasCommand ? 'http' : 'stdio';
  }
  const { value: name, range } = type.value;
  if (isString(name) && Object.hasOwn(transportNames, name)) return transportNames[name];
  const inferred = hasCommand ? 'stdio' : 'http';
  const message = `the type ${JSON.stringify(name)} is not known. Use "stdio", "http" or "sse".`;
  return report.add('unknownType', 'error', message, range, replaceFix(`Change to "${inferred}"`, range, inferred));
}

function readStdio(node: JsonNode, report: EntryReport): ServerDefinition | undefined {
  const command = readRequired(node, 'command', report);
  if (command === undefined) return undefined;
  const args = readList(node, report);
  const cwd = readText(node, 'cwd', report);
  const env = readRecord(node, 'env', report, 'a string, a number or null', (value) => {
    // VS Code does not allow booleans here, but their meaning is clear.
    if (typeof value === 'boolean') return String(value);
    return isString(value) || typeof value === 'number' || value === null ? value : undefined;
  });
  const envFile = readText(node, 'envFile', report);
  const given = Object.entries({ args, cwd, env, envFile }).filter(([, value]) => value !== undefined);
  return { type: 'stdio', command, ...Object.fromEntries(given) };
}

function readRemote(node: JsonNode, type: 'http' | 'sse', report: EntryReport): ServerDefinition | undefined {
  const url = readRequired(node, 'url', report);
  if (url === undefined) return undefined;
  // An address with variables is checked after expansion.
  if (!url.includes('${') && parseServerAddress(url) === undefined)
    return report.add('badUrl', 'error', `"url" must be ${addressForms}.`, propertyOf(node, 'url')?.value.range);
  const headers = readRecord(node, 'headers', report, 'a string', (value) => (isString(value) ? value : undefined));
  return { type, url, ...(headers !== undefined && { headers }) };
}

function readRequired(node: JsonNode, key: 'command' | 'url', report: EntryReport): string | undefined {
  const member = propertyOf(node, key)?.value;
  if (isString(member?.value) && member.value.trim() !== '') return member.value;
  const code = key === 'command' ? 'missingCommand' : 'missingUrl';
  if (member !== undefined)
    return report.add(code, 'error', `"${key}" must be a string that is not empty.`, member.range);
  const value = key === 'command' ? '' : 'https://';
  const message = key === 'command' ? 'a "command" (or a "url") is missing.' : 'a "url" is missing.';
  const fix = { kind: 'addProperty', title: `Add "${key}"`, path: [...report.path, key], value } as const;
  return report.add(code, 'error', message, report.keyRange, fix);
}

function readOptions(node: JsonNode, report: EntryReport, scope: OptionsScope): ServerOptions {
  const own = propertyOf(node, 'patchbay');
  const options = own === undefined ? {} : readServerOptions(own.value, report, scope).options;
  const disabled = propertyOf(node, 'disabled');
  if (disabled?.value.value !== true) return options;
  const message = 'it is marked as disabled: listed, and started only by hand.';
  report.add('disabled', 'information', message, disabled.keyRange);
  return { ...options, autoStart: false };
}

function reportKeys(node: JsonNode, transport: Transport, report: EntryReport): void {
  const known = transport === 'stdio' ? stdioKeys : remoteKeys;
  const others = transport === 'stdio' ? remoteKeys : stdioKeys;
  for (const property of node.properties) {
    const { key, keyRange } = property;
    if (property.isOverridden) {
      report.add('duplicateKey', 'warning', `"${key}" is given again further down; the last one counts.`, keyRange);
    } else if (known.includes(key) || otherClientsKeys.test(key) || /^[_$]|^\/\//.test(key)) {
      continue;
    } else if (others.includes(key)) {
      // "command" and "url" without a type have their own message.
      if (key === 'url' && propertyOf(node, 'type') === undefined) continue;
      const message = `"${key}" has no meaning for a server of type "${transport}".`;
      report.add('conflictingKeys', 'warning', message, keyRange);
    } else {
      report.unknownKey(property, known, synonyms);
    }
  }
}

function readText(node: JsonNode, key: string, report: EntryReport): string | undefined {
  const property = propertyOf(node, key);
  if (property === undefined || isString(property.value.value)) return property?.value.value as string | undefined;
  return report.badType(property, 'a string');
}

function readList(node: JsonNode, report: EntryReport): string[] | undefined {
  const property = propertyOf(node, 'args');
  if (property === undefined) return undefined;
  if (property.value.type !== 'array') return report.badType(property, 'a list of strings');
  return property.value.items.flatMap((item) => {
    // Numbers and booleans are accepted as text.
    if (['string', 'number', 'boolean'].includes(item.type)) return [String(item.value)];
    report.add('badType', 'error', 'every item of "args" must be a string.', item.range);
    return [];
  });
}

function readRecord<T>(
  node: JsonNode,
  key: string,
  report: EntryReport,
  expected: string,
  read: (value: unknown) => T | undefined,
): Record<string, T> | undefined {
  const property = propertyOf(node, key);
  if (property === undefined) return undefined;
  if (property.value.type !== 'object') return report.badType(property, `an object whose values are each ${expected}`);
  const entries = property.value.properties.flatMap((member): [string, T][] => {
    const value = read(member.value.value);
    if (value !== undefined) return [[member.key, value]];
    report.add('badType', 'error', `"${key}.${member.key}" must be ${expected}.`, member.value.range);
    return [];
  });
  return Object.fromEntries(entries);
}
