import { toDisposable } from '../../../base/disposable.ts';
import { isPatchbayError, messageOf, PatchbayError } from '../../../base/errors.ts';
import { isRecord, type UnknownRecord } from '../../../base/json.ts';
import type { Logger } from '../../../base/logger.ts';
import { JsonRpcError } from '../../jsonRpc.ts';
import { invalidResult } from '../../mcp/base.ts';
import { readTask } from '../../mcp/tasks.ts';
import type { RequestHandler } from '../../incomingRequests.ts';
import type { RequestOptions } from '../../pendingRequests.ts';
import {
  type CallResponse,
  cancelAbandonedTask,
  type TaskChannel,
  type TaskInputResponses,
} from '../../session/taskChannel.ts';
import { answerInputRequests } from './multiRoundTrip.ts';

/** Maximum input requests of one task; a task with more will probably never end. */
const maximumQuestions = 1_000;

type Request = (method: string, params: UnknownRecord, options: RequestOptions) => Promise<unknown>;

/**
 * Tasks of the extension `io.modelcontextprotocol/tasks`: the server decides which call becomes a task, and `tasks/get`
 * returns its complete state.
 * @param request sends a request of this revision, and returns the raw result
 * @param createHandlers handlers of input requests by method; other methods were not declared to the server
 */
export function createStatelessTasks(
  request: Request,
  createHandlers: () => ReadonlyMap<string, RequestHandler>,
  logger: Logger,
): TaskChannel {
  async function answer(taskId: string, inputRequests: UnknownRecord, known: TaskInputResponses, signal: AbortSignal) {
    const { given, sent } = known;
    const open = Object.keys(inputRequests).filter((key) => !sent.has(key));
    if (open.length === 0) return;
    if (sent.size + open.length > maximumQuestions) throw invalidResult('a task never stops asking for input');
    // An answer that may not have arrived is sent again without asking the user again.
    const unasked = open.filter((key) => !given.has(key)).map((key) => [key, inputRequests[key]] as const);
    // A task has no time limit that could pause.
    const context = { signal, waitForPerson: () => toDisposable(() => {}) };
    const fresh = await answerInputRequests(Object.fromEntries(unasked), createHandlers(), context).catch(
      toDeclined(signal),
    );
    for (const [key, value] of Object.entries(fresh)) given.set(key, value);
    const inputResponses = Object.fromEntries(open.map((key) => [key, given.get(key)]));
    try {
      await request('tasks/update', { taskId, inputResponses }, { signal });
    } catch (error) {
      if (!(error instanceof JsonRpcError)) throw error;
      // The next `tasks/get` returns the current state.
      logger.warn(`The server did not take the answers for a task: ${error.message}`);
    }
    for (const key of open) {
      sent.add(key);
      given.delete(key);
    }
  }

  const cancel = async (taskId: string): Promise<void> => void (await request('tasks/cancel', { taskId }, {}));
  // The server may create the task before it reads the cancellation. Over HTTP no late result can arrive.
  const onLateResult = (result: unknown): void =>
    cancelAbandonedTask(readCallResponse(Promise.resolve(result)), cancel, logger);

  return {
    call: (params, options) => readCallResponse(request('tools/call', params, { onLateResult, ...options })),
    get: async (taskId, signal) => readTask(await request('tasks/get', { taskId }, { signal })),
    async advance({ taskId, inputRequests }, known, signal) {
      if (inputRequests !== undefined) await answer(taskId, inputRequests, known, signal);
      return undefined;
    },
    cancel,
    list: undefined,
  };
}

async function readCallResponse(answer: Promise<unknown>): Promise<CallResponse> {
  const result = await answer;
  if (!isRecord(result) || result['resultType'] !== 'task') return { kind: 'result', result };
  // There is no progress on tasks ("Task Status Notifications").
  return { kind: 'task', task: readTask(result), progress: toDisposable(() => {}) };
}

/** Converts an error of a handler to `declined`: not the connection failed, so a retry would not help. */
function toDeclined(signal: AbortSignal): (error: unknown) => never {
  return (error) => {
    signal.throwIfAborted();
    if (isPatchbayError(error, 'declined', 'invalidMessage')) throw error;
    const message = `The server needed an answer to continue and did not get it: ${messageOf(error)}`;
    throw new PatchbayError('declined', message, { cause: error });
  };
}
