import { realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { sep } from 'node:path';
import { PatchbayError } from '../base/errors.ts';
import type { LaunchPlan } from '../base/launchPlan.ts';
import { limits } from '../base/limits.ts';
import type { ResolvedInput } from '../config/expandVariables.ts';
import { createLaunchPlan } from '../config/createLaunchPlan.ts';
import { type InputDefinition, isSecretValue } from '../config/inputs.ts';
import { readOrdinaryFile } from '../transport/stdio/ordinaryFile.ts';
import type { FoundServer } from './loadServers.ts';

export interface LaunchSurroundings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Values of inputs from the command line. */
  readonly inputs: ReadonlyMap<string, string>;
}

/** @returns the launch plan of a configured server. Asks nothing. @throws {PatchbayError} `configuration` */
export async function resolveLaunch(
  { server, inputs }: Pick<FoundServer, 'server' | 'inputs'>,
  surroundings: LaunchSurroundings,
): Promise<LaunchPlan> {
  const { folder } = server.source;
  const { plan } = await createLaunchPlan(server, {
    folders: folder === undefined ? [] : [folder],
    userHome: homedir(),
    pathSeparator: sep,
    environment: surroundings.environment,
    resolveInput: async (id) => resolveInput(server.label, id, inputs, surroundings),
    realPath: (path) => realpath(path).catch(() => path),
    readTextFile: (path) => readOrdinaryFile(path, limits.configuration.bytes),
  });
  return plan;
}

/** `PATCHBAY_INPUT_API_KEY` for `api-key`. */
function inputVariable(id: string): string {
  return `PATCHBAY_INPUT_${id.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_')}`;
}

function resolveInput(
  label: string,
  id: string,
  inputs: readonly InputDefinition[],
  { environment, inputs: given }: LaunchSurroundings,
): ResolvedInput {
  const fail = (what: string): never => {
    throw new PatchbayError('configuration', `Server "${label}" cannot be started: ${what}`);
  };
  const input = inputs.find((known) => known.id === id);
  if (input === undefined) return fail(`the input "${id}" is not defined in "inputs" of its file.`);
  const otherwise = input.type === 'command' ? undefined : input.default;
  const value = given.get(id) ?? environment[inputVariable(id)] ?? otherwise;
  if (value === undefined)
    return fail(`the input "${id}" has no value. Set ${inputVariable(id)}, or use --input ID=VALUE.`);
  if (input.type === 'pickString' && !input.options.some((option) => option.value === value))
    return fail(`the value of the input "${id}" is none of its options.`);
  return { value, isSecret: isSecretValue(input, value), isSaved: false };
}
