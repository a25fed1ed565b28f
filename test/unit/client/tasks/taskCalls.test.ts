import { describe, expect, it, vi } from 'vitest';
import { PatchbayError } from '../../../../src/base/errors.ts';
import { JsonRpcError } from '../../../../src/protocol/jsonRpc.ts';
import type { UnknownRecord } from '../../../../src/base/json.ts';
import type { Progress } from '../../../../src/protocol/progress.ts';
import { settle } from '../../../fixtures/manualClock.ts';
import { crash, setUpServer, startServer } from '../../../fixtures/scriptedManagedServer.ts';
import {
  complete,
  done,
  extensionServer,
  readDone,
  type ScriptedTask,
  scriptedTasks,
  taskForms,
  taskQuestion,
  taskServer,
} from '../../../fixtures/taskServer.ts';

function working(more: Partial<ScriptedTask> = {}): ScriptedTask {
  return { taskId: 't1', status: 'working', pollInterval: 500, ...more };
}

/** Calls a tool, and cancels before the server has answered. @returns the id of the call */
async function leaveCall({ server, latest }: ReturnType<typeof setUpServer>): Promise<unknown> {
  await server.start();
  let id: unknown;
  latest().on('tools/call', (_params, requestId) => void (id = requestId));
  const abort = new AbortController();
  const call = server.callTool('slow', {}, { signal: abort.signal });
  await settle();
  abort.abort(new Error('enough'));
  await expect(call).rejects.toThrow('enough');
  return id;
}

/** The parameters of what was sent with a method. */
function paramsOf({ latest }: Pick<ReturnType<typeof setUpServer>, 'latest'>, method: string): unknown[] {
  return latest()
    .sentFor(method)
    .map(({ params }) => params);
}

