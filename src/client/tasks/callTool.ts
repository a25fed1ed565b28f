import type { Progress } from '../../protocol/mcp/progress.ts';
import type { TaskSnapshot } from '../../protocol/mcp/tasks.ts';
import { type CallToolResult, readCallToolResult, type ToolArguments } from '../../protocol/mcp/tools.ts';
import type { ProtocolSession } from '../../protocol/revisions/session.ts';
import type { CallOptions } from '../server.ts';
import type { TaskBook } from './taskBook.ts';

/**
 * Calls a tool, and stays with the task where the call becomes one.
 * @throws {PatchbayError} `invalidMessage`; what a request throws; what {@link TaskBook.adopt} throws
 */
export async function callTool(
  session: Pick<ProtocolSession, 'tasks' | 'request'>,
  book: Pick<TaskBook, 'adopt'>,
  call: { readonly name: string; readonly arguments: ToolArguments },
  { signal, onProgress }: CallOptions,
): Promise<CallToolResult> {
  const progress = createCallProgress(onProgress);
  // Progress is always asked for: a server that reports any keeps a long call alive.
  const options = { onProgress: progress.hear, ...(signal && { signal }) };
  if (session.tasks === undefined) return readCallToolResult(await session.request('tools/call', call, options));
  const answer = await session.tasks.call(call, options);
  if (answer.kind === 'result') return readCallToolResult(answer.result);
  return book.adopt({ answer, tool: call.name, report: progress.report, signal });
}

/** Tells of a call what the server says in either way: how far it has come, and in words how its task stands. */
function createCallProgress(onProgress: (progress: Progress) => void = () => {}) {
  let latest: Progress = { progress: 0 };
  return {
    hear: (progress: Progress): void => {
      latest = progress;
      onProgress(progress);
    },
    report: ({ message }: TaskSnapshot): void => {
      if (message === undefined || message === latest.message) return;
      latest = { ...latest, message };
      onProgress(latest);
    },
  };
}
