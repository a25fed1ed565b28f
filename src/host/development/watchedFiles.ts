import { basename, dirname, extname, isAbsolute, relative, sep } from 'node:path';
import { isString } from '../../base/json.ts';
import { isCodeFile } from '../../config/namedPaths.ts';
import type { ResolvedCode, ResolvedFile } from '../../config/resolvedCode.ts';
import type { DevelopmentOptions } from '../../config/serverDefinition.ts';

/** Files whose changes count. */
export interface WatchedFiles {
  /** The folder that the globs start from: an absolute path in an open folder. */
  readonly base: string;
  readonly globs: readonly string[];
  /** Globs of files that do not count. */
  readonly except: readonly string[];
}

const scripts = ['js', 'mjs', 'cjs'];
const typed = [...scripts, 'ts', 'mts', 'cts', 'tsx'];
/** Files that say where the code of a project is, and the extensions of that. */
const manifests: Readonly<Record<string, readonly string[]>> = {
  'package.json': typed,
  'pyproject.toml': ['py'],
  'go.mod': ['go'],
  'Cargo.toml': ['rs'],
};

/** Folders of what others have made, or what is made of the code while it runs. */
const foreignFolders = ['node_modules', '.git', '.venv', 'venv', '__pycache__'];
const foreign = new RegExp(`(?:^|[\\\\/])(?:${foreignFolders.join('|').replaceAll('.', '\\.')})(?:[\\\\/]|$)`);
export const foreignGlob = `**/{${foreignFolders.join(',')}}/**`;

export function isForeign(path: string): boolean {
  return foreign.test(path);
}

/**
 * The code of a server that is in the open folders: what its launch names there, with the files of the same language beside and below it.
 * @returns nothing for a server whose program and script are elsewhere
 */
export function codeOf({ program, files }: ResolvedCode): readonly WatchedFiles[] {
  const own = [...(program === undefined ? [] : [program]), ...files].filter(isOwn);
  const isCode = ({ path }: ResolvedFile): boolean =>
    path === program?.path || (isCodeFile(path) && !path.endsWith('.json'));
  const code = own.filter(isCode).map(({ path }) => ({ path, found: family(path) }));
  const named = own.map(({ path }) => ({ path, found: manifests[basename(path)] ?? [] }));
  const extensions = new Map<string, Set<string>>();
  // What a manifest starts is not known: all of its language then.
  for (const { path, found } of code.length > 0 ? code : named) {
    if (found.length === 0) continue;
    const known = extensions.get(dirname(path)) ?? new Set();
    for (const extension of found) known.add(extension);
    extensions.set(dirname(path), known);
  }
  // Of folders in each other, the outer one has it all.
  const outer = [...extensions].filter(
    ([base, own_]) =>
      ![...extensions].some(
        ([other, more]) => other !== base && isWithin(base, other) && [...own_].every((each) => more.has(each)),
      ),
  );
  return outer.map(([base, each]) => ({ base, globs: [globOf([...each])], except: [] }));
}

function isOwn({ path, isInFolder, isLinkOutOfFolder }: ResolvedFile): boolean {
  return isInFolder && !isLinkOutOfFolder && !isForeign(path);
}

function family(path: string): readonly string[] {
  const extension = extname(path).slice(1).toLowerCase();
  if (scripts.includes(extension)) return scripts;
  if (typed.includes(extension)) return typed;
  // A program without an extension is watched by its name.
  return [extension === '' ? basename(path) : extension];
}

function globOf(extensions: readonly string[]): string {
  const [only = ''] = extensions;
  return extensions.length === 1 ? `**/{*.${only},${only}}` : `**/*.{${extensions.join(',')}}`;
}

export interface WatchedCode {
  readonly watched: readonly WatchedFiles[];
  /** Globs that lead out of the folder. */
  readonly unwatched: readonly string[];
}

/**
 * `dev.watch`, from the folder of the configuration. Separators may be those of Windows.
 * @param code what is watched where the globs only say what is not
 */
export function watchedByGlobs(
  watch: NonNullable<DevelopmentOptions['watch']>,
  folder: string,
  code: readonly WatchedFiles[],
): WatchedCode {
  const all = (isString(watch) ? [watch] : watch).map((glob) => {
    const [, not = '', path = ''] = /^\s*(!?)(.*?)\s*$/s.exec(glob) ?? [];
    return { glob, isExcept: not !== '', path: withinFolder(path, folder) };
  });
  const globsOf = (isWanted: boolean): readonly string[] =>
    all.flatMap(({ isExcept, path }) => (path !== undefined && isExcept === isWanted ? [path] : []));
  const [globs, except] = [globsOf(false), globsOf(true)];
  const own = { base: folder, globs, except };
  const isNamed = all.some(({ isExcept }) => !isExcept);
  const unwatched = all.flatMap(({ glob, path }) => (path === undefined ? [glob] : []));
  return { watched: isNamed ? (globs.length === 0 ? [] : [own]) : code.length === 0 ? [] : [...code, own], unwatched };
}

/** @returns a glob from the folder on; `undefined` for one that leads out of it */
function withinFolder(glob: string, folder: string): string | undefined {
  const slashed = (text: string): string => text.replaceAll('\\', '/');
  const root = `${slashed(folder).replace(/\/$/, '')}/`;
  const written = slashed(glob).replace(/^\$\{workspaceFolder\}\//, '');
  const path = (written.startsWith(root) ? written.slice(root.length) : written).replace(/^(?:\.\/)+/, '');
  const isOutside = path === '' || /^(?:\/|~|[A-Za-z]:)|(?:^|[/{,])\.\.(?:\/|$)/.test(path);
  return isOutside ? undefined : path;
}

/** A path within the open folders is shown from there. */
export function shownPath(path: string, folders: readonly string[]): string {
  const folder = folders.find((each) => isWithin(path, each));
  return folder === undefined ? path : relative(folder, path).split(sep).join('/');
}

function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
