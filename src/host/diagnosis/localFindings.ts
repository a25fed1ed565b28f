import { execFile } from 'node:child_process';
import { basename, delimiter } from 'node:path';
import { promisify } from 'node:util';
import { messageOf } from '../../base/errors.ts';
import type { StdioLaunchPlan } from '../../base/launchPlan.ts';
import { buildEnvironment, type EnvironmentVariables, readVariable } from '../../transport/stdio/environment.ts';
import { findCommand } from '../../transport/stdio/findCommand.ts';
import { toSystemCommand } from '../../transport/stdio/startProcess.ts';
import { check, type Finding } from './diagnosis.ts';

export interface Environments {
  readonly editor: EnvironmentVariables;
  /** The environment of the person's login shell, which servers get. */
  readonly login: EnvironmentVariables;
}

/** Programs that only print their version with `--version`. */
const versionedPrograms =
  /^(?:node|npm|npx|pnpm|yarn|bun|bunx|deno|python[\d.]*|pipx?|uvx?|docker|podman|dotnet|ruby|perl|php|cargo)(?:\.(?:exe|cmd|bat))?$/i;
const versionTimeoutMs = 10_000;
const maximumFolders = 100;

/**
 * Checks whether the command exists, where, and in which version. Runs only known programs, with `--version`.
 * @throws the reason of the signal
 */
export async function diagnoseLocalCommand(
  plan: StdioLaunchPlan,
  environments: Environments,
  platform: NodeJS.Platform,
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  const { finding, file } = await locateCommand(plan, environments, platform);
  if (file === undefined) return [finding];
  return [finding, ...(await findVersion(file, plan, environments.login, platform, signal))];
}

/** Checks whether the command exists and where, and runs nothing. @returns no `file` where it was not found */
export async function locateCommand(
  plan: StdioLaunchPlan,
  { editor, login }: Environments,
  platform: NodeJS.Platform,
): Promise<{ readonly finding: Finding; readonly file?: string }> {
  const cwd = plan.cwd ?? process.cwd();
  const locate = (inherited: EnvironmentVariables): Promise<string | Error> => {
    const environment = buildEnvironment(inherited, plan.env, platform, plan.addsToPath);
    return findCommand(plan.command, cwd, environment, platform).catch((error: unknown) =>
      error instanceof Error ? error : new Error(messageOf(error)),
    );
  };
  const [found, inEditor] = [await locate(login), await locate(editor)];
  if (typeof found !== 'string') return { finding: missingCommandFinding(found, inEditor, login, platform) };
  const seen = [`"${plan.command}" is ${found}`];
  const isElsewhere = typeof inEditor === 'string' && inEditor !== found;
  const finding: Finding = isElsewhere
    ? {
        title: 'Command',
        outcome: 'notice',
        seen: [...seen, `In the PATH of the editor itself it is ${inEditor}`],
        meaning: 'Servers get the PATH of your login shell. A terminal with another PATH runs another program.',
      }
    : { title: 'Command', outcome: 'fine', seen };
  return { finding, file: found };
}

const missingMeanings = {
  /** Windows has no login shells: servers get the PATH of the editor. */
  windows: 'VS Code reads PATH when it starts: after an installation, quit all of its windows and start it again.',
  editor:
    'Your login shell does not set the PATH that the editor has. Add the folder in your shell profile, or set "command" to the full path.',
  nowhere:
    'Servers get the PATH of your login shell: a version manager must be set up in its profile, not only for terminals.',
} as const;

function missingCommandFinding(
  problem: Error,
  inEditor: string | Error,
  login: EnvironmentVariables,
  platform: NodeJS.Platform,
): Finding {
  const path = new Set((readVariable(login, 'PATH', platform) ?? '').split(delimiter).filter(Boolean));
  const items = [...path].slice(0, maximumFolders);
  const more = path.size > items.length ? [`… ${path.size - items.length} more`] : [];
  const isInEditor = typeof inEditor === 'string';
  return {
    title: 'Command',
    outcome: 'problem',
    seen: [problem.message, ...(isInEditor ? [`The PATH of the editor itself leads to ${inEditor}`] : [])],
    ...(items.length > 0 && { folded: { title: 'Searched in PATH', items: [...items, ...more] } }),
    meaning: platform === 'win32' ? missingMeanings.windows : missingMeanings[isInEditor ? 'editor' : 'nowhere'],
    remedies: ['openConfiguration'],
  };
}

async function findVersion(
  file: string,
  plan: StdioLaunchPlan,
  login: EnvironmentVariables,
  platform: NodeJS.Platform,
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  if (!versionedPrograms.test(basename(file))) return [];
  const look = async (): Promise<string[]> => {
    const command = toSystemCommand(file, ['--version'], login, platform);
    const { stdout, stderr } = await promisify(execFile)(command.file, command.args, {
      windowsVerbatimArguments: command.isVerbatim,
      env: buildEnvironment(login, plan.env, platform, plan.addsToPath),
      timeout: versionTimeoutMs,
      killSignal: 'SIGKILL',
      maxBuffer: 100_000,
      windowsHide: true,
      signal,
    });
    const [line = ''] = (stdout.trim() || stderr.trim()).split('\n');
    return [`${basename(file)} --version: ${line.slice(0, 200)}`];
  };
  const meaning =
    'The program is there but does not run. Try it in a terminal; it may be broken or made for another system.';
  const finding = await check('Version', signal, look, (error) => {
    return { outcome: 'notice', seen: [messageOf(error).slice(0, 500)], meaning, remedies: ['openConfiguration'] };
  });
  return [finding];
}
