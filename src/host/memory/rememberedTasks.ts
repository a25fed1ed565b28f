import type { Memento } from 'vscode';
import { isOptional, isRecord, isString, isStringArray } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import { cutText } from '../../base/shown.ts';
import type { RememberedTask, RememberedTasks, TaskMemory } from '../../client/tasks/taskMemory.ts';
import { planDigest } from './planDigest.ts';

const storageKey = 'patchbay.tasks';
/** Open at once at one server; the oldest are forgotten first. */
const maximumTasks = 100;
/** Of each task. A question with another key may be asked once more. */
const maximumKeys = { count: 100, length: 100 };

/** Keeps in the workspace's state which tasks are open, so that the next window takes them up. Written at once: a window may be gone any time. */
export function createRememberedTasks(state: Memento): TaskMemory {
  function read(): Record<string, unknown> {
    const stored = state.get<unknown>(storageKey);
    return isRecord(stored) ? { ...stored } : {};
  }

  return {
    load: (label) => readRemembered(read()[label]),
    save(label, { server, account, tasks }) {
      const all = read();
      if (tasks.length === 0) delete all[label];
      else all[label] = { server, account, tasks: tasks.slice(-maximumTasks).map(bounded) } satisfies RememberedTasks;
      void state.update(storageKey, all);
    },
    identify: planDigest,
  };
}

/** Ids are bounded where they come in; the tool's name is only shown. */
function bounded({ answered, tool, ...task }: RememberedTask): RememberedTask {
  const keys = answered?.filter(({ length }) => length <= maximumKeys.length).slice(-maximumKeys.count);
  return { ...task, tool: cutText(tool, limits.remembered.name), ...(keys && { answered: keys }) };
}

/** Written by an older version, or by hand: what cannot be used is forgotten. */
function readRemembered(value: unknown): RememberedTasks | undefined {
  if (!isRecord(value) || !isString(value['server']) || !Array.isArray(value['tasks'])) return undefined;
  const account = isString(value['account']) ? value['account'] : undefined;
  return { server: value['server'], account, tasks: value['tasks'].filter(isRemembered) };
}

function isRemembered(value: unknown): value is RememberedTask {
  if (!isRecord(value) || !isOptional(value['answered'], isStringArray)) return false;
  return isString(value['id']) && isString(value['tool']) && typeof value['since'] === 'number';
}
