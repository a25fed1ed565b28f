import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isRecord, isString } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import type { LaunchFiles, PathUse } from '../../config/launchFiles.ts';
import { isCodeFile, isDataFile, isPlace } from '../../config/namedPaths.ts';
import type { ResolvedFile } from '../../config/resolvedCode.ts';
import { createFolderListings, type FolderListings } from './folderListings.ts';

/** Where the files of a launch are looked for. */
export interface FolderSearch {
  /** The working folder of the program. */
  readonly cwd: string;
  /** The folders of the workspace. */
  readonly folders: readonly string[];
  readonly platform: NodeJS.Platform;
  /** @returns the file of the workspace at a path; `undefined` if there is none that can be read */
  readonly file: (path: string) => Promise<ResolvedFile | undefined>;
}

export interface FolderFiles {
  readonly files: readonly ResolvedFile[];
  /** False where more files may decide: a folder is too large, or is the workspace itself. */
  readonly isWhole: boolean;
  /** The launch runs in a folder of the workspace or above it, or names a place there. */
  readonly isNear: boolean;
}

/** What programs run in a folder that they are given. */
const entryFiles = ['package.json', 'index.*', 'main.*', '__init__.py', '__main__.py', 'setup.py', 'pyproject.toml'];
const windowsProgram = /\.(?:cmd|bat|exe|com|ps1)$/i;

/** Finds the files of the workspace that a launch names, and those that its programs read by themselves. */
export async function findFolderFiles(wanted: LaunchFiles, search: FolderSearch): Promise<FolderFiles> {
  if (search.folders.length === 0) return { files: [], isWhole: true, isNear: false };
  const found = createFoundFiles(search);
  const finder = createFinder(wanted.patterns, search, found);
  const bases = [...new Set(wanted.folders.flatMap((folder) => placeOf(search.cwd, folder) ?? []))];
  const roots = search.folders.filter((folder) => isWithin(search.cwd, folder));
  const isNearPlace = (place: string): boolean =>
    search.folders.some((folder) => isWithin(place, folder) || isWithin(folder, place));
  let isNear = bases.some(isNearPlace);
  for (const base of new Set([...bases, ...roots])) {
    for (const [path, use] of wanted.paths) {
      const place = placeOf(base, path);
      const [isMounted, isScript] = [wanted.mounts.has(path), wanted.scripts.has(path)];
      if (place === undefined) continue;
      isNear ||= isNearPlace(place);
      await finder.addPath(place, use, { hasFolder: isPlace(path), isMounted, isScript });
    }
  }
  const places = new Set(bases.flatMap((base) => [base, ...parentsWithin(base, search.folders)]));
  for (const folder of places) for (const pattern of wanted.patterns) await finder.addPattern(folder, pattern);
  return { files: found.files(), isWhole: found.isWhole(), isNear };
}

interface FoundFiles {
  readonly folders: FolderListings;
  add(path: string): Promise<void>;
  /** Adds all code below a folder, or nothing if it is too much. */
  addTree(path: string): Promise<void>;
  /** @returns false when no more names may be looked up */
  count(names: number): boolean;
  /** More files than those that were found may decide. */
  leaveOpen(): void;
  isWhole(): boolean;
  /** Sorted by path. */
  files(): readonly ResolvedFile[];
}

function createFoundFiles(search: FolderSearch): FoundFiles {
  const found = new Map<string, ResolvedFile>();
  const folders = createFolderListings();
  let isWhole = true;
  let lookups = 0;
  const leaveOpen = (): void => {
    isWhole = false;
  };

  async function add(path: string): Promise<void> {
    if (found.has(path)) return;
    if (found.size >= limits.trust.files) {
      leaveOpen();
      return;
    }
    const file = await search.file(path);
    if (file !== undefined) found.set(path, file);
  }

  return {
    folders,
    add,
    async addTree(path) {
      const tree = await folders.tree(path, limits.trust.files - found.size);
      if (tree === undefined) leaveOpen();
      for (const file of tree ?? []) await add(file);
    },
    count(names) {
      lookups += 1 + names;
      if (lookups > limits.trust.lookups) leaveOpen();
      return lookups <= limits.trust.lookups;
    },
    leaveOpen,
    isWhole: () => isWhole && folders.isWhole(),
    files: () => [...found.values()].toSorted((left, right) => (left.path < right.path ? -1 : 1)),
  };
}

interface NamedPath {
  /** It was written with a folder, so its extension may be missing. */
  readonly hasFolder: boolean;
  /** A container gets it. */
  readonly isMounted: boolean;
  /** A program runs or loads it. */
  readonly isScript: boolean;
}

