import { ErrorCodes, JsonRpcError } from '../protocol/jsonRpc.ts';
import {
  type Completion,
  type CompletionArgument,
  type CompletionReference,
  readCompletion,
} from '../protocol/mcp/completion.ts';
import { isAtLeast } from '../protocol/revisions/revision.ts';
import type { ProtocolSession } from '../protocol/revisions/session.ts';
import type { CallOptions } from './server.ts';

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
