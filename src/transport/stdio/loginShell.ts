import { spawn as nodeSpawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { basename } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { messageOf, PatchbayError } from '../../base/errors.ts';
import type { EnvironmentVariables } from './environment.ts';
import type { Spawn } from './spawn.ts';

/** What {@link createLoginEnvironment} needs from outside. */
export interface LoginShellPorts {
  readonly clock: Clock;
  readonly platform: NodeJS.Platform;
  /** Told in one sentence when the shell could not be asked. */
  readonly note?: (text: string) => void;
  readonly spawn?: Spawn;
  readonly randomId?: () => string;
}

const timeoutMs = 10_000;
const maximumOutput = 4_000_000;

/** Set while the shell runs, so that a profile can skip what is slow or only for people; not part of the result. */
const askingVariables = {
  // Understood already by profiles written with VS Code in mind.
  VSCODE_RESOLVING_ENVIRONMENT: '1',
  DISABLE_AUTO_UPDATE: 'true',
  ZSH_TMUX_AUTOSTART: 'false',
} as const;

/**
 * The environment a person has in a terminal. An editor started from a dock or a service lacks what the shell's profile
 * sets, `PATH` above all, and would not find `npx` or `uvx` where a version manager put them.
 *
 * @param present the environment of this process; the answer where there is no login shell or it fails
 * @returns a function that asks the shell at its first call and remembers the answer; it never rejects
 */
export function createLoginEnvironment(
  present: EnvironmentVariables,
  ports: LoginShellPorts,
): () => Promise<EnvironmentVariables> {
  let answer: Promise<EnvironmentVariables> | undefined;
  return () => (answer ??= ports.platform === 'win32' ? Promise.resolve(present) : askOrFallBack(present, ports));
}

async function askOrFallBack(present: EnvironmentVariables, ports: LoginShellPorts): Promise<EnvironmentVariables> {
  const shell = present['SHELL'] ?? '/bin/sh';
  try {
    const marker = `patchbay-${(ports.randomId ?? randomUUID)()}`;
    const output = await runShell(shell, marker, present, ports);
    return { ...present, ...readEnvironment(output, marker, present) };
  } catch (error) {
    ports.note?.(`The login shell ${shell} did not tell its PATH, the editor's own is used: ${messageOf(error)}`);
    return present;
  }
}

function runShell(
  shell: string,
  marker: string,
  present: EnvironmentVariables,
  ports: LoginShellPorts,
): Promise<string> {
  // csh and tcsh refuse -l next to other options.
  const options = /^t?csh$/.test(basename(shell)) ? '-ic' : '-ilc';
  const spawn = ports.spawn ?? nodeSpawn;
  return new Promise((resolve, reject) => {
    // A session of its own: an interactive shell must not fight for the terminal the editor may have been started from.
    const child = spawn(shell, [options, `echo ${marker}; env; echo ${marker}`], {
      env: { ...present, ...askingVariables },
      detached: true,
    });
    let output = '';
    const finish = (error?: Error): void => {
      timer.dispose();
      // Also what the profile left running in the background.
      if (child.pid !== undefined) killGroup(child.pid);
      child.stdout.destroy();
      if (error === undefined) resolve(output);
      else reject(error);
    };
    const timer = ports.clock.after(timeoutMs, () => {
      finish(new PatchbayError('timeout', `it did not answer within ${timeoutMs / 1000} seconds.`));
    });
    child.on('error', finish);
    child.on('exit', () => setImmediate(finish));
    child.stdin.on('error', () => {
      // It may exit without reading; its output says what there is to say.
    });
    child.stdin.end();
    child.stderr.resume();
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (output.length > maximumOutput) finish(new PatchbayError('messageTooLarge', 'it printed too much.'));
      // An interactive shell may linger after its last command, for instance on a background job.
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
  for (const name of Object.keys(askingVariables)) result[name] = present[name];
  return result;
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The group is empty: that is what was wanted.
  }
}
