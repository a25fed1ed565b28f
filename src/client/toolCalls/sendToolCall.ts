import type { UnknownRecord } from '../../base/json.ts';
import type { TaskSnapshot } from '../../protocol/mcp/tasks.ts';
import { type CallToolResult, readCallToolResult, type ToolArguments } from '../../protocol/mcp/tools.ts';
import type { RequestOptions } from '../../protocol/pendingRequests.ts';
import type { Progress } from '../../protocol/progress.ts';
import type { ProtocolSession } from '../../protocol/session/session.ts';
import type { TaskChannel } from '../../protocol/session/taskChannel.ts';
import type { TaskManager } from '../tasks/taskManager.ts';
import type { CallOptions } from '../useDispatcher.ts';

/** The parameters of `tools/call`. */
export interface SentToolCall extends UnknownRecord {
  readonly name: string;
  readonly arguments: ToolArguments;
}

/**
 * Requests `tools/call`; if the call becomes a task, waits for its result.
 * @returns rejects with PatchbayError `invalidMessage`; what a request throws; what {@link TaskManager.track} throws
 */
export function sendToolCall(
  session: Pick<ProtocolSession, 'tasks' | 'request'>,
  taskManager: Pick<TaskManager, 'track'>,
  call: SentToolCall,
  options: CallOptions,
): Promise<CallToolResult> {
  const { tasks } = session;
  if (tasks !== undefined) return callWithTasks(tasks, taskManager, call, options);
  return session.request('tools/call', call, withProgress(options.onProgress, options.signal)).then(readCallToolResult);
}

async function callWithTasks(
  tasks: TaskChannel,
  taskManager: Pick<TaskManager, 'track'>,
  call: SentToolCall,
  { signal, onProgress }: CallOptions,
): Promise<CallToolResult> {
  const progress = createCallProgress(onProgress);
  const answer = await tasks.call(call, withProgress(progress.onProgress, signal));
  if (answer.kind === 'result') return readCallToolResult(answer.result);
  return taskManager.track({ answer, tool: call.name, report: progress.report, signal });
}

/** Always requests progress: each notification of the server restarts the timeout of a long call. */
function withProgress(onProgress: CallOptions['onProgress'] = ignore, signal: AbortSignal | undefined): RequestOptions {
  return signal === undefined ? { onProgress } : { onProgress, signal };
}

/** Combines both sources of progress: progress notifications, and the status messages of the task. */
function createCallProgress(onProgress: CallOptions['onProgress'] = ignore) {
  let latest: Progress = { progress: 0 };
  return {
    onProgress: (progress: Progress): void => {
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

function ignore(): void {}
