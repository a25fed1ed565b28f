import { opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { limits } from '../../base/limits.ts';
import { getOrMake } from '../../base/memoize.ts';
import { isDataFile } from '../../config/namedPaths.ts';

/** Folders that tools fill by themselves, or that nothing is loaded from without being named. */
const generated =
  /^(?:node_modules|\.git|\.hg|\.svn|\.?venv|__pycache__|\.gradle|obj|target|\.next|\.turbo|\.nx|\.\w+_cache|\.tox|\.nox|\.direnv|\.devenv|\.cache|.*\.egg-info)$/i;

/** The names in a folder. Those of the maps are in lower case: some file systems ignore case, and more files cover more. */
class Listing {
  readonly files: readonly string[];
  readonly named: ReadonlyMap<string, readonly string[]>;
  /** The files by what stands before one of their dots: `server.js` completes `server`. */
  readonly completed: ReadonlyMap<string, readonly string[]>;
  readonly directories: ReadonlyMap<string, readonly string[]>;

  constructor(files: readonly string[] = [], directories: readonly string[] = []) {
    const dotsIn = (name: string): RegExpExecArray[] => [...name.matchAll(/\./g)].slice(0, maximumDots);
    this.files = files.toSorted();
    this.named = byName(files, (name) => [name]);
    this.completed = byName(files, (name) => dotsIn(name).map(({ index }) => name.slice(0, index)));
    this.directories = byName(directories, (name) => [name]);
  }
}

const maximumDots = 8;

function byName(names: readonly string[], keysOf: (name: string) => readonly string[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const name of names)
    for (const key of keysOf(name.toLowerCase())) getOrMake(found, key, (): string[] => []).push(name);
  return found;
}

export class FolderListings {
  readonly #known = new Map<string, Promise<Listing>>();
  /** False if a folder had more names, or there were more folders, than are read. */
  isWhole = true;

  async list(path: string): Promise<Listing> {
    if (!this.#known.has(path) && this.#known.size >= limits.trust.folders) {
      this.isWhole = false;
      return new Listing();
    }
    return getOrMake(this.#known, path, () => this.#read(path));
  }

  /** The code files below a folder; `undefined` if there are more than `room`. */
  async tree(path: string, room: number, depth = 0): Promise<readonly string[] | undefined> {
    if (depth > 12) return undefined;
    const { files, directories } = await this.list(path);
    const found = files.filter((name) => !isDataFile(name)).map((name) => join(path, name));
    for (const name of [...directories.values()].flat().toSorted()) {
      // A link to a folder is not followed: it is one of `files` too, where nothing is found.
      if (found.length > room) return undefined;
      if (generated.test(name) || files.includes(name)) continue;
      const below = await this.tree(join(path, name), room - found.length, depth + 1);
      if (below === undefined) return undefined;
      found.push(...below);
    }
    return found.length > room ? undefined : found;
  }

  async #read(path: string): Promise<Listing> {
    const files: string[] = [];
    const directories: string[] = [];
    const folder = await opendir(path, { bufferSize: 512 }).catch(() => undefined);
    if (folder === undefined) return new Listing();
    for await (const entry of folder) {
      if (files.length + directories.length >= limits.trust.entries) {
        this.isWhole = false;
        break;
      }
      // A link may lead to either.
      if (!entry.isDirectory()) files.push(entry.name);
      if (entry.isDirectory() || entry.isSymbolicLink()) directories.push(entry.name);
    }
    return new Listing(files, directories);
  }
}
