import { describe, expect, it, vi } from 'vitest';
import type { LaunchPlan } from '../../../../src/base/launchPlan.ts';
import { launchIdentity } from '../../../../src/client/connection/launchIdentity.ts';
import type { ServerTask, TaskMemory } from '../../../../src/client/tasks/serverTask.ts';
import { settle } from '../../../fixtures/manualClock.ts';
import { createTaskMemory, setUpServer, startServer } from '../../../fixtures/scriptedManagedServer.ts';
import {
  complete,
  extensionServer,
  readDone,
  type ScriptedTasks,
  scriptedTasks,
  taskForms,
  taskQuestion,
  taskServer,
} from '../../../fixtures/taskServer.ts';

function oneTask(): ScriptedTasks {
  return scriptedTasks({ taskId: 't1', status: 'working', pollInterval: 500 });
}

describe.each(taskForms)('tasks of a server stopped and started again in %s', (_, serverOf) => {
  /** What a window in which the tool was called has left when it is closed. */
  async function callAndClose() {
    const memory = createTaskMemory();
    const tasks = oneTask();
    const { server } = await startServer({ ...serverOf(tasks), tasks: memory });
    const call = expect(server.callTool('slow', { secret: 't1' })).rejects.toMatchObject({ code: 'connectionClosed' });
    await settle();
    await server.dispose();
    await call;
    return { memory, tasks };
  }

  it('are taken up in the next window, and their results kept for whoever asks [task-survives]', async () => {
    const { memory, tasks } = await callAndClose();
    const { server, clock, audit } = setUpServer({ ...serverOf(tasks), tasks: memory });
    expect(server.tasks).toMatchObject([{ id: 't1', tool: 'slow', state: 'paused', isAwaited: false }]);
    const changes: string[] = [];
    server.onDidChangeTasks(({ state }) => changes.push(state));
    await server.start();
    await settle();
    complete(tasks.get('t1'));
    await clock.advance(500);
    expect(server.tasks).toMatchObject([{ id: 't1', state: 'completed', isAwaited: false }]);
    expect(changes.at(-1)).toBe('completed');
    expect(await server.taskResult('t1')).toEqual(readDone);
    expect(audit).toMatchObject([{ outcome: 'resumed' }, { outcome: 'completed' }]);
    expect(memory.load('it')?.tasks).toEqual([]);
    server.forgetTask('t1');
    expect(server.tasks).toEqual([]);
    await server.stop();
    expect(clock.waiting).toBe(0);
  });

  it('keep ids, tools and times of open tasks, and nothing else', async () => {
    const { memory } = await callAndClose();
    expect(memory.load('it')?.tasks).toEqual([{ id: 't1', tool: 'slow', since: 1_000_000 }]);
  });

  it('are reported as lost where the server does not know them [task-lost]', async () => {
    const { memory } = await callAndClose();
    const { server } = await startServer({ ...serverOf(scriptedTasks()), tasks: memory });
    await settle();
    expect(server.tasks).toMatchObject([{ state: 'lost' }]);
    await expect(server.taskResult('t1')).rejects.toMatchObject({ code: 'taskLost' });
    expect(memory.load('it')?.tasks).toEqual([]);
  });

  it('are not asked of another server under the same label', async () => {
    const { memory, tasks } = await callAndClose();
    const plan: LaunchPlan = { kind: 'stdio', command: 'other', args: [], cwd: undefined, env: {} };
    const { server, latest } = await startServer({ ...serverOf(tasks), tasks: memory, plan });
    await settle();
    expect(latest().sentFor('tasks/get')).toEqual([]);
    expect(server.tasks).toMatchObject([{ state: 'lost' }]);
  });

  it('send their callers away when the server is stopped, and go on when it is back', async () => {
    const tasks = oneTask();
    const { server, clock } = await startServer(serverOf(tasks));
    const call = expect(server.callTool('slow')).rejects.toMatchObject({ code: 'connectionClosed' });
    await settle();
    await server.stop();
    await call;
    expect(server.tasks).toMatchObject([{ state: 'paused', isAwaited: false }]);
    expect(clock.waiting).toBe(0);
    await expect(server.cancelTask('t1')).rejects.toMatchObject({ code: 'notRunning' });
    await server.start();
    await settle();
    expect(server.tasks).toMatchObject([{ state: 'working' }]);
    const result = server.taskResult('t1');
    complete(tasks.get('t1'));
    await clock.advance(500);
    expect(await result).toEqual(readDone);
  });

  it('give results that are checked as those of a call are [output-schema]', async () => {
    const tasks = oneTask();
    const { server, clock } = await startServer(serverOf(tasks));
    const call = expect(server.callTool('promising')).rejects.toMatchObject({ code: 'connectionClosed' });
    await settle();
    await server.stop();
    await call;
    await server.start();
    await settle();
    const broken = { code: 'invalidResult', result: readDone };
    const result = expect(server.taskResult('t1')).rejects.toMatchObject(broken);
    complete(tasks.get('t1'));
    await clock.advance(500);
    await result;
  });

  it('stay with their callers over a restart', async () => {
    const tasks = oneTask();
    const { server, clock } = await startServer(serverOf(tasks));
    const call = server.callTool('slow');
    await settle();
    await server.restart();
    complete(tasks.get('t1'));
    await clock.advance(2_000);
    expect(await call).toEqual(readDone);
  });

  it('can be cancelled, and are no more then', async () => {
    const { memory, tasks } = await callAndClose();
    const { server, clock } = await startServer({ ...serverOf(tasks), tasks: memory });
    await settle();
    const left: (readonly ServerTask[])[] = [];
    server.onDidChangeTasks(() => left.push(server.tasks));
    await server.cancelTask('t1');
    expect(left).toEqual([[]]);
    expect(tasks.get('t1')?.status).toBe('cancelled');
    expect(memory.load('it')?.tasks).toEqual([]);
    await server.stop();
    expect(clock.waiting).toBe(0);
  });

  it('do not answer for tasks that never were', async () => {
    const { server } = setUpServer(serverOf(scriptedTasks()));
    await expect(server.cancelTask('x')).rejects.toMatchObject({ code: 'notFound' });
    await expect(server.taskResult('x')).rejects.toMatchObject({ code: 'notFound' });
  });
});

