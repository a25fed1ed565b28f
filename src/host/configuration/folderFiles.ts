import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isRecord, isString, parseJson } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import type { LaunchFiles, PathUse } from '../../config/launchFiles.ts';
import { isCodeFile, isDataFile, isPlace } from '../../config/namedPaths.ts';
import type { ResolvedFile } from '../../config/resolvedCode.ts';
import { FolderListings } from './folderListings.ts';

interface FolderSearch {
  readonly cwd: string;
  readonly folders: readonly string[];
  readonly platform: NodeJS.Platform;
  /** @returns the file of the workspace at a path; `undefined` if there is none that can be read */
  readonly file: (path: string) => Promise<ResolvedFile | undefined>;
}

/** What programs run in a folder that they are given. */
const entryFiles = ['package.json', 'index.*', 'main.*', '__init__.py', '__main__.py', 'setup.py', 'pyproject.toml'];
const windowsProgram = /\.(?:cmd|bat|exe|com|ps1)$/i;

/**
 * Finds the files of the workspace that a launch names, and those that its programs read by themselves.
 * @returns `isWhole`: false where more files may decide, as a folder is too large, or is the workspace itself. `isNear`: the
 *   launch runs in a folder of the workspace or above it, or names a place there
 */
export async function findFolderFiles(wanted: LaunchFiles, search: FolderSearch) {
  if (search.folders.length === 0) return { files: [], isWhole: true, isNear: false };
  const finder = new FileFinder(wanted.patterns, search);
  const bases = [...new Set(wanted.folders.flatMap((folder) => placeOf(search.cwd, folder) ?? []))];
  const roots = search.folders.filter((folder) => isWithin(search.cwd, folder));
  const isNearPlace = (place: string): boolean =>
    search.folders.some((folder) => isWithin(place, folder) || isWithin(folder, place));
  let isNear = bases.some(isNearPlace);
  for (const base of new Set([...bases, ...roots])) {
    for (const [path, use] of wanted.paths) {
      const place = placeOf(base, path);
      if (place === undefined) continue;
      isNear ||= isNearPlace(place);
      const [isMounted, isScript] = [wanted.mounts.has(path), wanted.scripts.has(path)];
      await finder.addPath(place, use, { hasFolder: isPlace(path), isMounted, isScript });
    }
  }
  const places = new Set(bases.flatMap((base) => [base, ...parentsWithin(base, search.folders)]));
  for (const folder of places) for (const pattern of wanted.patterns) await finder.addPattern(folder, pattern);
  return { files: finder.files(), isWhole: finder.isWhole, isNear };
}

interface NamedPath {
  /** It was written with a folder, so its extension may be missing. */
  readonly hasFolder?: boolean;
  /** A container gets it. */
  readonly isMounted?: boolean;
  /** A program runs or loads it. */
  readonly isScript?: boolean;
}

class FileFinder {
  readonly #patterns: readonly string[];
  readonly #search: FolderSearch;
  readonly #found = new Map<string, ResolvedFile>();
  readonly #folders = new FolderListings();
  /** False if more files than those that were found may decide. */
  #isWhole = true;
  #lookups = 0;

  constructor(patterns: readonly string[], search: FolderSearch) {
    this.#patterns = patterns;
    this.#search = search;
  }

  get isWhole(): boolean {
    return this.#isWhole && this.#folders.isWhole;
  }

