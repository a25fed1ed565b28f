import { type FileStat, FileSystemError, FileType, Uri, workspace } from 'vscode';
import { parseEnvFile } from '../../config/envFile.ts';
import type { KnownSecret } from '../../secrets/knownValues.ts';
import { secretsOfSettings } from '../../secrets/planSecrets.ts';
import { readTextFile } from '../platform/readTextFile.ts';

/** Maximum bytes of one env file and of all together, and number of them in all workspace folders. */
const envFileLimits = { bytes: 256 * 1024, allBytes: 1024 * 1024, files: 20 };

/** Characters of settings that are judged at once, which takes a few milliseconds. */
const judgedAtOnce = 16_384;

const exampleFile = /\.(?:example|sample|template|dist|defaults?|schema)$/i;

/**
 * The env files at the top of the workspace folders, as they were last read: `.env` and `.env.*`, those with short names first.
 * @param pause lets other work run, and resolves soon
 */
export function createEnvFiles(folders: () => readonly Uri[], pause: () => Promise<void>) {
  let files: ReadonlyMap<string, EnvFile> = new Map();

  /**
   * Looks at the files, as they are saved now, and reads those that have changed: those within {@link envFileLimits}.
   * @returns false if some were left out: files that cannot be read, that are no ordinary files, or too large or too many
   */
  async function refresh(): Promise<boolean> {
    let isWhole = true;
    // A folder that was removed, or a file, has no values to look for.
    const leaveOut = (error?: unknown): void => {
      if (!isMissing(error)) isWhole = false;
    };
    const listed = await Promise.all(folders().map((folder) => listEnvFiles(folder).catch(leaveOut)));
    const sorted = listed.flatMap((uris) => uris ?? []).toSorted((a, b) => byLength(nameOf(a), nameOf(b)));
    if (sorted.length > envFileLimits.files) leaveOut();
    const chosen = sorted.slice(0, envFileLimits.files);
    const stats = await Promise.all(
      chosen.map(async (uri) => workspace.fs.stat(uri)).map((stat) => stat.catch(leaveOut)),
    );
    const read = new Map<string, EnvFile>();
    let left = envFileLimits.allBytes;
    for (const [index, uri] of chosen.entries()) {
      const stat = stats[index];
      if (stat === undefined) continue;
      if ((stat.type & FileType.File) === 0 || stat.size > Math.min(left, envFileLimits.bytes)) {
        leaveOut();
        continue;
      }
      left -= stat.size;
      const before = files.get(uri.toString());
      const isSame = before?.mtime === stat.mtime && before.size === stat.size;
      // It may have grown meanwhile, be no ordinary file any more, or not permitted.
      const envFile = isSame ? before : await readEnvFile(uri, stat, pause).catch(() => leaveOut());
      if (envFile !== undefined) read.set(uri.toString(), envFile);
    }
    // Of two calls at the same time, the last one counts.
    files = read;
    return isWhole;
  }

  return {
    refresh,
    /** The secrets of each file: the same lists while nothing changes. */
    secrets: (): readonly (readonly KnownSecret[])[] => [...files.values()].map(({ secrets }) => secrets),
  };
}

async function listEnvFiles(folder: Uri): Promise<readonly Uri[]> {
  const entries = await workspace.fs.readDirectory(folder);
  // A folder `.env` is an environment of Python.
  const names = entries.flatMap(([name, type]) => ((type & FileType.Directory) === 0 ? [name] : []));
  const files = names.filter((name) => /^\.env(?:\..+)?$/i.test(name) && !exampleFile.test(name));
  return files.map((name) => Uri.joinPath(folder, name));
}

interface EnvFile extends Pick<FileStat, 'mtime' | 'size'> {
  readonly secrets: readonly KnownSecret[];
}

async function readEnvFile(uri: Uri, { mtime, size }: FileStat, pause: () => Promise<void>): Promise<EnvFile> {
  const settings = Object.entries(parseEnvFile((await readTextFile(uri, envFileLimits.bytes)) ?? ''));
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
