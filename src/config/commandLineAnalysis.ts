import table from './commandLines.json' with { type: 'json' };
import { interpreters, runsInlineCode, shells } from './inlineCode.ts';
import { programName } from './programName.ts';
import { withoutVariable } from './namedPaths.ts';

/** What a command line runs, determined from its text only. The files that it may read: see `launchFiles`. */
export interface CommandLineAnalysis {
  /**
   * What runs, without options and versions: `npx my-server`, `node server.js`, `docker run image`; the whole line if it
   * contains code.
   */
  readonly name: string;
  readonly packages: readonly FetchedPackage[];
  readonly isInline: boolean;
}

export interface FetchedPackage {
  /** As written: `my-server@1.2.3`. */
  readonly written: string;
  readonly name: string;
  /** True for one exact version that cannot change in its registry. */
  readonly isPinned: boolean;
  /** From an address or a repository: no registry has it, or looks at it. */
  readonly isFromAddress: boolean;
}

interface PackageRunner {
  readonly words: readonly string[];
  readonly registry: Registry;
  /** Options whose value is the next argument. */
  readonly values: readonly string[];
  readonly packages: readonly string[];
}

type Registry = keyof typeof pinned;

const commit = /(?:[#@]|[?&]rev=|\/)[0-9a-f]{40}(?:$|[/?#&])/i;

/** Flakes are named by repositories: `nixpkgs#x` is one of the registry. */
const address =
  /(?:^|[@\s])(?:(?:(?:git|hg|svn|bzr|tarball)\+\w+|https?|ssh|git|file|ftp|data|blob):|git@|(?:github|gitlab|bitbucket|gist|sourcehut):)/i;
/** `user/repository` is one of GitHub for npm, also with another name for it: `name@user/repository`. */
const repository = /^(?:(?:@[^/@]+\/)?[^/@]+@)?(?!\.{1,2}\/)[\w.-]+\/[\w.-]+(?:#.*)?$/;

const pinned = {
  npm: /^(?:npm:)?(?:@[^/@\s]+\/)?[^@/\s]+@v?\d+\.\d+\.\d+(?:[-+][\w.+-]+)?$/,
  python: /^[\w.-]+(?:\[[\w,.-]*\])?(?:===?|@)v?\d+(?:[abrcdevpost.]+\d+)*$/i,
  image: /@sha256:[0-9a-f]{64}$/i,
  go: /@v\d+\.\d+\.\d+(?:[-+][\w.+-]+)?$/,
  nuget: /@\d+\.\d+\.\d+(?:\.\d+)?(?:-[\w.]+)?$/,
  nix: commit,
  url: /^(?:npm|jsr):.*@v?\d+\.\d+\.\d+(?:[-+][\w.+-]+)?(?:\/|$)/,
} as const;

const packageRunners = table.packageRunners as readonly PackageRunner[];

/** Options of interpreters with a value: the next argument is not the script. */
const interpreterValues =
  /^(?:-r|--require|--import|--loader|--experimental-loader|--preload|--title|-C|--conditions|--cwd|-W|-X|-I|-M|-o|-d|-cp|-classpath|--config|--import-map|--rcfile|--init-file|-ExecutionPolicy)$/;
/**
 * Programs of the kind `wrapper` whose first argument that is no option is the command. Others have words of their own before it,
 * so there only a guess is possible: good for a warning (`commandEffects`), too loose for the name and the packages of what runs.
 */
const wrappers = /^(?:env|nice|ionice|chrt|setsid|unbuffer|busybox|nohup|stdbuf|timeout|time|xvfb-run|wsl|sudo|doas)$/;
const folderOptions = /^(?:--prefix|--directory|-C|--cwd|--dir|--project)(?:=(.+))?$/s;
/** Options of `docker run` without a value; the value of every other one is the next argument or follows `=`. */
const imageFlags =
  /^(?:-[ditPq]+|--(?:detach|disable-content-trust|help|init|interactive|no-healthcheck|oom-kill-disable|privileged|publish-all|quiet|read-only|replace|rm|sig-proxy|tty))$/;

/** Options of package runners without a value. */
const runnerFlags =
  /^(?:-[yqsvU]|--(?:yes|quiet|silent|verbose|offline|prefer-\w+|isolated|refresh|upgrade|bun|no(?:-[\w-]+)?))$/;

export function analyzeCommandLine(line: readonly string[]): CommandLineAnalysis {
  const tokens = unwrap(line);
  const [command = '', ...args] = tokens;
  const program = programName(command);
  if (runsInlineCode([program, ...args])) return { name: line.join(' '), packages: [], isInline: true };
  const rest = withoutFolders(args);
  return readPackageRun(program, rest) ?? readProjectRun(program, rest) ?? readScriptRun(command, program, args);
}

/** @returns what follows `-m` in an option of Python such as `-mserver` or `-um`; `undefined` for another word */
function gluedModule(word: string): string | undefined {
  return /^-[bBdEhiIOPqRsStuvVx]*m(.*)$/s.exec(word)?.[1];
}

function runs(name: string, packages: readonly FetchedPackage[] = []): CommandLineAnalysis {
  return { name, packages, isInline: false };
}

function readPackageRun(program: string, args: readonly string[]): CommandLineAnalysis | undefined {
  for (const runner of packageRunners) {
    const rest = following(runner.words, program, args);
    if (rest === undefined) continue;
    const packages = fetchedWords(runner, rest).map((word) => toPackage(word, runner.registry));
    const name = [...runner.words, ...packages.map((fetched) => fetched.name)].join(' ');
    const fetched = packages.filter(({ written }) => !/^(?:\.{0,2}[\\/]|file:)/.test(written));
    return runs(name, fetched);
  }
  const remote = args.find((arg) => /^(?:https?|npm|jsr):/.test(arg));
  if (/^(?:deno|bun)$/.test(program) && remote !== undefined)
    return runs(`${program} ${remote}`, [toPackage(remote, 'url')]);
  const module = program === 'go' && args[0] === 'run' ? args.slice(1).find((arg) => !arg.startsWith('-')) : undefined;
  if (module === undefined || !module.includes('@')) return undefined;
  const fetched = toPackage(module, 'go');
  return runs(`go run ${fetched.name}`, [fetched]);
}

function fetchedWords(runner: PackageRunner, args: readonly string[]): readonly string[] {
  const named: string[] = [];
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index] ?? '';
    const [option = '', ...value] = arg.split('=');
    if (runner.packages.includes(option)) named.push(value.length > 0 ? value.join('=') : (args[(index += 1)] ?? ''));
    else if (takesValue(runner, arg)) index += 1;
    // The first argument that belongs to no option is run. Packages of npm options replace it; `--with` of uv adds packages.
    else if (!arg.startsWith('-')) return named.length > 0 && runner.registry === 'npm' ? named : [...named, arg];
  }
  return named;
}

/** @returns the words that a runner of packages reads itself: what follows the package is for that */
export function runnerOptions(line: readonly string[]): readonly string[] {
  const [command = '', ...args] = unwrap(line);
  for (const runner of packageRunners) {
    const rest = following(runner.words, programName(command), args);
    if (rest !== undefined) return args.slice(0, args.length - rest.length + optionsEnd(runner, rest));
  }
  return [];
}

function optionsEnd({ words, registry }: PackageRunner, args: readonly string[]): number {
  if (registry === 'image') return 0;
  const dashes = args.indexOf('--');
  const last = dashes === -1 ? args.length : dashes;
  // They read options that follow the package too.
  if (words[0] === 'npm' || registry === 'nuget') return last;
  // The value of an option that is not known here is not taken for the package.
  const isOption = (arg = ''): boolean => arg.startsWith('-') && !arg.includes('=') && !runnerFlags.test(arg);
  const run = args.findIndex((arg, index) => !arg.startsWith('-') && !isOption(args[index - 1]));
  return run === -1 ? last : Math.min(run, last);
}

function takesValue({ registry, values }: PackageRunner, arg: string): boolean {
  if (registry !== 'image') return values.includes(arg);
  return arg.startsWith('-') && !arg.includes('=') && !imageFlags.test(arg);
}

function toPackage(written: string, registry: Registry): FetchedPackage {
  const isCommit = registry !== 'image' && commit.test(written) && /[:/]/.test(written);
  const name =
    registry === 'image'
      ? written.replace(/@sha256:.*$/s, '').replace(/:[\w.-]+$/, '')
      : written.replace(/(?!^)(?:===?|[<>~!]=|[@#]).*$/s, '');
  const isFromAddress =
    registry !== 'image' && (address.test(written) || (registry === 'npm' && repository.test(written)));
  return { written, name, isPinned: pinned[registry].test(written) || isCommit, isFromAddress };
}

function readProjectRun(program: string, args: readonly string[]): CommandLineAnalysis | undefined {
  for (const { words } of table.projectRunners) {
    const rest = following(words, program, args);
    if (rest !== undefined) return runs([...words, rest.find((arg) => !arg.startsWith('-')) ?? ''].join(' ').trim());
  }
  return undefined;
}

function readScriptRun(command: string, program: string, args: readonly string[]): CommandLineAnalysis {
  if (!shells.test(program) && !interpreters.test(program)) return runs(command);
  const module = program.startsWith('py') ? args.findIndex((arg) => gluedModule(arg) !== undefined) : -1;
  if (module !== -1) return runs(`${program} -m ${gluedModule(args[module] ?? '') || (args[module + 1] ?? '')}`);
  const script = args.find((arg, index) => {
    return !arg.startsWith('-') && arg !== 'run' && !interpreterValues.test(args[index - 1] ?? '');
  });
  return runs(script === undefined ? program : `${program} ${script}`);
}

/** `cmd /c npx x` and `env A=1 npx x` run npx. */
export function unwrap(line: readonly string[]): readonly string[] {
  const [command = '', ...args] = line;
  const name = programName(command);
  // Characters that `cmd.exe` would interpret.
  const hasSyntax = args.some((arg) => /[&|<>^%]/.test(arg));
  const isOneCommand = /^\/[ck]$/i.test(args[0] ?? '') && /^\S+$/.test(args[1] ?? '') && !hasSyntax;
  if (name === 'cmd' && isOneCommand) return unwrap(args.slice(1));
  if (!wrappers.test(name)) return line;
  const next = args.findIndex((arg) => !/^-|^\w+=|^[\d.]+[smhd]?$/.test(arg));
  return next === -1 ? line : unwrap(args.slice(next));
}

/** @returns the arguments after `words` if the line starts with them, with or without options in between */
function following(words: readonly string[], program: string, args: readonly string[]): readonly string[] | undefined {
  if (program !== words[0]) return undefined;
  let rest = args;
  for (const word of words.slice(1)) {
    const index = word.startsWith('-') ? 0 : rest.findIndex((arg) => !arg.startsWith('-'));
    if (rest[index] !== word) return undefined;
    rest = rest.slice(index + 1);
  }
  return rest;
}

/** `npm --prefix server start` is `npm start` in another folder. */
function withoutFolders(args: readonly string[]): readonly string[] {
  const isBare = (arg: string): boolean => folderOptions.test(arg) && !arg.includes('=');
  return args.filter((arg, index) => !folderOptions.test(arg) && !isBare(args[index - 1] ?? ''));
}

export function isPython(name: string): boolean {
  return /^(?:py|ipython|graalpy)/.test(name);
}

/** Python takes the module and other flags with the same dash, `-um server`, `-mserver`: here `-m` is a word of its own. */
export function withoutGluedModules(line: readonly string[]): readonly string[] {
  const python = line.findIndex((word) => isPython(programName(word)));
  if (python === -1) return line;
  return line.flatMap((word, index) => {
    const module = index > python ? gluedModule(word) : undefined;
    if (module === undefined) return [word];
    return module === '' ? ['-m'] : ['-m', module];
  });
}

/** A class is a path with dots; `lib/*` is every archive in a folder. */
export function javaPaths(args: readonly string[], script: number): readonly string[] {
  const main = args[script];
  const folders = args
    .flatMap((arg) => arg.split(/[:;=]/))
    .flatMap((part) => (/(?:^|[\\/])\*$/.test(part) ? [part.replace(/[\\/]?\*$/, '') || '.'] : []));
  return main === undefined ? folders : [...folders, main.replaceAll('.', '/')];
}

/** The variables that a line sets for what it runs: `env A=1 program`, `sh -c "A=1 program"`. */
export function assignmentsOf(arg: string): readonly (readonly [name: string, value: string])[] {
  const whole = /^([A-Za-z_]\w*)=(.*)$/s.exec(arg);
  // What follows a closed quote is the program: `A="x y" program`.
  const isWhole = whole !== null && !/^(?:"[^"]*"|'[^']*')\s/.test(whole[2] ?? '');
  const parts = arg.matchAll(
    /(?<![\w-])([A-Za-z_]\w*)=((?:"[^"]*"|'[^']*'|\$\([^)]{0,100}\)|\$\{[^}]{0,100}\}|[^\s;&|)"'])*)/g,
  );
  return [...(isWhole ? [whole] : []), ...parts].map(
    ([, name = '', value = '']) => [name, value.replaceAll(/"([^"]*)"|'([^']*)'/g, '$1$2')] as const,
  );
}

/** The folders of a value for PATH, without those that another variable or the home folder has. */
export function searchEntries(path: string): readonly string[] {
  const text = path.replaceAll(/\$\{(?!PWD\})[^}]*\}/g, '$X');
  const separator = text.includes(';') || /^[A-Za-z]:[\\/]/.test(text) ? ';' : ':';
  return text
    .split(separator)
    .map((entry) => withoutVariable(entry.trim()))
    .filter((entry) => entry !== '' && !/^[$%~]/.test(entry));
}
