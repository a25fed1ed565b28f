import { folderOptions, type Step } from './launchSteps.ts';
import { withoutVariable } from './namedPaths.ts';

/** The folders in which the programs of a line run. */
export interface LaunchFolders {
  /** As written, `.` first. Folders that follow each other are also joined. */
  readonly folders: readonly string[];
  /** False if the line changes its folder more often than is followed. */
  readonly isWhole: boolean;
}

const maximumMoves = 8;

/** Finds the values of options such as `--prefix`, and what `cd` leads to: `cd a && cd b` may be `a`, `b` and `a/b`. */
export function launchFolders(steps: readonly Step[]): LaunchFolders {
  const options = new Set(steps.flatMap(({ args }) => args.flatMap((arg, index) => foldersOf(arg, args[index + 1]))));
  const moves = steps.flatMap(({ word, args }) => {
    if (!/^(?:cd|pushd|chdir)$/i.test(word)) return [];
    return args.filter((arg) => !/^-|^\/d$/i.test(arg)).slice(0, 1);
  });
  const found = [...options, ...moves].map(withoutVariable);
  const joined = new Set<string>();
  let place = '';
  for (const folder of found.slice(0, maximumMoves)) {
    const isRelative = place !== '' && !/^[\\/~$%]|^[A-Za-z]:/.test(folder);
    place = isRelative ? `${place}/${folder}` : folder;
    joined.add(place);
  }
  return { folders: [...new Set(['.', ...found, ...joined])], isWhole: moves.length <= maximumMoves };
}

function foldersOf(arg: string, next: string | undefined): readonly string[] {
  const match = folderOptions.exec(arg) ?? /^-C(.+)$/s.exec(arg);
  const value = match === null ? undefined : (match[1] ?? next);
  return value === undefined ? [] : [value];
}
