import { splitCommandLine } from './splitCommandLine.ts';
import { programName } from './programName.ts';

export const shells = /^(?:sh|bash|zsh|dash|ksh|fish|cmd|powershell|pwsh)$/;
export const interpreters =
  /^(?:node|bun|deno|tsx|ts-node|python[\d.]*|py|pypy[\d.]*|ruby|perl|php|lua|java|dotnet|rscript|julia|elixir|osascript)$/;
const shellCode = /^(?:-\w*c|\/[ck](?:[^\\/].*)?|-command|-e(?:c|n\w*)?)$/i;
/** The options with code, for each interpreter. */
const interpreterCode: readonly (readonly [RegExp, RegExp])[] = [
  [/^php$/, /^-[rBRE]/],
  [/^(?:py|ipython|graalpy|xonsh)/, /^-[bBdEhiIOPqRsStuvVx]*c/],
  // Several in one word, some with a number or, as `-C`, with letters: `-0777ne`, `-CSDe`. No two parts begin alike.
  [
    /^(?:ruby|perl)$/,
    /^-(?:[\dacdfFgilnpsStTuUvwWX]*(?:(?:0x[\da-fA-F]+|C[\dIOEioAaSDL]*(?![\dIOEioAaSDL]))(?:[lnpw][\dalnpw]*)?)?[eE]|M.*[^\w:,=])/,
  ],
  [/^(?:lua|luajit|julia|elixir|rscript|osascript)$/, /^-(?:\w*e$|[eE]|-?(?:eval|print)(?:=|$))/],
  [
    /^(?:node|nodejs|bun|deno|tsx|ts-node|ts-node-esm|esr|esno|jiti|zx|babel-node|vite-node|swc-node|tsimp|electron)$/,
    /^(?:-e|-p|-pe|--eval|--print|eval)(?:=|$)/,
  ],
];
/** Options of npm and its like, before the package: code for a shell, or options of Node.js, which can be code. */
const npmPrograms = /^(?:npx|npm|pnpm|pnpx|yarn|bunx)$/;
const npmCode = /^(?:-c|--call?|--node-options|--script-shell|--shell)(?:=|$)/;
/** Options of interpreters with what they load before the script. */
const loadOption =
  /^(?:-r|--require|--import|--loader|--experimental-loader|--preload|--env-file|--env-file-if-exists)(?:=(.+))?$|^-(?:javaagent|agentpath):(.+)$/s;
/** The name of a package or of a module in it: what the folder has of it is covered, as the files of a script are. */
export const packageName = /^(?:@[\w.-]+\/)?\w[\w.-]*(?:\/[\w./-]+)?$/;

/** @returns what an option loads before the script, and whether it is the next word; `undefined` for another word */
export function loadedBy(words: readonly string[], index: number): { value: string; isNext: boolean } | undefined {
  const match = loadOption.exec(words[index] ?? '');
  if (match === null) return undefined;
  const attached = match[1] ?? match[2];
  return { value: attached ?? words[index + 1] ?? '', isNext: attached === undefined };
}

/** True when a shell or an interpreter gets code as an argument, anywhere in the line or in a line that is an argument. */
export function runsInlineCode(tokens: readonly string[]): boolean {
  return [tokens, ...innerLines(tokens)].some(
    (line) => runsNpmCode(line) || runsPowerShellCode(line) || runsCode(line),
  );
}

/** In one pass from the end, as every word may be a program: `next` is where the code for each kind of them is. */
function runsCode(tokens: readonly string[]): boolean {
  const next = new Map<RegExp, number>();
  let script = tokens.length;
  let isInline = false;
  for (let index = tokens.length - 1; index >= 0 && !isInline; index -= 1) {
    const token = tokens[index] ?? '';
    const name = withoutVersion(programName(token));
    isInline =
      (shells.test(name) && next.has(shellCode)) ||
      // Arguments after the script are for the script.
      interpreterCode.some(([program]) => program.test(name) && (next.get(program) ?? script) < script) ||
      (interpreters.test(name) && (next.get(interpreters) ?? script) < script);
    if (shellCode.test(token)) next.set(shellCode, index);
    for (const [program, option] of interpreterCode) if (option.test(token)) next.set(program, index);
    if (/^data:/i.test(loadedBy(tokens, index)?.value ?? token)) next.set(interpreters, index);
    else if (/^[^-].*[./\\]/.test(token)) script = index;
  }
  return isInline;
}

function runsNpmCode([program = '', ...args]: readonly string[]): boolean {
  if (!npmPrograms.test(programName(program))) return false;
  const run = args.findIndex((arg, index) => {
    const isValue = /^(?:-p|--package|-w|--workspace|-C|--prefix|--dir|--cwd)$/.test(args[index - 1] ?? '');
    return !arg.startsWith('-') && !/^(?:exec|x|dlx)$/.test(arg) && !isValue;
  });
  return args.slice(0, run === -1 ? undefined : run).some((arg) => npmCode.test(arg));
}

/** Windows PowerShell takes all from its first argument on for code, unless an option before says that it is a file. */
function runsPowerShellCode([program = '', ...args]: readonly string[]): boolean {
  if (programName(program) !== 'powershell') return false;
  const start = args.findIndex(
    (arg, index) => !/^(?:-|\/\w+$)/.test(arg) && !/^[-/](?:e[px]|w|v|in|o|se)/i.test(args[index - 1] ?? ''),
  );
  if (start === -1 || args.slice(0, start).some((arg) => /^[-/]f(?:i|il|ile)?$/i.test(arg))) return false;
  const isScript = /\.ps1$/i.test(args[start] ?? '') && !/\s/.test(args[start] ?? '');
  return !isScript || args.slice(start).some((arg) => /[;|&(){}`\r\n]/.test(arg));
}

/** Package runners get the version of a program with its name: `npx tsx@4`. */
export function withoutVersion(word: string): string {
  return word.replace(/(?!^)(?:@|[=<>~!]=|\[).*$/s, '');
}

/** A whole command line in one word: as it is, or in an option, `-oProxyCommand=sh x`, `EXEC:make`, `--exec=make`. */
export function linesIn(word: string): readonly string[] {
  const option = /(?:command|cmd|exec|run|program|shell|system)[=:](.+)$/is.exec(word)?.[1];
  return [...(/\s/.test(word) ? [word] : []), ...(option === undefined ? [] : [option])];
}

const maximumLines = 50;
const maximumLine = 8_192;

/** The command lines within a line: the arguments that are some themselves, and what follows `--`. */
export function innerLines(tokens: readonly string[]): readonly (readonly string[])[] {
  const end = tokens.indexOf('--');
  const rest = end === -1 ? [] : [tokens.slice(end + 1)];
  const lines = tokens.slice(1).flatMap((token) => linesIn(token.slice(0, maximumLine)));
  return [...rest, ...lines.slice(0, maximumLines).map(splitCommandLine)];
}
