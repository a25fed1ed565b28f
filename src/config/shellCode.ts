import { programName } from './programName.ts';
import { findKnownProgram } from './programFiles.ts';

/** The option of a shell before its code. */
export const codeOption = /^-\w*c$|^-c(?:om|omm|omma|omman|ommand)$|^\/[ck]/i;

/**
 * True when the code that a shell gets as an argument may run files which it does not name as they are: a pattern, a name
 * in pieces or from a variable or another command, or a program that reads names or code from a pipe.
 */
export function runsUnnamedFiles(shell: string, args: readonly string[]): boolean {
  const option = args.findIndex((arg) => codeOption.test(arg));
  if (option === -1) return false;
  const code = [(args[option] ?? '').replace(/^(?:\/[ck]|-.*$)/is, ''), ...args.slice(option + 1)].join('\n');
  // Only the shells of Unix complete patterns before a program gets them, and take quotes out of the middle of a word.
  const isUnix = !/^(?:cmd|powershell|pwsh)/.test(shell);
  return (isUnix && hasPattern(code)) || readsPipe(code) || runsComputed(code);
}

/** `sh $(find x)`, `. "$HOOK"`, `$TOOL`. The arguments of the shell itself, `$1` or `$@`, are on the line. */
function runsComputed(code: string): boolean {
  const bare = code
    .replace(/["'\\]/g, '')
    .replaceAll('$(', '`')
    .replace(/\$\{(\w+)[^}]{0,100}\}/g, '$$$1');
  return bare.split(/[;\n|&]/).some((command) => {
    const words = wordsOf(command);
    // A program that runs what follows it or goes there, its options, and a time in seconds.
    const script = words.findIndex(
      (word) =>
        !/^-|^[\d.]+[smhd]?$|^(?:source|\.|eval|exec|cd|pushd|chdir)$/.test(word) &&
        !['wrapper', 'shell', 'interpreter'].includes(kindOf(word)),
    );
    const run = words.slice(0, script === -1 ? words.length : script + 1);
    return run.some((word) => word.includes('`') || /\$(?!(?:HOME|PWD)\b)[A-Za-z_]/.test(word));
  });
}

function wordsOf(command: string): readonly string[] {
  return command.split(/[\s&(){}]+/).filter((word) => word !== '' && !/^\w+=/.test(word));
}

function hasPattern(code: string): boolean {
  const words = code.match(/(?:"[^"]*"?|'[^']*'?|[^\s;&|()"'])+/g) ?? [];
  return words.some((word) => {
    if (/^(?:[\w-]+=)?(?:"[^"\\]*"|'[^']*')$/.test(word)) return false;
    // `[` is a program, and `$?` a variable.
    return !/^(?:\[{1,2}|\]{1,2})$/.test(word) && /[*?["'\\]/.test(word.replace(/\$[?*]/g, ''));
  });
}

function readsPipe(code: string): boolean {
  const bare = code.replace(/["'\\]/g, '').replaceAll('||', ';');
  const afterPipes = bare.split(/[;\n]|&&/).flatMap((part) => part.split('|').slice(1));
  return afterPipes.some((command) => {
    const words = wordsOf(command);
    const runners = kindOf(words[0]) === 'wrapper' ? words : words.slice(0, 1);
    return runners.some(
      (word) =>
        /^(?:xargs|parallel|source|\.|eval|while)$/.test(word) || ['shell', 'interpreter'].includes(kindOf(word)),
    );
  });
}

function kindOf(word = ''): string {
  return findKnownProgram(programName(word), [])?.kind ?? '';
}

const maximumLength = 32_768;

/**
 * Splits code for a shell into its commands and their words, roughly and for any shell: quotes are taken off, everything
 * that could separate two commands does. What runs may be less than what is returned. Long code is cut.
 */
export function splitCommands(code: string, depth = 0): readonly (readonly string[])[] {
  const commands: string[][] = [[]];
  const inner: (readonly string[])[] = [];
  for (const [token] of code
    .slice(0, maximumLength)
    .matchAll(/&&?|\|\|?|[;()`\n{}]|(?:"[^"]*"?|'[^']*'?|\$\{[^}\s]{0,100}\}|[^\s"'&|;()`{}])+/g)) {
    if (/^(?:&&?|\|\|?|[;()`\n{}])$/.test(token)) {
      commands.push([]);
      continue;
    }
    commands.at(-1)?.push(token.replaceAll(/"([^"]*)"?|'([^']*)'?/g, '$1$2'));
    // In double quotes a command runs as well.
    for (const [, nested = ''] of depth < 3 ? token.matchAll(/(?:\$\(|`)([^)`]*)/g) : [])
      inner.push(...splitCommands(nested, depth + 1));
  }
  return [...commands.map((words) => words.slice(firstWord(words))), ...inner].filter((words) => words.length > 0);
}

/** Assignments stand before the command, and may be all of it. */
function firstWord(words: readonly string[]): number {
  const first = words.findIndex((word) => !/^\w+=/.test(word) && word !== '@');
  return first === -1 ? words.length : first;
}
