import { withoutGluedModules } from './commandLineAnalysis.ts';
import { linesIn, withoutVersion } from './inlineCode.ts';
import { programName } from './programName.ts';
import { withoutVariable } from './namedPaths.ts';
import { findKnownProgram, isKnownProgram, type KnownProgram, subcommandIndexes } from './programFiles.ts';
import { splitCommands } from './shellCode.ts';

export interface Step {
  readonly word: string;
  /** As in the table of known programs. */
  readonly name: string;
  readonly program: KnownProgram | undefined;
  readonly args: readonly string[];
  /** Where in its arguments it has the script, package or command that it runs; -1 without one. */
  readonly script: number;
  /** It certainly runs: it is the first word, or a wrapper is. */
  readonly isCommand: boolean;
}

export const maximumSteps = 100;
export const maximumWords = 4_000;
/**
 * Options of interpreters and package runners with a value: the next argument is not the script. Upper and lower case
 * differ: `-m` of Java names what runs, `-M` of Perl a module.
 */
const valueOptions =
  /^(?:-r|--require|--import|--loader|--experimental-loader|--preload|--title|-C|--conditions|--cwd|-W|-X|-I|-L|-M|-o|-d|-l|-cp|-classpath|--class-path|-p|--module-path|--config|--import-map|--rcfile|--init-file|--package|--from|--with(?:-editable|-requirements)?|--spec|--python|--directory|--project|--index|--index-url|--prefix|--env-file(?:-if-exists)?|--watch-path|--tsconfig(?:-override)?|--exec)$/;
const packageValueOptions =
  /^(?:-i|-f|-w|-c|--call|--workspace|--extra-index-url|--default-index|--find-links|--cache-dir|--config-file|--pip-args|--source|--add-source|--configfile)$/;
/** Options whose value is the folder in which something runs. */
const folderOptions =
  /^(?:--prefix|--directory|-C|--cwd|--dir|--chdir|--project|--project-directory|--working-directory|--cd|-[Ww]orking[Dd]irectory|-wd|\/[Dd])(?:=(.+))?$/s;

/** Adds the programs of a line, and of the lines within its words. @returns false if one of them is not known */
export function addSteps(words: readonly string[], steps: Step[], depth = 0): boolean {
  const line = withoutGluedModules(words);
  let isKnown = line.length <= maximumWords;
  let found: KnownProgram | undefined;
  let runsKnown = runsPersonsScript(line);
  let last: PlacedStep | undefined;
  for (const [index, word] of line.slice(0, maximumWords).entries()) {
    if (steps.length >= maximumSteps) return false;
    const isFirst = index === 0;
    const isFetched = !isFirst && steps.some((step) => step.program?.kind === 'packages');
    const bare = isFetched ? withoutVersion(word) : word;
    const name = programName(bare);
    const isProgram = isFirst || (mayBeProgram(bare) && isKnownProgram(name) && runsHere(line, index, last));
    const args = isProgram || found?.kind === 'shell' ? line.slice(index + 1) : [];
    const program = isProgram ? findKnownProgram(name, args) : undefined;
    const isCommand = isFirst || found?.kind === 'wrapper';
    if (isFirst) found = program;
    else if (program !== undefined && program.kind !== 'wrapper') runsKnown = true;
    if (isFirst || program !== undefined) {
      const step = { word, name, program, args, script: scriptIndex(program, name, args), isCommand };
      steps.push(step);
      last = { step, index };
    }
    const isInline = found?.kind === 'shell' && index > 0;
    for (const inner of depth < 4 ? commandsIn(word, args, isInline) : []) {
      const isInnerKnown = addSteps(inner, steps, depth + 1);
      if (isInline) isKnown &&= isInnerKnown;
      runsKnown ||= isInnerKnown;
    }
  }
  return isKnown && found !== undefined && (found.kind !== 'wrapper' || runsKnown);
}

interface PlacedStep {
  readonly step: Step;
  readonly index: number;
}

/** `source ~/.nvm/nvm.sh`: a script of the person. One of the workspace is covered, as every file that is named. */
function runsPersonsScript([name = '', path = '']: readonly string[]): boolean {
  return /^(?:source|\.)$/.test(name) && /^(?:\/|~[\\/]|\$HOME[\\/]|\$\{HOME\}[\\/])/.test(path);
}

const lastOfOption = /(?:command|cmd|exec|run|program|shell|system|call|stdio)$/i;

