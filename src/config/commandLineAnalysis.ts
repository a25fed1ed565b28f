/**
 * What a command line runs, determined from its text only. Which of `files` exist, and where, is decided by the caller.
 */
export interface CommandLineAnalysis {
  /**
   * What runs, without options and versions: `npx my-server`, `node server.js`, `docker run image`; the whole line if it
   * contains code.
   */
  readonly name: string;
  /** Arguments that may be files with code, as written; relative ones are resolved against `folders`. */
  readonly files: readonly string[];
  /** Base folders of relative files: `.` for the working folder, then those of options such as `--prefix`. */
  readonly folders: readonly string[];
  /** Packages that are downloaded and run. */
  readonly packages: readonly FetchedPackage[];
  /** The command line contains code. */
  readonly isInline: boolean;
  /** One sentence for each kind of code that is in neither `files` nor `packages`. */
  readonly uncovered: readonly string[];
}

/** A package on a command line that downloads and runs it. */
export interface FetchedPackage {
  /** As written: `my-server@1.2.3`. */
  readonly written: string;
  /** The same without a version. */
  readonly name: string;
  /** True for one exact version that cannot change in its registry. */
  readonly isPinned: boolean;
}

interface PackageRunner {
  /** The program, then its subcommands. */
  readonly words: readonly string[];
  readonly registry: Registry;
  /** Options whose value is the next argument. */
  readonly values: readonly string[];
  /** Options whose value is a package. */
  readonly packages: readonly string[];
}

type Registry = keyof typeof pinned;

