import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { basename } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { messageOf, PatchbayError } from '../../base/errors.ts';
import { memoizeAsync } from '../../base/sharedPromise.ts';
import type { EnvironmentVariables } from './environment.ts';

const timeoutMs = 10_000;
const maximumOutput = 4_000_000;

/** Set while the shell runs, so that profiles can skip slow or interactive parts; not in the result. */
const shellVariables = {
  // Profiles for VS Code check this one.
  VSCODE_RESOLVING_ENVIRONMENT: '1',
  DISABLE_AUTO_UPDATE: 'true',
  ZSH_TMUX_AUTOSTART: 'false',
} as const;

/**
 * The environment of a terminal. An editor that was started from a dock or a service lacks variables of the shell's profile,
 * above all `PATH`, and would not find `npx` or `uvx` of a version manager.
 *
 * @param present the environment of this process; returned on Windows, and if the shell fails
 * @param note called with a sentence when the shell failed
 * @returns a function that runs the shell at its first call and caches the result; it never rejects
 */
export function createLoginEnvironment(
  present: EnvironmentVariables,
  clock: Clock,
  platform: NodeJS.Platform,
  note: (text: string) => void,
): () => Promise<EnvironmentVariables> {
  return memoizeAsync(async () => {
    if (platform === 'win32') return present;
    const shell = present['SHELL'] ?? '/bin/sh';
    try {
      const marker = `patchbay-${randomUUID()}`;
      const output = await runShell(shell, marker, present, clock);
      return { ...present, ...readEnvironment(output, marker, present) };
    } catch (error) {
      note(
        `The login shell ${shell} did not return its environment, so that of the editor is used: ${messageOf(error)}`,
      );
      return present;
    }
  });
}

function runShell(shell: string, marker: string, present: EnvironmentVariables, clock: Clock): Promise<string> {
  // csh and tcsh refuse -l next to other options.
  const options = /^t?csh$/.test(basename(shell)) ? '-ic' : '-ilc';
  return new Promise((resolve, reject) => {
    // In its own session: an interactive shell must not take over the terminal that the editor was started from.
    const child = spawn(shell, [options, `echo ${marker}; env; echo ${marker}`], {
      env: { ...present, ...shellVariables },
      detached: true,
    });
    let output = '';
    const finish = (error?: Error): void => {
      timer.dispose();
      // Also kills background processes of the profile.
      if (child.pid !== undefined) killGroup(child.pid);
      child.stdout.destroy();
      if (error === undefined) resolve(output);
      else reject(error);
    };
    const timer = clock.after(timeoutMs, () => {
      finish(new PatchbayError('timeout', `it did not answer within ${timeoutMs / 1000} seconds.`));
    });
    child.on('error', finish);
    child.on('exit', () => setImmediate(finish));
    child.stdin.on('error', () => {
      // It may exit without reading; only its output matters.
    });
    child.stdin.end();
    child.stderr.resume();
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (output.length > maximumOutput) finish(new PatchbayError('messageTooLarge', 'it printed too much.'));
      // An interactive shell may stay alive after its last command, for instance for a background job.
      else if (output.lastIndexOf(`\n${marker}\n`) > output.indexOf(`${marker}\n`)) finish();
    });
  });
}

/** Reads `env`'s lines between the markers. A line without `NAME=` continues the value before it. */
function readEnvironment(output: string, marker: string, present: EnvironmentVariables): EnvironmentVariables {
  const [, body, after] = output.split(`${marker}\n`);
  if (body === undefined || after === undefined) throw new PatchbayError('invalidMessage', 'it printed no variables.');
  const result: Record<string, string | undefined> = {};
  let current: string | undefined;
  for (const line of body.replace(/\n$/, '').split('\n')) {
    const [, name, value] = /^([A-Za-z_]\w*)=(.*)$/.exec(line) ?? [];
    if (name !== undefined) result[(current = name)] = value;
    else if (current !== undefined) result[current] += `\n${line}`;
  }
  for (const name of Object.keys(shellVariables)) result[name] = present[name];
  return result;
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The group is already empty.
  }
}
