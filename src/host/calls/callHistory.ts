import { createHash } from 'node:crypto';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { messageOf } from '../../base/errors.ts';
import { Emitter } from '../../base/event.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Logger } from '../../base/logger.ts';
import { removeFile, replaceFile, statIfThere } from '../platform/plainFiles.ts';
import { personalSetting } from '../platform/settings.ts';
import {
  callIdPattern,
  type EndedCall,
  type PastCall,
  readPastCall,
  readPastCallHead,
  recentValuesIn,
  type RecordRules,
  type WholePastCall,
  writeCall,
} from './callRecord.ts';
import type { ExactValue } from '../../base/json.ts';

/** Whose calls have changed; absent: of every server, or of every tool. */
export interface ForgottenOrKept {
  readonly identity?: string | undefined;
  readonly tool?: string | undefined;
}

/** Calls of one tool, and of all. */
const usualBounds = { perTool: 50, all: 500, bytes: 20 * 1024 * 1024 };

/** Calls that are looked at for values of a field. */
const recentCalls = 30;

const maximumEntries = 20_000;

/** How long a file that is being written may take. */
const abandonedMs = 60_000;

/**
 * The calls of tools that were made in this workspace: for each a file with its head, and apart from it one with its result and one with
 * its messages, which are only read when they are looked at. There is no list of them beside their names, and no file is ever changed:
 * so several windows can share the folder without a lock, and a file that is cut or gone takes no other with it. Reads and makes no file
 * before it is used.
 * Nothing here fails: what cannot be kept or read is logged. `identity` is always that of the server, see `Server.identity`.
 */
export class CallHistory implements Disposable {
  readonly #folder: string;
  readonly #hasSecret: RecordRules['hasSecret'];
  readonly #clock: Pick<Clock, 'now'>;
  readonly #logger: Logger;
  readonly #bounds: typeof usualBounds;
  readonly #didChange = new Emitter<ForgottenOrKept>();
  /** Heads that were read and are still there: their files never change. */
  #heads: ReadonlyMap<string, PastCall> = new Map();
  /** The files that are there, with their bytes: so the folder is not read again for each call that is kept. */
  #sizes = new Map<string, number>();
  /** Files that were being written when the folder was read. */
  #unfinished: readonly string[] = [];
  /** When the folder had these files. Another window that adds or removes one changes it. */
  #changedAt: number | undefined;
  #lastAt = 0;
  #hasWarned = false;
  /** Everything that reads or changes the folder, one after the other. */
  #work: Promise<unknown> = Promise.resolve();

  /** This window has kept or forgotten calls: of that tool or server, or of any. */
  readonly onDidChange = this.#didChange.event;

  /**
   * @param folder of this workspace's state, made with the first call
   * @param hasSecret true for text with a secret that Patchbay knows: such arguments and results are not kept
   */
  constructor(
    folder: string,
    hasSecret: RecordRules['hasSecret'],
    clock: Pick<Clock, 'now'>,
    logger: Logger,
    bounds = usualBounds,
  ) {
    this.#folder = folder;
    this.#hasSecret = hasSecret;
    this.#clock = clock;
    this.#logger = logger;
    this.#bounds = bounds;
  }

