import { isRecord, isString, isStringRecord, type UnknownRecord } from '../base/json.ts';
import type { Completion } from '../protocol/mcp/completion.ts';
import type { Prompt } from '../protocol/mcp/prompts.ts';
import type { ResourceTemplate } from '../protocol/mcp/resources.ts';
import { invalidParams, type RpcServer } from './rpcServer.ts';

/** Returns all values of an argument; `chosen` has the arguments that the client has already chosen. */
export type CompleteArgument = (chosen: Readonly<Record<string, string>>) => readonly string[];

/** By name of the argument. A map, because the client chooses the name to look up. */
export type Completions = ReadonlyMap<string, CompleteArgument>;

/** @param byArgument a function for each argument that has completions */
export function createCompletions(byArgument: Readonly<Record<string, CompleteArgument>> = {}): Completions {
  return new Map(Object.entries(byArgument));
}

/** A prompt or a resource template, with the completions for its arguments or variables. */
export interface Completable<Definition> {
  readonly definition: Definition;
  readonly completions: Completions;
}

/** The maximum of values in one answer (2025-11-25, Server / Utilities / Completion). */
const maximumValues = 100;

/**
 * Answers `completion/complete` for arguments of prompts and variables of resource templates.
 * @param prompts called for each request, because the list can change
 */
export function registerCompletion(
  rpc: RpcServer,
  prompts: () => readonly Completable<Prompt>[],
  templates: readonly Completable<ResourceTemplate>[],
): void {
  rpc.handle('completion/complete', (params) => {
    const argument = params['argument'];
    if (!isRecord(argument) || !isString(argument['name']) || !isString(argument['value'])) {
      throw invalidParams('argument needs a name and a value.');
    }
    const completions = findCompletions(params['ref'], prompts(), templates);
    const values = completions.get(argument['name'])?.(readContext(params)) ?? [];
    return { completion: complete(values, argument['value']) };
  });
}

/** The values that start with `typed`; upper and lower case are the same. */
function complete(values: readonly string[], typed: string): Completion {
  const start = typed.toLowerCase();
  const matching = values.filter((value) => value.toLowerCase().startsWith(start));
  return { values: matching.slice(0, maximumValues), total: matching.length, hasMore: matching.length > maximumValues };
}

function findCompletions(
  reference: unknown,
  prompts: readonly Completable<Prompt>[],
  templates: readonly Completable<ResourceTemplate>[],
): Completions {
  if (!isRecord(reference)) throw invalidParams('ref must be an object.');
  const { type, name, uri } = reference;
  const found =
    type === 'ref/prompt'
      ? prompts.find(({ definition }) => definition.name === name)
      : templates.find(({ definition }) => type === 'ref/resource' && definition.uriTemplate === uri);
  if (found === undefined) throw invalidParams('ref names no prompt or resource template of this server.');
  return found.completions;
}

function readContext(params: UnknownRecord): Readonly<Record<string, string>> {
  const context = params['context'];
  const chosen = isRecord(context) ? context['arguments'] : undefined;
  return isStringRecord(chosen) ? chosen : {};
}
