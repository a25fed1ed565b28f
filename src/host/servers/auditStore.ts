import { constants, type Stats } from 'node:fs';
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isRecord, isString, parseJson } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import type { AuditRecord } from '../../client/auditLog.ts';
import { hasCode, isHeld, moveFile, removeFile, statIfThere, whileHeld } from '../platform/plainFiles.ts';

/** Bytes that are written at once: a line goes out whole, unless the disk fills up in the middle of it. */
const blockBytes = 1_000_000;

/** A window that was killed while it moved the file leaves its lock behind for so long. */
const lockMs = 10_000;

/**
 * Appends a block of lines, the first of `lines`; the caller comes back with the others. Moves a full file away before.
 * Several windows may do this with the same file.
 * @param lines each with a line break at its end
 * @param now milliseconds since the epoch
 * @returns see {@link writeBlock}
 * @throws where nothing was written
 */
export async function appendLines(path: string, lines: readonly string[], now: number) {
  const block = takeBlock(lines);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  for (let tries = 1; tries <= 3; tries += 1) {
    await moveAwayIfFull(path, Buffer.byteLength(block.join('')), now);
    const file = await openOrdinary(path, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT);
    try {
      await keepPrivate(file);
      const appended = await writeBlock(file, block);
      // Without a link, another window has moved two full files away since, or a person has deleted the file.
      if (appended.error !== undefined || (await file.stat()).nlink > 0) return appended;
    } finally {
      await file.close();
    }
  }
  throw new Error('it was deleted while it was written');
}

/** At least one line, with as many more as are written at once. */
export function takeBlock(lines: readonly string[]): readonly string[] {
  let size = 0;
  const end = lines.findIndex((line, index) => {
    size += Buffer.byteLength(line);
    return index > 0 && size > blockBytes;
  });
  // A copy: more are recorded while it is written.
  return lines.slice(0, end === -1 ? undefined : end);
}

/**
 * Begins on a new line, whatever the file ends with: a crash or a full disk may have cut a line.
 * @param file opened for reading and appending
 * @returns how many lines are in the file now, from the first on, and why the next one is not
 */
export async function writeBlock(file: Pick<FileHandle, 'stat' | 'read' | 'write'>, block: readonly string[]) {
  const lead = (await endsWithinLine(file)) ? '\n' : '';
  const bytes = Buffer.from(lead + block.join(''));
  let done = 0;
  try {
    while (done < bytes.length) {
      const { bytesWritten } = await file.write(bytes, done);
      if (bytesWritten === 0) throw new Error('nothing more could be written');
      done += bytesWritten;
    }
    return { written: block.length, error: undefined };
  } catch (error) {
    // A line that lacks only its line break is complete: the next one begins with it.
    const whole = bytes.subarray(lead.length, done + 1).toString('latin1');
    return { written: whole.split('\n').length - 1, error };
  }
}

async function endsWithinLine(file: Pick<FileHandle, 'stat' | 'read'>): Promise<boolean> {
  const { size } = await file.stat();
  if (size === 0) return false;
  const last = new Uint8Array(1);
  const { bytesRead } = await file.read(last, 0, 1, size - 1);
  return bytesRead === 1 && last[0] !== 0x0a;
}

/**
 * The file's two windows must not both move it: the second would put a short file in the place of the full one. A window that
 * cannot have the lock writes to the full file.
 */
async function moveAwayIfFull(path: string, incoming: number, now: number): Promise<void> {
  const isFull = async (share: number): Promise<boolean> => {
    const size = (await statIfThere(path))?.size ?? 0;
    return size > 0 && size + incoming > limits.audit.fileBytes * share;
  };
  if (!(await isFull(1))) return;
  const lock = `${path}.lock`;
  if (!(await takeLock(lock, now))) {
    if (await isFull(2)) throw new Error('it is full, and another window is about to move it away');
    return;
  }
  try {
    if (await isFull(1)) await moveFile(path, `${path}.1`);
  } catch (error) {
    // On Windows a program that reads one of the two may keep it for long.
    if (!isHeld(error) || (await isFull(2))) throw error;
  } finally {
    // One that stays is taken for left behind.
    await removeFile(lock).catch(() => {});
  }
}

