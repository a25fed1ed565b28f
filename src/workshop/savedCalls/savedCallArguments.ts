import { isRecord, type JsonObject, type JsonValue } from '../../base/json.ts';
import { partsOf, type VariableMeaning } from '../../config/variables.ts';
import { joinedTexts } from '../../secrets/jsonTexts.ts';
import { isWorthFinding } from '../../secrets/knownValues.ts';
import { looksLikeSecretName, looksLikeSecretValue } from '../../secrets/secretNames.ts';
import type { SecretSearch } from '../../secrets/secretSearch.ts';
import { runNow } from '../../secrets/steps.ts';
import { copyDigits, stringifyExactly } from '../../base/exactIntegers.ts';

export interface DoubtfulText {
  /** For people: `headers.authorization`. */
  readonly place: string;
  /** What can be written in its place: `${input:authorization}`. */
  readonly placeholder: string;
}

/**
 * Takes known secrets out of arguments on their way into a file that others read, and finds what may be one.
 * @returns the arguments, where known secrets are replaced by what they come from; the texts that are, or may be, secrets and are
 * still there; and the same arguments with a placeholder for each of them
 */
export function withoutSecrets(args: JsonObject, known: SecretSearch) {
  const referenced = mapTexts(args, (text) => replaceKnown(text, known));
  const doubtful: DoubtfulText[] = [];
  const withPlaceholders = mapTexts(referenced, (text, path) => {
    if (!isDoubtful(text, path, known)) return text;
    const placeholder = `\${input:${inputIdOf(path)}}`;
    doubtful.push({ place: path.join('.'), placeholder });
    return placeholder;
  });
  const split = withoutSplit(withPlaceholders, known);
  if (split === undefined) return { args: referenced, doubtful, withPlaceholders };
  const added = split.doubtful.filter(({ place }) => doubtful.every((each) => each.place !== place));
  return { args: referenced, doubtful: [...doubtful, ...added], withPlaceholders: split.args };
}

/**
 * Replaces arguments with a secret split over their texts, in numbers or in names of members: those that hold it by themselves,
 * otherwise all of them. All too where there are secrets that were not looked for in every spelling.
 * @returns `undefined` if there is no such secret
 */
function withoutSplit(
  args: JsonObject,
  known: SecretSearch,
): { readonly args: JsonObject; readonly doubtful: readonly DoubtfulText[] } | undefined {
  const isEach = known.left.length > 0 && Object.keys(args).length > 0;
  if (!isEach && !holdsSecret(args, known)) return undefined;
  for (const isReplaced of [(part: JsonObject) => !isEach && holdsSecret(part, known), () => true]) {
    const doubtful: DoubtfulText[] = [];
    const entries = Object.entries(args).map(([name, value]): [string, JsonValue] => {
      if (!isReplaced(copyDigits(args, { [name]: value }))) return [name, value as JsonValue];
      const placeholder = `\${input:${inputIdOf([name])}}`;
      doubtful.push({ place: name, placeholder });
      return [name, placeholder];
    });
    const replaced = copyDigits(args, Object.fromEntries(entries));
    if (doubtful.length > 0 && !holdsSecret(replaced, known)) return { args: replaced, doubtful };
  }
  return { args: {}, doubtful: [{ place: 'all arguments', placeholder: '{}' }] };
}

function holdsSecret(args: JsonObject, known: SecretSearch): boolean {
  const json = stringifyExactly(args);
  return [json, ...joinedTexts(json)].some((text) => {
    const { hits, isWhole } = runNow(known.search(text));
    return hits.length > 0 || !isWhole;
  });
}

/** A value in another encoding stays: what its reference stands for is written as it is. */
function replaceKnown(text: string, known: SecretSearch): string {
  let replaced = '';
  let from = 0;
  for (const { start, end, secret } of runNow(known.search(text)).hits) {
    if (secret.reference === undefined || text.slice(start, end) !== secret.value) continue;
    replaced += text.slice(from, start) + secret.reference;
    from = end;
  }
  return replaced + text.slice(from);
}

function isDoubtful(text: string, path: readonly (string | number)[], known: SecretSearch): boolean {
  const written = text.replace(/\$\{[^${}]*\}/g, '');
  const { hits, isWhole } = runNow(known.search(written));
  if (hits.length > 0 || !isWhole || looksLikeSecretValue(written)) return true;
  const name = path.findLast((step) => typeof step === 'string');
  // "key" alone names an entry more often than a secret.
  return typeof name === 'string' && !/^keys?$/i.test(name) && looksLikeSecretName(name) && isWorthFinding(written);
}