  async record(call: EndedCall): Promise<string | undefined> {
    if (!isHistoryOn('enabled')) return undefined;
    const rules = { keepsResults: isHistoryOn('results'), hasSecret: this.#hasSecret };
    const { identity, tool } = call;
    // Two calls of one millisecond stay in the order in which they ended.
    this.#lastAt = Math.max(this.#clock.now(), this.#lastAt + 1);
    const random = crypto.randomUUID().slice(0, 8);
    const id = `${this.#lastAt.toString(36).padStart(9, '0')}-${digest(identity)}-${digest(tool)}-${random}`;
    const isKept = await this.#enqueue(async () => {
      await this.#add(id, call, rules);
      return true;
    });
    if (isKept !== true) return undefined;
    this.#didChange.fire({ identity, tool });
    return id;
  }

  /** The calls of one tool, of one server, or all, the newest first; `more`: how many there are beyond `limit`. */
  async list(
    identity: string | undefined,
    tool: string | undefined,
    limit: number,
  ): Promise<{ readonly calls: readonly PastCall[]; readonly more: number }> {
    const ids = await this.#idsOf(identity, tool);
    const known = this.#heads;
    const read = await Promise.all(ids.slice(0, limit).map(async (id) => known.get(id) ?? (await this.#head(id))));
    const calls = read.flatMap((call) => call ?? []);
    // Their bytes are bounded as those of the files are.
    const kept = [...this.#heads, ...calls.map((call) => [call.id, call] as const)];
    this.#heads = new Map(kept.filter(([id]) => this.#sizes.has(`${id}.json`)));
    return { calls, more: Math.max(0, ids.length - limit) };
  }

  /** One call with its answer. @param id any text */
  async get(id: string): Promise<WholePastCall | undefined> {
    return this.#try(async () => ownCall(id, await readPastCall(this.#folder, id)));
  }

  /** @param id any text */
  async forget(id: string): Promise<void> {
    const call = await this.#head(id);
    if (callIdPattern.test(id)) await this.#enqueue(() => this.#remove(filesOf(id)));
    this.#didChange.fire(call === undefined ? {} : { identity: call.identity, tool: call.tool });
  }

  /** Forgets the calls of one tool, of one server, or all. @returns how many there were */
  async forgetAll(identity?: string, tool?: string): Promise<number> {
    const ids = await this.#idsOf(identity, tool);
    await this.#enqueue(() => this.#remove(ids.flatMap(filesOf)));
    this.#didChange.fire({ identity, tool });
    return ids.length;
  }

  async lastArguments(identity: string, tool: string): Promise<JsonObject | undefined> {
    const { calls } = await this.list(identity, tool, recentCalls);
    return calls.find(({ args }) => args !== undefined)?.args;
  }

  async recentValues(
    identity: string,
    tool: string,
    path: readonly (string | number)[],
  ): Promise<readonly ExactValue[]> {
    return recentValuesIn((await this.list(identity, tool, recentCalls)).calls, path);
  }

  dispose(): void {
    this.#didChange.dispose();
  }

  async #idsOf(identity: string | undefined, tool: string | undefined): Promise<readonly string[]> {
    await this.#enqueue(() => this.#readFolder());
    const heads = [...this.#sizes.keys()].filter((name) => name.endsWith('.json'));
    const ids = heads.map(idOf).toSorted().toReversed();
    const [serverPart, toolPart] = [identity, tool].map((name) => (name === undefined ? undefined : digest(name)));
    return ids.filter((id) => {
      const [, ofServer, ofTool] = id.split('-');
      return (serverPart ?? ofServer) === ofServer && (toolPart ?? ofTool) === ofTool;
    });
  }

  async #head(id: string): Promise<PastCall | undefined> {
    return this.#try(async () => ownCall(id, await readPastCallHead(this.#folder, id)));
  }

  /**
   * Writes the files of a call; the head comes last, so that a call that is listed is whole. Then removes the oldest calls
   * beyond the bounds, and what a window that was killed has left half written.
   */
  async #add(id: string, call: EndedCall, rules: RecordRules): Promise<void> {
    const { head, result, exchange } = await writeCall(call, rules);
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    // Two windows that write in the same instant may not see each other here: each list reads the folder again.
    if (this.#changedAt !== (await this.#folderTime())) await this.#readFolder();
    if (result !== undefined) await this.#write(`${id}.result`, result);
    if (exchange !== undefined) await this.#write(`${id}.exchange`, exchange);
    await this.#write(`${id}.json`, head);
    await this.#remove(this.#surplus());
    for (const name of this.#unfinished) await this.#removeIfAbandoned(name);
    this.#changedAt = await this.#folderTime();
  }

  #pathOf(name: string): string {
    return join(this.#folder, name);
  }

  async #write(name: string, text: string): Promise<void> {
    const path = this.#pathOf(name);
    await replaceFile(path, text, { temporary: `${path}.new`, isSynced: false });
    this.#sizes.set(name, Buffer.byteLength(text));
  }

  /** Heads first: a call whose result is gone is not listed. */
  async #remove(names: readonly string[]): Promise<void> {
    for (const isHead of [true, false]) {
      const removing = names.filter((name) => name.endsWith('.json') === isHead).map((name) => this.#removeFile(name));
      const failed = (await Promise.allSettled(removing)).find(({ status }) => status === 'rejected');
      if (failed?.status === 'rejected') throw failed.reason;
    }
  }

  async #removeFile(name: string): Promise<void> {
    await removeFile(this.#pathOf(name));
    this.#sizes.delete(name);
  }

  /** The files of the oldest calls beyond the bounds; results without a head count too. */
  #surplus(): readonly string[] {
    const bounds = this.#bounds;
    const bytesOf = new Map<string, number>();
    for (const [name, size] of this.#sizes) bytesOf.set(idOf(name), (bytesOf.get(idOf(name)) ?? 0) + size);
    const perTool = new Map<string, number>();
    const surplus = new Set<string>();
    let [count, bytes] = [0, 0];
    for (const id of [...bytesOf.keys()].toSorted().toReversed()) {
      const [, server, name] = id.split('-');
      const tool = `${server}-${name}`;
      const ofTool = (perTool.get(tool) ?? 0) + 1;
      const size = bytesOf.get(id) ?? 0;
      if (ofTool > bounds.perTool || count >= bounds.all || bytes + size > bounds.bytes) surplus.add(id);
      else {
        perTool.set(tool, ofTool);
        count += 1;
        bytes += size;
      }
    }
    return surplus.size === 0 ? [] : [...this.#sizes.keys()].filter((name) => surplus.has(idOf(name)));
  }

  async #removeIfAbandoned(name: string): Promise<void> {
    const found = await statIfThere(this.#pathOf(name));
    const isAbandoned = found !== undefined && Math.abs(this.#clock.now() - found.mtimeMs) > abandonedMs;
    if (isAbandoned) await removeFile(this.#pathOf(name));
    if (isAbandoned || found === undefined) this.#unfinished = this.#unfinished.filter((other) => other !== name);
  }

  /** Files are never changed, so the size of each is asked for once. */
  async #readFolder(): Promise<void> {
    this.#changedAt = await this.#folderTime();
    const names = this.#changedAt === undefined ? [] : (await readdir(this.#folder)).slice(0, maximumEntries);
    const own = names.filter((name) => /\.(?:json|result|exchange)$/.test(name) && callIdPattern.test(idOf(name)));
    const sizeOf = async (name: string): Promise<number> =>
      this.#sizes.get(name) ?? (await statIfThere(this.#pathOf(name)))?.size ?? 0;
    this.#sizes = new Map(await Promise.all(own.map(async (name) => [name, await sizeOf(name)] as const)));
    this.#unfinished = names.filter((name) => name.endsWith('.new'));
  }

  /** When a file of the folder was last added or removed; `undefined` where there is no folder. */
  async #folderTime(): Promise<number | undefined> {
    return (await statIfThere(this.#folder))?.mtimeMs;
  }

  #enqueue<T>(step: () => Promise<T>): Promise<T | undefined> {
    const done = this.#work.then(() => this.#try(step));
    this.#work = done;
    return done;
  }

  async #try<T>(step: () => Promise<T>): Promise<T | undefined> {
    try {
      return await step();
    } catch (error) {
      const warning = (): string => `The history of calls in ${this.#folder} cannot be used: ${messageOf(error)}`;
      if (!this.#hasWarned) this.#logger.warn(warning);
      this.#hasWarned = true;
      return undefined;
    }
  }
}

/** The settings `patchbay.history.enabled` and `patchbay.history.results`. */
export function isHistoryOn(setting: 'enabled' | 'results'): boolean {
  return personalSetting(`history.${setting}`) === true;
}

function idOf(name: string): string {
  return name.slice(0, name.lastIndexOf('.'));
}

function filesOf(id: string): readonly string[] {
  return [`${id}.json`, `${id}.result`, `${id}.exchange`];
}

/** @returns `undefined` for a file whose name is that of another server's or tool's call: others have put it there */
function ownCall<Call extends PastCall>(id: string, call: Call | undefined): Call | undefined {
  const [, ofServer, ofTool] = id.split('-');
  return call !== undefined && digest(call.identity) === ofServer && digest(call.tool) === ofTool ? call : undefined;
}

/** Stands for a name in the name of a file, which could be too long for one. */
function digest(name: string): string {
  return createHash('sha256').update(name).digest('hex').slice(0, 12);
}
