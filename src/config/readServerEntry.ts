import { isString } from '../base/json.ts';
import { limits } from '../base/limits.ts';
import { addressForms, parseServerAddress } from '../base/serverAddress.ts';
import { type EntryReport, replaceFix } from './configurationProblem.ts';
import { ownName, reasonAgainstType, reportKeys, type Transport } from './entryKeys.ts';
import { type JsonNode, type JsonProperty, propertyOf } from './jsonDocument.ts';
import { readOAuth } from './readOAuth.ts';
import { type OptionsScope, readDevelopment, readServerOptions } from './readServerOptions.ts';
import { isStdio, type ServerDefinition, type ServerOptions } from './serverDefinition.ts';
import { splitCommandLine } from './splitCommandLine.ts';
import { hasVariables } from './variables.ts';

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
 * Checks one server entry. Invalid members are reported and ignored; for an unusable entry (no command, no URL, arguments that
 * cannot be read) a problem is reported and the result is `undefined`. `null` is the same as an absent member.
 *
 * With `"disabled": true`, a key of other clients, the entry stays in the list, so that a person can start it manually. It only
 * turns off `autoStart`.
 */
export function readServerEntry(written: JsonNode, report: EntryReport, scope: OptionsScope) {
  if (written.type !== 'object') return report.add('badType', 'error', 'the entry must be an object.', written.range);
  const flat = nestedKeys.reduce((node, key) => withMembersOf(node, key, report), written);
  const all = withoutEmpty(withOwnNames(flat, report));
  const node = { ...all, properties: all.properties.filter(({ isOverridden }) => !isOverridden) };
  if (propertyOf(node, 'type')?.value.value === 'replay') return readReplay(node, report, scope);
  const transport = readTransport(node, report);
  if (transport === undefined) return undefined;
  reportKeys(all, transport, report);
  const definition = transport === 'stdio' ? readStdio(node, report) : readRemote(node, transport, report);
  if (definition === undefined) return undefined;
  if (isStdio(definition)) checkCommand(definition.command, written, report);
  return { definition, options: readOptions(node, transport, report, scope) };
}

/** Where other clients have some members of an entry: in `requestInit` Copilot for JetBrains has the headers. */
export const nestedKeys = ['transport', 'requestInit', 'requestOptions'];

/** Reads `"transport": { "type": …, "url": … }` as if its members were those of the entry. */
function withMembersOf(node: JsonNode, nestedKey: string, report: EntryReport): JsonNode {
  const nested = propertyOf(node, nestedKey);
  if (nested === undefined || nested.value.type !== 'object') return node;
  const outer = node.properties.filter(({ key }) => key !== nestedKey);
  if (nested.value.properties.length === 0) return { ...node, properties: outer };
  const taken = new Set(outer.filter((property) => !isBlank(property)).map(({ key }) => ownName(key)));
  const isRead = ({ key }: JsonProperty): boolean => !taken.has(ownName(key));
  const members = nested.value.properties.map(({ key }) => `"${key}"`).join(', ');
  const fix = { kind: 'moveOut', title: `Move Out of "${nestedKey}"`, path: [...report.path, nestedKey] } as const;
  // A move would leave a blank member beside the one that is read.
  const names = new Set(outer.map(({ key }) => ownName(key)));
  const areFree = !nested.value.properties.some(({ key }) => names.has(ownName(key)));
  const unread = nested.value.properties.filter((property) => !isRead(property)).map(({ key }) => `"${key}"`);
  const how = unread.length === 0 ? 'Patchbay reads it anyway' : `Patchbay uses the outer ${unread.join(', ')}`;
  const message = `what is in "${nestedKey}" (${members}) belongs one level up. ${how}.`;
  report.add('unknownType', 'warning', message, nested.keyRange, areFree ? fix : undefined);
  return joined(node, outer, nested.value.properties.filter(isRead));
}

/** @returns the node with members in place of blank ones of their names */
function joined(node: JsonNode, outer: readonly JsonProperty[], added: readonly JsonProperty[]): JsonNode {
  const names = new Set(added.map(({ key }) => key));
  return { ...node, properties: [...outer.filter(({ key }) => !names.has(key)), ...added] };
}

