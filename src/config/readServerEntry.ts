import { isString } from '../base/json.ts';
import { addressForms, parseServerAddress } from '../base/serverAddress.ts';
import type { EntryReport } from './entryReport.ts';
import { type JsonNode, type JsonProperty, propertyOf } from './jsonDocument.ts';
import { type OptionsScope, readServerOptions } from './readServerOptions.ts';
import type {
  RemoteServerDefinition,
  ServerDefinition,
  ServerOptions,
  StdioServerDefinition,
} from './serverDefinition.ts';

export interface ServerEntry {
  readonly definition: ServerDefinition;
  /** The entry's `patchbay` key, and the effect of `disabled`. */
  readonly options: ServerOptions;
}

const stdioKeys = ['type', 'command', 'args', 'cwd', 'env', 'envFile', 'patchbay'];
const remoteKeys = ['type', 'url', 'headers', 'patchbay'];

/** Keys of other clients. They are ignored without a warning. */
const otherClientsKeys = new Set([
  'alwaysAllow',
  'autoApprove',
  'description',
  'dev',
  'disabledTools',
  'displayName',
  'enabled',
  'excludeTools',
  'gallery',
  'headersHelper',
  'icon',
  'includeTools',
  'name',
  'oauth',
  'sandbox',
  'sandboxEnabled',
  'startupTimeout',
  'timeout',
  'tools',
  'transport',
  'transportType',
  'trust',
  'version',
  'watchPaths',
]);

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
export function readServerEntry(node: JsonNode, report: EntryReport, scope: OptionsScope): ServerEntry | undefined {
  if (node.type !== 'object') {
    report.add('badType', 'error', 'the entry must be an object.', node.range);
    return undefined;
  }
  const transport = readTransport(node, report);
  if (transport === undefined) return undefined;
  reportKeys(node, transport, report);
  const definition = transport === 'stdio' ? readStdio(node, report) : readRemote(node, transport, report);
  if (definition === undefined) return undefined;
  return { definition, options: readOptions(node, report, scope) };
}

function readTransport(node: JsonNode, report: EntryReport): Transport | undefined {
  const type = propertyOf(node, 'type') ?? propertyOf(node, 'transport') ?? propertyOf(node, 'transportType');
  if (type === undefined) return inferTransport(node, report);
  const name = type.value.value;
  if (isString(name) && Object.hasOwn(transportNames, name)) return transportNames[name];
  const inferred = propertyOf(node, 'command') !== undefined ? 'stdio' : 'http';
  report.add(
    'unknownType',
    'error',
    `the type ${JSON.stringify(name)} is not known. Use "stdio", "http" or "sse".`,
    type.value.range,
    {
      kind: 'replaceText',
      title: `Change to "${inferred}"`,
      range: type.value.range,
      text: JSON.stringify(inferred),
    },
  );
  return undefined;
}

function inferTransport(node: JsonNode, report: EntryReport): Transport | undefined {
  const command = propertyOf(node, 'command');
  const url = propertyOf(node, 'url');
  if (command !== undefined && url !== undefined) {
    report.add('conflictingKeys', 'warning', '"command" and "url" are both given; the command is used.', url.keyRange);
  }
  if (command !== undefined) return 'stdio';
  if (url !== undefined) return 'http';
  const near = node.properties.find(({ key }) => synonyms[key] === 'url');
  if (near !== undefined) return 'http';
  return 'stdio';
}

function readStdio(node: JsonNode, report: EntryReport): StdioServerDefinition | undefined {
  const command = propertyOf(node, 'command');
  if (command === undefined) {
    const path = [...report.path, 'command'];
    const fix = { kind: 'addProperty', title: 'Add "command"', path, value: '' } as const;
    report.add('missingCommand', 'error', 'a "command" (or a "url") is missing.', report.keyRange, fix);
    return undefined;
  }
  if (!isString(command.value.value) || command.value.value.trim() === '') {
    report.add('missingCommand', 'error', '"command" must be a string that is not empty.', command.value.range);
    return undefined;
  }
  const args = readList(propertyOf(node, 'args'), report);
  const cwd = readText(propertyOf(node, 'cwd'), report);
  const env = readEnvironment(propertyOf(node, 'env'), report);
  const envFile = readText(propertyOf(node, 'envFile'), report);
  return {
    type: 'stdio',
    command: command.value.value,
    ...(args !== undefined && { args }),
    ...(cwd !== undefined && { cwd }),
    ...(env !== undefined && { env }),
    ...(envFile !== undefined && { envFile }),
  };
}

