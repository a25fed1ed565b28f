import { mkdir, open, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { SecretStorage } from 'vscode';
import { delay } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { hasCode, removeFile, whileHeld } from './plainFiles.ts';

/** Who takes a lock, and when a lock counts as abandoned. */
export interface FileLockOptions {
  readonly clock: Clock;
  /** Tells this window from others; unique. */
  readonly owner: string;
  /**
   * Resolves once the window has answered. An extension host that has lost its window without a word may live on for
   * hours, and what it waits for never comes.
   */
  readonly reachWindow: () => Promise<void>;
}

/**
 * Reads any secret: the window has to answer that. An error is an answer too.
 * @returns resolves when the window has answered
 */
export function createWindowProbe(secrets: Pick<SecretStorage, 'get'>): FileLockOptions['reachWindow'] {
  const ignore = (): void => {};
  return () => Promise.resolve(secrets.get('patchbay.reach')).then(ignore, ignore);
}

/** How long a lock outlives a window that is gone. */
const leaseMs = 15_000;
const renewalMs = 5_000;
const pollMs = 100;

/**
 * Runs `action` while this window alone holds the file: the windows of one machine share it. A window that dies, or an
 * extension host that has lost its window, leaves a lease behind that ends by itself.
 * @param path of the lock file; its folder is made
 * @param onWait called once where another window holds it
 * @throws what `action` throws, or the signal's reason while waiting
 */
export async function withFileLock<T>(
  path: string,
  { clock, owner, reachWindow }: FileLockOptions,
  action: () => Promise<T>,
  signal: AbortSignal,
  onWait?: () => void,
): Promise<T> {
  const lease = (): string => JSON.stringify({ owner, until: clock.now() + leaseMs });
  const hasEnded = watchLease(path, clock);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  // Windows denies what was removed while someone reads it, until that ends.
  const take = (): Promise<boolean> => whileHeld(() => create(path, lease()), { clock, signal });
  for (let tries = 1; !(await take()); tries += 1) {
    signal.throwIfAborted();
    if (tries === 1) onWait?.();
    if (!(await removeEnded(path, hasEnded, clock))) await delay(clock, pollMs, signal);
  }
  const isOurs = async (): Promise<boolean> => (await read(path)).includes(owner);
  const renewal = keepRenewing(clock, reachWindow, async () => {
    if (await isOurs()) await writeFile(path, lease());
  });
  try {
    return await action();
  } finally {
    await renewal.stop();
    // A window that was asleep for long may have lost it to another.
    // What the action did counts: a lease that cannot be removed ends by itself.
    if (await isOurs()) await removeFile(path).catch(() => {});
  }
}

/** @returns false when there is one already */
async function create(path: string, content: string): Promise<boolean> {
  try {
    const file = await open(path, 'wx');
    try {
      await file.writeFile(content);
    } catch (error) {
      // On a full disk: a lock without a lease would hold up the next one until it counts as ended.
      await removeFile(path);
      throw error;
    } finally {
      await file.close();
    }
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  }
}

/** @param isDue resolves when the next renewal may be written, if ever */
function keepRenewing(clock: Clock, isDue: () => Promise<void>, renew: () => Promise<void>): { stop(): Promise<void> } {
  let writing = Promise.resolve();
  let isStopped = false;
  async function renewAndGoOn(): Promise<void> {
    try {
      await isDue();
      if (isStopped) return;
      writing = renew();
      await writing;
    } catch {
      // A lease that is not renewed ends early, which the next renewal mends.
    }
    if (!isStopped) timer = next();
  }
  const next = (): Disposable => clock.after(renewalMs, () => void renewAndGoOn());
  let timer = next();
  return {
    async stop() {
      isStopped = true;
      timer.dispose();
      await writing.catch(() => {});
    },
  };
}

/** Takes away a lease that has ended. A second file decides which of several windows may do it. @returns whether it did */
async function removeEnded(path: string, hasEnded: () => Promise<boolean>, clock: Clock): Promise<boolean> {
  if (!(await hasEnded())) return false;
  const right = `${path}.ended`;
  if (!(await whileHeld(() => create(right, ''), { clock }))) {
    // Its window died in the middle of this: rare enough to wait no longer than a poll for.
    await delay(clock, pollMs);
    await removeFile(right);
    return false;
  }
  try {
    // Another window may have done it, and taken the lock, meanwhile.
    if (await hasEnded()) await removeFile(path);
    return true;
  } finally {
    await removeFile(right);
  }
}

/**
 * Tells whether the lease in a file has ended. A file that holds none, because its window was killed while it wrote,
 * or with an end that no window would have set, counts as a lease that began when it was first seen here.
 */
function watchLease(path: string, clock: Clock): () => Promise<boolean> {
  let unreadable: { readonly file: string; readonly since: number } | undefined;
  return async () => {
    const now = clock.now();
    const file = await identify(path);
    if (file === undefined) return false;
    const until = Number(/"until":(\d+)\}$/.exec(await read(path))?.[1]);
    if (until <= now + leaseMs) return until <= now;
    if (unreadable?.file !== file) unreadable = { file, since: now };
    return now >= unreadable.since + leaseMs;
  };
}

/** @returns what differs for each file that is made or written at `path`; nothing when there is none */
async function identify(path: string): Promise<string | undefined> {
  try {
    const { ino, mtimeMs } = await stat(path);
    return `${ino} ${mtimeMs}`;
  } catch {
    return undefined;
  }
}

/** @returns nothing when there is no such file */
function read(path: string): Promise<string> {
  return whileHeld(() => readFile(path, 'utf8'), { patienceMs: 500 }).catch(() => '');
}