describe('2026-07-28', () => {
  /** A window with a server that never notices an answer. */
  async function openWindow(memory: TaskMemory, tasks: ScriptedTasks) {
    const asked = vi.fn(() => Promise.resolve({ action: 'accept' as const, content: {} }));
    const setUp = extensionServer(tasks);
    const window = setUpServer({
      ...setUp,
      tasks: memory,
      answerers: { elicitation: asked },
      script(scripted, launch) {
        setUp.script?.(scripted, launch);
        scripted.on('tasks/update', () => ({ resultType: 'complete' }));
      },
    });
    await window.server.start();
    return { ...window, asked };
  }

  it('asks nobody twice, be it after a stop or in the next window [task-input] [task-survives]', async () => {
    const memory = createTaskMemory();
    const tasks = oneTask();
    const task = tasks.get('t1');
    Object.assign(task ?? {}, { status: 'input_required', inputRequests: { one: taskQuestion } });
    const first = await openWindow(memory, tasks);
    const call = expect(first.server.callTool('slow')).rejects.toMatchObject({ code: 'connectionClosed' });
    await settle();
    expect(first.asked).toHaveBeenCalledTimes(1);
    // A window may close at any time.
    expect(memory.load('it')?.tasks).toEqual([{ id: 't1', tool: 'slow', since: 1_000_000, answered: ['one'] }]);
    await first.server.stop();
    await call;
    await first.server.start();
    await first.clock.advance(1_000);
    expect(first.server.tasks).toMatchObject([{ state: 'input_required' }]);
    expect(first.asked).toHaveBeenCalledTimes(1);
    await first.server.dispose();
    Object.assign(task ?? {}, { inputRequests: { one: taskQuestion, two: taskQuestion } });
    const second = await openWindow(memory, tasks);
    await settle();
    expect(second.asked).toHaveBeenCalledTimes(1);
    const [update] = second.latest().sentFor('tasks/update');
    expect(update?.['params']).toMatchObject({ taskId: 't1', inputResponses: { two: { action: 'accept' } } });
    expect(memory.load('it')?.tasks).toMatchObject([{ answered: ['one', 'two'] }]);
    await second.server.dispose();
  });
});

describe('2025-11-25', () => {
  function remembering(...ids: readonly string[]): TaskMemory {
    const memory = createTaskMemory();
    const server = launchIdentity({ kind: 'stdio', command: 'x', args: [], cwd: undefined, env: {} });
    memory.save('it', { server, tasks: ids.map((id) => ({ id, tool: 'slow', since: 1 })) });
    return memory;
  }

  it('tells of several tasks in one list', async () => {
    const memory = remembering('t1', 't2', 't3');
    const tasks = scriptedTasks(
      { taskId: 't1', status: 'working', statusMessage: 'Digging' },
      { taskId: 't2', status: 'completed' },
    );
    const { server, latest } = await startServer({ ...taskServer(tasks), tasks: memory });
    await settle();
    expect(latest().sentFor('tasks/list')).toHaveLength(1);
    expect(latest().sentFor('tasks/get')).toMatchObject([{ params: { taskId: 't3' } }]);
    expect(server.tasks).toMatchObject([
      { id: 't1', state: 'working', message: 'Digging' },
      { id: 't2', state: 'completed' },
      { id: 't3', state: 'lost' },
    ]);
  });

  it('reads all pages of the list, and asks one by one where there is none [task-list]', async () => {
    const memory = remembering('t1', 't2');
    const shown = (taskId: string): object => ({ taskId, status: 'working', ttl: null });
    const { server, latest } = await startServer({
      ...taskServer(scriptedTasks()),
      tasks: memory,
      script(scripted) {
        scripted.on('tools/list', () => ({ tools: [] }));
        scripted.on('tasks/list', ({ cursor }) =>
          cursor === undefined ? { tasks: [{}, shown('t1')], nextCursor: 'more' } : { tasks: [shown('t2')] },
        );
        scripted.on('tasks/get', ({ taskId }) => shown(String(taskId)));
      },
    });
    await settle();
    expect(latest().sentFor('tasks/list')).toHaveLength(2);
    expect(latest().sentFor('tasks/get')).toEqual([]);
    await server.stop();
    await server.start();
    latest().on('tasks/list', () => {
      throw { code: -32603, message: 'no list today' };
    });
    await settle();
    expect(server.tasks).toMatchObject([{ state: 'working' }, { state: 'working' }]);
    await server.stop();
  });

  it('leaves a task alone that the server cannot cancel', async () => {
    const declared = { requests: { tools: { call: {} } } };
    const { server, latest } = await startServer(taskServer(oneTask(), declared));
    const abort = new AbortController();
    const call = server.callTool('slow', {}, { signal: abort.signal });
    await settle();
    await expect(server.cancelTask('t1')).rejects.toMatchObject({ code: 'capabilityMissing' });
    abort.abort(new Error('enough'));
    await expect(call).rejects.toThrow('enough');
    await settle();
    expect(latest().sentFor('tasks/cancel')).toEqual([]);
    expect(server.tasks).toEqual([]);
  });
});
