import { describe, expect, it } from 'vitest';
import { createRememberedTasks } from '../../../../src/host/servers/serverMemory.ts';

/** A `Memento` with one value. */
function memento(stored?: unknown) {
  let current = stored;
  return {
    get: (): never => current as never,
    update: async (_key: string, value: unknown) => void (current = value),
    keys: () => [],
    read: () => current,
  };
}

const task = { id: 't1', tool: 'add', since: 5 };

describe('the tasks that are kept', () => {
  it('are there for the next window, each server its own', () => {
    const state = memento();
    createRememberedTasks(state).save('a', { server: 's', tasks: [task] });
    createRememberedTasks(state).save('b', { server: 's', tasks: [] });
    expect(createRememberedTasks(state).load('a')).toEqual({ server: 's', tasks: [task] });
    expect(createRememberedTasks(state).load('b')).toBeUndefined();
    createRememberedTasks(state).save('a', { server: 's', tasks: [] });
    expect(state.read()).toEqual({});
  });

  it.each([undefined, 7, { a: 7 }, { a: { server: 1, tasks: [] } }, { a: { server: 's', tasks: {} } }])(
    'are none where %j is stored',
    (stored) => expect(createRememberedTasks(memento(stored)).load('a')).toBeUndefined(),
  );

  it('are those of the stored ones that can be used, and the latest hundred', () => {
    const state = memento({ a: { server: 's', tasks: [task, null, { ...task, since: 'x' }] } });
    const memory = createRememberedTasks(state);
    expect(memory.load('a')?.tasks).toEqual([task]);
    const tasks = Array.from({ length: 150 }, (_, index) => ({ ...task, id: `t${index}` }));
    memory.save('a', { server: 's', tasks });
    expect(memory.load('a')?.tasks).toEqual(tasks.slice(50));
  });

  it('are kept with the keys of their latest answers, long ones left out', () => {
    const memory = createRememberedTasks(memento({ a: { server: 's', tasks: [{ ...task, answered: [7] }] } }));
    expect(memory.load('a')?.tasks).toEqual([]);
    const keys = Array.from({ length: 150 }, (_, index) => `k${index}`);
    memory.save('a', { server: 's', tasks: [{ ...task, answered: [...keys, 'x'.repeat(101)] }] });
    expect(memory.load('a')?.tasks).toEqual([{ ...task, answered: keys.slice(50) }]);
  });
});