describe.each(taskForms)('a call that becomes a task in %s', (_, serverOf) => {
  const start = (task: ScriptedTask) => startServer(serverOf(scriptedTasks(task)));

  it('is asked about as often as the server says, until it has a result [task-poll]', async () => {
    const task = working();
    const { server, clock, latest, audit } = await start(task);
    const call = server.callTool('slow', { a: 1 });
    await settle();
    expect(server.tasks).toMatchObject([{ id: 't1', tool: 'slow', state: 'working', isAwaited: true }]);
    await clock.advance(1_400);
    expect(latest().sentFor('tasks/get')).toHaveLength(2);
    complete(task);
    await clock.advance(100);
    expect(await call).toEqual(readDone);
    expect(server.tasks).toEqual([]);
    await clock.advance(60_000);
    expect(clock.waiting).toBe(0);
    await vi.waitFor(() =>
      expect(audit).toMatchObject([
        { action: 'task', outcome: 'started', detail: { tool: 'slow' } },
        { action: 'task', outcome: 'completed' },
        { action: 'toolCall', outcome: 'done' },
      ]),
    );
  });

  it('is asked about less and less often without advice [task-poll]', async () => {
    const { server, clock, latest } = await start({ taskId: 't1', status: 'working' });
    void server.callTool('slow').catch(() => {});
    await settle();
    await clock.advance(60_000);
    // After 1, 2.5, 4.75, 8.125, 13.2, 20.8, 32.2, 47.2 seconds.
    expect(latest().sentFor('tasks/get')).toHaveLength(8);
    await server.stop();
  });

  it('is never asked about more than ten times a second', async () => {
    const { server, clock, latest } = await start(working({ pollInterval: 0 }));
    void server.callTool('slow').catch(() => {});
    await settle();
    for (let hint = 0; hint < 50; hint += 1) latest().notify('notifications/tasks/status', { taskId: 't1' });
    await clock.advance(1_000);
    expect(latest().sentFor('tasks/get').length).toBeLessThanOrEqual(10);
    await server.stop();
  });

  it('tells its caller what the server says of it', async () => {
    const task = working({ statusMessage: 'Digging' });
    const { server, clock } = await start(task);
    const heard: Progress[] = [];
    const call = server.callTool('slow', {}, { onProgress: (progress) => heard.push(progress) });
    await clock.advance(500);
    task.statusMessage = 'x'.repeat(5_000);
    await clock.advance(500);
    complete(task);
    await clock.advance(500);
    await call;
    expect(heard).toEqual([
      { progress: 0, message: 'Digging' },
      { progress: 0, message: `${'x'.repeat(1_000)}…` },
    ]);
  });

  it('is cancelled as a task when its caller does not want it any more [task-cancel]', async () => {
    const { server, clock, latest } = await start(working());
    const abort = new AbortController();
    const call = server.callTool('slow', {}, { signal: abort.signal });
    await clock.advance(700);
    abort.abort(new Error('enough'));
    await expect(call).rejects.toThrow('enough');
    await settle();
    expect(latest().sentFor('tasks/cancel')).toMatchObject([{ params: { taskId: 't1' } }]);
    expect(latest().sentFor('notifications/cancelled')).toEqual([]);
    expect(server.tasks).toEqual([]);
    await clock.advance(60_000);
    expect(clock.waiting).toBe(0);
  });

  it('sends its caller away when somebody else here cancels it', async () => {
    const { server, latest, audit } = await start(working());
    const call = server.callTool('slow');
    await settle();
    await Promise.all([expect(call).rejects.toMatchObject({ name: 'AbortError' }), server.cancelTask('t1')]);
    expect(latest().sentFor('tasks/cancel')).toHaveLength(1);
    await vi.waitFor(() =>
      expect(audit).toMatchObject([{ outcome: 'started' }, { outcome: 'cancelled' }, { action: 'toolCall' }]),
    );
  });

  it.each([
    ['when the server cancels it', { status: 'cancelled', statusMessage: 'Shutting down' }, { code: 'taskCancelled' }],
    [
      'with the error of the call',
      { status: 'failed', error: { code: -32050, message: 'no fuel' } },
      { code: -32050, message: 'no fuel' },
    ],
  ])('fails %s', async (_how, end, failure) => {
    const task = working();
    const { server, clock } = await start(task);
    const call = expect(server.callTool('slow')).rejects.toMatchObject(failure);
    await settle();
    Object.assign(task, end);
    await clock.advance(500);
    await call;
  });

  it('is lost when the server does not know it any more [task-lost]', async () => {
    const tasks = scriptedTasks(working());
    const { server, clock } = await startServer(serverOf(tasks));
    const call = expect(server.callTool('slow')).rejects.toMatchObject({ code: 'taskLost' });
    await settle();
    tasks.clear();
    await clock.advance(500);
    await call;
    expect(server.tasks).toEqual([]);
  });

  it('survives a crash of the server [task-survives]', async () => {
    const task = working();
    const { server, clock, latest, launches } = await start(task);
    const call = server.callTool('slow');
    await settle();
    crash(latest());
    await clock.advance(5_000);
    expect(launches).toHaveLength(2);
    expect(server.tasks).toMatchObject([{ state: 'working', isAwaited: true }]);
    complete(task);
    await clock.advance(2_000);
    expect(await call).toEqual(readDone);
  });

  it('survives errors in between, and gives up after a while', async () => {
    const { server, clock, latest } = await start(working());
    const call = vi.fn();
    void server.callTool('slow').catch(call);
    await settle();
    latest().fail('tasks/get', { code: -32603, message: 'database is asleep' });
    await clock.advance(60_000);
    expect(call).not.toHaveBeenCalled();
    await clock.advance(300_000);
    expect(call.mock.calls).toMatchObject([[{ code: 'taskLost' }]]);
  });

  it('is given up at the first error once its time has run out', async () => {
    const { server, clock, latest } = await start(working({ ttl: 10_000 }));
    const call = vi.fn();
    void server.callTool('slow').catch(call);
    await settle();
    await clock.advance(11_000);
    expect(call).not.toHaveBeenCalled();
    latest().fail('tasks/get', { code: -32603, message: 'gone' });
    await clock.advance(1_000);
    expect(call.mock.calls).toMatchObject([[{ code: 'taskLost' }]]);
  });
});

