import { assignmentsOf, isPython, javaPaths, searchEntries } from './commandLineAnalysis.ts';
import { linesIn } from './inlineCode.ts';
import { programName } from './programName.ts';
import {
  addSteps,
  lastScriptIndex,
  launchFolders,
  maximumSteps,
  maximumWords,
  ownArguments,
  type Step,
} from './launchSteps.ts';
import type { StdioLaunchView } from './launchView.ts';
import { pathsIn } from './namedPaths.ts';
import { isKnownProgram, type KnownProgram } from './programFiles.ts';
import type { UncoveredCode } from './resolvedCode.ts';
import { riskyVariable } from './riskySettings.ts';
import { codeOption, runsUnnamedFiles, splitCommands } from './shellCode.ts';

/**
 * What is looked for at a path that a launch names:
 * - `file`: this file
 * - `base`: this file, or a folder in which the programs read what they read by themselves
 * - `code`: this file with or without its extension, or all code in a folder
 */
export type PathUse = 'file' | 'base' | 'code';

export type LaunchFiles = ReturnType<typeof launchFiles>;

const strength: readonly PathUse[] = ['file', 'base', 'code'];
const maximumAssignments = 500;
const hookOption = /^(?:-r|--require|--import|--loader|--experimental-loader|--preload)(?:=(.+))?$/s;

/** The files that a launch may read, determined from its text. Which of them exist is decided by the caller. */
export function launchFiles(view: StdioLaunchView) {
  const steps: Step[] = [];
  const isKnown = addSteps([view.command, ...view.args], steps);
  const collector = new Collector();
  for (const step of steps) addStep(step, collector);
  const written = view.env.flatMap(({ name, value }): [string, string][] => (value === null ? [] : [[name, value]]));
  const assigned = assignedIn(steps, collector);
  for (const [name, value] of [...Object.entries(view.envFileValues), ...written, ...assigned])
    addVariable(name, value, collector);
  const searchPaths = assigned.flatMap(([name, value]) => (/^PATH$/i.test(name) ? searchEntries(value) : []));
  // The programs of the line are looked for there first.
  for (const folder of new Set(searchPaths)) for (const { word } of steps) collector.add(`${folder}/${word}`, 'file');
  const { folders, isWhole } = launchFolders(steps);
  const pathsOf = (words: readonly string[]): ReadonlySet<string> =>
    new Set([...new Set(words)].slice(0, maximumWords).flatMap((word) => pathsIn(word).paths));
  return {
    /** Paths as written, each with the strongest use that a program of the line has for it. */
    paths: collector.paths as ReadonlyMap<string, PathUse>,
    /** Those of the paths that a container gets: what is in such a folder can be read and run, whatever its use is. */
    mounts: pathsOf(steps.flatMap((step) => (runsImage(step) ? step.args : []))),
    /** Those of the paths that a program runs or loads by their names: they are code, whatever their names end with. */
    scripts: pathsOf(steps.flatMap(scriptsOf)),
    /** Base folders of relative paths, as written: `.` for the working folder, then those of options such as `--prefix`. */
    folders,
    /** Names of files, with `*` and `**`, that the programs read by themselves in their folder or one above. */
    patterns: [...new Set(steps.flatMap(patternsOf))],
    programs: [...new Set(steps.map(({ word }) => word))],
    searchPaths,
    /** Each kind of code that no file above has. */
    uncovered: [...new Map(steps.flatMap(uncoveredBy).map((each) => [each.what, each])).values()],
    /** Files of the folder may decide what runs in ways that are not known. */
    isOpen:
      !isKnown ||
      !isWhole ||
      !collector.isWhole ||
      steps.length >= maximumSteps ||
      steps.some((step) => runsTests(step) || runsUnnamed(step)),
  };
}

function addStep(step: Step, collector: Collector): void {
  const { word, program, args, script } = step;
  // A script that `.` runs is one of its arguments.
  if (word !== '.') collector.add(word, 'code');
  const end = lastScriptIndex(step);
  // Without a script, every argument is for the program itself.
  for (const [index, arg] of args.entries()) collector.add(arg, useOf(program, end === -1 || index <= end));
  const module = pythonModule(step);
  // The package, then the module within it.
  if (module !== undefined) collector.add(module.replace(/\..*$/s, ''), 'code');
  if (module !== undefined) collector.add(module.replaceAll('.', '/'), 'code');
  for (const hook of hookPackages(step)) collector.add(`node_modules/${hook}`, 'code');
  for (const path of /^javaw?$/.test(program?.name ?? '') ? javaPaths(args, script) : []) collector.add(path, 'code');
}

