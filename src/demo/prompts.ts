import { isStringRecord, type UnknownRecord } from '../base/json.ts';
import { ErrorCodes, JsonRpcError } from '../protocol/jsonRpc.ts';
import { pageOf } from './pages.ts';
import type { DemoPrompt, PromptArguments } from './promptCatalog.ts';
import type { RpcServer } from './rpcServer.ts';

/**
 * Answers `prompts/list` and `prompts/get`.
 * @param listed called for each request, because the list can change
 */
export function registerPrompts(rpc: RpcServer, listed: () => readonly DemoPrompt[]): void {
  rpc.handle('prompts/list', (params) =>
    pageOf(
      'prompts',
      listed().map((prompt) => prompt.definition),
      params,
    ),
  );
  rpc.handle('prompts/get', (params) => {
    const prompt = listed().find((candidate) => candidate.definition.name === params['name']);
    if (prompt === undefined) throw invalid(`there is no prompt ${JSON.stringify(params['name'])}.`);
    return prompt.get(readArguments(prompt, params));
  });
}

function readArguments({ definition }: DemoPrompt, params: UnknownRecord): PromptArguments {
  const args = params['arguments'] ?? {};
  if (!isStringRecord(args)) throw invalid('arguments must be an object of strings.');
  const missing = definition.arguments?.find(({ name, required }) => required === true && (args[name] ?? '') === '');
  if (missing !== undefined) throw invalid(`the prompt ${definition.name} needs the argument "${missing.name}".`);
  return args;
}

function invalid(detail: string): JsonRpcError {
  return new JsonRpcError(ErrorCodes.invalidParams, `Invalid params: ${detail}`);
}
