import { createHash } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { constants, open, realpath, stat } from 'node:fs/promises';
import { delimiter, resolve } from 'node:path';
import type { Memento } from 'vscode';
import { isString } from '../../base/json.ts';
import type { StdioLaunchPlan } from '../../base/launchPlan.ts';
import { limits } from '../../base/limits.ts';
import { analyzeCommandLine } from '../../config/commandLineAnalysis.ts';
import { launchFiles } from '../../config/launchFiles.ts';
import type { StdioLaunchView } from '../../config/launchView.ts';
import { isCodeFile, mayLoadFiles } from '../../config/namedPaths.ts';
import { shimFiles } from '../../config/programFiles.ts';
import type { ResolvedCode, ResolvedFile, UncoveredCode } from '../../config/resolvedCode.ts';
import { buildEnvironment, type EnvironmentVariables, readVariable } from '../../transport/stdio/environment.ts';
import { findCommand, readInterpreter } from '../../transport/stdio/findCommand.ts';
import { storedAnswers } from '../platform/storage.ts';
import { findFolderFiles, isInAny } from './folderFiles.ts';

interface InspectionContext {
  readonly folders: readonly string[];
  /** The environment of which servers inherit the safe part. */
  readonly inherited: EnvironmentVariables;
  readonly platform: NodeJS.Platform;
  readonly digests: Pick<FileDigests, 'digest'>;
}

interface Workspace extends Pick<InspectionContext, 'folders' | 'digests'> {
  /** The folders without symbolic links. */
  readonly realFolders: readonly string[];
}

/** A program that is not known may read and run any of them. */
const anyFile: UncoveredCode = {
  what: 'Any other file in this folder',
  warning: 'Any file in this folder may decide what runs.',
};
/** Those of files that can load others are not followed. */
const loadedFiles: UncoveredCode = { what: 'Files that these files load' };

/**
 * Finds the files that a launch would run now, and computes their digests. Finds the program as the transport does, which
 * then starts exactly this path. Cannot cover a file that changes after it was read here, code that scripts load, and what
 * package managers download. The question names the last two.
 */
export async function inspectCode(
  plan: StdioLaunchPlan,
  view: StdioLaunchView,
  context: InspectionContext,
): Promise<ResolvedCode> {
  const { inherited, platform } = context;
  // Uses the view, where secrets are replaced: a placeholder is not the name of a file, and no path that is shown may hold
  // a secret.
  const code = analyzeCommandLine([view.command, ...view.args]);
  const environment = buildEnvironment(inherited, plan.env, platform, plan.addsToPath);
  const cwd = plan.cwd ?? process.cwd();
  const around = { ...context, realFolders: await Promise.all(context.folders.map(realPathOf)) };
  const find = (command: string): Promise<string | undefined> =>
    findCommand(command, cwd, environment, platform).catch(() => undefined);
  const path = await find(plan.command);
  const interpreter = path === undefined ? undefined : await findInterpreter(path, cwd, find);
  const wanted = launchFiles(view);
  const searchPaths = [...(readVariable(environment, 'PATH', platform) ?? '').split(delimiter), ...wanted.searchPaths];
  const searchedFolders = await entriesWithin(searchPaths, cwd, around);
  // Only where PATH leads into the workspace can the other programs of the line be files of it.
  const others = searchedFolders.length === 0 ? [] : await Promise.all(wanted.programs.slice(1).map(find));
  const paths = new Map(wanted.paths);
  for (const other of others) if (other !== undefined) paths.set(other, 'file');
  // A shim of npm starts the `node` that cmd.exe finds, which may look into the working folder first.
  if (platform === 'win32' && /\.(?:cmd|bat)$/i.test(path ?? '')) paths.set('node', 'file');
  // A program of a version manager starts the version which a file of the folder names.
  const isShim = /[\\/](?:shims|\.volta|\.proto|mise|fnm_multishells)[\\/]/.test(path ?? '');
  const patterns = isShim ? [...wanted.patterns, ...shimFiles] : wanted.patterns;
  const search = { cwd, folders: context.folders, platform, file: (file: string) => inspectFile(file, false, around) };
  const { files, isWhole, isNear } = await findFolderFiles({ ...wanted, paths, patterns }, search);
  const scripts = new Set([...wanted.scripts].map((script) => resolve(cwd, script)));
  // Of what a program builds or runs out of a folder more is said.
  const isLoader = ({ path: file }: ResolvedFile): boolean =>
    isCodeFile(file) || scripts.has(file) || (wanted.uncovered.length === 0 && mayLoadFiles(file));
  return {
    code,
    program: path === undefined ? undefined : await inspectFile(path, true, around),
    interpreter: interpreter === undefined ? undefined : await inspectFile(interpreter, true, around),
    files,
    searchedFolders,
    uncovered: [
      ...(!isWhole || (wanted.isOpen && isNear) ? [anyFile] : []),
      ...(files.some(isLoader) ? [loadedFiles] : []),
      ...wanted.uncovered,
    ],
  };
}

