import { assignmentsOf, isPython, javaPaths, withoutGluedModules } from './argumentForms.ts';
import { programName } from './commandLineAnalysis.ts';
import type { StdioLaunchView } from './launchView.ts';
import { pathsIn } from './namedPaths.ts';
import { findKnownProgram, isKnownProgram, type KnownProgram, subcommandIndexes } from './programFiles.ts';
import { riskyVariable } from './riskySettings.ts';
import { runsUnnamedFiles } from './shellCode.ts';
import { splitCommands } from './splitCommands.ts';

/**
 * What is looked for at a path that a launch names:
 * - `file`: this file
 * - `base`: this file, or a folder in which the programs read what they read by themselves
 * - `code`: this file with or without its extension, or all code in a folder
 */
export type PathUse = 'file' | 'base' | 'code';

/** The files that a launch may read, determined from its text. Which of them exist is decided by the caller. */
export interface LaunchFiles {
  /** Paths as written, each with the strongest use that a program of the line has for it. */
  readonly paths: ReadonlyMap<string, PathUse>;
  /** Those of the paths that a container gets: what is in such a folder can be read and run, whatever its use is. */
  readonly mounts: ReadonlySet<string>;
  /** Base folders of relative paths, as written: `.` for the working folder, then those of options such as `--prefix`. */
  readonly folders: readonly string[];
  /** Names of files, with `*` and `**`, that the programs read by themselves in their folder or one above. */
  readonly patterns: readonly string[];
  /** The programs of the line, which are searched in PATH. */
  readonly programs: readonly string[];
  /** The values of PATH that the line sets by itself. */
  readonly searchPaths: readonly string[];
  /** One sentence for each kind of code that no file above has. */
  readonly uncovered: readonly string[];
  /** Files of the folder may decide what runs in ways that are not known. */
  readonly isOpen: boolean;
}

/** A program somewhere on a command line. */
interface Step {
  readonly word: string;
  /** As in the table of known programs. */
  readonly name: string;
  readonly program: KnownProgram | undefined;
  readonly args: readonly string[];
}

const strength: readonly PathUse[] = ['file', 'base', 'code'];
const maximumSteps = 100;
const maximumWords = 4_000;
/**
 * Options of interpreters and package runners with a value: the next argument is not the script. Upper and lower case
 * differ: `-m` of Java names what runs, `-M` of Perl a module.
 */
const valueOptions =
  /^(?:-r|--require|--import|--loader|--experimental-loader|--preload|--title|-C|--conditions|--cwd|-W|-X|-I|-L|-M|-o|-d|-l|-cp|-classpath|--class-path|-p|--module-path|--config|--import-map|--rcfile|--init-file|--package|--from|--with(?:-editable|-requirements)?|--spec|--python|--directory|--project|--index|--index-url|--prefix|--env-file|--exec)$/;
const packageValueOptions =
  /^(?:-i|-f|-w|-c|--call|--workspace|--extra-index-url|--default-index|--find-links|--cache-dir|--config-file|--pip-args|--source|--add-source|--configfile)$/;
const hookOption = /^(?:-r|--require|--import|--loader|--experimental-loader|--preload)(?:=(.+))?$/s;
const folderOptions =
  /^(?:--prefix|--directory|-C|--cwd|--dir|--chdir|--project|--project-directory|--working-directory)(?:=(.+))?$/s;

