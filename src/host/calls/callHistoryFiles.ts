import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode, readPlainFile, replaceFile, statIfThere } from '../platform/plainFiles.ts';

/** What is kept of one call: its head, and apart from it a result, which is only read when it is looked at. */
export interface CallFiles {
  readonly head: string;
  readonly result: string | undefined;
}

/** How much may be kept. */
export interface HistoryBounds {
  /** Calls of one tool, and of all. */
  readonly perTool: number;
  readonly all: number;
  /** Bytes of all files together. */
  readonly bytes: number;
}

/** The parts of an id, which is also the name of a file: time, server, tool and a random part. Sorts by time. */
const idPattern = /^[0-9a-z]{9}-[0-9a-f]{12}-[0-9a-f]{12}-[0-9a-f]{8}$/;
const toolPart = { start: 10, end: 35 };

/** A file of Patchbay is smaller: what is larger has been put there by someone else. */
const maximumFileBytes = 2 * 1024 * 1024;

/** Entries of the folder that are looked at. */
const maximumEntries = 20_000;

/** True for a text that can be an id: it is part of a path, and may come from a page. */
export function isCallId(text: string): boolean {
  return idPattern.test(text);
}

/**
 * The id of a call.
 * @param at milliseconds since the epoch
 * @param server and `tool` 12 hexadecimal digits that stand for them
 * @param random 8 hexadecimal digits
 */
export function toCallId(at: number, server: string, tool: string, random: string): string {
  return `${Math.max(0, Math.trunc(at)).toString(36).padStart(9, '0')}-${server}-${tool}-${random}`;
}

/**
 * The files of past calls in one folder. There is no list of them beside their names, and no file is ever changed: so several
 * windows can share the folder without a lock, and a file that is cut or gone takes no other with it.
 */
export class CallHistoryFiles {
  readonly #folder: string;
  /** Bytes by name: files are never changed, so each is asked for once. */
  #sizesByName: ReadonlyMap<string, number> = new Map();

  /** @param folder made with the first call that is kept */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The ids of all calls, the newest first. */
  async ids(): Promise<readonly string[]> {
    const names = await this.#names();
    return names
      .flatMap((name) => (name.endsWith('.json') ? [name.slice(0, -'.json'.length)] : []))
      .filter(isCallId)
      .toSorted()
      .toReversed();
  }

  /** Writes the files of a call; the head comes last, so that a call that is listed is whole. */
  async write(id: string, { head, result }: CallFiles): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    if (result !== undefined) await replace(this.#resultPath(id), result);
    await replace(this.#headPath(id), head);
  }

  /** @returns `undefined` where there is no ordinary file of a size that Patchbay writes */
  async readHead(id: string): Promise<string | undefined> {
    return readPlainFile(this.#headPath(id), maximumFileBytes);
  }

  /** See {@link readHead}. */
  async readResult(id: string): Promise<string | undefined> {
    return readPlainFile(this.#resultPath(id), maximumFileBytes);
  }

  /** Removes calls. What another window has removed already is no error. */
  async remove(ids: readonly string[]): Promise<void> {
    for (const id of ids.filter(isCallId)) {
      await rm(this.#headPath(id), { force: true });
      await rm(this.#resultPath(id), { force: true });
    }
  }

  /** Removes the oldest calls beyond the bounds, and what a window that was killed has left half written. */
  async removeOldest(bounds: HistoryBounds, now: number): Promise<void> {
    const sizes = await this.#sizes();
    const perTool = new Map<string, number>();
    const surplus: string[] = [];
    let [count, bytes] = [0, 0];
    for (const id of [...sizes.keys()].toSorted().toReversed()) {
      const tool = id.slice(toolPart.start, toolPart.end);
      const ofTool = (perTool.get(tool) ?? 0) + 1;
      const size = sizes.get(id) ?? 0;
      if (ofTool > bounds.perTool || count >= bounds.all || bytes + size > bounds.bytes) surplus.push(id);
      else {
        perTool.set(tool, ofTool);
        count += 1;
        bytes += size;
      }
    }
    await this.remove(surplus);
    await this.#removeAbandoned(now);
  }

  #headPath(id: string): string {
    return join(this.#folder, `${id}.json`);
  }

  #resultPath(id: string): string {
    return join(this.#folder, `${id}.result`);
  }

  /** Bytes by id, of results without a head too. */
  async #sizes(): Promise<ReadonlyMap<string, number>> {
    const sizes = new Map<string, number>();
    const byName = new Map<string, number>();
    for (const name of await this.#names()) {
      const id = name.replace(/\.(?:json|result)$/, '');
      if (id === name || !isCallId(id)) continue;
      const size = this.#sizesByName.get(name) ?? (await statIfThere(join(this.#folder, name)))?.size ?? 0;
      byName.set(name, size);
      sizes.set(id, (sizes.get(id) ?? 0) + size);
    }
    this.#sizesByName = byName;
    return sizes;
  }

  async #removeAbandoned(now: number): Promise<void> {
    for (const name of await this.#names()) {
      if (!name.endsWith('.new')) continue;
      const path = join(this.#folder, name);
      const found = await statIfThere(path);
      if (found !== undefined && Math.abs(now - found.mtimeMs) > abandonedMs) await rm(path, { force: true });
    }
  }

  async #names(): Promise<readonly string[]> {
    try {
      return (await readdir(this.#folder)).slice(0, maximumEntries);
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return [];
      throw error;
    }
  }
}

const abandonedMs = 60_000;

function replace(path: string, text: string): Promise<void> {
  return replaceFile(path, text, { temporary: `${path}.new`, isSynced: false });
}