  files(): readonly ResolvedFile[] {
    return [...this.#found.values()].toSorted((left, right) => (left.path < right.path ? -1 : 1));
  }

  async addPath(path: string, use: PathUse, named: NamedPath): Promise<void> {
    if (!this.#count(0)) return;
    if (this.#holdsWorkspace(path)) return this.#addFolder(path, use, named);
    // Outside the workspace only what is a link into it counts.
    if (!isInAny(path, this.#search.folders)) return this.#add(path);
    const name = basename(path).toLowerCase();
    const listing = await this.#folders.list(dirname(path));
    const isForWindows = (file: string): boolean => this.#search.platform === 'win32' && windowsProgram.test(file);
    const completes = use === 'code' || named.hasFolder === true ? isCodeFile : isForWindows;
    const exact = (listing.named.get(name) ?? []).filter((file) => named.isScript === true || !isDataFile(file));
    const others = (listing.completed.get(name) ?? []).filter(completes);
    for (const file of [...exact, ...others]) await this.#add(join(dirname(path), file));
    if (listing.directories.has(name)) await this.#addFolder(path, use, named);
  }

  async addPattern(folder: string, pattern: string): Promise<void> {
    const place = join(folder, dirname(pattern));
    const name = basename(pattern);
    if (!isInAny(place, this.#search.folders)) return;
    if (name === '**') return this.#addTree(place);
    const { files, named } = await this.#folders.list(place);
    const isText = !name.includes('*');
    if (!this.#count(isText ? 0 : files.length)) return;
    const matches = isText ? (named.get(name.toLowerCase()) ?? []) : files.filter(matcherOf(name));
    for (const file of matches) await this.#add(join(place, file));
    if (pattern.startsWith('node_modules/') && name === 'package.json') await this.#addPackage(place);
  }

  async #add(path: string): Promise<void> {
    if (this.#found.has(path)) return;
    if (this.#found.size >= limits.trust.files) return void (this.#isWhole = false);
    const file = await this.#search.file(path);
    if (file !== undefined) this.#found.set(path, file);
  }

  async #addFolder(path: string, use: PathUse, { isMounted = false }: NamedPath): Promise<void> {
    if (isMounted) this.#isWhole = false;
    if (use === 'file') return;
    for (const pattern of this.#patterns) await this.addPattern(path, pattern);
    if (use !== 'code') return;
    for (const pattern of entryFiles) await this.addPattern(path, pattern);
    await this.#addPackage(path);
    if (this.#holdsWorkspace(path)) this.#isWhole = false;
    else await this.#addTree(path);
  }

  /** Adds all code below a folder, or nothing if it is too much. */
  async #addTree(path: string): Promise<void> {
    const tree = await this.#folders.tree(path, limits.trust.files - this.#found.size);
    if (tree === undefined) this.#isWhole = false;
    for (const file of tree ?? []) await this.#add(file);
  }

  async #addPackage(path: string): Promise<void> {
    for (const name of await programsOfPackage(join(path, 'package.json'))) {
      const main = resolve(path, name);
      if (isInAny(main, this.#search.folders)) await this.addPath(main, 'file', { hasFolder: true, isScript: true });
      await this.addPattern(main, 'index.*');
    }
  }

  /** @returns false when no more names may be looked up */
  #count(names: number): boolean {
    this.#lookups += 1 + names;
    if (this.#lookups <= limits.trust.lookups) return true;
    return (this.#isWhole = false);
  }

  #holdsWorkspace(path: string): boolean {
    return this.#search.folders.some((folder) => isWithin(folder, path));
  }
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
  const isInside = parent !== path && isInAny(parent, folders);
  return isInside ? [parent, ...parentsWithin(parent, folders)] : [];
}

/** True for a path in one of the folders, or of a folder itself. */
export function isInAny(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => isWithin(path, folder));
}

function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

function matcherOf(pattern: string): (name: string) => boolean {
  const escaped = pattern.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, String.raw`\$&`));
  const expression = new RegExp(`^${escaped.join('[^]*')}$`, 'i');
  return (name) => expression.test(name);
}

async function programsOfPackage(path: string): Promise<readonly string[]> {
  const text = await readFile(path, 'utf8').catch(() => '');
  if (text === '' || text.length > limits.configuration.bytes) return [];
  const value = parseJson(text);
  if (!isRecord(value)) return [];
  const { main, module, bin } = value;
  return [main, module, ...(isRecord(bin) ? Object.values(bin) : [bin])].filter(isString).slice(0, 20);
}
