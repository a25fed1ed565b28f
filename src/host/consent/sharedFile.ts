import { constants, type Stats } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { delay } from '../../base/abort.ts';
import type { Disposable } from '../../base/disposable.ts';
import { CancelledError } from '../../base/errors.ts';
import type { SharedStore } from '../../client/sampling/ports.ts';
import { type FileLockOptions, withFileLock } from '../platform/fileLock.ts';
import { hasCode, replaceFile, statIfThere } from '../platform/plainFiles.ts';

/** What is in such a file. */
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

/** Who takes the lock of the file, and for how long it may wait. */
export interface SharedFileOptions extends FileLockOptions {
  /** Milliseconds to wait for another window; absent: as long as that window may have the lock. */
  readonly patienceMs?: number;
}

/**
 * Keeps a value in a JSON file that several windows read and change. Each write replaces the whole file at once, so that it can be read without the lock.
 * @param path in a folder that is made with the first write. Only an ordinary file is read or replaced there
 */
export function createSharedFile<T>(
  path: string,
  format: SharedFileFormat<T>,
  options: SharedFileOptions,
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
      if (isChanged) await store(path, toText(format, after), options.owner);
      return after;
    };
    return withPatience(options, disposal.signal, (signal) =>
      withFileLock(`${path}.lock`, options, storeChange, signal),
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
  { clock, patienceMs }: SharedFileOptions,
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
  const found = await statIfThere(path);
  if (found === undefined || !isUsable(found, maximumBytes)) return undefined;
  try {
    return JSON.parse((await readOrdinary(path, maximumBytes)) ?? '');
  } catch (error) {
    // What cannot be parsed is replaced by the next write. What cannot be read may be there, and be right.
    if (error instanceof SyntaxError || hasCode(error, 'ENOENT', 'ELOOP')) return undefined;
    throw error;
  }
}

/** @returns `undefined` if it became something else since its state was asked for */
async function readOrdinary(path: string, maximumBytes: number): Promise<string | undefined> {
  // What is not defined on Windows counts as 0.
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const found = await file.stat();
    if (!isUsable(found, maximumBytes)) return undefined;
    const { buffer, bytesRead } = await file.read(Buffer.alloc(found.size), 0, found.size, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}

function isUsable(found: Stats, maximumBytes: number): boolean {
  return found.isFile() && found.size <= maximumBytes;
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
