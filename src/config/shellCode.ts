import { programName } from './commandLineAnalysis.ts';
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
  return bare.split(/[;\n|]|&&/).some((command) => {
    const words = command.split(/[\s(){}]+/).filter((word) => word !== '' && !/^\w+=/.test(word));
    const script = words.findIndex((word) => !isBeforeScript(word));
    return words.slice(0, script === -1 ? words.length : script + 1).some(isComputed);
  });
}

/** A program that runs what follows it or goes there, its options, and a time in seconds. */
function isBeforeScript(word: string): boolean {
  return (
    /^-|^[\d.]+[smhd]?$|^(?:source|\.|eval|exec|cd|pushd|chdir)$/.test(word) ||
    kindOf(word) === 'wrapper' ||
    isRunner(word)
  );
}

function isComputed(word: string): boolean {
  return word.includes('`') || /\$(?!(?:HOME|PWD)\b)[A-Za-z_]/.test(word);
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
  return bare
    .split(/[;\n]|&&/)
    .flatMap((part) => part.split('|').slice(1))
    .some((command) => {
      const words = command.split(/[\s&(){}]+/).filter((word) => word !== '' && !/^\w+=/.test(word));
      const isWrapped = kindOf(words[0]) === 'wrapper';
      return (isWrapped ? words : words.slice(0, 1)).some(
        (word) => /^(?:xargs|parallel|source|\.|eval|while)$/.test(word) || isRunner(word),
      );
    });
}

function isRunner(word: string): boolean {
  const kind = kindOf(word);
  return kind === 'shell' || kind === 'interpreter';
}

function kindOf(word = ''): string | undefined {
  return findKnownProgram(programName(word), [])?.kind;
}
