import { rm } from 'node:fs/promises';
import { delay } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { CancelledError } from '../../base/errors.ts';
import type { SharedStore } from '../../client/sampling/ports.ts';
import { type FileLockOptions, withFileLock } from '../platform/fileLock.ts';
import { readPlainFile, replaceFile, statIfThere } from '../platform/plainFiles.ts';

export interface SharedFileFormat<T> {
  /** Bytes. A larger file is not read, and not written. */
  readonly maximumBytes: number;
  /** @param content checked in no way; `undefined` where there is no file, or none that can be used */
  parse(content: unknown): T;
  /** @returns what is stored as JSON; `undefined` for a value that needs no file */
  serialize(value: T): unknown;
  /** False where `after` says nothing that `before` does not say: then nothing is written. */
  isChanged(before: T, after: T): boolean;
}

/**
 * Keeps a value in a JSON file that several windows read and change. Each write replaces the whole file at once, so that it can be read without the lock.
 * @param path in a folder that is made with the first write. Only an ordinary file is read or replaced there
 * @param patienceMs milliseconds to wait for another window; absent: as long as that window may have the lock
 */
export function createSharedFile<T>(
  path: string,
  format: SharedFileFormat<T>,
  lock: FileLockOptions,
  patienceMs?: number,
): SharedStore<T> & Disposable {
  const disposal = new AbortController();
  let work: Promise<unknown> = Promise.resolve();

  async function tryChange(change: (value: T) => T): Promise<{ readonly isChanged: boolean; readonly after: T }> {
    const before = format.parse(await readJson(path, format.maximumBytes));
    const after = change(before);
    return { isChanged: format.isChanged(before, after), after };
  }

  async function update(change: (value: T) => T): Promise<T> {
    disposal.signal.throwIfAborted();
    const seen = await tryChange(change);
    if (!seen.isChanged) return seen.after;
    const storeChange = async (): Promise<T> => {
      const { isChanged, after } = await tryChange(change);
      if (isChanged) await store(path, toText(format, after), lock.owner);
      return after;
    };
    return withPatience(lock.clock, patienceMs, disposal.signal, (signal) =>
      withFileLock(`${path}.lock`, lock, storeChange, signal),
    );
  }

  return {
    update(change) {
      const done = work.then(() => update(change));
      work = done.catch(() => {});
      return done;
    },
    dispose: () => disposal.abort(new CancelledError('The window is closing')),
  };
}

/** Gives a signal to `wait` that is aborted when the window closes, or has waited for too long. */
async function withPatience<T>(
  clock: Clock,
  patienceMs: number | undefined,
  disposed: AbortSignal,
  wait: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  if (patienceMs === undefined) return wait(disposed);
  const end = new AbortController();
  const impatience = new AbortController();
  void delay(clock, patienceMs, end.signal).then(
    () => impatience.abort(new Error('another window has locked the file for too long')),
    () => {},
  );
  try {
    return await wait(AbortSignal.any([disposed, impatience.signal]));
  } finally {
    end.abort(new CancelledError());
  }
}

/** @returns `undefined` where there is no ordinary file with JSON of at most `maximumBytes` */
async function readJson(path: string, maximumBytes: number): Promise<unknown> {
  if ((await statIfThere(path))?.isFile() !== true) return undefined;
  // What cannot be read may be there, and be right: that throws.
  const text = await readPlainFile(path, maximumBytes);
  try {
    return JSON.parse(text ?? '');
  } catch {
    // What cannot be parsed is replaced by the next write.
    return undefined;
  }
}

function toText<T>(format: SharedFileFormat<T>, value: T): string | undefined {
  const content = format.serialize(value);
  if (content === undefined) return undefined;
  const text = `${JSON.stringify(content)}\n`;
  if (Buffer.byteLength(text) > format.maximumBytes) throw new Error('there is too much to store');
  return text;
}

/** @param text `undefined` removes the file */
async function store(path: string, text: string | undefined, owner: string): Promise<void> {
  const found = await statIfThere(path);
  if (found !== undefined && !found.isFile()) throw new Error(`${path} is not an ordinary file`);
  if (text === undefined) {
    await rm(path, { force: true });
    return;
  }
  await replaceFile(path, text, { temporary: `${path}.${owner}.new`, isSynced: true });
}