/** Forms of other clients write members that a server does not have, and leave them blank. */
function has(node: JsonNode, key: string): boolean {
  const member = propertyOf(node, key);
  return member !== undefined && !isBlank(member);
}

function isBlank({ value: { value } }: JsonProperty): boolean {
  return value === null || value === '';
}

/** `null` is the same as an absent member, and so is an empty text where it can mean nothing. */
function withoutEmpty(node: JsonNode): JsonNode {
  const blank = new Set(['cwd', 'envFile']);
  if (has(node, 'url')) blank.add('command');
  if (has(node, 'command')) blank.add('url');
  const isEmpty = (property: JsonProperty): boolean =>
    property.value.type === 'null' || (isBlank(property) && blank.has(property.key));
  return { ...node, properties: node.properties.filter((property) => !isEmpty(property)) };
}

/** Reads members under the names of other formats, where there is none under the name of this one. */
function withOwnNames(node: JsonNode, report: EntryReport): JsonNode {
  const names = new Set(node.properties.map(({ key }) => key));
  const taken = new Set(node.properties.filter((property) => !isBlank(property)).map(({ key }) => key));
  const added: JsonProperty[] = [];
  const outer = node.properties.filter((property) => {
    const name = ownName(property.key);
    if (name === property.key || taken.has(name) || property.isOverridden || property.value.type === 'null')
      return true;
    taken.add(name);
    report.otherName(property, name, !names.has(name));
    added.push({ ...property, key: name });
    return false;
  });
  return joined(node, outer, added);
}

function readTransport(node: JsonNode, report: EntryReport): Transport | undefined {
  const type = propertyOf(node, 'type') ?? propertyOf(node, 'transport') ?? propertyOf(node, 'transportType');
  const [hasCommand, hasUrl] = [has(node, 'command'), has(node, 'url')];
  const inferred = hasUrl && !hasCommand ? 'http' : 'stdio';
  if (type === undefined) {
    if (hasCommand && hasUrl) {
      const message = '"command" and "url" are both given; the command is used.';
      report.add('conflictingKeys', 'warning', message, propertyOf(node, 'url')?.keyRange);
    }
    return inferred;
  }
  const { value: name, range } = type.value;
  const known = isString(name) && Object.hasOwn(transportNames, name) ? transportNames[name] : undefined;
  const fits = (transport: Transport): boolean =>
    transport === 'stdio' ? hasCommand || !hasUrl : hasUrl || !hasCommand;
  if (known !== undefined && fits(known)) return known;
  const [command, url] = ['command', 'url'].map((key) => propertyOf(node, key)?.value.value);
  const reason = reasonAgainstType(name, command, url);
  if (reason !== undefined)
    return report.add('unknownType', 'error', `the type ${JSON.stringify(name)} cannot be used: ${reason}.`, range);
  // In other letters it is not the type of other clients, but means it.
  const meant = isString(name) ? transportInOtherLetters(name) : undefined;
  const instead = meant !== undefined && fits(meant) ? meant : inferred;
  const fix = replaceFix(`Change to "${instead}"`, range, instead);
  if (known !== undefined) {
    const found = hasUrl ? 'a "url"' : 'a "command"';
    const message = `the type is ${JSON.stringify(name)}, but there is only ${found}: "${inferred}" is used.`;
    return report.add('unknownType', 'warning', message, range, fix) ?? inferred;
  }
  const message = `the type ${JSON.stringify(name)} is not known. Use "stdio", "http" or "sse".`;
  if (!hasCommand && !hasUrl) return report.add('unknownType', 'error', message, range);
  // As VS Code does it.
  const used = `${message} It is read as "${instead}", because there is a "${hasCommand ? 'command' : 'url'}".`;
  // A list or an object may hold more than the type.
  const isPlain = type.value.properties.length + type.value.items.length === 0;
  return report.add('unknownType', 'warning', used, range, isPlain ? fix : undefined) ?? instead;
}

