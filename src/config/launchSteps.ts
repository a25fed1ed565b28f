import { withoutGluedModules } from './argumentForms.ts';
import { programName } from './commandLineAnalysis.ts';
import { findKnownProgram, isKnownProgram, type KnownProgram, subcommandIndexes } from './programFiles.ts';
import { splitCommands } from './splitCommands.ts';

/** A program somewhere on a command line. */
export interface Step {
  readonly word: string;
  /** As in the table of known programs. */
  readonly name: string;
  readonly program: KnownProgram | undefined;
  readonly args: readonly string[];
}

export const maximumSteps = 100;
/** The other words of a line are not looked at. */
export const maximumWords = 4_000;
/**
 * Options of interpreters and package runners with a value: the next argument is not the script. Upper and lower case
 * differ: `-m` of Java names what runs, `-M` of Perl a module.
 */
const valueOptions =
  /^(?:-r|--require|--import|--loader|--experimental-loader|--preload|--title|-C|--conditions|--cwd|-W|-X|-I|-L|-M|-o|-d|-l|-cp|-classpath|--class-path|-p|--module-path|--config|--import-map|--rcfile|--init-file|--package|--from|--with(?:-editable|-requirements)?|--spec|--python|--directory|--project|--index|--index-url|--prefix|--env-file|--exec)$/;
const packageValueOptions =
  /^(?:-i|-f|-w|-c|--call|--workspace|--extra-index-url|--default-index|--find-links|--cache-dir|--config-file|--pip-args|--source|--add-source|--configfile)$/;
/** Options whose value is the folder in which something runs. */
export const folderOptions =
  /^(?:--prefix|--directory|-C|--cwd|--dir|--chdir|--project|--project-directory|--working-directory)(?:=(.+))?$/s;

/** Adds the programs of a line, and of the lines within its words. @returns false if one of them is not known */
export function addSteps(words: readonly string[], steps: Step[], depth = 0): boolean {
  const line = withoutGluedModules(words);
  let isKnown = line.length <= maximumWords;
  let found: KnownProgram | undefined;
  let runsKnown = false;
  for (const [index, word] of line.slice(0, maximumWords).entries()) {
    if (steps.length >= maximumSteps) return false;
    const isFirst = index === 0;
    // Package runners get the version of a program with its name: `npx gulp@5`.
    const isFetched = !isFirst && steps.some((step) => step.program?.kind === 'packages');
    const bare = isFetched ? word.replace(/(?!^)(?:@|[=<>~!]=|\[).*$/s, '') : word;
    const name = programName(bare);
    const isProgram = isFirst || (mayBeProgram(bare) && isKnownProgram(name));
    const args = isProgram || found?.kind === 'shell' ? line.slice(index + 1) : [];
    const program = isProgram ? findKnownProgram(name, args) : undefined;
    if (isFirst) found = program;
    else if (program !== undefined && program.kind !== 'wrapper') runsKnown = true;
    if (isFirst || program !== undefined) steps.push({ word, name, program, args });
    const isInline = found?.kind === 'shell' && index > 0;
    for (const inner of depth < 4 ? commandsIn(word, args, isInline) : []) {
      const isInnerKnown = addSteps(inner, steps, depth + 1);
      if (isInline) isKnown &&= isInnerKnown;
      runsKnown ||= isInnerKnown;
    }
  }
  return isKnown && found !== undefined && (found.kind !== 'wrapper' || runsKnown);
}

/** The commands within one word, or after the `/c` of cmd and the `-Command` of PowerShell. */
function commandsIn(word: string, args: readonly string[], isInline: boolean): readonly (readonly string[])[] {
  if (!isInline) return linesIn(word).flatMap(splitCommands);
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

/** @returns where in its arguments a program has the script, package or command that it runs; -1 without one */
export function scriptIndex(program: KnownProgram | undefined, name: string, args: readonly string[]): number {
  const own = subcommandIndexes(name, args);
  const takesValue = (option: string): boolean =>
    valueOptions.test(option) || (program?.kind === 'packages' && packageValueOptions.test(option));
  return args.findIndex(
    (arg, index) => !/^-|^@(?![\w-][\w.-]*\/)/.test(arg) && !own.includes(index) && !takesValue(args[index - 1] ?? ''),
  );
}

/** A whole command line in one word: as it is, or in an option, `-oProxyCommand=sh x`, `EXEC:make`, `--exec=make`. */
export function linesIn(word: string): readonly string[] {
  const option = /(?:command|cmd|exec|run|program|shell|system)[=:](.+)$/is.exec(word)?.[1];
  return [...(/\s/.test(word) ? [word] : []), ...(option === undefined ? [] : [option])];
}
