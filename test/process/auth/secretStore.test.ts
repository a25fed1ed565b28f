import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { SecretStorage } from 'vscode';
import { createSystemClock } from '../../../src/base/clock.ts';
import { Emitter } from '../../../src/base/event.ts';
import type { FileLockOptions } from '../../../src/host/platform/fileLock.ts';
import { SecretStore } from '../../../src/host/signIn/secretStore.ts';
import { createManualClock } from '../../fixtures/manualClock.ts';
import { temporaryFolder } from '../../fixtures/temporaryFolder.ts';

/** The secret storage that windows share. A window sees changes of other windows with a delay. */
function createSharedSecrets(delayMs = 0): { openWindow(): SecretStorage } {
  const windows = new Set<{ readonly values: Map<string, string>; readonly changed: Emitter<{ key: string }> }>();
  const values = new Map<string, string>();
  return {
    openWindow() {
      const own = { values: new Map(values), changed: new Emitter<{ key: string }>() };
      windows.add(own);
      const change = async (key: string, update: (map: Map<string, string>) => void): Promise<void> => {
        update(values);
        update(own.values);
        own.changed.fire({ key });
        const others = [...windows].filter((other) => other !== own);
        const tell = (): void => {
          for (const other of others) {
            update(other.values);
            other.changed.fire({ key });
          }
        };
        if (delayMs === 0) tell();
        else setTimeout(tell, delayMs);
      };
      return {
        get: async (key: string) => own.values.get(key),
        store: (key: string, value: string) => change(key, (map) => map.set(key, value)),
        delete: (key: string) => change(key, (map) => map.delete(key)),
        onDidChange: own.changed.event,
      };
    },
  };
}

const clock = createSystemClock();
const { signal } = new AbortController();
let lockFolder: string;
let secrets: ReturnType<typeof createSharedSecrets>;

beforeEach(async () => {
  lockFolder = join(await temporaryFolder(), 'locks');
  secrets = createSharedSecrets();
});

function openWindow(owner: string, lock: Partial<FileLockOptions> = {}): SecretStore {
  const options = { clock, owner, reachWindow: () => Promise.resolve(), ...lock };
  return new SecretStore(secrets.openWindow(), lockFolder, options);
}

/** Runs `action` while a window has the lock. */
function whileLocked(action: () => Promise<void>, options: Partial<FileLockOptions> = {}): Promise<void> {
  return openWindow('1', options).lock('grant:a', action, signal, () => expect.unreachable());
}

/** The path of the file of the one lock. */
async function lockPath(): Promise<string> {
  const [file = ''] = await readdir(lockFolder);
  return join(lockFolder, file);
}

describe('sign-ins in the secret storage', () => {
  it('are seen by other windows, which hear of every change', async () => {
    const [one, two] = [openWindow('1'), openWindow('2')];
    const heard: string[] = [];
    two.onDidChange((key) => heard.push(key));
    await one.set('grant:a', 'x');
    expect(await two.get('grant:a')).toBe('x');
    await one.delete('grant:a');
    expect(await two.get('grant:a')).toBeUndefined();
    expect(heard).toEqual(['grant:a', 'grant:a']);
  });

  it('can be listed, also when several are kept at once', async () => {
    const store = openWindow('1');
    await Promise.all(['grant:a', 'grant:b', 'client:c'].map((key) => store.set(key, 'x')));
    await store.set('grant:a', 'y');
    await store.delete('grant:b');
    expect(await openWindow('2').keys()).toEqual(['grant:a', 'client:c']);
  });

  it.each([0, 30])(
    'are all listed when two windows keep some at once, and hear of each other after %i ms',
    async (ms) => {
      secrets = createSharedSecrets(ms);
      const [one, two] = [openWindow('1'), openWindow('2')];
      await Promise.all([
        one.set('grant:a', 'x'),
        two.set('grant:b', 'x'),
        one.set('grant:c', 'x'),
        two.delete('grant:z'),
      ]);
      await expect.poll(() => one.keys()).toEqual(expect.arrayContaining(['grant:a', 'grant:b', 'grant:c']));
      // A window that has received none of these changes reads the list.
      await expect.poll(() => openWindow('3').keys()).toHaveLength(3);
      await two.delete('grant:a');
      await expect.poll(async () => (await openWindow('4').keys()).toSorted()).toEqual(['grant:b', 'grant:c']);
    },
  );
});

