import type { CommandLineAnalysis } from './commandLineAnalysis.ts';

export interface ResolvedFile {
  /** Absolute path, derived from the command line. */
  readonly path: string;
  /** The path without symbolic links, in the spelling of the file system. */
  readonly realPath: string;
  readonly size: number;
  /** SHA-256 in hexadecimal; empty for a file that is too large to be hashed before each start. */
  readonly digest: string;
  /** In a workspace folder, by its path or its real path: a pull or checkout can change it. */
  readonly isInFolder: boolean;
  /** In a workspace folder by its path, but outside by its real path. */
  readonly isLinkOutOfFolder: boolean;
}

/** The programs and files that a launch runs, as they are on disk now. */
export interface ResolvedCode {
  readonly code: CommandLineAnalysis;
  /** The file of the command; absent if it is not found, which the start reports. */
  readonly program: ResolvedFile | undefined;
  /** The interpreter in the first line of a script. */
  readonly interpreter: ResolvedFile | undefined;
  /** Files of the workspace that decide what runs: the command line names them, or its programs read them by themselves. */
  readonly files: readonly ResolvedFile[];
  /** Workspace folders in the search path for programs. */
  readonly searchedFolders: readonly string[];
  /** Each kind of code of the workspace that is not in `files`. */
  readonly uncovered: readonly UncoveredCode[];
}

/** Code that can change without a new trust question. */
export interface UncoveredCode {
  /** As one of a list: "Files that these files load". */
  readonly what: string;
  /** A sentence to read before the start; absent where most servers have such code. */
  readonly warning?: string;
}

/** True when a pull or checkout can change any of the files. */
export function runsFolderFiles({ program, interpreter, files }: ResolvedCode): boolean {
  return files.length > 0 || program?.isInFolder === true || interpreter?.isInFolder === true;
}

/** @returns the packages of the line, as written, that the folder has: they may not be downloaded, with the file of each */
export function installedPackages({ code, files }: ResolvedCode): ReadonlyMap<string, string> {
  const found = code.packages.flatMap(({ written, name }): [string, string][] => {
    const file = files.find(({ path }) => path.replaceAll('\\', '/').endsWith(`/node_modules/${name}/package.json`));
    return file === undefined ? [] : [[written, file.path]];
  });
  return new Map(found);
}

/** @returns warnings about the files, one sentence each */
export function codeWarnings(facts: ResolvedCode, command: string): string[] {
  const { program, interpreter, files, searchedFolders } = facts;
  const warnings: string[] = [];
  if (!/[\\/]/.test(command) && program?.isInFolder === true)
    warnings.push(`It runs the ${command} of this folder, ${program.path}, and not one of your system.`);
  for (const [written, path] of installedPackages(facts))
    warnings.push(`It runs the ${written} of this folder, ${path}, if its version is the one that is asked for.`);
  if (interpreter?.isInFolder === true) warnings.push(`Its interpreter is in this folder: ${interpreter.path}.`);
  const searched = searchedFolders.slice(0, 2).join(', ');
  if (searched !== '') warnings.push(`PATH leads into this folder (${searched}): programs there can replace yours.`);
  for (const file of [program, interpreter, ...files]) {
    if (file?.isLinkOutOfFolder === true)
      warnings.push(`${file.path} is a link out of this folder, to ${file.realPath}.`);
  }
  return warnings;
}

/** @returns what can change without a new trust question */
export function uncoveredCode({ code, uncovered }: ResolvedCode): string[] {
  const pinned = code.packages.filter(({ isPinned }) => isPinned).map(({ written }) => written);
  return [
    ...uncovered.map(({ what }) => what),
    ...(pinned.length > 0 ? [`Dependencies of ${pinned.join(', ')}, which are not pinned`] : []),
  ];
}
