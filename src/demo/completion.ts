import { isRecord, isString, isStringRecord, type UnknownRecord } from '../base/json.ts';
import { ErrorCodes, JsonRpcError } from '../protocol/jsonRpc.ts';
import type { Completion } from '../protocol/mcp/completion.ts';
import type { DemoPrompt } from './prompts.ts';
import type { DemoTemplate } from './resources.ts';
import type { RpcServer } from './rpcServer.ts';
import type { Suggestions } from './suggestions.ts';

/** The maximum of values in one answer (2025-11-25, Server / Utilities / Completion). */
const maximumValues = 100;

/**
 * Answers `completion/complete` for arguments of prompts and variables of resource templates.
 * @param prompts called for each request, because the list can change
 */
export function registerCompletion(
  rpc: RpcServer,
  prompts: () => readonly DemoPrompt[],
  templates: readonly DemoTemplate[],
): void {
  rpc.handle('completion/complete', (params) => {
    const argument = params['argument'];
    if (!isRecord(argument) || !isString(argument['name']) || !isString(argument['value'])) {
      throw invalid('argument needs a name and a value.');
    }
    const suggestions = findSuggestions(params['ref'], prompts(), templates);
    const values = suggestions.get(argument['name'])?.(readContext(params)) ?? [];
    return { completion: complete(values, argument['value']) };
  });
}

/** The values that start with `typed`; upper and lower case are the same. */
function complete(values: readonly string[], typed: string): Completion {
  const start = typed.toLowerCase();
  const matching = values.filter((value) => value.toLowerCase().startsWith(start));
  return { values: matching.slice(0, maximumValues), total: matching.length, hasMore: matching.length > maximumValues };
}

function findSuggestions(
  reference: unknown,
  prompts: readonly DemoPrompt[],
  templates: readonly DemoTemplate[],
): Suggestions {
  if (!isRecord(reference)) throw invalid('ref must be an object.');
  const { type, name, uri } = reference;
  const found =
    type === 'ref/prompt'
      ? prompts.find(({ definition }) => definition.name === name)
      : templates.find(({ definition }) => type === 'ref/resource' && definition.uriTemplate === uri);
  if (found === undefined) throw invalid('ref names no prompt or resource template of this server.');
  return found.suggestions;
}

function readContext(params: UnknownRecord): Readonly<Record<string, string>> {
  const context = params['context'];
  const settled = isRecord(context) ? context['arguments'] : undefined;
  return isStringRecord(settled) ? settled : {};
}

function invalid(detail: string): JsonRpcError {
  return new JsonRpcError(ErrorCodes.invalidParams, `Invalid params: ${detail}`);
}
