import { createHash } from 'node:crypto';
import type { Memento } from 'vscode';
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { isOptional, isRecord, isString, isStringArray, jsonLength } from '../../base/json.ts';
import type { LaunchPlan } from '../../base/launchPlan.ts';
import { limits } from '../../base/limits.ts';
import { truncateWithCount } from '../../base/truncate.ts';
import { launchIdentity, type ServerIdentities } from '../../client/connection/launchIdentity.ts';
import type { RememberedStrategy, StrategyMemory } from '../../client/connection/connectionStrategy.ts';
import type { ContentsMemory, RememberedContents } from '../../client/lists/contentsMemory.ts';
import { contentKinds } from '../../client/contents.ts';
import type { RememberedTask, RememberedTasks, TaskMemory } from '../../client/tasks/serverTask.ts';
import { storedAnswers } from '../platform/storage.ts';

const isVerdict = (value: unknown): value is RememberedStrategy =>
  value === 'stateless' || value === 'handshake' || value === 'sse';

/** Keeps in the workspace's state what each server was found to want, so that it is probed once. */
export function createRememberedEras(state: Memento): StrategyMemory {
  const answers = storedAnswers(state, 'patchbay.eras', isVerdict);
  // Without the secrets that a plan holds.
  const keyOf = (plan: LaunchPlan): string => createHash('sha256').update(launchIdentity(plan)).digest('hex');
  return {
    load: (plan) => answers.get(keyOf(plan)),
    save: (plan, verdict) => void answers.set(keyOf(plan), verdict),
  };
}

/** Identities are digests. The state of the workspace has that of each definition's last launch. */
export function createServerIdentities(state: Memento): ServerIdentities {
  const answers = storedAnswers(state, 'patchbay.identities', isString);
  return {
    last(definition) {
      const key = digest(definition);
      return answers.get(key) ?? key;
    },
    launched(definition, plan) {
      const identity = digest(launchIdentity(plan));
      void answers.set(digest(definition), identity);
      return identity;
    },
  };
}

/** 128 bits: identities are part of addresses and names of files. */
function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
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
  const read = (): Readonly<Record<string, unknown>> => {
    const stored = state.get<unknown>(tasksKey);
    return isRecord(stored) ? stored : {};
  };
  return {
    load: (label) => readRemembered(read()[label]),
    save(label, { server, account, tasks }) {
      const { [label]: _, ...others } = read();
      const open: RememberedTasks = { server, account, tasks: tasks.slice(-maximumTasks).map(bounded) };
      void state.update(tasksKey, tasks.length === 0 ? others : { ...others, [label]: open });
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

const contentsKey = 'patchbay.contents';

/** Lists may change many times a second; the store is written once in this many milliseconds. */
const saveDelayMs = 2_000;

/** Keeps what servers offered last in the workspace's state, so that it is there in the next window. */
export function createRememberedContents(state: Memento, clock: Clock): ContentsMemory & Disposable {
  const stored = state.get<unknown>(contentsKey);
  const contents = new Map<string, RememberedContents>(isRecord(stored) ? Object.entries(stored).filter(isUsable) : []);
  let pending: Disposable | undefined;

  function save(): void {
    pending?.dispose();
    pending = undefined;
    void state.update(contentsKey, Object.fromEntries(latestOf(contents)));
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
  if (!isRecord(lists) || !contentKinds.every((kind) => Array.isArray(lists[kind]))) return false;
  return jsonLength(lists) <= limits.remembered.server;
}
