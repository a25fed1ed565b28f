import {
  type ChildProcessWithoutNullStreams,
  spawn as nodeSpawn,
  type SpawnOptionsWithoutStdio,
} from 'node:child_process';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf, PatchbayError } from '../../base/errors.ts';
import type { StdioLaunchPlan } from '../../base/launchPlan.ts';
import { buildEnvironment, type EnvironmentVariables, systemRootOf } from './environment.ts';
import { findCommand, readInterpreter, scriptAdvice, startError } from './findCommand.ts';
import { treeVariable } from './processes.ts';

export type StdioCommand = Omit<StdioLaunchPlan, 'kind'>;

/** A command with its program, working folder and environment resolved. */
export interface Launch extends SpawnCommand {
  readonly platform: NodeJS.Platform;
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * Finds the program of a command, and what it is started with.
 * @param inherited the environment of a terminal, see `createLoginEnvironment`
 * @param treeId marks the process and its descendants, see `treeVariable`
 * @throws {PatchbayError} `spawnFailed`
 */
export async function prepareLaunch(
  wanted: StdioCommand,
  inherited: EnvironmentVariables,
  treeId: string,
  platform: NodeJS.Platform,
): Promise<Launch> {
  const environment = {
    ...buildEnvironment(inherited, wanted.env, platform, wanted.addsToPath),
    [treeVariable]: treeId,
  };
  const cwd = wanted.cwd ?? process.cwd();
  const find = (): Promise<string> => findCommand(wanted.command, cwd, environment, platform);
  const file = wanted.program ?? (await find().catch((error: unknown) => throwStartError(cwd, error)));
  return { ...toSystemCommand(file, wanted.args, inherited, platform), platform, cwd, environment };
}

/**
 * What the system is asked to start for a program.
 * @param inherited see {@link systemRootOf}
 * @throws {PatchbayError} `spawnFailed` when an argument cannot be passed
 */
export function toSystemCommand(
  file: string,
  args: readonly string[],
  inherited: EnvironmentVariables,
  platform: NodeJS.Platform,
): SpawnCommand {
  if (platform !== 'win32') return { file, args, isVerbatim: false };
  return toWindowsCommand(file, args, join(systemRootOf(inherited), 'System32', 'cmd.exe'));
}

/** On Linux and macOS as the leader of a new process group. @throws {PatchbayError} `spawnFailed` */
export async function startProcess(launch: Launch, spawn: Spawn = nodeSpawn): Promise<ChildProcessWithoutNullStreams> {
  try {
    const child = spawn(launch.file, launch.args, {
      cwd: launch.cwd,
      env: launch.environment,
      detached: launch.platform !== 'win32',
      shell: false,
      windowsHide: true,
      windowsVerbatimArguments: launch.isVerbatim,
    });
    await once(child, 'spawn');
    return child;
  } catch (error) {
    return throwStartError(launch.cwd, startError(await describeSpawnError(error, launch), error));
  }
}

/** Throws the error; or, without the working folder, one that says so: the system says no more than that something is missing. */
async function throwStartError(path: string, error: unknown): Promise<never> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory()) throw error;
  const problem = found === undefined ? 'does not exist' : 'is not a folder';
  throw startError(`its working folder ${path} ${problem}.`);
}

/** @returns the end of a sentence */
async function describeSpawnError(error: unknown, { file, cwd, platform }: Launch): Promise<string> {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ENOENT') {
    const [interpreter] = await readInterpreter(file);
    return interpreter === undefined
      ? `${file} is gone, or a program it needs is missing.`
      : `the first line of ${file} names the interpreter "${interpreter}", which does not exist.`;
  }
  if (code === 'EACCES' || code === 'EPERM')
    return `the system does not allow running ${file} in ${cwd}. Check the permissions of both.`;
  if (/^(?:ENOEXEC|EFTYPE|UNKNOWN)$/.test(code))
    return `${file} is not a program this system can run. To start a script, ${scriptAdvice(file, platform)}.`;
  if (/^(?:E2BIG|ENAMETOOLONG)$/.test(code))
    return 'its arguments and environment together are longer than the system allows.';
  if (/^(?:EAGAIN|EMFILE|ENFILE|ENOMEM)$/.test(code))
    return `the system has no room for another process (${code}). Stop some and try again.`;
  return `${messageOf(error)}.`;
}

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
  if (file.includes('"'))
    throw new PatchbayError('spawnFailed', `${file} is not a valid file name: it contains a quote.`);
  const commandLine = [`"${escapePercent(file)}"`, ...args.map(quoteBatchArgument)].join(' ');
  if (commandLine.length > batchLineLength) {
    const much = `${commandLine.length} characters, and Windows allows ${batchLineLength}`;
    const advice = 'Shorten the arguments, or start the program itself instead of the batch file.';
    throw new PatchbayError('spawnFailed', `The command line for ${file} has ${much} for a batch file. ${advice}`);
  }
  // /d: no AutoRun; /e:on: needed by escapePercent; /v:off: "!" is an ordinary character; /s: remove the outer quotes.
  return { file: cmdExe, args: ['/d', '/e:on', '/v:off', '/s', '/c', `"${commandLine}"`], isVerbatim: true };
}

/** The longest line that `cmd.exe` reads; what follows is lost. */
const batchLineLength = 8_191;

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

/** Starts a process with pipes on all three streams; `spawn` of `node:child_process` fits. */
export type Spawn = (
  file: string,
  args: readonly string[],
  options: SpawnOptionsWithoutStdio,
) => ChildProcessWithoutNullStreams;
