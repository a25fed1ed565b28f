import { PatchbayError } from '../../base/errors.ts';

/** Arguments for `spawn`. */
export interface SpawnCommand {
  readonly file: string;
  readonly args: readonly string[];
  /** True when `args` are already quoted. */
  readonly isVerbatim: boolean;
}

/**
 * Converts a command for Windows, without a shell. Programs are started directly. Batch files, such as `npx.cmd`, need
 * `cmd.exe`: it gets one command line, quoted so that no argument can end its quotes, start another command or expand a
 * variable (CVE-2024-27980, CVE-2024-24576 "BatBadBut"; the rules are those of Rust's standard library).
 *
 * @param file absolute path of the program
 * @param cmdExe absolute path of `cmd.exe`
 * @throws {PatchbayError} `spawnFailed` when an argument cannot be passed safely
 */
export function toWindowsCommand(file: string, args: readonly string[], cmdExe: string): SpawnCommand {
  if (!/\.(?:cmd|bat)$/i.test(file)) return { file, args, isVerbatim: false };
  for (const part of [file, ...args]) assertOneLine(part);
  if (file.includes('"')) throw new PatchbayError('spawnFailed', `${file} is no valid file name: it holds a quote.`);
  const commandLine = [`"${escapePercent(file)}"`, ...args.map(quoteBatchArgument)].join(' ');
  // /d: no AutoRun; /e:on: needed by escapePercent; /v:off: "!" is an ordinary character; /s: remove the outer quotes.
  return { file: cmdExe, args: ['/d', '/e:on', '/v:off', '/s', '/c', `"${commandLine}"`], isVerbatim: true };
}

function quoteBatchArgument(argument: string): string {
  // A doubled quote stays inside the quotes for cmd.exe and the program. Backslashes before a quote must be doubled.
  const escaped = argument.replace(/(\\*)"/g, '$1$1""').replace(/\\+$/, '$&$&');
  return `"${escapePercent(escaped)}"`;
}

/**
 * Escapes `%`, for which cmd.exe has no escape here. `%cd:~,%` expands to an empty substring of a variable that always
 * exists, so each original `%` stays literal.
 */
function escapePercent(text: string): string {
  return text.replaceAll('%', '%%cd:~,%');
}

function assertOneLine(text: string): void {
  if (!/[\0\r\n]/.test(text)) return;
  throw new PatchbayError(
    'spawnFailed',
    'An argument holds a line break, which Windows cannot pass to a batch file such as npx.cmd. Take it out, or start the program itself (for instance node with the path of a script) instead of the batch file.',
  );
}