function transportInOtherLetters(name: string): Transport | undefined {
  const plain = (text: string): string => text.toLowerCase().replaceAll(/[\s_-]/g, '');
  return Object.entries(transportNames).find(([known]) => plain(known) === plain(name))?.[1];
}

function readStdio(node: JsonNode, report: EntryReport): ServerDefinition | undefined {
  const command = readRequired(node, 'command', report);
  const args = readArguments(node, report);
  // A program without its arguments is not what the author wrote.
  if (command === undefined || args === 'invalid') return undefined;
  const cwd = readText(node, 'cwd', report);
  const env = readRecord(node, 'env', report, 'a string, a number or null', (value) => {
    // VS Code does not allow booleans here, but their meaning is clear.
    if (typeof value === 'boolean') return String(value);
    return isString(value) || typeof value === 'number' || value === null ? value : undefined;
  });
  const envFile = readText(node, 'envFile', report);
  const [asked, rules] = ['sandboxEnabled', 'sandbox'].map((key) => propertyOf(node, key)?.value);
  const isConfined =
    asked?.value === true || (asked?.value !== false && (rules?.value === true || rules?.type === 'object'));
  const sandboxEnabled = isConfined || undefined;
  const given = Object.entries({ args, cwd, env, envFile, sandboxEnabled }).filter(([, value]) => value !== undefined);
  return { type: 'stdio', command, ...Object.fromEntries(given) };
}

/** A recorded session in place of a server. */
function readReplay(node: JsonNode, report: EntryReport, scope: OptionsScope) {
  reportKeys(node, 'replay', report);
  const command = readText(node, 'session', report)?.trim() ?? '';
  if (command === '') {
    const message = `"session" must be the path of a recorded session, such as "notes.mcp-session.jsonl".`;
    return report.add('missingCommand', 'error', message, propertyOf(node, 'session')?.value.range ?? report.keyRange);
  }
  const mode = propertyOf(node, 'mode');
  const replay = mode === undefined ? 'lenient' : replayModes.find((known) => known === mode.value.value);
  if (mode !== undefined && replay === undefined) report.badType(mode, '"strict" or "lenient"');
  const definition: ServerDefinition = { type: 'stdio', command, replay: replay ?? 'lenient' };
  return { definition, options: readOptions(node, 'stdio', report, scope) };
}

const replayModes = ['strict', 'lenient'] as const;

/** Reports arguments in `command`. A path may hold spaces: only what follows the name of a program counts, or an option. */
function checkCommand(command: string, written: JsonNode, report: EntryReport): void {
  if (!/^(?:[\w.-]+\s+\S|\S+\s+--?\w)/.test(command)) return;
  const own = propertyOf(written, 'command')?.value;
  const fix = { kind: 'splitCommand', title: 'Move the Arguments Into "args"', path: report.path } as const;
  const message = `"command" must be the program alone. Move its arguments into "args".`;
  report.add('badType', 'warning', message, own?.range ?? report.keyRange, own?.value === command ? fix : undefined);
}

function readRemote(node: JsonNode, type: 'http' | 'sse', report: EntryReport): ServerDefinition | undefined {
  const url = readRequired(node, 'url', report);
  if (url === undefined) return undefined;
  // An address with variables is checked after expansion.
  if (!hasVariables(url) && parseServerAddress(url) === undefined)
    return report.add('badUrl', 'error', `"url" must be ${addressForms}.`, propertyOf(node, 'url')?.value.range);
  const headers = readRecord(node, 'headers', report, 'a string', (value) => {
    // Numbers and booleans are accepted as text.
    if (typeof value === 'number' || typeof value === 'boolean') return String(value);
    return isString(value) || value === null ? value : undefined;
  });
  const sent = headers && Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== null));
  return { type, url, ...(sent !== undefined && { headers: sent as Record<string, string> }) };
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

