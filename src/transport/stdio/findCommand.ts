import { open, stat } from 'node:fs/promises';
import { delimiter, resolve, sep } from 'node:path';
import which from 'which';
import { PatchbayError } from '../../base/errors.ts';
import { capitalized } from '../../base/truncate.ts';
import { readVariable, type EnvironmentVariables } from './environment.ts';

/**
 * Finds the program of a command.
 *
 * Each candidate is passed to `which` as an absolute path: on Windows, `which` would search the working directory of this
 * process first.
 *
 * @param cwd absolute; base of a relative command or PATH entry
 * @param environment of the program, for PATH and, on Windows, PATHEXT
 * @returns its absolute path
 * @throws PatchbayError `spawnFailed`
 */
export async function findCommand(
  command: string,
  cwd: string,
  environment: EnvironmentVariables,
  platform: NodeJS.Platform,
): Promise<string> {
  if (command.trim() === '') throw new PatchbayError('spawnFailed', 'The server\'s "command" is empty.');
  // `which` would take a file without an extension for an empty entry.
  const pathExt = readVariable(environment, 'PATHEXT', platform)?.split(delimiter).filter(Boolean).join(delimiter);
  const isPath = command.includes('/') || command.includes(sep);
  const path = readVariable(environment, 'PATH', platform);
  const directories = isPath ? [''] : searchPath(path, cwd, platform === 'win32');
  for (const directory of directories) {
    const found = await which(resolve(cwd, directory, command), { nothrow: true, pathExt });
    if (found !== null) return found;
  }
  if (isPath) throw await fileError(resolve(cwd, command), platform);
  if (platform === 'win32' && interpreterOf(command, platform) !== undefined)
    for (const directory of directories) await refuseScript(resolve(cwd, directory, command));
  throw notFoundError(command, directories);
}

/** An empty entry and `.` mean the working directory, which is a mistake or an attack here; on Windows so is its path. */
function searchPath(path: string | undefined, cwd: string, isWindows: boolean): readonly string[] {
  const entries = (path ?? '').split(delimiter).map((entry) => entry.replace(/^"(.*)"$/, '$1'));
  const isHere = (entry: string): boolean =>
    /^(?:\.[\\/]*)*$/.test(entry) || (isWindows && resolve(cwd, entry) === cwd);
  return [...new Set(entries.filter((entry) => !isHere(entry)))];
}

/** @throws {PatchbayError} where there is such a file: Windows starts no scripts */
async function refuseScript(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isFile() === true) throw await fileError(path, 'win32');
}

/** What starts a script, as the beginning of a command line: everywhere, or on Windows and elsewhere. */
const interpreters: readonly (readonly [extension: RegExp, line: Line, elsewhere?: Line])[] = [
  [/\.ps1$/i, ['powershell', '-File'], ['pwsh', '-File']],
  [/\.pyw?$/i, ['py'], ['python3']],
  [/\.(?:sh|bash)$/i, ['bash']],
  [/\.[cm]?js$/i, ['node']],
  [/\.rb$/i, ['ruby']],
  [/\.pl$/i, ['perl']],
  [/\.php$/i, ['php']],
  [/\.jar$/i, ['java', '-jar']],
];

type Line = readonly [string, ...string[]];

function interpreterOf(path: string, platform: NodeJS.Platform): Line | undefined {
  const [, line, elsewhere = line] = interpreters.find(([extension]) => extension.test(path)) ?? [];
  return platform === 'win32' ? line : elsewhere;
}

/** How to start a file that is no program of this system. @returns the end of a sentence */
export function scriptAdvice(path: string, platform: NodeJS.Platform): string {
  const [interpreter, ...options] = interpreterOf(path, platform) ?? [];
  if (interpreter === undefined) return 'name its interpreter as the "command" and the file in "args"';
  const first = [...options, 'this path']
    .map((word, index) => (index < options.length ? `"${word}"` : word))
    .join(', ');
  return `set "command" to "${interpreter}", and begin "args" with ${first}`;
}

/** @param problem the rest of the sentence */
export function startError(problem: string, cause?: unknown): PatchbayError {
  const message = `The server could not be started: ${problem}`;
  return new PatchbayError('spawnFailed', message, { cause, detail: capitalized(problem) });
}

async function fileError(path: string, platform: NodeJS.Platform): Promise<PatchbayError> {
  const found = await stat(path).catch(() => undefined);
  const asProgram =
    platform === 'win32' ? 'is not a program that Windows can start;' : 'is not executable; make it so (chmod +x), or';
  const isFile = found?.isFile() === true;
  const problem = isFile
    ? `${asProgram} ${scriptAdvice(path, platform)}`
    : found === undefined
      ? 'does not exist'
      : 'is not a file';
  return startError(`${path} ${problem}.`);
}

function notFoundError(command: string, directories: readonly string[]): PatchbayError {
  const advice = /\s/.test(command.trim())
    ? 'The "command" must be the program alone. Move its arguments into "args".'
    : 'Install it, or set "command" to its full path.';
  const problem = directories.length === 0 ? 'was not found, because PATH is empty' : 'was not found in PATH';
  return startError(`"${command}" ${problem}. ${advice}`);
}

/** The interpreter in the script's first line, and the rest of that line (execve(2), Interpreter scripts); empty for other files. */
export async function readInterpreter(file: string): Promise<readonly string[]> {
  const handle = await open(file).catch(() => undefined);
  if (handle === undefined) return [];
  try {
    const { buffer, bytesRead } = await handle.read({ length: 256 });
    return /^#!\s*(\S+)[ \t]*([^\n]*)/.exec(buffer.toString('utf8', 0, bytesRead))?.slice(1) ?? [];
  } finally {
    await handle.close();
  }
}
