import { ErrorCodes, JsonRpcError } from '../../protocol/jsonRpc.ts';
import {
  type Completion,
  type CompletionArgument,
  type CompletionReference,
  readCompletion,
} from '../../protocol/mcp/completion.ts';
import { type GetPromptResult, readGetPromptResult } from '../../protocol/mcp/prompts.ts';
import { readReadResourceResult, type ReadResourceResult } from '../../protocol/mcp/resources.ts';
import { readCallToolResult } from '../../protocol/mcp/tools.ts';
import { isAtLeast } from '../../protocol/session/revision.ts';
import type { ProtocolSession } from '../../protocol/session/session.ts';
import { pollTask } from '../tasks/pollTask.ts';
import { createToolCalls } from '../toolCalls/toolCalls.ts';
import type { CallOptions } from '../useDispatcher.ts';

/** Requests of a running server. Loaded with the first connection, not at activation. */
export interface ClientRequests {
  readonly createToolCalls: typeof createToolCalls;
  readonly completeArgument: typeof completeArgument;
  readonly followTask: typeof pollTask;
  readonly readToolResult: typeof readCallToolResult;
  readResource(session: ProtocolSession, uri: string, options: CallOptions): Promise<ReadResourceResult>;
  getPrompt(
    session: ProtocolSession,
    name: string,
    args: Readonly<Record<string, string>>,
    options: CallOptions,
  ): Promise<GetPromptResult>;
}

/** The only implementation of {@link ClientRequests}. */
export const clientRequests: ClientRequests = {
  createToolCalls,
  completeArgument,
  followTask: pollTask,
  readToolResult: readCallToolResult,
  readResource: async (session, uri, options) =>
    readReadResourceResult(await session.request('resources/read', { uri }, options)),
  getPrompt: async (session, name, args, options) =>
    readGetPromptResult(await session.request('prompts/get', { name, arguments: args }, options)),
};

/**
 * Requests `completion/complete` (2025-11-25, Server Features / Utilities / Completion).
 * @param context arguments that already have a value
 * @returns no values if the server does not support completion
 * @throws what the request throws
 */
export async function completeArgument(
  session: Pick<ProtocolSession, 'revision' | 'capabilities' | 'request'>,
  reference: CompletionReference,
  argument: CompletionArgument,
  context: Readonly<Record<string, string>> = {},
  options: CallOptions = {},
): Promise<Completion> {
  const { revision, capabilities } = session;
  // 2024-11-05 has completion but no capability for it: the request is sent, and may fail.
  const isDeclared = capabilities.completions !== undefined;
  if (!isDeclared && isAtLeast(revision, '2025-03-26')) return { values: [] };
  const hasContext = isAtLeast(revision, '2025-06-18') && Object.keys(context).length > 0;
  const params = { ref: reference, argument, ...(hasContext && { context: { arguments: context } }) };
  try {
    return readCompletion(await session.request('completion/complete', params, options));
  } catch (error) {
    if (error instanceof JsonRpcError && error.code === ErrorCodes.methodNotFound) return { values: [] };
    throw error;
  }
}
