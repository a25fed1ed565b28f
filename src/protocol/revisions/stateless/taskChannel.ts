import { toDisposable } from '../../../base/disposable.ts';
import { isPatchbayError, messageOf, PatchbayError } from '../../../base/errors.ts';
import { isRecord, type UnknownRecord } from '../../../base/json.ts';
import type { Logger } from '../../../base/logger.ts';
import { JsonRpcError } from '../../jsonRpc.ts';
import { invalidResult } from '../../mcp/base.ts';
import { readTask } from '../../mcp/tasks.ts';
import type { RequestHandler, RequestOptions } from '../../peer.ts';
import { cancelLater } from '../cancelLater.ts';
import type { CallAnswer, TaskAnswers, TaskChannel } from '../taskChannel.ts';
import { answerInputs } from './inputRounds.ts';

/** A task that asks more often than this is not going to end. */
const maximumQuestions = 1_000;

type Request = (method: string, params: UnknownRecord, options: RequestOptions) => Promise<unknown>;

/**
 * Tasks as the extension `io.modelcontextprotocol/tasks` has them: the server decides what becomes one, and a look at a
 * task tells all.
 * @param request sends with everything the revision wants, and returns the raw result
 * @param createAnswers by method; what is not in it was not declared to the server
 */
export function createStatelessTasks(
  request: Request,
  createAnswers: () => ReadonlyMap<string, RequestHandler>,
  logger: Logger,
): TaskChannel {
  async function answer(taskId: string, inputRequests: UnknownRecord, known: TaskAnswers, signal: AbortSignal) {
    const { given, sent } = known;
    const open = Object.keys(inputRequests).filter((key) => !sent.has(key));
    if (open.length === 0) return;
    if (sent.size + open.length > maximumQuestions) throw invalidResult('a task never stops asking for input');
    // An answer that may not have arrived is sent again, and nobody is asked again.
    const unasked = open.filter((key) => !given.has(key)).map((key) => [key, inputRequests[key]] as const);
    // A task has no time that could run out.
    const context = { signal, waitForPerson: () => toDisposable(() => {}) };
    const fresh = await answerInputs(Object.fromEntries(unasked), createAnswers(), context).catch(asRefusal(signal));
    for (const [key, value] of Object.entries(fresh)) given.set(key, value);
    const inputResponses = Object.fromEntries(open.map((key) => [key, given.get(key)]));
    try {
      await request('tasks/update', { taskId, inputResponses }, { signal });
    } catch (error) {
      if (!(error instanceof JsonRpcError)) throw error;
      // Where the task stands now, the next look tells.
      logger.warn(`The server did not take the answers for a task: ${error.message}`);
    }
    for (const key of open) {
      sent.add(key);
      given.delete(key);
    }
  }

  const cancel = async (taskId: string): Promise<void> => void (await request('tasks/cancel', { taskId }, {}));
  // A server may have made the task before it read that the request is cancelled. Over HTTP nothing comes any more.
  const onLate = (result: unknown): void => cancelLater(readAnswer(Promise.resolve(result)), cancel, logger);

  return {
    call: (params, options) => readAnswer(request('tools/call', params, { onLate, ...options })),
    get: async (taskId, signal) => readTask(await request('tasks/get', { taskId }, { signal })),
    async attend({ taskId, inputRequests }, known, signal) {
      if (inputRequests !== undefined) await answer(taskId, inputRequests, known, signal);
      return undefined;
    },
    cancel,
    list: undefined,
  };
}

async function readAnswer(answer: Promise<unknown>): Promise<CallAnswer> {
  const result = await answer;
  if (!isRecord(result) || result['resultType'] !== 'task') return { kind: 'result', result };
  // There is no progress on tasks ("Task Status Notifications").
  return { kind: 'task', task: readTask(result), progress: toDisposable(() => {}) };
}

/** Whatever kept a question from being answered, asking again would not help: it is not the connection that failed. */
function asRefusal(signal: AbortSignal): (error: unknown) => never {
  return (error) => {
    signal.throwIfAborted();
    if (isPatchbayError(error, 'declined', 'invalidMessage')) throw error;
    const message = `The server needed an answer to go on, and did not get it: ${messageOf(error)}`;
    throw new PatchbayError('declined', message, { cause: error });
  };
}
