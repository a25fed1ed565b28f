import { PatchbayError } from '../../base/errors.ts';

/** What to pass to `spawn`. */
export interface SpawnCommand {
  readonly file: string;
  readonly args: readonly string[];
  /** True when `args` are quoted already. */
  readonly isVerbatim: boolean;
}

/**
 * How to start `file` on Windows without a shell. Programs are started as they are. Batch files, which is what `npx` is
 * there, only `cmd.exe` can run: it gets one command line in which no argument can end its quotes, start another command
 * or name a variable (CVE-2024-27980, CVE-2024-24576 "BatBadBut"; the rules are those of Rust's standard library).
 *
 * @param file absolute path of the program
 * @param cmdExe absolute path of `cmd.exe`
 * @throws PatchbayError `spawnFailed` when an argument cannot be carried safely
 */
export function toWindowsCommand(file: string, args: readonly string[], cmdExe: string): SpawnCommand {
  if (!/\.(?:cmd|bat)$/i.test(file)) return { file, args, isVerbatim: false };
  for (const part of [file, ...args]) assertOneLine(part);
  if (file.includes('"')) throw new PatchbayError('spawnFailed', `${file} is no valid file name: it holds a quote.`);
  const commandLine = [`"${escapePercent(file)}"`, ...args.map(quoteBatchArgument)].join(' ');
  // /d: no AutoRun; /e:on: needed by escapePercent; /v:off: "!" is an ordinary character; /s: take the outer quotes off.
  return { file: cmdExe, args: ['/d', '/e:on', '/v:off', '/s', '/c', `"${commandLine}"`], isVerbatim: true };
}

function quoteBatchArgument(argument: string): string {
  // Doubling a quote keeps both cmd.exe and the program inside the quotes. Backslashes before a quote count double.
  const escaped = argument.replace(/(\\*)"/g, '$1$1""').replace(/\\+$/, '$&$&');
  return `"${escapePercent(escaped)}"`;
}

/**
 * cmd.exe has no escape for `%` here. `%cd:~,%` is a piece of zero length of a variable that always exists, so that each
 * `%` of ours stands alone and names nothing.
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