const commit = /(?:[#@]|[?&]rev=|\/)[0-9a-f]{40}(?:$|[/?#&])/i;

/** How one exact version is written, for each registry. */
const pinned = {
  npm: /^(?:npm:)?(?:@[^/@\s]+\/)?[^@/\s]+@v?\d+\.\d+\.\d+(?:[-+][\w.+-]+)?$/,
  python: /^[\w.-]+(?:\[[\w,.-]*\])?(?:===?|@)v?\d+(?:\.\d+)*(?:[abrcdevpost.]+\d+)*$/i,
  image: /@sha256:[0-9a-f]{64}$/i,
  go: /@v\d+\.\d+\.\d+(?:[-+][\w.+-]+)?$/,
  nuget: /@\d+\.\d+\.\d+(?:\.\d+)?(?:-[\w.]+)?$/,
  nix: commit,
  url: /^(?:npm|jsr):.*@v?\d+\.\d+\.\d+(?:[-+][\w.+-]+)?(?:\/|$)/,
} as const;

const pythonValues = ['-p', '--python', '-i', '--index-url', '--index', '--default-index', '--extra-index-url'];
const uvValues = [...pythonValues, '-f', '--find-links', '--directory', '--project', '--cache-dir', '--config-file'];
const npmRunner = {
  registry: 'npm',
  values: ['-c', '--call', '-w', '--workspace'],
  packages: ['-p', '--package'],
} as const;
const uvRunner = { registry: 'python', values: [...uvValues, '--env-file'], packages: ['--from', '--with'] } as const;
const imageRunner = { registry: 'image', values: [], packages: [] } as const;

/**
 * Programs that download what they run.
 * npm: https://docs.npmjs.com/cli/commands/npx · uv: https://docs.astral.sh/uv/reference/cli/ · pipx:
 * https://pipx.pypa.io/stable/docs/ · Docker: https://docs.docker.com/reference/cli/docker/container/run/ · Go:
 * https://go.dev/ref/mod · .NET: https://learn.microsoft.com/dotnet/core/tools/dotnet-tool-exec
 */
const packageRunners: readonly PackageRunner[] = [
  { words: ['npx'], ...npmRunner },
  { words: ['pnpx'], ...npmRunner },
  { words: ['bunx'], ...npmRunner },
  { words: ['bun', 'x'], ...npmRunner },
  { words: ['npm', 'exec'], ...npmRunner },
  { words: ['npm', 'x'], ...npmRunner },
  { words: ['pnpm', 'dlx'], ...npmRunner },
  { words: ['yarn', 'dlx'], ...npmRunner },
  { words: ['uvx'], ...uvRunner },
  { words: ['uv', 'tool', 'run'], ...uvRunner },
  {
    words: ['pipx', 'run'],
    registry: 'python',
    values: ['--python', '--pip-args', '-i', '--index-url'],
    packages: ['--spec'],
  },
  { words: ['docker', 'run'], ...imageRunner },
  { words: ['docker', 'container', 'run'], ...imageRunner },
  { words: ['podman', 'run'], ...imageRunner },
  { words: ['nerdctl', 'run'], ...imageRunner },
  { words: ['dnx'], registry: 'nuget', values: ['--source', '--add-source', '--configfile'], packages: [] },
  { words: ['dotnet', 'tool', 'exec'], registry: 'nuget', values: ['--source', '--configfile'], packages: [] },
  { words: ['nix', 'run'], registry: 'nix', values: ['--override-input'], packages: [] },
];

/** Programs that build or run a project, with the possible names of its manifest. */
const projectRunners: readonly { readonly words: readonly string[]; readonly manifests: readonly string[] }[] = [
  ...['npm', 'pnpm', 'yarn', 'bun'].flatMap((name) =>
    ['run', 'run-script', 'start', 'test'].map((word) => ({ words: [name, word], manifests: ['package.json'] })),
  ),
  { words: ['node', '--run'], manifests: ['package.json'] },
  { words: ['deno', 'task'], manifests: ['deno.json', 'deno.jsonc', 'package.json'] },
  ...['uv', 'poetry', 'pdm', 'hatch', 'rye'].map((name) => ({ words: [name, 'run'], manifests: ['pyproject.toml'] })),
  { words: ['make'], manifests: ['GNUmakefile', 'makefile', 'Makefile'] },
  { words: ['just'], manifests: ['justfile', 'Justfile', '.justfile'] },
  { words: ['cargo'], manifests: ['Cargo.toml'] },
  { words: ['go', 'run'], manifests: ['go.mod'] },
  { words: ['dotnet', 'run'], manifests: [] },
  { words: ['mvn'], manifests: ['pom.xml'] },
  { words: ['gradle'], manifests: ['build.gradle', 'build.gradle.kts'] },
];

const shells = /^(?:sh|bash|zsh|dash|ksh|fish|cmd|powershell|pwsh)$/;
const interpreters =
  /^(?:node|bun|deno|tsx|ts-node|python[\d.]*|py|pypy[\d.]*|ruby|perl|php|lua|java|dotnet|rscript|julia|elixir|osascript)$/;
const shellCode = /^(?:-\w*c|\/c|\/k|-command|-encodedcommand|-e\w*)$/i;
/** The options with code, for each interpreter. */
const interpreterCode: readonly (readonly [RegExp, RegExp])[] = [
  [/^php$/, /^-r$/],
  [/^py/, /^-\w*c$/],
  [/^(?:ruby|perl|lua|julia|elixir|rscript|osascript)$/, /^-\w*e$/],
  [/^(?:node|bun|deno|tsx|ts-node)$/, /^(?:-e|-p|-pe|--eval|--print|eval)(?:=|$)/],
];
/** Options of interpreters with a value: the next argument is not the script. */
const interpreterValues =
  /^(?:-r|--require|--import|--loader|--experimental-loader|--preload|--title|-C|--conditions|--cwd|-W|-X|-I|-M|-o|-d|-cp|-classpath|--config|--import-map|--rcfile|--init-file|-ExecutionPolicy)$/;
const codeFile =
  /\.(?:[cm]?[jt]sx?|pyw?|pyz|pyc|rb|pl|pm|php|phar|lua|r|jl|exs?|sh|bash|zsh|fish|ps1|bat|cmd|com|exe|dll|so|dylib|node|wasm|jar|class|csx|fsx|kts|groovy|go|applescript)$/i;
/** Programs that run the command in their arguments. */
const wrappers = /^(?:env|nice|nohup|stdbuf|timeout|time|xvfb-run|wsl|sudo|doas)$/;
const folderOptions = /^(?:--prefix|--directory|-C|--cwd|--dir|--project)(?:=(.+))?$/s;
/** Options of `docker run` without a value; the value of every other one is the next argument or follows `=`. */
const imageFlags =
  /^(?:-[ditPq]+|--(?:detach|disable-content-trust|help|init|interactive|no-healthcheck|oom-kill-disable|privileged|publish-all|quiet|read-only|replace|rm|sig-proxy|tty))$/;

/** Determines what a command line runs. @param line the command, then its arguments */
export function analyzeCommandLine(line: readonly string[]): CommandLineAnalysis {
  const tokens = unwrap(line);
  const [command = '', ...args] = tokens;
  const program = programName(command);
  const folders = ['.', ...args.flatMap((arg, index) => valueOf(arg, args[index + 1], folderOptions))];
  const files = args.flatMap((arg) => [arg, arg.replace(/^[^=]*=/s, '')]).filter((word) => codeFile.test(word));
  const base = { files: [...new Set(files)], folders, packages: [], isInline: false, uncovered: [] };
  return (
    readInline(program, line, args, base) ??
    readPackageRun(program, withoutFolders(args), base) ??
    readProjectRun(program, withoutFolders(args), base) ??
    readScriptRun(command, program, args, base)
  );
}

/** @returns the file name of a program without its extension, in lower case */
export function programName(token: string): string {
  return token
    .replace(/^.*[\\/]/s, '')
    .replace(/\.(?:exe|cmd|bat|ps1)$/i, '')
    .toLowerCase();
}

type BaseAnalysis = Omit<CommandLineAnalysis, 'name'>;

function readInline(
  program: string,
  line: readonly string[],
  args: readonly string[],
  base: BaseAnalysis,
): CommandLineAnalysis | undefined {
  if (!runsInlineCode([program, ...args])) return undefined;
  return { ...base, name: line.join(' '), isInline: true };
}

function readPackageRun(program: string, args: readonly string[], base: BaseAnalysis): CommandLineAnalysis | undefined {
  for (const runner of packageRunners) {
    const rest = following(runner.words, program, args);
    if (rest === undefined) continue;
    const written = fetchedWords(runner, rest);
    const packages = written.map((word) => toPackage(word, runner.registry));
    const name = [...runner.words, ...packages.map((fetched) => fetched.name)].join(' ');
    // npm and similar runners prefer a copy of the package that is installed in the working folder.
    const copies =
      runner.registry === 'npm' ? packages.map((fetched) => `node_modules/.bin/${baseName(fetched.name)}`) : [];
    return {
      ...base,
      name,
      files: [...base.files, ...copies],
      packages: packages.filter((fetched) => !/^(?:\.{0,2}[\\/]|file:)/.test(fetched.written)),
    };
  }
  const remote = args.filter((arg) => /^(?:https?|npm|jsr):/.test(arg));
  if (/^(?:deno|bun)$/.test(program) && remote[0] !== undefined) {
    return { ...base, name: `${program} ${remote[0]}`, packages: [toPackage(remote[0], 'url')] };
  }
  const module = program === 'go' && args[0] === 'run' ? args.slice(1).find((arg) => !arg.startsWith('-')) : undefined;
  if (module === undefined || !module.includes('@')) return undefined;
  const fetched = toPackage(module, 'go');
  return { ...base, name: `go run ${fetched.name}`, packages: [fetched] };
}

function baseName(packageName: string): string {
  return packageName.replace(/^.*[/:]/s, '');
}

function fetchedWords(runner: PackageRunner, args: readonly string[]): readonly string[] {
  const named: string[] = [];
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index] ?? '';
    const [option = '', ...value] = arg.split('=');
    if (runner.packages.includes(option)) named.push(value.length > 0 ? value.join('=') : (args[(index += 1)] ?? ''));
    else if (runner.registry === 'image' ? takesValue(arg) : runner.values.includes(arg)) index += 1;
    // The first argument that belongs to no option is run. Packages of npm options replace it; `--with` of uv adds packages.
    else if (!arg.startsWith('-')) return named.length > 0 && runner.registry === 'npm' ? named : [...named, arg];
  }
  return named;
}

