import { type GetPromptResult, readGetPromptResult } from '../protocol/mcp/prompts.ts';
import { readReadResourceResult, type ReadResourceResult } from '../protocol/mcp/resources.ts';
import { readCallToolResult } from '../protocol/mcp/tools.ts';
import type { ProtocolSession } from '../protocol/revisions/session.ts';
import { completeArgument } from './completeArgument.ts';
import type { CallOptions } from './server.ts';
import { followTask } from './tasks/followTask.ts';
import { createToolCalls } from './toolCalls/toolCalls.ts';

/** Requests of a running server. Loaded with the first connection, not at activation. */
export interface ServerUses {
  readonly createToolCalls: typeof createToolCalls;
  readonly completeArgument: typeof completeArgument;
  readonly followTask: typeof followTask;
  readonly readToolResult: typeof readCallToolResult;
  readResource(session: ProtocolSession, uri: string, options: CallOptions): Promise<ReadResourceResult>;
  getPrompt(
    session: ProtocolSession,
    name: string,
    args: Readonly<Record<string, string>>,
    options: CallOptions,
  ): Promise<GetPromptResult>;
}

/** The only implementation of {@link ServerUses}. */
export const serverUses: ServerUses = {
  createToolCalls,
  completeArgument,
  followTask,
  readToolResult: readCallToolResult,
  readResource: async (session, uri, options) =>
    readReadResourceResult(await session.request('resources/read', { uri }, options)),
  getPrompt: async (session, name, args, options) =>
    readGetPromptResult(await session.request('prompts/get', { name, arguments: args }, options)),
};
