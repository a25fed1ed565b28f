import { basename } from 'node:path';
import type { LaunchPlan } from '../base/launchPlan.ts';
import { suggestLabel } from '../config/newServer.ts';
import { defaultTimeouts, type RemoteServerDefinition, type ServerOptions } from '../config/serverDefinition.ts';
import type { DirectServer, Invocation, Options } from './arguments.ts';
import { UsageError } from './exitCodes.ts';
import { type FoundServers, loadServers, toFolder } from './loadServers.ts';
import type { Output } from './output.ts';
import { type LaunchSurroundings, resolveLaunch } from './resolveLaunch.ts';

/** A server that a command is about. Nothing is started yet. */
export interface Target {
  readonly label: string;
  readonly options: ServerOptions;
  readonly plan: () => Promise<LaunchPlan>;
  /** The folder that it gets as its root. */
  readonly folder: string;
  /** Where its definition is; absent for a server of the command line. */
  readonly place?: { readonly path: string; readonly line: number };
}

export interface Surroundings extends Pick<LaunchSurroundings, 'environment'> {
  readonly cwd: string;
  readonly output: Output;
}

/** @returns the server that the command names, or all. @throws {UsageError} where there is none */
export async function findTargets(invocation: Invocation, surroundings: Surroundings): Promise<readonly Target[]> {
  const { direct, positionals, options } = invocation;
  if (direct !== undefined) return [directTarget(direct, options, surroundings)];
  const found = await loadServers(surroundings.cwd, options.config);
  for (const problem of found.problems) surroundings.output.note(problem);
  const targets = targetsOf(found, options, surroundings);
  const { server } = positionals;
  if (server === undefined && targets.length > 0) return targets;
  const chosen = targets.filter(({ label }) => label === server);
  if (chosen.length > 0) return chosen;
  throw missingServer(server, targets, found, options);
}

export function targetsOf(
  found: FoundServers,
  options: Options,
  { environment, cwd }: Surroundings,
): readonly Target[] {
  return found.servers.map((each): Target => {
    const { server, place } = each;
    return {
      label: server.label,
      options: withTimeout(server.options, options.timeoutMs),
      plan: () => resolveLaunch(each, { environment, inputs: options.inputs }),
      folder: server.source.folder?.path ?? cwd,
      place,
    };
  });
}

function missingServer(
  server: string | undefined,
  targets: readonly Target[],
  { files }: FoundServers,
  { config }: Options,
): UsageError {
  const place = config ?? (files.length > 0 ? files.join(', ') : 'this folder');
  if (targets.length === 0) {
    const advice = config === undefined ? ' Name a file with --config, or give the server directly.' : '';
    return new UsageError(`There is no server in ${place}.${advice}`);
  }
  const known = targets.map(({ label }) => `"${label}"`).join(', ');
  return new UsageError(`There is no server "${server}" in ${place}. There is ${known}.`);
}

function directTarget(direct: DirectServer, options: Options, { environment, cwd }: Surroundings): Target {
  const common = { options: withTimeout({}, options.timeoutMs), folder: cwd };
  if (direct.kind === 'program') {
    const { command, args } = direct;
    const env = Object.fromEntries([...options.env].map(([name, value]) => [name, value ?? environment[name] ?? null]));
    const label = suggestLabel({ command, args }, basename(cwd));
    // The shell has replaced its variables: what is left is meant as it is.
    return { ...common, label, plan: async () => ({ kind: 'stdio', label, command, args, cwd, env }) };
  }
  const definition: RemoteServerDefinition = { url: direct.url, headers: options.headers };
  const label = suggestLabel(definition);
  const source = { kind: 'user', uri: undefined, folder: toFolder(cwd), title: 'the command line' } as const;
  const server = { label, definition, options: common.options, source, range: undefined, shadows: [] };
  return {
    ...common,
    label,
    plan: () => resolveLaunch({ server, inputs: [] }, { environment, inputs: options.inputs }),
  };
}

function withTimeout(options: ServerOptions, timeoutMs: number | undefined): ServerOptions {
  if (timeoutMs === undefined) return options;
  return {
    ...options,
    timeouts: { ...defaultTimeouts, ...options.timeouts, connectMs: timeoutMs, requestMs: timeoutMs },
  };
}