function patternsOf(step: Step): readonly string[] {
  return [...(step.program?.files ?? []), ...installed(step), ...(runsPackageScript(step) ? ['package.json'] : [])];
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
function scriptsOf({ word, name, program, args, script }: Step): readonly string[] {
  const runsScript = program?.kind === 'interpreter' || /^(?:source|\.)$/.test(name);
  if (!runsScript && (program?.kind !== 'shell' || args.some((arg) => codeOption.test(arg)))) return [word];
  const named = args.slice(0, script === -1 ? undefined : script + 1).filter((arg) => !/^-|=/.test(arg));
  return [word, ...named, ...args.flatMap((arg) => hookOption.exec(arg)?.[1] ?? [])];
}

/** Images and containers may have any name: `docker run compose` is not `docker compose`. */
function runsImage({ program, args }: Step): boolean {
  if (program?.kind === 'container') return true;
  const subcommand = /^(?:docker|podman|nerdctl) (.+)$/.exec(program?.name ?? '')?.[1];
  if (subcommand === undefined) return false;
  return args.slice(0, args.indexOf(subcommand)).some((arg) => /^(?:run|create)$/.test(arg));
}

class Collector {
  readonly paths = new Map<string, PathUse>();
  readonly #words = new Map<string, PathUse>();
  /** False if there were more words, or more parts of one, than are looked at. */
  isWhole = true;

  add(word: string, use: PathUse): void {
    if (!this.#words.has(word) && this.#words.size >= maximumWords) {
      this.isWhole = false;
    } else if (strengthen(this.#words, word, use)) {
      const parts = pathsIn(word);
      this.isWhole &&= parts.isWhole;
      for (const path of parts.paths) strengthen(this.paths, path, use);
    }
  }
}

/** @returns false if there is the same or a stronger use already */
function strengthen(uses: Map<string, PathUse>, key: string, use: PathUse): boolean {
  const known = uses.get(key);
  if (known !== undefined && strength.indexOf(known) >= strength.indexOf(use)) return false;
  uses.set(key, use);
  return true;
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
      else collector.isWhole = false;
    }
  }
  return [...found.values()];
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
function installed({ program, args }: Step): readonly string[] {
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

function uncoveredBy(step: Step): readonly UncoveredCode[] {
  const { program } = step;
  if (program?.kind === 'project' || (program !== undefined && runsPackageScript(step))) {
    const what = `What ${program.name} builds or runs in this folder`;
    return [{ what, warning: `${what} can change without asking you.` }];
  }
  const module = pythonModule(step);
  const language = module === undefined ? importsFromFolder(step) : 'Python';
  if (language === undefined) return [];
  const [what, found] =
    module === undefined ? ['Modules', 'modules'] : [`The module ${module}`, `the module ${module}`];
  return [
    {
      what: `${what} in the working folder, where ${language} looks first`,
      warning: `Where ${language} finds ${found} is not checked: it looks into the working folder first.`,
    },
  ];
}

/** @returns the language that finds modules in the working folder */
function importsFromFolder(step: Step): string | undefined {
  const { program, args, script } = step;
  // The word may be the name of an image, or the value of an option.
  if (!step.isCommand || program?.kind !== 'interpreter') return undefined;
  if (isPython(program.name)) {
    const own = ownArguments(step);
    // `-I` and `-P` leave out the working folder.
    const isElsewhere = own.some((arg) => /^-[A-Za-z]*[IP]/.test(arg));
    const isCode = script === -1 || own.some((arg) => /^-[bBdEhiOqRsStuvVx]*c/.test(arg));
    return isCode && !isElsewhere ? 'Python' : undefined;
  }
  if (!/^(?:[\\/~]|[A-Za-z]:)/.test(args[script] ?? '')) return undefined;
  if (program.name === 'php') return 'PHP';
  return /^lua(?:jit)?$/.test(program.name) ? 'Lua' : undefined;
}

/** `node --test` and `deno test` run every file that is named like a test. */
function runsTests(step: Step): boolean {
  const { program, args, script } = step;
  if (program?.name === 'deno') return /^(?:test|bench)$/.test(args[script] ?? '');
  return program?.name === 'node' && ownArguments(step).includes('--test');
}

/** `bun dev` is `bun run dev`, if no file has that name. */
function runsPackageScript({ program, args, script }: Step): boolean {
  return program?.name === 'bun' && /^[^./\\]+$/.test(args[script] ?? '');
}

/** The packages that Node gets before its script: `-r hook`, `--import=hook/register`. */
function hookPackages({ program, args }: Step): readonly string[] {
  if (program?.kind !== 'interpreter') return [];
  return args.flatMap((arg, index) => {
    const attached = hookOption.exec(arg)?.[1];
    const value = attached ?? (hookOption.test(args[index - 1] ?? '') ? arg : '');
    return /^(?:@[\w.-]+\/)?\w[\w.-]*(?=\/|$)/.exec(value) ?? [];
  });
}

function pythonModule({ program, args }: Step): string | undefined {
  const option = isPython(program?.name ?? '') ? args.indexOf('-m') : -1;
  return option === -1 ? undefined : args[option + 1];
}
