import type { CommandLineAnalysis } from './commandLineAnalysis.ts';

/** A file as it was found on disk. */
export interface ResolvedFile {
  /** Absolute, as the command line leads to it. */
  readonly path: string;
  /** Links followed, in the spelling of the file system. */
  readonly realPath: string;
  readonly size: number;
  /** SHA-256 in hexadecimal; empty for a file that is too large to be read before each start. */
  readonly digest: string;
  /** In a folder of the workspace, by its path or by its real path: a pull or a checkout can change it. */
  readonly isInFolder: boolean;
  /** In a folder by its path, but really elsewhere. */
  readonly isLinkOutOfFolder: boolean;
}

/** What a launch runs, as it is on disk at one moment. */
export interface ResolvedCode {
  readonly code: CommandLineAnalysis;
  /** What the command means; absent where it is not found, which the start will say. */
  readonly program: ResolvedFile | undefined;
  /** Named in the first line of the program, where that is a script. */
  readonly interpreter: ResolvedFile | undefined;
  /** Files of the workspace that the command line names as code. */
  readonly files: readonly ResolvedFile[];
  /** Folders of the workspace in which programs are looked for, before or after the system's own. */
  readonly searchedFolders: readonly string[];
}

/** Whether any of it can change by a pull or a checkout. */
export function runsFolderFiles({ program, interpreter, files }: ResolvedCode): boolean {
  return files.length > 0 || program?.isInFolder === true || interpreter?.isInFolder === true;
}

/** What deserves a second look about the files, one sentence each. */
export function codeWarnings(
  { program, interpreter, files, searchedFolders: searched }: ResolvedCode,
  command: string,
): string[] {
  const isBare = !/[\\/]/.test(command);
  const linked = [program, interpreter, ...files].filter((file) => file?.isLinkOutOfFolder === true);
  return [
    ...(isBare && program?.isInFolder === true
      ? [`It runs the ${command} of this folder, ${program.path}, and not one of your system.`]
      : []),
    ...(interpreter?.isInFolder === true ? [`Its interpreter is in this folder: ${interpreter.path}.`] : []),
    ...(searched.length > 0
      ? [`PATH leads into this folder (${searched.slice(0, 2).join(', ')}): programs there can stand in for yours.`]
      : []),
    ...linked.flatMap((file) =>
      file === undefined ? [] : [`${file.path} is a link out of this folder, to ${file.realPath}.`],
    ),
  ];
}

/** What a change of goes unseen, one sentence each. */
export function uncoveredCode({ code, files }: ResolvedCode): string[] {
  const pinned = code.packages.filter(({ isPinned }) => isPinned).map(({ written }) => written);
  return [
    ...(files.length > 0 ? ['What these files load in turn can change without a question.'] : []),
    ...(pinned.length > 0 ? [`${pinned.join(', ')}: the version is pinned, that of what it depends on is not.`] : []),
    ...code.uncovered,
  ];
}
