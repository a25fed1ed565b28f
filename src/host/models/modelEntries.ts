import { isRecord, isString, type UnknownRecord } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import { isThisComputer } from '../../base/hostKind.ts';
import { truncateWithEllipsis } from '../../base/truncate.ts';
import { hasHiddenCharacters, visibleText } from '../../base/visibleText.ts';
import { type ModelAbilities, modelApis, type ModelConnection, type ModelPrice } from '../../models/modelGateway.ts';

/** Characters of each text, entries, and US dollars for a million tokens. */
export const modelMaximums = {
  id: 100,
  name: 100,
  address: 2_000,
  model: limits.server.name,
  key: 10_000,
  entries: 200,
  price: 1e6,
};

/** An entry that is left out. The message is the end of a sentence. */
class EntryFault extends Error {}

const members: readonly string[] = ['id', 'name', 'api', 'baseUrl', 'model', 'contextTokens', 'price', 'abilities'];

/**
 * Reads the value of the setting. An entry with a fault is left out: no request goes where the person did not mean it to.
 * @returns `problems` says which entries are left out, and why: full sentences
 */
export function readModelEntries(value: unknown): {
  readonly connections: readonly ModelConnection[];
  readonly problems: readonly string[];
} {
  if (value === undefined) return { connections: [], problems: [] };
  if (!Array.isArray(value)) return { connections: [], problems: ['patchbay.models is ignored: it must be a list.'] };
  const connections = new Map<string, ModelConnection>();
  const problems: string[] = [];
  for (const [index, entry] of (value as readonly unknown[]).slice(0, modelMaximums.entries).entries()) {
    try {
      const connection = readEntry(entry);
      if (connections.has(connection.id)) throw new EntryFault('another entry has the same "id"');
      connections.set(connection.id, connection);
    } catch (error) {
      if (!(error instanceof EntryFault)) throw error;
      problems.push(`${titleOf(entry, index)} is left out: ${error.message}.`);
    }
  }
  if (value.length > modelMaximums.entries) {
    problems.push(`patchbay.models has ${value.length} entries: only the first ${modelMaximums.entries} are used.`);
  }
  return { connections: [...connections.values()], problems };
}

function titleOf(entry: unknown, index: number): string {
  const names = isRecord(entry) ? [entry['name'], entry['id']] : [];
  const name = names.find((each): each is string => isString(each) && each !== '');
  const shown = name === undefined ? '' : ` (“${visibleText(truncateWithEllipsis(name, 40))}”)`;
  return `Entry ${index + 1} of patchbay.models${shown}`;
}

function readEntry(entry: unknown): ModelConnection {
  if (!isRecord(entry)) throw new EntryFault('it must be an object');
  const unknown = Object.keys(entry).find((name) => !members.includes(name));
  if (unknown !== undefined) {
    const hint = /key|token|secret/i.test(unknown) ? '; keys are kept in the secret storage: see Manage Models…' : '';
    throw new EntryFault(`"${visibleText(truncateWithEllipsis(unknown, 40))}" is not a known key${hint}`);
  }
  const api = modelApis.find((each) => each === entry['api']);
  if (api === undefined) throw new EntryFault(`its "api" must be one of ${modelApis.join(', ')}`);
  const { contextTokens } = entry;
  if (contextTokens !== undefined && !isCount(contextTokens))
    throw new EntryFault('its "contextTokens" must be a whole number of at least 1');
  const price = readPrice(entry['price']);
  const abilities = readAbilities(entry['abilities']);
  const name = (member: 'id' | 'name' | 'model'): string =>
    readText(entry, member, (text) => nameProblem(text, modelMaximums[member]));
  return {
    id: name('id'),
    name: name('name'),
    api,
    baseUrl: normalAddress(readText(entry, 'baseUrl', addressProblem)),
    model: name('model'),
    ...(contextTokens !== undefined && { contextTokens }),
    ...(price !== undefined && { price }),
    ...(abilities !== undefined && { abilities }),
  };
}

/** @param problemOf why the text cannot be taken, as the end of a sentence */
function readText(entry: UnknownRecord, member: string, problemOf: (text: string) => string | undefined): string {
  const value = entry[member];
  const problem = isString(value) ? problemOf(value) : 'must be a text';
  if (!isString(value) || problem !== undefined) throw new EntryFault(`its "${member}" ${problem}`);
  return value;
}

