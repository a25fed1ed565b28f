import { createHash } from 'node:crypto';
import type * as vscode from 'vscode';
import type { Memento } from 'vscode';
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { isOptional, isRecord, isString, isStringArray, jsonLength } from '../../base/json.ts';
import type { LaunchPlan } from '../../base/launchPlan.ts';
import { limits } from '../../base/limits.ts';
import { truncateWithCount } from '../../base/truncate.ts';
import { launchIdentity } from '../../client/connection/launchIdentity.ts';
import type { RememberedStrategy, StrategyMemory } from '../../client/connection/strategyMemory.ts';
import type { ContentsMemory, RememberedContents } from '../../client/lists/contentsMemory.ts';
import type { ContentKind } from '../../client/contents.ts';
import type { RememberedTask, RememberedTasks, TaskMemory } from '../../client/tasks/serverTask.ts';

/** Without the secrets that a plan holds. */
function planDigest(plan: LaunchPlan): string {
  return createHash('sha256').update(launchIdentity(plan)).digest('hex');
}

const erasKey = 'patchbay.eras';
/** Definitions come and go; the oldest verdicts are forgotten first. */
const maximumVerdicts = 200;
const verdicts: readonly unknown[] = ['stateless', 'handshake', 'sse'];

/** Keeps in the workspace's state what each server was found to want, so that it is probed once. */
export function createRememberedEras(state: Memento): StrategyMemory {
  function read(): Map<string, RememberedStrategy> {
    const stored = state.get<unknown>(erasKey);
    const entries = isRecord(stored) ? Object.entries(stored) : [];
    return new Map(entries.filter((entry): entry is [string, RememberedStrategy] => verdicts.includes(entry[1])));
  }

  return {
    load: (plan) => read().get(planDigest(plan)),
    save(plan, verdict) {
      const known = read();
      const key = planDigest(plan);
      if (known.get(key) === verdict) return;
      known.delete(key);
      known.set(key, verdict);
      void state.update(erasKey, Object.fromEntries([...known].slice(-maximumVerdicts)));
    },
  };
}

const tasksKey = 'patchbay.tasks';
/** Open at once at one server; the oldest are forgotten first. */
const maximumTasks = 100;
/** Of each task. A question with another key may be asked once more. */
const maximumKeys = { count: 100, length: 100 };

/**
 * Keeps in the workspace's state which tasks are open, so that the next window takes them up. Written at once: a window
 * may be gone any time.
 */
export function createRememberedTasks(state: Memento): TaskMemory {
  function read(): Record<string, unknown> {
    const stored = state.get<unknown>(tasksKey);
    return isRecord(stored) ? { ...stored } : {};
  }

  return {
    load: (label) => readRemembered(read()[label]),
    save(label, { server, account, tasks }) {
      const all = read();
      if (tasks.length === 0) delete all[label];
      else all[label] = { server, account, tasks: tasks.slice(-maximumTasks).map(bounded) } satisfies RememberedTasks;
      void state.update(tasksKey, all);
    },
  };
}

/** Ids are bounded where they come in; the tool's name is only shown. */
function bounded({ answered, tool, ...task }: RememberedTask): RememberedTask {
  const keys = answered?.filter(({ length }) => length <= maximumKeys.length).slice(-maximumKeys.count);
  return { ...task, tool: truncateWithCount(tool, limits.remembered.name), ...(keys && { answered: keys }) };
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

const key = 'patchbay.contents';
const kinds: readonly ContentKind[] = ['tools', 'resources', 'resourceTemplates', 'prompts', 'skills'];

/** Lists may change many times a second; the store is written once in this many milliseconds. */
const saveDelayMs = 2_000;

/** Keeps what servers offered last in the workspace's state, so that it is there in the next window. */
export function createRememberedContents(state: vscode.Memento, clock: Clock): ContentsMemory & Disposable {
  const stored = state.get<unknown>(key);
  const contents = new Map<string, RememberedContents>(isRecord(stored) ? Object.entries(stored).filter(isUsable) : []);
  let pending: Disposable | undefined;

  function save(): void {
    pending?.dispose();
    pending = undefined;
    void state.update(key, Object.fromEntries(latestOf(contents)));
  }

  return {
    load: (identity) => contents.get(identity),
    save(identity, current) {
      // What was listed last comes last.
      contents.delete(identity);
      contents.set(identity, current);
      pending ??= clock.after(saveDelayMs, save);
    },
    dispose() {
      if (pending !== undefined) save();
    },
  };
}

/** As many servers as there is room for, those listed last first of all. */
function latestOf(contents: ReadonlyMap<string, RememberedContents>): [string, RememberedContents][] {
  let room: number = limits.remembered.all;
  const kept = [...contents].toReversed().filter(([identity, current]) => {
    const size = identity.length + jsonLength(current);
    if (size > room) return false;
    room -= size;
    return true;
  });
  return kept.toReversed();
}

/** Written by an older version, or by hand: anything but these lists is forgotten. */
function isUsable(entry: [string, unknown]): entry is [string, RememberedContents] {
  const [, value] = entry;
  if (!isRecord(value) || typeof value['listedAt'] !== 'number') return false;
  const lists = value['contents'];
  if (!isRecord(lists) || !kinds.every((kind) => Array.isArray(lists[kind]))) return false;
  return jsonLength(lists) <= limits.remembered.server;
}
