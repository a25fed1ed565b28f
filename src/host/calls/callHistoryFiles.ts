import { mkdir, readdir, rm, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode, readPlainFile, replaceFile, statIfThere } from '../platform/plainFiles.ts';
import { type CallTexts, type PastCall, readAnswer, readCall, type WholePastCall } from './callRecord.ts';

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

const maximumEntries = 20_000;

/** How long a file that is being written may take. */
const abandonedMs = 60_000;

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
 * The files of past calls in one folder: for each call a head, and apart from it a result, which is only read when it is looked at.
 * There is no list of them beside their names, and no file is ever changed: so several windows can share the folder without
 * a lock, and a file that is cut or gone takes no other with it.
 */
export class CallHistoryFiles {
  readonly #folder: string;
  /** The files that are there, with their bytes: so the folder is not read again for each call that is kept. */
  #sizes = new Map<string, number>();
  /** Files that were being written when the folder was read. */
  #unfinished: readonly string[] = [];
  /** When the folder had these files. Another window that adds or removes one changes it. */
  #changedAt: number | undefined;

  /** @param folder made with the first call that is kept */
  constructor(folder: string) {
    this.#folder = folder;
  }

  async ids(): Promise<readonly string[]> {
    await this.#readFolder();
    const heads = [...this.#sizes.keys()].filter((name) => name.endsWith('.json'));
    return heads.map(idOf).toSorted().toReversed();
  }

  /**
   * Writes the files of a call; the head comes last, so that a call that is listed is whole. Then removes the oldest calls
   * beyond the bounds, and what a window that was killed has left half written.
   * @param now milliseconds since the epoch
   */
  async add(id: string, { head, result }: CallTexts, bounds: HistoryBounds, now: number): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    // Two windows that write in the same instant may not see each other here: `ids` does, which every list asks for.
    if (this.#changedAt !== (await this.#folderTime())) await this.#readFolder();
    if (result !== undefined) await this.#write(`${id}.result`, result);
    await this.#write(`${id}.json`, head);
    await this.#remove(this.#surplus(bounds));
    for (const name of this.#unfinished) await this.#removeIfAbandoned(name, now);
    this.#changedAt = await this.#folderTime();
  }

  /** @param id any text @returns `undefined` where there is no ordinary file of a size that Patchbay writes */
  async readHead(id: string): Promise<PastCall | undefined> {
    const text = idPattern.test(id) ? await readPlainFile(this.#pathOf(`${id}.json`), maximumFileBytes) : undefined;
    return text === undefined ? undefined : readCall(id, text);
  }

  /** One call with its answer. See {@link readHead}. */
  async read(id: string): Promise<WholePastCall | undefined> {
    const call = await this.readHead(id);
    if (call === undefined) return undefined;
    const text = await readPlainFile(this.#pathOf(`${id}.result`), maximumFileBytes).catch(() => undefined);
    return { ...call, answer: text === undefined ? undefined : readAnswer(text) };
  }

  /** Removes calls. What another window has removed already is no error. */
  async remove(ids: readonly string[]): Promise<void> {
    await this.#remove(ids.filter((id) => idPattern.test(id)).flatMap((id) => [`${id}.json`, `${id}.result`]));
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
    await unlink(this.#pathOf(name)).catch((error: unknown) => {
      if (!hasCode(error, 'ENOENT')) throw error;
    });
    this.#sizes.delete(name);
  }

  /** The files of the oldest calls beyond the bounds; results without a head count too. */
  #surplus(bounds: HistoryBounds): readonly string[] {
    const bytesOf = new Map<string, number>();
    for (const [name, size] of this.#sizes) bytesOf.set(idOf(name), (bytesOf.get(idOf(name)) ?? 0) + size);
    const perTool = new Map<string, number>();
    const surplus = new Set<string>();
    let [count, bytes] = [0, 0];
    for (const id of [...bytesOf.keys()].toSorted().toReversed()) {
      const tool = id.slice(toolPart.start, toolPart.end);
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

  async #removeIfAbandoned(name: string, now: number): Promise<void> {
    const found = await statIfThere(this.#pathOf(name));
    const isAbandoned = found !== undefined && Math.abs(now - found.mtimeMs) > abandonedMs;
    if (isAbandoned) await rm(this.#pathOf(name), { force: true });
    if (isAbandoned || found === undefined) this.#unfinished = this.#unfinished.filter((other) => other !== name);
  }

  /** Files are never changed, so the size of each is asked for once. */
  async #readFolder(): Promise<void> {
    this.#changedAt = await this.#folderTime();
    const names = this.#changedAt === undefined ? [] : (await readdir(this.#folder)).slice(0, maximumEntries);
    const own = names.filter((name) => /\.(?:json|result)$/.test(name) && idPattern.test(idOf(name)));
    const sizeOf = async (name: string): Promise<number> =>
      this.#sizes.get(name) ?? (await statIfThere(this.#pathOf(name)))?.size ?? 0;
    this.#sizes = new Map(await Promise.all(own.map(async (name) => [name, await sizeOf(name)] as const)));
    this.#unfinished = names.filter((name) => name.endsWith('.new'));
  }

  /** When a file of the folder was last added or removed; `undefined` where there is no folder. */
  async #folderTime(): Promise<number | undefined> {
    return (await statIfThere(this.#folder))?.mtimeMs;
  }
}

/** @param name of a file of a call */
function idOf(name: string): string {
  return name.slice(0, name.lastIndexOf('.'));
}