async function realPathOf(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}

/** @param isAnywhere false for a file of the workspace only */
async function inspectFile(path: string, isAnywhere: boolean, { folders, realFolders, digests }: Workspace) {
  const realPath = await realpath(path).catch(() => undefined);
  if (realPath === undefined) return undefined;
  // The real path is spelled as in the file system, also where that ignores upper and lower case.
  const isReallyIn = isInAny(realPath, realFolders);
  const isInFolder = isReallyIn || isInAny(path, folders);
  if (!isAnywhere && !isInFolder) return undefined;
  const stats = await stat(realPath).catch(() => undefined);
  // Devices, sockets and named pipes are never opened.
  if (stats?.isFile() !== true) return undefined;
  const digest = await digests.digest(realPath).catch(() => '');
  return { path, realPath, size: stats.size, digest, isInFolder, isLinkOutOfFolder: isInFolder && !isReallyIn };
}

/** The entries of a search path (`PATH`) that lead into the workspace. */
async function entriesWithin(entries: readonly string[], cwd: string, { folders, realFolders }: Workspace) {
  const found: string[] = [];
  for (const written of new Set(entries)) {
    const entry = written.replace(/^"(.*)"$/, '$1');
    const place = resolve(cwd, entry);
    const isIn = isInAny(place, folders) || isInAny(await realPathOf(place), realFolders);
    if (entry !== '' && isIn) found.push(entry);
  }
  return found;
}

/** The program that the system starts for a script. */
async function findInterpreter(
  path: string,
  cwd: string,
  find: (command: string) => Promise<string | undefined>,
): Promise<string | undefined> {
  const [named, words = ''] = await readInterpreter(path);
  if (named === undefined) return undefined;
  if (!/(?:^|\/)env$/.test(named)) return resolve(cwd, named);
  const program = words.split(/\s+/).find((word) => word !== '' && !word.startsWith('-') && !word.includes('='));
  return program === undefined ? undefined : find(program);
}

const chunkBytes = 1024 * 1024;

/**
 * Digests of small files are computed each time. Those of large files, such as interpreters, are stored while file, size
 * and times stay the same. One of these is the change time of the inode, which programs cannot set.
 */
export class FileDigests {
  readonly #remembered;

  constructor(memento: Memento) {
    this.#remembered = storedAnswers(memento, 'patchbay.fileDigests', isString, limits.trust.rememberedFiles);
  }

  /**
   * Devices and pipes are not read: that may wait, or never end.
   * @returns the digest in hexadecimal; empty for a file above the size limit, and for one that has far more than it says
   * @throws the error of the file system, and one for what is no ordinary file
   */
  async digest(path: string): Promise<string> {
    await assertOrdinary(stat(path));
    // A pipe that has taken its place meanwhile is not waited for. Windows has no such flag.
    const handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const stats = await assertOrdinary(handle.stat({ bigint: true }));
      const { rememberedBytes, digestBytes } = limits.trust;
      if (stats.size > digestBytes) return '';
      const identity = identityOf(stats);
      const isLarge = stats.size > rememberedBytes;
      const [known, remembered] = isLarge ? (this.#remembered.get(path)?.split(' ') ?? []) : [];
      if (known === identity && remembered !== undefined) return remembered;
      const hash = createHash('sha256');
      let left = Number(stats.size) + chunkBytes;
      // In chunks, so that the extension host can do other work in between.
      for await (const chunk of handle.createReadStream({ highWaterMark: chunkBytes, autoClose: false })) {
        left -= (chunk as Buffer).length;
        // Some files of the system say that they are empty, and never end.
        if (left < 0) return '';
        hash.update(chunk as Buffer);
      }
      const digest = hash.digest('hex');
      const isSame = identityOf(await handle.stat({ bigint: true })) === identity;
      if (isSame && isLarge) await this.#remembered.set(path, `${identity} ${digest}`);
      return digest;
    } finally {
      await handle.close();
    }
  }
}

async function assertOrdinary<Found extends { isFile(): boolean }>(found: Promise<Found>): Promise<Found> {
  const stats = await found;
  if (!stats.isFile()) throw new Error('It is not an ordinary file');
  return stats;
}

function identityOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, mtimeNs, ctimeNs].join(':');
}
