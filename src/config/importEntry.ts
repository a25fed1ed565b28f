import { isRecord, isString } from '../base/json.ts';
import { ownName, reasonAgainstType } from './entryKeys.ts';
import { nestedKeys } from './readServerEntry.ts';
import type { VariableSyntax } from './variables.ts';

type Entry = Readonly<Record<string, unknown>>;

export interface NormalEntry {
  /** With the members that Patchbay has under its names, and those that it does not have. */
  readonly entry: Entry;
  /** The names of variables whose values the other client keeps, and that become inputs. */
  readonly secrets: readonly string[];
}

/**
 * Turns an entry of any client into one of Patchbay. Where clients have other names for the same, all of them are known, since
 * no two mean different things by one.
 * @returns a text with the reason why the entry is no server that could be copied
 */
export function normaliseEntry(written: Entry, style: VariableSyntax): NormalEntry | string {
  const { env_vars, env_keys, env_http_headers, bearer_token_env_var, apiKey, ...rest } = withOwnNames(
    flatten(written),
  );
  const isSent = isString(apiKey) && isString(rest['url']) && rest['command'] === undefined;
  const whole = isSent || apiKey === undefined ? rest : { ...rest, apiKey };
  const { args, env } = whole;
  const headers = isSent ? withApiKey(whole['headers'], apiKey) : whole['headers'];
  const type = ['type', 'transport', 'transportType'].map((key) => whole[key]).find(isString) ?? whole['type'];
  const program = readProgram(whole['command'], type === 'local' || style === 'opencode');
  const reason = reasonAgainst(type, { ...whole, ...program });
  if (reason !== undefined) return reason;
  const names = [env_vars].flat().map((item) => (isRecord(item) ? item['name'] : item));
  const kept = [env_keys].flat().filter(isString);
  const named = {
    ...fromEach(names.filter(isString), (name) => `\${env:${name}}`),
    // Of an address they are for its headers, which name them.
    ...(program.command !== undefined && fromEach(kept, (name) => `\${input:${name}}`)),
  };
  const entry = {
    ...whole,
    ...program,
    args: program.args ?? args,
    type: isString(type) && /^streamable[-_]?http$/i.test(type) ? 'http' : type,
    env: withOwn(named, program.env ?? env),
    headers: withOwn(readHeaders(env_http_headers, bearer_token_env_var), headers),
  };
  // What is not one of Patchbay is reported by the reader of entries, which knows some of it.
  const telling = Object.entries(entry).filter(([key, value]) => isTelling(key, value));
  return { entry: Object.fromEntries(telling), secrets: kept };
}

/** Of two names of one member that of the other client counts, as Gemini CLI has it for `httpUrl`. */
function withOwnNames(whole: Entry): Entry {
  const given = Object.entries(whole).filter(([, value]) => value !== undefined && value !== null);
  const isOther = (key: string): boolean => ownName(key).toLowerCase() !== key.toLowerCase();
  const renamed = given.filter(([key]) => isOther(key)).map(([key, value]) => [ownName(key), value] as const);
  return { ...Object.fromEntries(given.filter(([key]) => !isOther(key))), ...Object.fromEntries(renamed) };
}

/** Some clients have the members of a server in an object of their own. What is beside that already is left there, and reported. */
function flatten(written: Entry): Entry {
  return ['config', ...nestedKeys].reduce<Entry>((whole, key) => {
    const { [key]: nested, ...outer } = whole;
    if (!isRecord(nested)) return whole;
    const isFree = ([name]: readonly [string, unknown]): boolean => (outer[name] ?? '') === '';
    const members = Object.entries(nested);
    const left = members.filter((member) => !isFree(member));
    return {
      ...outer,
      ...Object.fromEntries(members.filter(isFree)),
      ...(left.length > 0 && { [key]: Object.fromEntries(left) }),
    };
  }, written);
}

/** Older settings of Zed have an object, those of opencode one list for program and arguments. */
function readProgram(command: unknown, mayBeList: boolean): { command?: unknown; args?: unknown; env?: unknown } {
  if (isRecord(command)) return { command: command['path'], args: command['args'], env: command['env'] };
  if (!Array.isArray(command) || !mayBeList) return { command };
  const [program, ...args] = command as unknown[];
  return { command: program, args };
}

/** Codex names environment variables that hold the values. */
function readHeaders(byHeader: unknown, bearer: unknown): Record<string, string> {
  const named = Object.entries(isRecord(byHeader) ? byHeader : {}).flatMap(([header, name]) =>
    isString(name) ? [[header, `\${env:${name}}`] as const] : [],
  );
  return { ...Object.fromEntries(named), ...(isString(bearer) && { Authorization: `Bearer \${env:${bearer}}` }) };
}

/** Continue sends the key of an entry so, in place of such a header. */
function withApiKey(headers: unknown, apiKey: string): unknown {
  if (apiKey === '' || (headers !== undefined && !isRecord(headers))) return headers;
  const others = Object.entries(headers ?? {}).filter(([name]) => name.toLowerCase() !== 'authorization');
  return { ...Object.fromEntries(others), Authorization: `Bearer ${apiKey}` };
}

function reasonAgainst(type: unknown, whole: Entry): string | undefined {
  const { command, url, source, settings, uses } = whole;
  const isEmpty = [command, url].every((place) => place === undefined || place === '');
  const kind = source ?? (isRecord(settings) ? 'extension' : uses && 'registry');
  const why = reasonAgainstType(type, command, url) ?? (isEmpty ? reasonAgainstType(kind) : undefined);
  // So a project turns off a server of the person's own settings.
  const isOff = String(whole['enabled']) === 'false' || String(whole['disabled']) === 'true';
  return (
    why ?? (isEmpty && isOff ? 'it is turned off here, and nothing says what it starts or where it is' : undefined)
  );
}

/** False for what is as it is without it. */
function isTelling(key: string, value: unknown): boolean {
  if (value === null || value === undefined || value === '') return false;
  if (value === false) return key === 'enabled' || key === 'verifySsl';
  return typeof value !== 'object' || Object.keys(value).length > 0;
}

/** A value of another type stays as it is, so that it is reported. */
function withOwn(named: Entry, own: unknown): unknown {
  return own === undefined || own === null || isRecord(own) ? { ...named, ...own } : own;
}

function fromEach(names: readonly string[], valueOf: (name: string) => string): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, valueOf(name)]));
}