/** @returns false where another window has it; one that was left behind is removed, for the next one to ask */
async function takeLock(lock: string, now: number): Promise<boolean> {
  try {
    await (await open(lock, 'wx', 0o600)).close();
    return true;
  } catch (error) {
    if (!hasCode(error, 'EEXIST') && !isHeld(error)) throw error;
    const found = await statIfThere(lock);
    if (found !== undefined && Math.abs(now - found.mtimeMs) > lockMs) await removeFile(lock);
    return false;
  }
}

/** Opens no link, folder, pipe or socket: someone else may have put it there. A device is one that a person has chosen. */
async function openOrdinary(path: string, flags: number): Promise<FileHandle> {
  const found = await statIfThere(path);
  if (found !== undefined) requireOrdinary(found);
  // What is not defined on Windows counts as 0.
  const file = await whileHeld(() => open(path, flags | constants.O_NOFOLLOW | constants.O_NONBLOCK, 0o600));
  try {
    requireOrdinary(await file.stat());
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

function requireOrdinary(found: Stats): void {
  if (!found.isFile() && !found.isCharacterDevice()) throw new Error('it is not an ordinary file');
}

async function keepPrivate(file: FileHandle): Promise<void> {
  const found = await file.stat();
  if (process.platform === 'win32' || !found.isFile() || (found.mode & 0o077) === 0) return;
  await file.chmod(0o600);
}

export async function readRecords(path: string): Promise<readonly AuditRecord[]> {
  const texts = await readBoth(path);
  return texts.join('\n').split('\n').flatMap(parseRecord);
}

async function readBoth(path: string): Promise<readonly string[]> {
  const current = await openIfThere(path);
  const previous = await openIfThere(`${path}.1`);
  try {
    // Between the two, another window may have moved away the file that is open: all of it is in the first then.
    const isMoved = current !== undefined && previous !== undefined && (await isSameFile(current, previous));
    const files = isMoved ? [current] : [previous, current];
    return await Promise.all(files.flatMap((file) => (file === undefined ? [] : [readEnd(file)])));
  } finally {
    await current?.close();
    await previous?.close();
  }
}

function openIfThere(path: string): Promise<FileHandle | undefined> {
  return openOrdinary(path, constants.O_RDONLY).catch((error: unknown) => {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined;
    throw error;
  });
}

async function isSameFile(one: FileHandle, other: FileHandle): Promise<boolean> {
  const [first, second] = await Promise.all([one.stat({ bigint: true }), other.stat({ bigint: true })]);
  return first.ino === second.ino && first.dev === second.dev;
}

/** At most what the file may have; of a longer one, which Patchbay has not written, the end. */
async function readEnd(file: FileHandle): Promise<string> {
  const { size } = await file.stat();
  const maximum = limits.audit.fileBytes * 2;
  const bytes = new Uint8Array(Math.min(size, maximum));
  const from = size - bytes.length;
  let done = 0;
  while (done < bytes.length) {
    const { bytesRead } = await file.read(bytes, done, bytes.length - done, from + done);
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  return new TextDecoder().decode(bytes.subarray(0, done));
}

/** @returns nothing for a line that is cut, or is no record; the others still count */
export function parseRecord(line: string): AuditRecord[] {
  const value = parseJson(line);
  if (!isRecord(value) || !isRecord(value['detail'])) return [];
  const { time, server, action, outcome, detail } = value;
  if (![time, server, action, outcome].every(isString)) return [];
  const facts = Object.entries(detail).filter(([, fact]) => ['string', 'number', 'boolean'].includes(typeof fact));
  return [{ time, server, action, outcome, detail: Object.fromEntries(facts) } as AuditRecord];
}
