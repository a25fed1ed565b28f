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
 * Asks a server to complete an argument (server utilities, "Completion").
 * @param context arguments already settled
 * @returns no values where the server has no completion
 */
export async function completeArgument(
  session: Pick<ProtocolSession, 'revision' | 'capabilities' | 'request'>,
  reference: CompletionReference,
  argument: CompletionArgument,
  context: Readonly<Record<string, string>> = {},
  options: CallOptions = {},
): Promise<Completion> {
  const { revision, capabilities } = session;
  // 2024-11-05 has completion without a capability for it: there one can only try.
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