/** Determines which files a launch may read. */
export function launchFiles(view: StdioLaunchView): LaunchFiles {
  const line = [view.command, ...view.args];
  const steps: Step[] = [];
  const isKnown = addSteps(line, steps, true);
  const collector = createCollector();
  for (const { word, name, program, args } of steps) {
    collector.add(word, 'code');
    const script = scriptIndex(program, name, args);
    // Without a script, every argument is for the program itself.
    for (const [index, arg] of args.entries()) collector.add(arg, useOf(program, script === -1 || index <= script));
    const module = pythonModule(program, args);
    // The package, then the module within it.
    for (const part of module?.split('.').slice(0, 1) ?? []) collector.add(part, 'code');
    if (module !== undefined) collector.add(module.replaceAll('.', '/'), 'code');
    for (const hook of hookPackages(program, args)) collector.add(`node_modules/${hook}`, 'code');
    for (const path of program?.name === 'java' || program?.name === 'javaw' ? javaPaths(args, script) : [])
      collector.add(path, 'code');
  }
  for (const [name, value] of variablesOf(view)) addVariable(name, value, collector);
  const assigned = steps.flatMap(({ program, args }) =>
    program?.kind === 'wrapper' || program?.kind === 'shell' ? assignmentsOf(args) : [],
  );
  for (const [name, value] of assigned) addVariable(name, value, collector);
  const searchPaths = assigned.flatMap(([name, value]) => (/^PATH$/i.test(name) ? [value] : []));
  const searched = searchPaths.flatMap((path) => path.split(/[:;]/)).filter((entry) => !/^$|^[$%]/.test(entry));
  // The programs of the line are looked for there first.
  for (const folder of new Set(searched)) for (const { word } of steps) collector.add(`${folder}/${word}`, 'file');
  const folders = steps.flatMap(({ args }) => args.flatMap((arg, index) => foldersOf(arg, args[index + 1])));
  const moved = steps.flatMap(({ word, args }) => (/^(?:cd|pushd|chdir)$/i.test(word) ? args.slice(0, 2) : []));
  return {
    paths: collector.paths,
    mounts: mountsOf(steps),
    folders: [...new Set(['.', ...folders, ...moved])],
    patterns: [
      ...new Set(
        steps.flatMap((step) => [
          ...(step.program?.files ?? []),
          ...installed(step.program, step.args),
          ...(runsPackageScript(step) ? ['package.json'] : []),
        ]),
      ),
    ],
    programs: [...new Set(steps.map(({ word }) => word))],
    searchPaths,
    uncovered: [...new Set(steps.flatMap(uncoveredBy))],
    isOpen: !isKnown || !collector.isWhole() || steps.length >= maximumSteps || steps.some(runsUnnamed),
  };
}

/** Adds the programs of a line, and of the lines within its words. @returns false if one of them is not known */
function addSteps(words: readonly string[], steps: Step[], isCommand: boolean, depth = 0): boolean {
  const line = withoutGluedModules(words);
  let isKnown = line.length <= maximumWords;
  let found: KnownProgram | undefined;
  let runsKnown = false;
  for (const [index, word] of line.slice(0, maximumWords).entries()) {
    if (steps.length >= maximumSteps) return false;
    const isFirst = index === 0 && isCommand;
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
      const isInnerKnown = addSteps(inner, steps, true, depth + 1);
      if (isInline) isKnown &&= isInnerKnown;
      runsKnown ||= isInnerKnown;
    }
  }
  if (!isCommand) return isKnown;
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

function scriptIndex(program: KnownProgram | undefined, name: string, args: readonly string[]): number {
  const own = subcommandIndexes(name, args);
  const takesValue = (option: string): boolean =>
    valueOptions.test(option) || (program?.kind === 'packages' && packageValueOptions.test(option));
  return args.findIndex(
    (arg, index) => !/^-|^@(?![\w-][\w.-]*\/)/.test(arg) && !own.includes(index) && !takesValue(args[index - 1] ?? ''),
  );
}

function useOf(program: KnownProgram | undefined, isBeforeScript: boolean): PathUse {
  switch (program?.kind) {
    case 'interpreter':
    case 'packages':
      return isBeforeScript ? 'code' : 'file';
    case 'project':
    case 'shell':
    case 'wrapper':
      return 'base';
    case 'container':
    case 'tool':
    case undefined:
      return 'file';
  }
}

/** A whole command line in one word: as it is, or in an option, `-oProxyCommand=sh x`, `EXEC:make`, `--exec=make`. */
function linesIn(word: string): readonly string[] {
  const option = /(?:command|cmd|exec|run|program|shell|system)[=:](.+)$/is.exec(word)?.[1];
  return [...(/\s/.test(word) ? [word] : []), ...(option === undefined ? [] : [option])];
}

function runsUnnamed({ name, program, args }: Step): boolean {
  if (program?.kind === 'shell') return runsUnnamedFiles(name, args);
  const isLine = (text: string): boolean => isKnownProgram(programName(splitCommands(text)[0]?.[0] ?? ''));
  return args.some((arg) => linesIn(arg).some((line) => isLine(line) && runsUnnamedFiles('sh', ['-c', line])));
}

function mountsOf(steps: readonly Step[]): ReadonlySet<string> {
  const words = new Set(steps.flatMap((step) => (runsImage(step) ? step.args : [])));
  return new Set([...words].flatMap((word) => pathsIn(word).paths));
}

/** Images and containers may have any name: `docker run compose` is not `docker compose`. */
function runsImage({ program, args }: Step): boolean {
  if (program?.kind === 'container') return true;
  const subcommand = /^(?:docker|podman|nerdctl) (.+)$/.exec(program?.name ?? '')?.[1];
  if (subcommand === undefined) return false;
  return args.slice(0, args.indexOf(subcommand)).some((arg) => /^(?:run|create)$/.test(arg));
}