function readRemote(node: JsonNode, type: 'http' | 'sse', report: EntryReport): RemoteServerDefinition | undefined {
  const url = propertyOf(node, 'url');
  if (url === undefined) {
    const path = [...report.path, 'url'];
    const fix = { kind: 'addProperty', title: 'Add "url"', path, value: 'https://' } as const;
    report.add('missingUrl', 'error', 'a "url" is missing.', report.keyRange, fix);
    return undefined;
  }
  if (!isString(url.value.value) || url.value.value.trim() === '') {
    report.add('missingUrl', 'error', '"url" must be a string that is not empty.', url.value.range);
    return undefined;
  }
  // An address with variables is checked after expansion.
  if (!url.value.value.includes('${') && parseServerAddress(url.value.value) === undefined) {
    report.add('badUrl', 'error', `"url" must be ${addressForms}.`, url.value.range);
    return undefined;
  }
  const headers = readTextRecord(propertyOf(node, 'headers'), report);
  return { type, url: url.value.value, ...(headers !== undefined && { headers }) };
}

function readOptions(node: JsonNode, report: EntryReport, scope: OptionsScope): ServerOptions {
  const own = propertyOf(node, 'patchbay');
  const options = own === undefined ? {} : readServerOptions(own.value, report, scope);
  const disabled = propertyOf(node, 'disabled');
  if (disabled?.value.value !== true) return options;
  report.add(
    'disabled',
    'information',
    'it is marked as disabled: listed, and started only by hand.',
    disabled.keyRange,
  );
  return { ...options, autoStart: false };
}

function reportKeys(node: JsonNode, transport: Transport, report: EntryReport): void {
  const known = transport === 'stdio' ? stdioKeys : remoteKeys;
  const others = transport === 'stdio' ? remoteKeys : stdioKeys;
  for (const property of node.properties) {
    const { key, keyRange } = property;
    if (property.isOverridden) {
      report.add('duplicateKey', 'warning', `"${key}" is given again further down; the last one counts.`, keyRange);
    } else if (known.includes(key) || key === 'disabled' || otherClientsKeys.has(key) || /^[_$]|^\/\//.test(key)) {
      continue;
    } else if (others.includes(key)) {
      // "command" and "url" without a type have their own message.
      if (key === 'url' && propertyOf(node, 'type') === undefined) continue;
      report.add(
        'conflictingKeys',
        'warning',
        `"${key}" has no meaning for a server of type "${transport}".`,
        keyRange,
      );
    } else {
      report.unknownKey(property, known, synonyms);
    }
  }
}

function readText(property: JsonProperty | undefined, report: EntryReport): string | undefined {
  if (property === undefined || isString(property.value.value)) return property?.value.value as string | undefined;
  report.badType(property, 'a string');
  return undefined;
}

function readList(property: JsonProperty | undefined, report: EntryReport): string[] | undefined {
  if (property === undefined) return undefined;
  if (property.value.type !== 'array') {
    report.badType(property, 'a list of strings');
    return undefined;
  }
  return property.value.items.flatMap((item) => {
    // Numbers and booleans are accepted as text.
    if (isString(item.value)) return [item.value];
    if (item.type === 'number' || item.type === 'boolean') return [String(item.value)];
    report.add('badType', 'error', `every item of "${property.key}" must be a string.`, item.range);
    return [];
  });
}

function readEnvironment(
  property: JsonProperty | undefined,
  report: EntryReport,
): Record<string, string | number | null> | undefined {
  return readRecord(property, report, 'a string, a number or null', (node) => {
    const { value } = node;
    // VS Code does not allow booleans here, but their meaning is clear.
    if (typeof value === 'boolean') return String(value);
    return isString(value) || typeof value === 'number' || value === null ? value : undefined;
  });
}

function readTextRecord(property: JsonProperty | undefined, report: EntryReport): Record<string, string> | undefined {
  return readRecord(property, report, 'a string', ({ value }) => (isString(value) ? value : undefined));
}

function readRecord<T>(
  property: JsonProperty | undefined,
  report: EntryReport,
  expected: string,
  read: (node: JsonNode) => T | undefined,
): Record<string, T> | undefined {
  if (property === undefined) return undefined;
  if (property.value.type !== 'object') {
    report.badType(property, `an object whose values are each ${expected}`);
    return undefined;
  }
  const entries = property.value.properties.flatMap((member): [string, T][] => {
    const value = read(member.value);
    if (value !== undefined) return [[member.key, value]];
    report.add('badType', 'error', `"${property.key}.${member.key}" must be ${expected}.`, member.value.range);
    return [];
  });
  return Object.fromEntries(entries);
}
