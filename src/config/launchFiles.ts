import { assignmentsOf, isPython, javaPaths, searchEntries } from './argumentForms.ts';
import { programName } from './commandLineAnalysis.ts';
import { launchFolders } from './launchFolders.ts';
import {
  addSteps,
  lastScriptIndex,
  linesIn,
  maximumSteps,
  maximumWords,
  scriptIndex,
  type Step,
} from './launchSteps.ts';
import type { StdioLaunchView } from './launchView.ts';
import { pathsIn } from './namedPaths.ts';
import { isKnownProgram, type KnownProgram } from './programFiles.ts';
import { riskyVariable } from './riskySettings.ts';
import { codeOption, runsUnnamedFiles } from './shellCode.ts';
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
  /** Those of the paths that a program runs or loads by their names: they are code, whatever their names end with. */
  readonly scripts: ReadonlySet<string>;
  /** Base folders of relative paths, as written: `.` for the working folder, then those of options such as `--prefix`. */
  readonly folders: readonly string[];
  /** Names of files, with `*` and `**`, that the programs read by themselves in their folder or one above. */
  readonly patterns: readonly string[];
  /** The programs of the line, which are searched in PATH. */
  readonly programs: readonly string[];
  /** The folders that the line adds to PATH by itself. */
  readonly searchPaths: readonly string[];
  /** One sentence for each kind of code that no file above has. */
  readonly uncovered: readonly string[];
  /** Files of the folder may decide what runs in ways that are not known. */
  readonly isOpen: boolean;
}

const strength: readonly PathUse[] = ['file', 'base', 'code'];
const maximumAssignments = 500;
const hookOption = /^(?:-r|--require|--import|--loader|--experimental-loader|--preload)(?:=(.+))?$/s;

/** Determines which files a launch may read. */
export function launchFiles(view: StdioLaunchView): LaunchFiles {
  const line = [view.command, ...view.args];
  const steps: Step[] = [];
  const isKnown = addSteps(line, steps);
  const collector = createCollector();
  for (const { word, name, program, args } of steps) {
    // A script that `.` runs is one of its arguments.
    if (word !== '.') collector.add(word, 'code');
    const script = scriptIndex(program, name, args);
    const end = lastScriptIndex(program, name, args);
    // Without a script, every argument is for the program itself.
    for (const [index, arg] of args.entries()) collector.add(arg, useOf(program, end === -1 || index <= end));
    const module = pythonModule(program, args);
    // The package, then the module within it.
    for (const part of module?.split('.').slice(0, 1) ?? []) collector.add(part, 'code');
    if (module !== undefined) collector.add(module.replaceAll('.', '/'), 'code');
    for (const hook of hookPackages(program, args)) collector.add(`node_modules/${hook}`, 'code');
    for (const path of program?.name === 'java' || program?.name === 'javaw' ? javaPaths(args, script) : [])
      collector.add(path, 'code');
  }
  for (const [name, value] of variablesOf(view)) addVariable(name, value, collector);
  const assigned = assignedIn(steps, collector);
  for (const [name, value] of assigned) addVariable(name, value, collector);
  const searchPaths = assigned.flatMap(([name, value]) => (/^PATH$/i.test(name) ? searchEntries(value) : []));
  // The programs of the line are looked for there first.
  for (const folder of new Set(searchPaths)) for (const { word } of steps) collector.add(`${folder}/${word}`, 'file');
  const { folders, isWhole } = launchFolders(steps);
  return {
    paths: collector.paths,
    mounts: mountsOf(steps),
    scripts: new Set(
      [...new Set(steps.flatMap(scriptsOf))].slice(0, maximumWords).flatMap((word) => pathsIn(word).paths),
    ),
    folders,
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
    isOpen:
      !isKnown ||
      !isWhole ||
      !collector.isWhole() ||
      steps.some(runsTests) ||
      steps.length >= maximumSteps ||
      steps.some(runsUnnamed),
  };
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

function runsUnnamed({ name, program, args }: Step): boolean {
  if (program?.kind === 'shell') return runsUnnamedFiles(name, args);
  const isLine = (text: string): boolean => isKnownProgram(programName(splitCommands(text)[0]?.[0] ?? ''));
  return args.some((arg) => linesIn(arg).some((line) => isLine(line) && runsUnnamedFiles('sh', ['-c', line])));
}

/** What a program runs or loads: itself, its script and what comes before that, without the values of its options. */
function scriptsOf({ word, name, program, args }: Step): readonly string[] {
  const runsScript = program?.kind === 'interpreter' || /^(?:source|\.)$/.test(name);
  if (!runsScript && (program?.kind !== 'shell' || args.some((arg) => codeOption.test(arg)))) return [word];
  const script = scriptIndex(program, name, args);
  const named = args.slice(0, script === -1 ? undefined : script + 1).filter((arg) => !/^-|=/.test(arg));
  return [word, ...named, ...args.flatMap((arg) => hookOption.exec(arg)?.[1] ?? [])];
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
  /** There are more words. */
  leaveOpen(): void;
  /** False if there were more words, or more parts of one, than are looked at. */
  isWhole(): boolean;
}

function createCollector(): Collector {
  const words = new Map<string, PathUse>();
  const paths = new Map<string, PathUse>();
  let isWhole = true;
  return {
    paths,
    leaveOpen() {
      isWhole = false;
    },
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

/** The variables that the line sets by itself, each with its different values. */
function assignedIn(steps: readonly Step[], collector: Collector): readonly (readonly [string, string])[] {
  const words = steps.flatMap(({ program, args }) =>
    program?.kind === 'wrapper' || program?.kind === 'shell' ? args : [],
  );
  const found = new Map<string, readonly [string, string]>();
  // Each program of a line has all later words as its arguments.
  for (const word of new Set(words)) {
    for (const assignment of assignmentsOf(word)) {
      if (found.size < maximumAssignments) found.set(assignment.join('='), assignment);
      else collector.leaveOpen();
    }
  }
  return [...found.values()];
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
  if (module !== undefined)
    return [`Where Python finds the module ${module} is not covered: it looks into the working folder first.`];
  const language = importsFromFolder(step);
  return language === undefined
    ? []
    : [`Where ${language} finds modules is not covered: it looks into the working folder first.`];
}

/** @returns the language, if a program without a script of the folder can load code from the working folder */
function importsFromFolder({ name, program, args, isCommand }: Step): string | undefined {
  // The word may be the name of an image, or the value of an option.
  if (!isCommand || program?.kind !== 'interpreter') return undefined;
  const script = scriptIndex(program, name, args);
  const own = args.slice(0, script === -1 ? undefined : script);
  if (isPython(program.name)) {
    // `-I` and `-P` leave out the working folder.
    if (own.some((arg) => /^-[A-Za-z]*[IP]/.test(arg))) return undefined;
    return script === -1 || own.some((arg) => /^-[bBdEhiOqRsStuvVx]*c/.test(arg)) ? 'Python' : undefined;
  }
  const isElsewhere = /^(?:[\\/~]|[A-Za-z]:)/.test(args[script] ?? '');
  const languages: Readonly<Record<string, string>> = { lua: 'Lua', luajit: 'Lua', php: 'PHP' };
  return isElsewhere && Object.hasOwn(languages, program.name) ? languages[program.name] : undefined;
}

/** `node --test` and `deno test` run every file that is named like a test. */
function runsTests({ name, program, args }: Step): boolean {
  const script = scriptIndex(program, name, args);
  if (program?.name === 'deno') return /^(?:test|bench)$/.test(args[script] ?? '');
  return program?.name === 'node' && args.slice(0, script === -1 ? undefined : script).includes('--test');
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