interface Collector {
  readonly paths: ReadonlyMap<string, PathUse>;
  add(word: string, use: PathUse): void;
  /** False if there were more words, or more parts of one, than are looked at. */
  isWhole(): boolean;
}

function createCollector(): Collector {
  const words = new Map<string, PathUse>();
  const paths = new Map<string, PathUse>();
  let isWhole = true;
  return {
    paths,
    add(word, use) {
      const known = words.get(word);
      if (known !== undefined && strength.indexOf(known) >= strength.indexOf(use)) return;
      if (words.size >= maximumWords) {
        isWhole = false;
        return;
      }
      words.set(word, use);
      const parts = pathsIn(word);
      isWhole &&= parts.isWhole;
      for (const path of parts.paths) {
        const before = paths.get(path);
        if (before === undefined || strength.indexOf(before) < strength.indexOf(use)) paths.set(path, use);
      }
    },
    isWhole: () => isWhole,
  };
}

function variablesOf(view: StdioLaunchView): readonly (readonly [string, string])[] {
  const written = view.env.flatMap(({ name, value }): [string, string][] => (value === null ? [] : [[name, value]]));
  return [...Object.entries(view.envFileValues), ...written];
}

/** A variable that changes which code runs, or where settings are, names code; any other one may name a script. */
function addVariable(name: string, value: string, collector: Collector): void {
  if (/^PATH$/i.test(name)) return;
  const risk = riskyVariable(name, false)?.kind ?? riskyVariable(name, true)?.kind;
  if (risk === 'code' || risk === 'settings')
    for (const word of [value, ...value.split(/\s+/)]) collector.add(word, 'code');
  else if (!/\.(?:json|txt)$/i.test(value)) collector.add(value, 'file');
}

function foldersOf(arg: string, next: string | undefined): readonly string[] {
  const match = folderOptions.exec(arg) ?? /^-C(.+)$/s.exec(arg);
  const value = match === null ? undefined : (match[1] ?? next);
  return value === undefined ? [] : [value];
}

/** npm and similar runners prefer a copy of the package that is installed in the folder or above. */
function installed(program: KnownProgram | undefined, args: readonly string[]): readonly string[] {
  if (program?.kind !== 'packages' || !program.files.includes('package.json')) return [];
  const isPackage = (arg: string): boolean => /^(?:@[\w.-]+\/)?[\w.-]+(?:@[^/\\]*)?$/.test(arg) && !arg.startsWith('-');
  const isOption = (arg: string | undefined): boolean => /^(?:-p|--package)$/.test(arg ?? '');
  const named = args.filter((arg, index) => isPackage(arg) && isOption(args[index - 1]));
  const others = args.filter((arg, index) => isPackage(arg) && !isOption(args[index - 1]));
  return [...named.slice(0, 20), ...others.slice(0, 3)].flatMap((arg) => {
    const name = arg.replace(/(?!^)@.*$/s, '');
    const bin = name.replace(/^.*\//s, '');
    return [`node_modules/.bin/${bin}`, `node_modules/.bin/${bin}.*`, `node_modules/${name}/package.json`];
  });
}

function uncoveredBy(step: Step): readonly string[] {
  const { program, args } = step;
  if (program?.kind === 'project' || (program !== undefined && runsPackageScript(step)))
    return [`What ${program.name} builds or runs out of this folder can change without a question.`];
  const module = pythonModule(program, args);
  if (module === undefined) return [];
  return [`Where Python finds the module ${module} is not covered: it looks into the working folder first.`];
}

/** `bun dev` is `bun run dev`, if no file has that name. */
function runsPackageScript({ name, program, args }: Step): boolean {
  if (program?.name !== 'bun') return false;
  return /^[^./\\]+$/.test(args[scriptIndex(program, name, args)] ?? '');
}

/** The packages that Node gets before its script: `-r hook`, `--import=hook/register`. */
function hookPackages(program: KnownProgram | undefined, args: readonly string[]): readonly string[] {
  if (program?.kind !== 'interpreter') return [];
  return args.flatMap((arg, index) => {
    const [, attached] = hookOption.exec(arg) ?? [];
    const value = attached ?? (hookOption.test(args[index - 1] ?? '') ? arg : '');
    return /^(?:@[\w.-]+\/)?\w[\w.-]*(?=\/|$)/.exec(value) ?? [];
  });
}

function pythonModule(program: KnownProgram | undefined, args: readonly string[]): string | undefined {
  const option = isPython(program?.name ?? '') ? args.indexOf('-m') : -1;
  return option === -1 ? undefined : args[option + 1];
}
