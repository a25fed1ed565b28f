import { isRecord, isString } from '../base/json.ts';
import type { VariableStyle } from './importClients.ts';
import table from './importClients.json' with { type: 'json' };

type Entry = Readonly<Record<string, unknown>>;

export interface NormalEntry {
  /** With the members that Patchbay has, under its names. */
  readonly entry: Entry;
  /** The names of variables whose values the other client keeps, and that become inputs. */
  readonly secrets: readonly string[];
  /** One sentence for each member that is left out. */
  readonly notes: readonly string[];
}

/**
 * Turns an entry of any client into one of Patchbay. Where clients have other names for the same, all of them are known, since
 * no two mean different things by one.
 * @returns a text with the reason why the entry is no server that could be copied
 */
export function normaliseEntry(written: Entry, style: VariableStyle): NormalEntry | string {
  const whole = flatten(written);
  const used = new Set<string>();
  const take = (...keys: readonly string[]): unknown => {
    for (const key of keys) used.add(key);
    return keys.map((key) => whole[key]).find((value) => value !== undefined && value !== null);
  };
  const type = take('type', 'transport', 'transportType');
  const program = readProgram(take('command', 'cmd'), type === 'local' || style === 'opencode');
  const [args, cwd, envFile] = [take('args'), take('cwd'), take('envFile')];
  const url = take('httpUrl', 'url', 'serverUrl', 'uri');
  const reason = reasonAgainst(type, whole, program.command === undefined && url === undefined);
  if (reason !== undefined) return reason;
  const names = [take('env_vars')].flat().map((item) => (isRecord(item) ? item['name'] : item));
  const kept = [take('env_keys')].flat().filter(isString);
  const named = {
    ...fromEach(names.filter(isString), (name) => `\${env:${name}}`),
    // Of an address they are for its headers, which name them.
    ...(program.command !== undefined && fromEach(kept, (name) => `\${input:${name}}`)),
  };
  const members = {
    type: typeFor(type, url),
    command: program.command,
    args: program.args ?? args,
    env: withOwn(named, program.env ?? take('env', 'environment', 'envs')),
    cwd,
    envFile,
    url,
    headers: withOwn(readHeaders(take), take('headers', 'http_headers')),
  };
  const entry = Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
  const rest = Object.entries(whole).filter(([key, value]) => !used.has(key) && isTelling(key, value));
  return { entry, secrets: kept, notes: rest.map(([key]) => `"${key}" is left out: ${whyLeftOut(key)}.`) };
}

/** Some clients have the members of a server in an object of their own. */
function flatten(written: Entry): Entry {
  const { transport, config, requestOptions, ...rest } = written;
  const nested = isRecord(requestOptions) ? requestOptions : {};
  return {
    ...(isRecord(transport) ? transport : { transport }),
    ...(isRecord(config) ? config : { config }),
    ...rest,
    ...nested,
  };
}

/** Older settings of Zed have an object, those of opencode one list for program and arguments. */
function readProgram(command: unknown, mayBeList: boolean): { command?: unknown; args?: unknown; env?: unknown } {
  if (isRecord(command)) return { command: command['path'], args: command['args'], env: command['env'] };
  if (!Array.isArray(command) || !mayBeList) return { command };
  const [program, ...args] = command as unknown[];
  return { command: program, args };
}

/** Codex names environment variables that hold the values. */
function readHeaders(take: (...keys: readonly string[]) => unknown): Record<string, string> {
  const named = Object.entries(recordOf(take('env_http_headers'))).flatMap(([header, name]) =>
    isString(name) ? [[header, `\${env:${name}}`] as const] : [],
  );
  const bearer = take('bearer_token_env_var');
  return { ...Object.fromEntries(named), ...(isString(bearer) && { Authorization: `Bearer \${env:${bearer}}` }) };
}

function reasonAgainst(type: unknown, { source, settings }: Entry, isEmpty: boolean): string | undefined {
  const named = (text: unknown) =>
    table.notServers.find(({ types }) => isString(text) && wordsOf(types).includes(text));
  return (
    named(type)?.why ?? (isEmpty ? named(source ?? (isRecord(settings) ? 'extension' : undefined))?.why : undefined)
  );
}

function typeFor(type: unknown, url: unknown): unknown {
  if (!isString(type)) return url === undefined ? undefined : 'http';
  const plain = type.toLowerCase().replaceAll(/[-_]/g, '');
  if (plain === 'streamablehttp' || plain === 'remote') return 'http';
  return plain === 'local' ? 'stdio' : type;
}

/** False for what says nothing about the server, or is as it is without it. */
function isTelling(key: string, value: unknown): boolean {
  if (wordsOf(table.unreported).includes(key) || value === null || value === undefined || value === '') return false;
  if (key === 'enabled') return value === false;
  if (value === false) return false;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}

function whyLeftOut(key: string): string {
  const known = table.leftOut.find(({ keys }) => wordsOf(keys).includes(key));
  return known?.why ?? 'Patchbay has nothing like it';
}

function wordsOf(text: string): readonly string[] {
  return text.split(' ');
}

/** A value of another type stays as it is, so that it is reported. */
function withOwn(named: Entry, own: unknown): unknown {
  if (own !== undefined && !isRecord(own)) return own;
  const all = { ...named, ...own };
  return Object.keys(all).length === 0 ? undefined : all;
}

function recordOf(value: unknown): Entry {
  return isRecord(value) ? value : {};
}

function fromEach(names: readonly string[], valueOf: (name: string) => string): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, valueOf(name)]));
}