function readOptions(node: JsonNode, transport: Transport, report: EntryReport, scope: OptionsScope): ServerOptions {
  const own = propertyOf(node, 'patchbay');
  const given = own === undefined ? {} : readServerOptions(own.value, report, scope).options;
  const auth = { ...(transport !== 'stdio' && readOAuth(node, report, scope)), ...given.auth };
  const written = transport === 'stdio' ? propertyOf(node, 'dev')?.value : undefined;
  const dev = written && { ...readDevelopment(written, report, scope), ...given.dev };
  const isDeveloped = dev !== undefined && Object.keys(dev).length > 0;
  const options = { ...given, ...(Object.keys(auth).length > 0 && { auth }), ...(isDeveloped && { dev }) };
  const isMarked = ({ key, value: { value } }: JsonProperty): boolean =>
    (key === 'disabled' && String(value) === 'true') || (key === 'enabled' && String(value) === 'false');
  const mark = node.properties.find(isMarked);
  if (mark === undefined) return options;
  const message = 'it is disabled: it is listed, but starts only when you start it.';
  report.add('disabled', 'information', message, mark.keyRange);
  return { ...options, autoStart: false };
}

function readText(node: JsonNode, key: string, report: EntryReport): string | undefined {
  const property = propertyOf(node, key);
  if (property === undefined || isString(property.value.value)) return property?.value.value as string | undefined;
  return report.badType(property, 'a string');
}

function readArguments(node: JsonNode, report: EntryReport): string[] | undefined | 'invalid' {
  const property = propertyOf(node, 'args');
  if (property === undefined) return undefined;
  const { type, value, range, items } = property.value;
  if (isString(value)) {
    const words = splitCommandLine(value);
    const most = limits.configuration.words;
    if (words.length > most)
      return report.badType(property, `a list of strings. It is one text of more than ${most} words`) ?? 'invalid';
    const text = `[${words.map((word) => JSON.stringify(word)).join(', ')}]`;
    const fix = { kind: 'replaceText', title: 'Change to a List', range, text } as const;
    const message = '"args" must be a list of strings. The text is split into words: check them.';
    report.add('badType', 'warning', message, range, fix);
    return words;
  }
  const reason = 'Without it the server is not used.';
  if (type !== 'array') report.add('badType', 'error', `"args" must be a list of strings. ${reason}`, range);
  // Numbers and booleans are accepted as text.
  const wrong = items.filter((item) => !['string', 'number', 'boolean'].includes(item.type));
  for (const item of wrong)
    report.add('badType', 'error', `every item of "args" must be a string. ${reason}`, item.range);
  return type === 'array' && wrong.length === 0 ? items.map((item) => item.written ?? String(item.value)) : 'invalid';
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
  const listed = readPairs(property.value);
  if (listed !== undefined) {
    const fix = { kind: 'listToObject', title: 'Change to an Object', range: property.value.range } as const;
    const message = `"${key}" must be an object. The list is read as one: check it.`;
    report.add('badType', 'warning', message, property.value.range, fix);
    return Object.fromEntries(listed) as Record<string, T>;
  }
  if (property.value.type !== 'object') return report.badType(property, `an object whose values are each ${expected}`);
  const entries = property.value.properties.flatMap((member): [string, T][] => {
    const value = read(member.value.written ?? member.value.value);
    if (value !== undefined) return [[member.key, value]];
    report.add('badType', 'error', `"${key}.${member.key}" must be ${expected}.`, member.value.range);
    return [];
  });
  return Object.fromEntries(entries);
}

/** @returns the members of a list of `"NAME=value"`, `"Name: value"` or `{"name": …, "value": …}`; `undefined` for anything else */
export function readPairs({ items }: JsonNode): readonly (readonly [name: string, value: string])[] | undefined {
  const pairs = items.map((item) => {
    const [name, value] = ['name', 'value'].map((key) => propertyOf(item, key)?.value.value);
    if (isString(name) && isString(value) && item.properties.length === 2) return [name, value] as const;
    const [, before = '', after = ''] =
      (isString(item.value) && /^([\w.-]+)(?:=|\s*:\s*)(.*)$/s.exec(item.value)) || [];
    return [before, after] as const;
  });
  return pairs.length === 0 || pairs.some(([name]) => name === '') ? undefined : pairs;
}