interface Finder {
  addPath(path: string, use: PathUse, named: NamedPath): Promise<void>;
  addPattern(folder: string, pattern: string): Promise<void>;
}

function createFinder(patterns: readonly string[], search: FolderSearch, found: FoundFiles): Finder {
  const { folders } = found;
  const isIn = (path: string): boolean => search.folders.some((folder) => isWithin(path, folder));
  const holdsWorkspace = (path: string): boolean => search.folders.some((folder) => isWithin(folder, path));
  const isForWindows = (name: string): boolean => search.platform === 'win32' && windowsProgram.test(name);

  async function addPath(path: string, use: PathUse, { hasFolder, isMounted, isScript }: NamedPath): Promise<void> {
    if (!found.count(0)) return;
    if (holdsWorkspace(path)) {
      if (isMounted) found.leaveOpen();
      await addFolder(path, use);
      return;
    }
    // Outside the workspace only what is a link into it counts.
    if (!isIn(path)) {
      await found.add(path);
      return;
    }
    const name = basename(path).toLowerCase();
    const { named, completed, directories } = await folders.list(dirname(path));
    const canBeCompleted = use === 'code' || hasFolder;
    const others = (completed.get(name) ?? []).filter(canBeCompleted ? isCodeFile : isForWindows);
    const exact = (named.get(name) ?? []).filter((file) => isScript || !isDataFile(file));
    for (const file of [...exact, ...others]) await found.add(join(dirname(path), file));
    if (!directories.has(name)) return;
    if (isMounted) found.leaveOpen();
    await addFolder(path, use);
  }

  async function addFolder(path: string, use: PathUse): Promise<void> {
    if (use !== 'file') for (const pattern of patterns) await addPattern(path, pattern);
    if (use !== 'code') return;
    for (const pattern of entryFiles) await addPattern(path, pattern);
    await addPackage(path);
    if (holdsWorkspace(path)) found.leaveOpen();
    else await found.addTree(path);
  }

  /** Adds what the `package.json` of a folder names as its programs. */
  async function addPackage(path: string): Promise<void> {
    for (const name of await programsOfPackage(join(path, 'package.json'))) {
      const main = resolve(path, name);
      if (isIn(main)) await addPath(main, 'file', { hasFolder: true, isMounted: false, isScript: true });
      await addPattern(main, 'index.*');
    }
  }

  async function addPattern(folder: string, pattern: string): Promise<void> {
    const place = join(folder, dirname(pattern));
    const name = basename(pattern);
    if (!isIn(place)) return;
    if (name === '**') {
      await found.addTree(place);
      return;
    }
    const { files, named } = await folders.list(place);
    const isText = !name.includes('*');
    if (!found.count(isText ? 0 : files.length)) return;
    const matches = isText ? (named.get(name.toLowerCase()) ?? []) : files.filter(matcherOf(name));
    for (const file of matches) await found.add(join(place, file));
    if (pattern.startsWith('node_modules/') && name === 'package.json') await addPackage(place);
  }

  return { addPath, addPattern };
}

function placeOf(base: string, path: string): string | undefined {
  const below = /^(?:~|\$HOME|\$\{HOME\})(?:[\\/](.*))?$/s.exec(path);
  // Only the shell that gets the code writes out the home folder.
  if (below !== null) return join(homedir(), below[1] ?? '');
  if (!/^\/\/\/?[^/]/.test(path)) return resolve(base, path);
  try {
    // What follows the scheme of a `file://` address.
    return fileURLToPath(`file:${path}`);
  } catch {
    // An address of another machine, which is no file here.
    return undefined;
  }
}

/** The folders above one, up to and with the folder of the workspace that it is in. */
function parentsWithin(path: string, folders: readonly string[]): readonly string[] {
  const parent = dirname(path);
  const isInside = parent !== path && folders.some((folder) => isWithin(parent, folder));
  return isInside ? [parent, ...parentsWithin(parent, folders)] : [];
}

/** True for a path in a folder, or of the folder itself. */
export function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

function matcherOf(pattern: string): (name: string) => boolean {
  const escaped = pattern.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, String.raw`\$&`));
  const expression = new RegExp(`^${escaped.join('[^]*')}$`, 'i');
  return (name) => expression.test(name);
}

/** The files that a `package.json` names as its main file and its programs. */
async function programsOfPackage(path: string): Promise<readonly string[]> {
  const text = await readFile(path, 'utf8').catch(() => '');
  if (text === '' || text.length > limits.configuration.bytes) return [];
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The program that reads it will say so.
    return [];
  }
  if (!isRecord(value)) return [];
  const { main, module, bin } = value;
  return [main, module, ...(isRecord(bin) ? Object.values(bin) : [bin])].filter(isString).slice(0, 20);
}