function inputIdOf(path: readonly (string | number)[]): string {
  const name = path.findLast((step) => typeof step === 'string');
  const id = typeof name === 'string' ? name.replace(/[^A-Za-z0-9_-]+/g, '-').slice(0, 60) : '';
  return /[A-Za-z0-9]/.test(id) ? id : 'secret';
}

export interface FolderPath {
  readonly name: string;
  readonly path: string;
}

/** What is needed to write places of the workspace. `folder` is the one of the file. */
export interface FolderContext {
  readonly folder: FolderPath;
  readonly folders: readonly FolderPath[];
  readonly pathSeparator: '/' | '\\';
}

/**
 * Replaces `${workspaceFolder}`, `${workspaceFolder:name}`, `${workspaceFolderBasename}` and `${pathSeparator}`. Inputs and
 * environment variables stay as they are written: anyone can commit a call that would send them to a server.
 * @returns `left` is what a person has to fill in, such as `${input:token}`: each once
 */
export function resolveArguments(args: JsonObject, context: FolderContext) {
  const left = new Set<string>();
  const resolved = mapTexts(args, (whole) => {
    const parts = partsOf(whole, 'editor').map(({ text, meaning }) => {
      const value = meaning && valueOf(meaning, context);
      if (meaning !== undefined && meaning.kind !== 'foreign' && value === undefined) left.add(text);
      return value ?? text;
    });
    return parts.join('');
  });
  return { args: resolved, left: [...left] };
}

/** @returns `undefined` for what is not replaced */
function valueOf(meaning: VariableMeaning, { folder, folders, pathSeparator }: FolderContext): string | undefined {
  if (meaning.kind === 'pathSeparator') return pathSeparator;
  if (meaning.kind !== 'workspaceFolder' && meaning.kind !== 'workspaceFolderBasename') return undefined;
  const path = (meaning.folder === undefined ? folder : folders.find(({ name }) => name === meaning.folder))?.path;
  return meaning.kind === 'workspaceFolder' ? path : path?.replace(/^.*[\\/](?=[^\\/])/s, '');
}

/** What the form says about what is left to be filled in; `undefined` if there is nothing to say. */
export function describeLeft(left: readonly string[]): string | undefined {
  if (left.length === 0) return undefined;
  const shown = left.slice(0, 5).map((reference) => reference.slice(0, 60));
  const more = left.length > shown.length ? ` and ${left.length - shown.length} more` : '';
  return `Replace ${shown.join(', ')}${more} before you call: saved calls do not contain secrets.`;
}

/** Writes paths in workspace folders so that they are right on other machines too. */
export function toPortable(args: JsonObject, { folder, folders }: Omit<FolderContext, 'pathSeparator'>): JsonObject {
  const places = [folder, ...folders.filter(({ path }) => path !== folder.path)];
  return mapTexts(args, (text) => {
    const inside = places.filter(
      ({ path }) => text === path || text.startsWith(`${path}/`) || text.startsWith(`${path}\\`),
    );
    const [nearest] = inside.toSorted((a, b) => b.path.length - a.path.length);
    if (nearest === undefined || nearest.path === '') return text;
    const reference = nearest === folder ? '${workspaceFolder}' : `\${workspaceFolder:${nearest.name}}`;
    return reference + text.slice(nearest.path.length);
  });
}

function mapTexts(args: JsonObject, change: (text: string, path: readonly (string | number)[]) => string): JsonObject {
  const map = (value: JsonValue | undefined, path: readonly (string | number)[]): JsonValue | undefined => {
    if (typeof value === 'string') return change(value, path);
    if (Array.isArray(value)) {
      const items = value as readonly JsonValue[];
      const mapped = items.map((item, index) => map(item, [...path, index]) as JsonValue);
      return copyDigits(items, mapped);
    }
    return isRecord(value) ? mapMembers(value, path) : value;
  };
  const mapMembers = (object: JsonObject, path: readonly (string | number)[]): JsonObject =>
    copyDigits(
      object,
      Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value, [...path, key])])),
    );
  return mapMembers(args, []);
}
