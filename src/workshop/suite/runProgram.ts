import { execFile } from 'node:child_process';
import { type CancelSignal, linkAbort } from '../../base/abort.ts';
import { messageOf, PatchbayError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import { truncateWithEllipsis } from '../../base/truncate.ts';
import { readableText } from '../../base/visibleText.ts';
import type { EnvironmentVariables } from '../../transport/stdio/environment.ts';
import { toSystemCommand } from '../../transport/stdio/startProcess.ts';

export interface ProgramRun {
  /** Absolute path. */
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: EnvironmentVariables;
  readonly platform: NodeJS.Platform;
  readonly signal: CancelSignal;
  readonly timeoutMs: number;
}

const maximumOutputBytes = 4 * 1024 * 1024;

/**
 * Runs a program to its end, without a shell. The signal ends it.
 * @returns what it has written to stdout
 * @throws {PatchbayError} `spawnFailed` with the last line that it has said, where it fails; or the signal's reason
 */
export async function runProgram({ file, args, cwd, env, platform, signal, timeoutMs }: ProgramRun): Promise<string> {
  const command = toSystemCommand(file, args, env, platform);
  const abort = linkAbort(signal);
  const options = {
    cwd,
    env,
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
    maxBuffer: maximumOutputBytes,
    windowsHide: true,
    windowsVerbatimArguments: command.isVerbatim,
    signal: abort.signal,
  } as const;
  try {
    return await new Promise<string>((resolve, reject) => {
      execFile(command.file, command.args, options, (error, stdout, stderr) => {
        if (error === null) return resolve(stdout);
        const said = stderr.trim().split('\n').at(-1) ?? '';
        const words = readableText(truncateWithEllipsis(said || messageOf(error), limits.shown.tooltip));
        return reject(new PatchbayError('spawnFailed', words, { cause: error }));
      });
    });
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    abort.dispose();
  }
}