/** True where a word with the name of a program may be that program, and not a value for the one before it. */
function runsHere(line: readonly string[], index: number, last: PlacedStep | undefined): boolean {
  const [before = '', word = ''] = line.slice(index - 1, index + 1);
  // An option of Windows, as in `cmd /d`.
  if (/^\/[A-Za-z]{1,2}$/.test(word) || folderOptions.test(before)) return false;
  if (last === undefined || /^(?:--|-c|--call)$/.test(before)) return true;
  const { name, program, script } = last.step;
  if (program?.kind === 'wrapper' || program?.kind === 'shell') return true;
  const place = last.index + 1 + script;
  if (program?.kind === 'interpreter' && script !== -1 && index === place) return true;
  const isValue = /^--[\w-]+$/.test(before) && !lastOfOption.test(before);
  // The last folder of a path may have the name of a program: `server-filesystem /home/me/git`.
  if (/^(?:[\\/~]|[A-Za-z]:)/.test(word) && (isValue || program?.kind !== 'project')) return false;
  if (program?.kind === 'project') return true;
  // Before `--` is the name of a pod.
  if (name === 'kubectl') return false;
  if (program?.kind !== 'packages') return !isValue;
  // The package, or what it runs: its other arguments are data.
  return script === -1 || index <= place + 1;
}

/** The commands within one word, or after the `/c` of cmd and the `-Command` of PowerShell. */
function commandsIn(word: string, args: readonly string[], isInline: boolean): readonly (readonly string[])[] {
  if (!isInline) return linesIn(word).flatMap((text) => splitCommands(text));
  const attached = /^\/[ck](.*)$/is.exec(word)?.[1];
  if (attached !== undefined) return splitCommands([attached, ...args].join(' '));
  if (/^-c(?:o|om|omm|omma|omman|ommand)?$/i.test(word)) return splitCommands(args.join('\n'));
  if (/^-\w*c$/.test(word)) return splitCommands(args[0] ?? '');
  return [];
}

/** A word in the middle of a line is a program by its bare name or by a path of its own. */
function mayBeProgram(word: string): boolean {
  return /^[\w.-]{2,}$/.test(word) || /^(?:\.{0,2}[\\/]|~[\\/]|[A-Za-z]:[\\/])/.test(word);
}

function scriptIndex(program: KnownProgram | undefined, name: string, args: readonly string[]): number {
  const own = subcommandIndexes(name, args);
  const takesValue = (option: string): boolean =>
    valueOptions.test(option) ||
    (!option.includes('=') && folderOptions.test(option)) ||
    (program?.kind === 'packages' && packageValueOptions.test(option)) ||
    (option === '-P' && name.startsWith('ts-node')) ||
    (option === '-c' && name === 'deno');
  return args.findIndex(
    (arg, index) => !/^-|^@(?![\w-][\w.-]*\/)/.test(arg) && !own.includes(index) && !takesValue(args[index - 1] ?? ''),
  );
}

/**
 * Options of interpreters without a value. Any other long one may have a value: then what follows it is not the script, and
 * the script is what follows that.
 */
const flags =
  /^--(?:no|enable|disable|experimental|inspect|use|trace|preserve|allow|deny|unstable|expose|harmony|watch|test|silent|hot|smol|bun|verbose|quiet|check|cached|jit|gc|norc|noprofile|posix|login)(?:$|-)/;

/** @returns like {@link Step.script}, but the last place where the script may be */
export function lastScriptIndex({ program, args, script }: Step): number {
  const before = args[script - 1] ?? '';
  const isSure =
    !/^--[\w-]+$/.test(before) || flags.test(before) || /\.(?!json$|toml$|ya?ml$|env$)\w+$/.test(args[script] ?? '');
  if (script === -1 || program?.kind !== 'interpreter' || isSure) return script;
  const next = args.findIndex((arg, index) => index > script && !arg.startsWith('-'));
  return next === -1 ? script : next;
}

/** @returns the options of a program: its arguments before the script, or all without one */
export function ownArguments({ args, script }: Step): readonly string[] {
  return args.slice(0, script === -1 ? undefined : script);
}

const maximumMoves = 8;

/**
 * Finds the folders in which the programs of a line run, as written, `.` first: the values of options such as `--prefix`, and
 * what `cd` leads to. `cd a && cd b` may be `a`, `b` and `a/b`.
 * @returns `isWhole`: false if the line changes its folder more often than is followed
 */
export function launchFolders(steps: readonly Step[]) {
  const options = steps.flatMap(({ args }) =>
    args.flatMap((arg, index) => {
      const match = folderOptions.exec(arg) ?? /^-C(.+)$/s.exec(arg);
      return match === null ? [] : (match[1] ?? args[index + 1] ?? []);
    }),
  );
  const moves = steps.flatMap(({ word, args }) => {
    if (!/^(?:cd|pushd|chdir)$/i.test(word)) return [];
    return args.filter((arg) => !/^-|^\/d$/i.test(arg)).slice(0, 1);
  });
  const found = [...new Set(options), ...moves].map(withoutVariable);
  const joined: string[] = [];
  for (const folder of found.slice(0, maximumMoves)) {
    const place = joined.at(-1) ?? '';
    const isRelative = place !== '' && !/^[\\/~$%]|^[A-Za-z]:/.test(folder);
    joined.push(isRelative ? `${place}/${folder}` : folder);
  }
  return { folders: [...new Set(['.', ...found, ...joined])], isWhole: moves.length <= maximumMoves };
}