function takesValue(arg: string): boolean {
  return arg.startsWith('-') && !arg.includes('=') && !imageFlags.test(arg);
}

function toPackage(written: string, registry: Registry): FetchedPackage {
  const isCommit = registry !== 'image' && commit.test(written) && /[:/]/.test(written);
  const name =
    registry === 'image'
      ? written.replace(/@sha256:.*$/s, '').replace(/:[\w.-]+$/, '')
      : written.replace(/(?!^)(?:===?|[<>~!]=|[@#]).*$/s, '');
  return { written, name, isPinned: pinned[registry].test(written) || isCommit };
}

function readProjectRun(program: string, args: readonly string[], base: BaseAnalysis): CommandLineAnalysis | undefined {
  for (const { words, manifests } of projectRunners) {
    const rest = following(words, program, args);
    if (rest === undefined) continue;
    const target = rest.find((arg) => !arg.startsWith('-')) ?? '';
    return {
      ...base,
      name: [...words, target].join(' ').trim(),
      files: [...base.files, ...manifests],
      uncovered: [`What ${words.join(' ')} builds or runs out of this folder can change without a question.`],
    };
  }
  return undefined;
}

function readScriptRun(
  command: string,
  program: string,
  args: readonly string[],
  base: BaseAnalysis,
): CommandLineAnalysis {
  if (!shells.test(program) && !interpreters.test(program)) return { ...base, name: command };
  const module = program.startsWith('py') ? args.indexOf('-m') : -1;
  if (module !== -1) {
    const name = args[module + 1] ?? '';
    const uncovered = [`Where Python finds the module ${name} is not covered: it looks into the working folder first.`];
    return { ...base, name: `${program} -m ${name}`, uncovered };
  }
  const script = args.find((arg, index) => {
    return !arg.startsWith('-') && arg !== 'run' && !interpreterValues.test(args[index - 1] ?? '');
  });
  if (script === undefined) return { ...base, name: program };
  return { ...base, name: `${program} ${script}`, files: [...new Set([...base.files, ...scriptFiles(script)])] };
}

/** Node.js and similar interpreters also accept a script without its extension, and its folder. */
function scriptFiles(script: string): readonly string[] {
  return codeFile.test(script)
    ? [script]
    : ['', '.js', '/package.json', '/index.js', '/__main__.py'].map((end) => script + end);
}

/** True when a shell or an interpreter gets code as an argument, anywhere in the line. */
function runsInlineCode(tokens: readonly string[]): boolean {
  return tokens.some((token, index) => {
    const name = programName(token);
    const rest = tokens.slice(index + 1);
    if (shells.test(name)) return rest.some((arg) => shellCode.test(arg));
    // Arguments after the script are for the script.
    const script = rest.findIndex((arg) => /^[^-].*[./\\]/.test(arg));
    const own = script === -1 ? rest : rest.slice(0, script);
    return interpreterCode.some(([program, option]) => program.test(name) && own.some((arg) => option.test(arg)));
  });
}

/** `cmd /c npx x` and `env A=1 npx x` run npx. */
function unwrap(line: readonly string[]): readonly string[] {
  const [command = '', ...args] = line;
  const name = programName(command);
  const isOneCommand = /^\/[ck]$/i.test(args[0] ?? '') && /^\S+$/.test(args[1] ?? '') && !args.some(hasShellSyntax);
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
  return args.filter((arg, index) => !folderOptions.test(arg) && !isBareFolderOption(args[index - 1] ?? ''));
}

function isBareFolderOption(arg: string): boolean {
  return folderOptions.test(arg) && !arg.includes('=');
}

function valueOf(arg: string, next: string | undefined, option: RegExp): readonly string[] {
  const match = option.exec(arg);
  const value = match === null ? undefined : (match[1] ?? next);
  return value === undefined ? [] : [value];
}

/** True when `cmd.exe` would interpret characters of the argument. */
function hasShellSyntax(arg: string): boolean {
  return /[&|<>^%]/.test(arg);
}
