import type { Memento } from 'vscode';
import { isRecord, isString } from '../../base/json.ts';
import type { RememberedTask, RememberedTasks, TaskMemory } from '../../client/tasks/taskMemory.ts';
import { planDigest } from './planDigest.ts';

const storageKey = 'patchbay.tasks';
/** Open at once at one server; the oldest are forgotten first. */
const maximumTasks = 100;

/** Keeps in the workspace's state which tasks are open, so that the next window takes them up. Written at once: a window may be gone any time. */
export function createRememberedTasks(state: Memento): TaskMemory {
  function read(): Record<string, unknown> {
    const stored = state.get<unknown>(storageKey);
    return isRecord(stored) ? { ...stored } : {};
  }

  return {
    load: (label) => readRemembered(read()[label]),
    save(label, { server, tasks }) {
      const all = read();
      if (tasks.length === 0) delete all[label];
      else all[label] = { server, tasks: tasks.slice(-maximumTasks) } satisfies RememberedTasks;
      void state.update(storageKey, all);
    },
    identify: planDigest,
  };
}

/** Written by an older version, or by hand: what cannot be used is forgotten. */
function readRemembered(value: unknown): RememberedTasks | undefined {
  if (!isRecord(value) || !isString(value['server']) || !Array.isArray(value['tasks'])) return undefined;
  return { server: value['server'], tasks: value['tasks'].filter(isRemembered) };
}

function isRemembered(value: unknown): value is RememberedTask {
  return isRecord(value) && isString(value['id']) && isString(value['tool']) && typeof value['since'] === 'number';
}
