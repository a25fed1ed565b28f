import { type FileStat, FileSystemError, FileType, Uri, workspace } from 'vscode';
import type { LaunchPlan } from '../../base/launchPlan.ts';
import type { KnownSecret, KnownSecrets } from '../../client/sampling/secretMarks.ts';
import { isSecretSetting } from '../../client/sampling/secrets/knownValues.ts';
import { parseEnvFile } from '../../config/envFile.ts';
import { looksLikeSecretName } from '../../config/secretDetection.ts';
import { readTextFile } from '../platform/readTextFile.ts';

/** Where the known secrets come from. */
export interface KnownSecretsOptions {
  /** What was started in this window, by label: the values of one server must not leave through another one either. */
  readonly plans: () => ReadonlyMap<string, LaunchPlan>;
  /** The workspace folders. */
  readonly folders: () => readonly Uri[];
  /** Lets other work run, and resolves soon: called between pieces of work of a few milliseconds. */
  readonly pause: () => Promise<void>;
}

/** Maximum bytes of one env file and of all together, and number of them in all workspace folders. */
const envFileLimits = { bytes: 256 * 1024, allBytes: 1024 * 1024, files: 20 };

/** Characters of settings that are judged at once, which takes a few milliseconds. */
const judgedAtOnce = 16_384;

/** Env files with examples of values. */
const exampleFile = /\.(?:example|sample|template|dist|defaults?|schema)$/i;

/**
 * Collects what no request for a model may contain unseen: secret inputs, secret variables and settings, and env files of all
 * servers that were started, then `.env` and `.env.*` at the top of the workspace folders, those with short names first. The
 * files are looked at with each call, as they are saved then, and read again only if they have changed. Files that cannot be
 * read, that are no ordinary files, or too large or too many, are left out: then `isWhole` is false.
 */
export function createSecretCollector(options: KnownSecretsOptions): () => Promise<KnownSecrets> {
  let known: ReadonlyMap<string, EnvFile> = new Map();

  async function collect(): Promise<KnownSecrets> {
    const listed = await Promise.all(options.folders().map(listEnvFiles));
    const chosen = await chooseEnvFiles(listed.flatMap(({ files }) => files));
    let isWhole = chosen.isWhole && listed.every((list) => list.isWhole);
    const read = new Map<string, EnvFile>();
    for (const file of chosen.files) {
      const { uri, stat } = file;
      const before = known.get(uri.toString());
      const isSame = before?.mtime === stat.mtime && before.size === stat.size;
      const envFile = isSame ? before : await readEnvFile(file, options.pause);
      if (envFile === undefined) isWhole = false;
      else read.set(uri.toString(), envFile);
    }
    // Of two calls at the same time, the last one counts.
    known = read;
    const ofFiles = [...read.values()].flatMap(({ secrets }) => secrets);
    const ofServers = [...options.plans()].flatMap(([label, plan]) => secretsOfPlan(label, plan));
    return { secrets: withoutRepeated([...ofServers, ...ofFiles]), isWhole };
  }

  return collect;
}

/** The secrets of one launch, each with where it comes from. */
export function secretsOfPlan(label: string, plan: LaunchPlan): readonly KnownSecret[] {
  const { secrets = [], secretNames = [] } = plan;
  const inputs = secrets.map((value, index) => secretInput(value, describeReference(secretNames[index], label)));
  return plan.kind === 'stdio'
    ? [
        ...inputs,
        ...settingsOf(plan.env, label),
        ...fileSettings(plan.envFileValues ?? {}, `the env file of "${label}"`),
      ]
    : [...inputs, ...headerSecrets(plan.headers, label), ...addressSecrets(plan.url, label)];
}

function describeReference(reference: string | undefined, label: string): string {
  const [, kind, name] = /^\$\{(input|env):(.*)\}$/s.exec(reference ?? '') ?? [];
  if (name === undefined) return `a secret of the server "${label}"`;
  return kind === 'input' ? `the value of the input "${name}"` : `the variable ${name} of the server "${label}"`;
}

function settingsOf(env: Readonly<Record<string, string | null>>, label: string): readonly KnownSecret[] {
  return Object.entries(env).flatMap(([name, value]) =>
    value !== null && looksLikeSecretName(name) ? [secretInput(value, `${name} of the server "${label}"`)] : [],
  );
}

/** The whole value of a header, and what follows its scheme (`Bearer …`). */
function headerSecrets(headers: Readonly<Record<string, string>>, label: string): readonly KnownSecret[] {
  return Object.entries(headers).flatMap(([name, value]) => {
    if (!looksLikeSecretName(name)) return [];
    const what = `the header ${name} of the server "${label}"`;
    const credentials = /^\S+\s+(\S.*)$/s.exec(value)?.[1];
    // The longer text first: both are found, and the words of the first are shown.
    return [value, ...(credentials === undefined ? [] : [credentials])].map((text) => secretInput(text, what));
  });
}

