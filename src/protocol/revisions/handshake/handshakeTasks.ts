import { type CancelSignal, raceAbort } from '../../../base/abort.ts';
import { type Disposable, toDisposable } from '../../../base/disposable.ts';
import { isRecord, type UnknownRecord } from '../../../base/json.ts';
import type { Logger } from '../../../base/logger.ts';
import { JsonRpcError } from '../../jsonRpc.ts';
import { readListPage } from '../../mcp/base.ts';
import type { ServerCapabilities } from '../../mcp/lifecycle.ts';
import { opaqueObject } from '../../mcp/readers.ts';
import type { Progress } from '../../progress.ts';
import { hasEnded, readTask, type TaskSnapshot } from '../../mcp/tasks.ts';
import type { Tool } from '../../mcp/tools.ts';
import type { Peer } from '../../peer.ts';
import type { RequestOptions } from '../../pendingRequests.ts';
import { type CallResponse, cancelAbandonedTask, type TaskChannel } from '../../session/taskChannel.ts';
import { readPages } from '../../session/pagination.ts';

const maximumPages = 20;

/** Sends a request, and again after the URL elicitations that the server requires for it. */
type SendWithElicitation = (send: () => Promise<unknown>, signal: CancelSignal | undefined) => Promise<unknown>;
type Send = (method: string, params: UnknownRecord, options?: RequestOptions) => Promise<unknown>;

/** Tasks of 2025-11-25: the client decides which call becomes one (… / Tasks, "Tool-Level Negotiation"). */
export class HandshakeTasks {
  readonly #peer: Peer;
  readonly #send: Send;
  readonly #sendWithElicitation: SendWithElicitation;
  readonly #logger: Logger;
  /** Names of the tools with task support. They are always called as tasks, since a task survives a lost connection. */
  #tools: Set<unknown> | undefined;

  constructor(peer: Peer, send: Send, sendWithElicitation: SendWithElicitation, logger: Logger) {
    this.#peer = peer;
    this.#send = send;
    this.#sendWithElicitation = sendWithElicitation;
    this.#logger = logger;
  }

  addTool({ name, execution }: Tool): void {
    if (execution?.taskSupport === 'required' || execution?.taskSupport === 'optional')
      (this.#tools ??= new Set()).add(name);
    else this.#tools?.delete(name);
  }

  /** @returns `undefined` for a server without tasks */
  channel({ tasks }: ServerCapabilities): TaskChannel | undefined {
    if (tasks === undefined) return undefined;
    const send = this.#send;
    const isOffered = hasTaskCalls(tasks);
    return {
      call: async (params, options) => {
        if (isOffered && this.#tools?.has(params['name'])) return this.#callAsTask(params, options);
        const attempt = (): Promise<unknown> => send('tools/call', params, options);
        return { kind: 'result', result: await this.#sendWithElicitation(attempt, options.signal) };
      },
      get: async (taskId, signal) => readTask(await send('tasks/get', { taskId }, { signal })),
      async advance({ taskId, status }, _answers, signal) {
        if (status === 'working') return undefined;
        try {
          // Blocks until the task ends; the server sends its input requests meanwhile (2025-11-25, Tasks, "Input
          // Required Status").
          const result = await send('tasks/result', { taskId }, { signal, isOpenEnded: !hasEnded(status) });
          return { kind: 'result', result };
        } catch (error) {
          if (!(error instanceof JsonRpcError)) throw error;
          // After the end of the task the error is its outcome; before, there is no result yet.
          return hasEnded(status) ? { kind: 'error', error } : undefined;
        }
      },
      cancel: tasks['cancel'] === undefined ? undefined : (taskId) => this.#cancel(taskId),
      list: tasks['list'] === undefined ? undefined : () => listTasks(send),
    };
  }

  async #cancel(taskId: string): Promise<void> {
    await this.#send('tasks/cancel', { taskId });
  }

  /** Never cancelled as a request (2025-11-25, Basic / Utilities / Cancellation): its task is, when known. */
  async #callAsTask(
    params: UnknownRecord,
    { signal, onProgress: listener, ...options }: RequestOptions,
  ): Promise<CallResponse> {
    const onProgress = listener && onlyIncreasing(listener);
    let progress: Disposable = toDisposable(() => {});
    const onSent: RequestOptions['onSent'] = (id) => {
      options.onSent?.(id);
      progress.dispose();
      if (onProgress !== undefined) progress = this.#peer.keepProgress(id, onProgress);
    };
    const sent = { ...options, ...(onProgress && { onProgress }), onSent, isCancellable: false };
    const attempt = (): Promise<unknown> => this.#send('tools/call', { ...params, task: {} }, sent);
    const answer = this.#sendWithElicitation(attempt, signal).then((result): CallResponse => {
      // The server may answer with an ordinary result.
      if (!isRecord(result) || !isRecord(result['task'])) return { kind: 'result', result };
      return { kind: 'task', task: readTask(result['task']), progress };
    });
    answer.then(
      ({ kind }) => kind === 'result' && progress.dispose(),
      () => progress.dispose(),
    );
    try {
      return await raceAbort(answer, signal);
    } catch (error) {
      if (signal?.aborted) cancelAbandonedTask(answer, (taskId) => this.#cancel(taskId), this.#logger);
      throw error;
    }
  }
}

function hasTaskCalls({ requests }: UnknownRecord): boolean {
  return isRecord(requests) && isRecord(requests['tools']) && requests['tools']['call'] !== undefined;
}

/** Drops progress that does not increase: it comes from the request and from the task. */
function onlyIncreasing(onProgress: (progress: Progress) => void): (progress: Progress) => void {
  let last = -Infinity;
  return (progress) => {
    if (progress.progress <= last) return;
    last = progress.progress;
    onProgress(progress);
  };
}

async function listTasks(send: Send): Promise<readonly TaskSnapshot[]> {
  const found: TaskSnapshot[] = [];
  const request = (cursor: string | undefined): Promise<unknown> =>
    send('tasks/list', cursor === undefined ? {} : { cursor });
  const pages = readPages(request, (page) => readListPage(page, 'tasks', opaqueObject), '2025-11-25', maximumPages);
  for await (const { page } of pages) found.push(...page.items.flatMap(readIfPossible));
  return found;
}

/** An invalid entry is left out, the others are kept. */
function readIfPossible(value: unknown): readonly TaskSnapshot[] {
  try {
    return [readTask(value)];
  } catch {
    return [];
  }
}