describe('2025-11-25', () => {
  it.each([
    ['slow', {}],
    ['must', {}],
    ['quick', undefined],
    ['silent', undefined],
    ['unlisted', undefined],
  ])('calls the tool %s with task %j [task-augment]', async (tool, task) => {
    const { server, latest } = await startServer(taskServer(scriptedTasks({ taskId: 't1', status: 'completed' })));
    expect(await server.callTool(tool)).toEqual(readDone);
    expect(latest().sentFor('tools/call')).toMatchObject([{ params: { name: tool, arguments: {} } }]);
    const [sent] = latest().sentFor('tools/call');
    expect((sent?.['params'] as UnknownRecord | undefined)?.['task']).toEqual(task);
  });

  it.each([
    [{}],
    [{ list: {} }],
    [{ requests: {} }],
    [{ requests: { tools: {} } }],
    [undefined, { protocolVersion: '2025-06-18' }],
  ])('makes no task where the server declares %j %j [task-augment]', async (declared?: object, older: object = {}) => {
    const { server, latest } = await startServer({ ...taskServer(scriptedTasks(), declared), ...older });
    await server.callTool('must');
    expect(latest().sentFor('tools/call')).not.toMatchObject([{ params: { task: {} } }]);
  });

  it('takes an ordinary result for a call that did not become a task', async () => {
    const { server, latest } = await startServer(taskServer(scriptedTasks()));
    latest().on('tools/call', () => done);
    expect(await server.callTool('slow')).toEqual(readDone);
  });

  it('cancels a task that the server makes after its caller has left [task-cancel]', async () => {
    const set = setUpServer(taskServer(scriptedTasks({ taskId: 't1', status: 'working' })));
    const { latest } = set;
    const id = await leaveCall(set);
    latest().say({ jsonrpc: '2.0', id, result: { task: { taskId: 't1', status: 'working', ttl: null } } });
    await settle();
    expect(latest().sentFor('notifications/cancelled')).toEqual([]);
    expect(latest().sentFor('tasks/cancel')).toMatchObject([{ params: { taskId: 't1' } }]);
  });

  it('is given up when the server never hands out the result that it says is there', async () => {
    const task = working({ status: 'completed' });
    const { server, clock, latest } = await startServer(taskServer(scriptedTasks(task)));
    latest().on('tasks/result', () => undefined);
    const failure = expect(server.callTool('slow')).rejects.toMatchObject({ code: 'taskLost' });
    await settle();
    await clock.advance(3_600_000);
    await failure;
    expect(clock.waiting).toBe(0);
  });

  it('looks at once when the server hints [task-status-hint]', async () => {
    const task = working({ pollInterval: 60_000 });
    const { server, clock, latest } = await startServer(taskServer(scriptedTasks(task)));
    const call = server.callTool('slow');
    await settle();
    await clock.advance(200);
    task.status = 'completed';
    latest().notify('notifications/tasks/status', { taskId: 't1', status: 'completed' });
    await settle();
    expect(await call).toEqual(readDone);
  });

  it('keeps hearing of progress after the call was answered [task-progress]', async () => {
    const task = working();
    const { server, clock, latest } = await startServer(taskServer(scriptedTasks(task)));
    const heard: Progress[] = [];
    const call = server.callTool('slow', {}, { onProgress: (progress) => heard.push(progress) });
    await settle();
    const progressToken = latest().sentFor('tools/call')[0]?.['id'];
    const tell = (progress: number): void => latest().notify('notifications/progress', { progressToken, progress });
    for (const progress of [1, 3, 2]) tell(progress);
    await settle();
    task.status = 'completed';
    await clock.advance(500);
    await call;
    tell(4);
    await settle();
    expect(heard).toEqual([{ progress: 1 }, { progress: 3 }]);
  });

  it('opens tasks/result for a task that needs input, and marks the answers [task-result] [task-related]', async () => {
    const related = { 'io.modelcontextprotocol/related-task': { taskId: 't1' } };
    const task = working();
    const causes: (string | undefined)[] = [];
    const { server, clock, latest } = await startServer({
      ...taskServer(scriptedTasks(task)),
      answerers: {
        elicitation: (_request, { cause }) => {
          causes.push(cause);
          return Promise.resolve({ action: 'decline' });
        },
      },
    });
    const call = server.callTool('slow');
    await settle();
    Object.assign(task, { status: 'input_required', statusMessage: 'Which one?' });
    await clock.advance(1_500);
    expect(latest().sentFor('tasks/result')).toHaveLength(1);
    expect(server.tasks).toMatchObject([{ state: 'input_required', message: 'Which one?' }]);
    const question = { message: 'Which?', requestedSchema: { type: 'object', properties: {} }, _meta: related };
    const answer = await latest().ask('elicitation/create', question);
    expect(answer['result']).toEqual({ action: 'decline', _meta: related });
    expect(causes).toEqual(['tool slow']);
    // The answer to tasks/result comes when the task has ended.
    latest().say({ jsonrpc: '2.0', id: latest().sentFor('tasks/result')[0]?.['id'], result: done });
    expect(await call).toEqual(readDone);
    await clock.advance(60_000);
    expect(clock.waiting).toBe(0);
  });
});