function addressSecrets(url: URL, label: string): readonly KnownSecret[] {
  const parameters = [...url.searchParams].filter(([name]) => looksLikeSecretName(name)).map(([, value]) => value);
  return [decoded(url.password), ...parameters].map((value) =>
    secretInput(value, `a secret in the address of "${label}"`),
  );
}

/** @param source what has the settings: ".env", or the file of a server */
function fileSettings(settings: Readonly<Record<string, string>>, source: string): readonly KnownSecret[] {
  return Object.entries(settings).flatMap(([name, value]): KnownSecret[] =>
    isSecretSetting(name, value) ? [{ value, kind: 'envFile', what: `${name} of ${source}` }] : [],
  );
}

/** Some files, and whether they are all. */
interface SomeFiles<T> {
  readonly files: readonly T[];
  readonly isWhole: boolean;
}

async function listEnvFiles(folder: Uri): Promise<SomeFiles<Uri>> {
  try {
    const entries = await workspace.fs.readDirectory(folder);
    // A folder `.env` is an environment of Python.
    const names = entries.flatMap(([name, type]) => ((type & FileType.Directory) === 0 ? [name] : []));
    const files = names.filter((name) => /^\.env(?:\..+)?$/i.test(name) && !exampleFile.test(name));
    return { files: files.map((name) => Uri.joinPath(folder, name)), isWhole: true };
  } catch (error) {
    // A folder that was removed has no values to look for.
    return { files: [], isWhole: isMissing(error) };
  }
}

interface ChosenFile {
  readonly uri: Uri;
  readonly stat: FileStat;
}

/** The files within {@link envFileLimits}, `.env` first. */
async function chooseEnvFiles(found: readonly Uri[]): Promise<SomeFiles<ChosenFile>> {
  const sorted = found.toSorted((a, b) => byLength(nameOf(a), nameOf(b)));
  const looked = await Promise.all(sorted.slice(0, envFileLimits.files).map(lookAt));
  const files: ChosenFile[] = [];
  let isWhole = sorted.length <= envFileLimits.files;
  let left = envFileLimits.allBytes;
  for (const file of looked) {
    if (file === 'missing') continue;
    const isOrdinary = file !== 'unreadable' && (file.stat.type & FileType.File) !== 0;
    if (isOrdinary && file.stat.size <= Math.min(left, envFileLimits.bytes)) {
      left -= file.stat.size;
      files.push(file);
    } else isWhole = false;
  }
  return { files, isWhole };
}

async function lookAt(uri: Uri): Promise<ChosenFile | 'missing' | 'unreadable'> {
  try {
    return { uri, stat: await workspace.fs.stat(uri) };
  } catch (error) {
    return isMissing(error) ? 'missing' : 'unreadable';
  }
}

/** What a file had when it was read. */
interface EnvFile extends Pick<FileStat, 'mtime' | 'size'> {
  readonly secrets: readonly KnownSecret[];
}

/** @returns `undefined` if it cannot be read */
async function readEnvFile({ uri, stat }: ChosenFile, pause: () => Promise<void>): Promise<EnvFile | undefined> {
  const { mtime, size } = stat;
  try {
    const text = await readTextFile(uri, envFileLimits.bytes);
    const settings = Object.entries(parseEnvFile(text ?? ''));
    await pause();
    const secrets: KnownSecret[] = [];
    let work = 0;
    for (const [name, value] of settings) {
      secrets.push(...fileSettings({ [name]: value }, nameOf(uri)));
      work += name.length + value.length + 20;
      if (work < judgedAtOnce) continue;
      work = 0;
      await pause();
    }
    return { mtime, size, secrets };
  } catch {
    // It has grown meanwhile, is no ordinary file any more, or not permitted: the search goes on with the other files.
    return undefined;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof FileSystemError && error.code === 'FileNotFound';
}

function nameOf({ path }: Uri): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function byLength(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : Number(a > b));
}

/** The first of those with the same value; empty values are left out. */
function withoutRepeated(secrets: readonly KnownSecret[]): readonly KnownSecret[] {
  const byValue = new Map<string, KnownSecret>();
  for (const secret of secrets)
    if (secret.value !== '' && !byValue.has(secret.value)) byValue.set(secret.value, secret);
  return [...byValue.values()];
}

function secretInput(value: string, what: string): KnownSecret {
  return { value, kind: 'secretInput', what };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A percent sign that encodes nothing: as it is written.
    return text;
  }
}
