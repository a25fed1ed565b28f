import { countTokens } from '../../base/tokenCount.ts';
import type { Tool } from '../../protocol/mcp/tools.ts';

/** A tool as it stands in a request to a model, under the names of one API. */
export type ModelApi = 'anthropic' | 'openai';

/** What a request to a model has of a tool: its output schema, annotations and title stay with the host. */
export function toolForModel({ name, description = '', inputSchema }: Tool, api: ModelApi): object {
  if (api === 'anthropic') return { name, description, input_schema: inputSchema };
  return { type: 'function', function: { name, description, parameters: inputSchema } };
}

/** Tokens of one tool in a request, about as o200k counts them. */
export function toolTokens(tool: Tool): number {
  return countTokens(JSON.stringify(toolForModel(tool, 'anthropic')));
}
