import { type FileStat, FileSystemError, FileType, Uri, workspace } from 'vscode';
import { parseEnvFile } from '../../config/envFile.ts';
import type { KnownSecret } from '../../secrets/knownValues.ts';
import { secretsOfSettings } from '../../secrets/planSecrets.ts';
import { readTextFile } from '../platform/readTextFile.ts';
import type { KnownSecretsOptions } from './knownSecrets.ts';

/** Maximum bytes of one env file and of all together, and number of them in all workspace folders. */
const envFileLimits = { bytes: 256 * 1024, allBytes: 1024 * 1024, files: 20 };

/** Characters of settings that are judged at once, which takes a few milliseconds. */
const judgedAtOnce = 16_384;

/** Env files with examples of values. */
const exampleFile = /\.(?:example|sample|template|dist|defaults?|schema)$/i;

/** The env files at the top of the workspace folders, as they were last read. */
export interface EnvFiles {
  /**
   * Looks at the files, as they are saved now, and reads those that have changed.
   * @returns false if some were left out: files that cannot be read, that are no ordinary files, or too large or too many
   */
  readonly refresh: () => Promise<boolean>;
  /** The secrets of each file: the same lists while nothing changes. */
  readonly secrets: () => readonly (readonly KnownSecret[])[];
}

/** `.env` and `.env.*`, those with short names first. */
export function createEnvFiles({ folders, pause }: Pick<KnownSecretsOptions, 'folders' | 'pause'>): EnvFiles {
  let files: ReadonlyMap<string, EnvFile> = new Map();

  async function refresh(): Promise<boolean> {
    const listed = await Promise.all(folders().map(listEnvFiles));
    const chosen = await chooseEnvFiles(listed.flatMap((each) => each.files));
    let isWhole = chosen.isWhole && listed.every((each) => each.isWhole);
    const read = new Map<string, EnvFile>();
    for (const file of chosen.files) {
      const { uri, stat } = file;
      const before = files.get(uri.toString());
      const isSame = before?.mtime === stat.mtime && before.size === stat.size;
      const envFile = isSame ? before : await readEnvFile(file, pause);
      if (envFile === undefined) isWhole = false;
      else read.set(uri.toString(), envFile);
    }
    // Of two calls at the same time, the last one counts.
    files = read;
    return isWhole;
  }

  return { refresh, secrets: () => [...files.values()].map(({ secrets }) => secrets) };
}

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
      secrets.push(...secretsOfSettings({ [name]: value }, nameOf(uri)));
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