describe('2026-07-28', () => {
  it.each([
    ['cancels a task', { resultType: 'task', taskId: 't1', status: 'working', ttlMs: null }, [{ taskId: 't1' }]],
    ['takes a result in silence', { resultType: 'complete', ...done }, []],
    ['takes a task without an id in silence', { resultType: 'task', status: 'working' }, []],
  ])('%s that comes after its caller has left [task-cancel] [cancel-late-answer]', async (_, result, cancelled) => {
    const set = setUpServer(extensionServer(scriptedTasks(working())));
    const { server, latest } = set;
    const id = await leaveCall(set);
    expect(latest().sentFor('notifications/cancelled')).toMatchObject([{ params: { requestId: id } }]);
    latest().say({ jsonrpc: '2.0', id, result });
    await settle();
    expect(paramsOf(set, 'tasks/cancel')).toMatchObject(cancelled);
    expect(server.tasks).toEqual([]);
  });

  it('answers each question of a task once [task-input]', async () => {
    const task = working({ status: 'input_required', inputRequests: { one: taskQuestion } });
    const asked = vi.fn(() => Promise.resolve({ action: 'decline' as const }));
    const set = setUpServer({ ...extensionServer(scriptedTasks(task)), answerers: { elicitation: asked } });
    const { server, clock, latest } = set;
    await server.start();
    // The server notices the answer late.
    latest().on('tasks/update', () => ({ resultType: 'complete' }));
    const call = server.callTool('slow');
    await clock.advance(1_100);
    task.inputRequests = { one: taskQuestion, two: taskQuestion };
    await clock.advance(1_100);
    expect(paramsOf(set, 'tasks/update')).toMatchObject([
      { taskId: 't1', inputResponses: { one: { action: 'decline' } } },
      { taskId: 't1', inputResponses: { two: { action: 'decline' } } },
    ]);
    expect(asked).toHaveBeenCalledTimes(2);
    complete(task);
    await clock.advance(500);
    expect(await call).toEqual(readDone);
  });

  it('closes a question that the task does not wait for any more', async () => {
    const task = working({ status: 'input_required', inputRequests: { one: taskQuestion } });
    let signal: AbortSignal | undefined;
    const { server, clock } = await startServer({
      ...extensionServer(scriptedTasks(task)),
      answerers: {
        elicitation: (_request, context) => {
          ({ signal } = context);
          return new Promise(() => {});
        },
      },
    });
    const call = server.callTool('slow');
    await clock.advance(500);
    expect(signal?.aborted).toBe(false);
    complete(task);
    await clock.advance(500);
    expect(await call).toEqual(readDone);
    expect(signal?.aborted).toBe(true);
  });

  it.each([new JsonRpcError(-1, 'no'), new PatchbayError('timeout', 'The model did not answer.'), new Error('bug')])(
    'cancels a task whose question gets no answer: %s',
    async (refusal) => {
      const messages = [{ role: 'user', content: { type: 'text', text: 'hi' } }];
      const refused = { method: 'sampling/createMessage', params: { messages, maxTokens: 5 } };
      const task = working({ status: 'input_required', inputRequests: { one: refused } });
      const { server, latest } = await startServer({
        ...extensionServer(scriptedTasks(task)),
        answerers: { sampling: () => Promise.reject(refusal) },
      });
      await expect(server.callTool('slow')).rejects.toMatchObject({ code: 'declined' });
      await settle();
      expect(latest().sentFor('tasks/cancel')).toHaveLength(1);
    },
  );

  it('says that tasks are understood [task-declared]', async () => {
    const { server, latest } = await startServer(extensionServer(scriptedTasks()));
    expect(await server.callTool('slow')).toEqual(readDone);
    const capabilities = { extensions: { 'io.modelcontextprotocol/tasks': {} } };
    const meta = { 'io.modelcontextprotocol/clientCapabilities': capabilities };
    expect(latest().sentFor('tools/call')).toMatchObject([{ params: { _meta: meta } }]);
  });
});