describe('the lock', () => {
  it('is held by one window at a time, and leaves nothing behind', async () => {
    const windows = ['1', '2', '3'].map((owner) => openWindow(owner));
    let holders = 0;
    const seen: number[] = [];
    const hold = async (): Promise<void> => {
      holders += 1;
      seen.push(holders);
      await readdir(lockFolder);
      holders -= 1;
    };
    await Promise.all(
      windows.flatMap((store) => [store.lock('grant:a', hold, signal), store.lock('grant:a', hold, signal)]),
    );
    expect(seen).toEqual([1, 1, 1, 1, 1, 1]);
    expect(await readdir(lockFolder)).toEqual([]);
  });

  it('holds up nobody who wants another key, and names no key on disk', async () => {
    await whileLocked(async () => {
      await openWindow('2').lock('grant:b', async () => {}, signal);
      const path = await lockPath();
      expect(`${path} ${await readFile(path, 'utf8')}`).not.toContain('grant:a');
    });
  });

  it('is released by a failure; who waits is told so, and gives up when cancelled', async () => {
    const [one, two] = [openWindow('1'), openWindow('2')];
    await expect(one.lock('grant:a', () => Promise.reject(new Error('failed')), signal)).rejects.toThrow('failed');
    const abort = new AbortController();
    await whileLocked(async () => {
      let told = 0;
      const never = (): never => expect.unreachable();
      const waiting = two.lock('grant:a', never, abort.signal, () => (told += 1));
      await expect.poll(() => told, { interval: 1 }).toBe(1);
      abort.abort(new Error('cancelled'));
      await expect(waiting).rejects.toThrow('cancelled');
      expect(told).toBe(1);
    });
  });

  it('of a window that is gone ends by itself', async () => {
    await whileLocked(async () => {
      await writeFile(await lockPath(), JSON.stringify({ owner: 'gone', until: clock.now() - 1 }));
      await expect(openWindow('2').lock('grant:a', async () => 'taken', signal)).resolves.toBe('taken');
    });
  });

  it('is kept as long as the window behind it answers, and ends by itself where the extension host has lost that', async () => {
    const manual = createManualClock();
    let isWindowThere = true;
    const reachWindow = (): Promise<void> => (isWindowThere ? Promise.resolve() : new Promise(() => {}));
    const store = openWindow('1', { clock: manual, reachWindow });
    let end = (): void => {};
    const held = new Promise<void>((resolve) => (end = resolve));
    const holding = store.lock('grant:a', () => held, signal);
    await expect.poll(() => manual.waiting, { interval: 1 }).toBe(1);
    const other = openWindow('2', { clock: manual });
    let isTaken = false;
    const taken = other.lock('grant:a', async () => void (isTaken = true), signal);
    // The files are real: each poll and each renewal takes some time.
    const pass = async (milliseconds: number): Promise<void> => {
      for (let passed = 0; passed < milliseconds; passed += 100) {
        if (isTaken) return;
        await expect.poll(() => isTaken || manual.waiting > (isWindowThere ? 1 : 0), { interval: 1 }).toBe(true);
        await manual.advance(100);
      }
    };
    await pass(40_000);
    expect(isTaken).toBe(false);
    isWindowThere = false;
    await pass(21_000);
    await taken;
    end();
    await holding;
    expect(await readdir(lockFolder)).toEqual([]);
  });

  it.each([
    ['is empty', ''],
    ['is half written', '{"owner":"gone","unt'],
    ['never ends', JSON.stringify({ owner: 'gone', until: 9e15 })],
  ])('of a window that was killed while it wrote ends like any other, where the file %s', async (_what, content) => {
    const manual = createManualClock();
    await whileLocked(
      async () => {
        await writeFile(await lockPath(), content);
        const other = openWindow('2', { clock: manual });
        let isTaken = false;
        const taken = other.lock('grant:a', async () => void (isTaken = true), signal);
        const pass = async (milliseconds: number): Promise<void> => {
          for (let passed = 0; passed < milliseconds; passed += 100) {
            await expect.poll(() => manual.waiting > 1 || isTaken, { interval: 1 }).toBe(true);
            await manual.advance(100);
          }
        };
        await pass(4_500);
        expect(isTaken).toBe(false);
        await pass(11_000);
        await taken;
      },
      { clock: manual },
    );
  });
});