/** Why a text cannot be a name, as the end of a sentence such as `it must be …`; `undefined` if it can. */
export function nameProblem(text: string, maximum: number): string | undefined {
  if (text.trim() === '') return 'must not be empty';
  if (text.length > maximum) return `must have at most ${maximum} characters`;
  return text !== text.trim() || hasHiddenCharacters(text)
    ? 'must have no hidden characters, and no spaces at its ends'
    : undefined;
}

/** Why a text cannot be the address of an endpoint, as the end of a sentence; `undefined` if it can. */
export function addressProblem(text: string): string | undefined {
  if (text.length > modelMaximums.address) return `must have at most ${modelMaximums.address} characters`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:\/\//i.test(text)) return 'must start with "https://" or "http://", and a host';
  if (/\s/.test(text) || hasHiddenCharacters(text)) return 'must have no spaces or hidden characters';
  // An empty query, or an empty user, is one too.
  if (url.username !== '' || url.password !== '' || /^https?:\/\/[^/]*@/i.test(text)) {
    return 'must have no user and password: a key is entered on its own';
  }
  return /[?#\\]/.test(text) ? 'must end with its path: no "?", "#" or backslash' : undefined;
}

/** @returns the address as it is kept: without a slash at its end. @param text one without an {@link addressProblem} */
export function normalAddress(text: string): string {
  const { origin, pathname } = new URL(text);
  return `${origin}${pathname}`.replace(/\/+$/, '');
}

/** True where requests stay on this machine. */
export function isLocalAddress(baseUrl: string): boolean {
  return isThisComputer(new URL(baseUrl).hostname);
}

/** True where a key may be sent: to this machine, or encrypted. */
export function mayCarryKey(baseUrl: string): boolean {
  return isLocalAddress(baseUrl) || baseUrl.startsWith('https://');
}

/** Host and port, to show where requests go. */
export function hostOf(baseUrl: string): string {
  return visibleText(new URL(baseUrl).host);
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) > 0;
}

function readPrice(value: unknown): ModelPrice | undefined {
  if (value === undefined) return undefined;
  const { input, output, ...others } = isRecord(value) ? value : {};
  if (isPrice(input) && isPrice(output) && Object.keys(others).length === 0) return { input, output };
  throw new EntryFault('its "price" must have "input" and "output" only, in US dollars for a million tokens');
}

/** True for US dollars for a million tokens. */
export function isPrice(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= modelMaximums.price;
}

const abilityNames: readonly string[] = ['image', 'audio', 'tools'] satisfies readonly (keyof ModelAbilities)[];

function readAbilities(value: unknown): ModelAbilities | undefined {
  if (value === undefined) return undefined;
  const isAbility = ([name, has]: [string, unknown]): boolean =>
    abilityNames.includes(name) && typeof has === 'boolean';
  if (isRecord(value) && Object.entries(value).every(isAbility)) return value;
  throw new EntryFault(`its "abilities" may have ${abilityNames.join(', ')}, each true or false`);
}

/**
 * @returns an id for a new entry, made from a name so that a person recognises it in the settings
 * @param taken the ids of all entries, also of those that are left out
 */
export function createModelId(name: string, taken: readonly string[]): string {
  const plain = name
    .toLowerCase()
    .replace(/[^a-z0-9.]+/g, '-')
    .replace(/^[-.]+|[-.]+$/g, '');
  const base = plain.slice(0, modelMaximums.id - 10) || 'model';
  return firstFree(taken, (count) => (count === 1 ? base : `${base}-${count}`));
}

/** @returns `name`, with the host or a number if another model has that name. @param taken the names of the other models */
export function uniqueModelName(name: string, host: string, taken: readonly string[]): string {
  const base = truncateWithEllipsis(name, modelMaximums.name - 45);
  const longer = `${base} (${truncateWithEllipsis(host, 30)})`;
  return firstFree(taken, (count) => [base, longer][count - 1] ?? `${longer} ${count - 1}`);
}

function firstFree(taken: readonly string[], make: (count: number) => string): string {
  for (let count = 1; ; count += 1) {
    const made = make(count);
    if (!taken.includes(made)) return made;
  }
}
