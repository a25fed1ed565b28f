import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SecretStorage } from 'vscode';
import { createSystemClock } from '../../../src/base/clock.ts';
import { Emitter } from '../../../src/base/event.ts';
import { createSecretStore, type SecretStore } from '../../../src/host/auth/secretStore.ts';

/** The part of the editor's secret storage that windows share. */
function createSecrets(): SecretStorage {
  const values = new Map<string, string>();
  const changed = new Emitter<{ key: string }>();
  return {
    get: async (key: string) => values.get(key),
    async store(key: string, value: string) {
      values.set(key, value);
      changed.fire({ key });
    },
    async delete(key: string) {
      values.delete(key);
      changed.fire({ key });
    },
    onDidChange: changed.event,
  };
}

const clock = createSystemClock();
const { signal } = new AbortController();
let lockFolder: string;
let secrets: SecretStorage;

beforeEach(async () => {
  lockFolder = join(await mkdtemp(join(tmpdir(), 'patchbay-locks-')), 'locks');
  secrets = createSecrets();
});

afterEach(() => rm(join(lockFolder, '..'), { recursive: true }));

function openWindow(owner: string): SecretStore {
  return createSecretStore({ secrets, lockFolder, clock, owner });
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
});

describe('the lock', () => {
  it('is held by one window at a time, and leaves nothing behind', async () => {
    const windows = ['1', '2', '3'].map(openWindow);
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
    const store = openWindow('1');
    await store.lock(
      'grant:a',
      async () => {
        await openWindow('2').lock('grant:b', async () => {}, signal);
        const [file = ''] = await readdir(lockFolder);
        expect(`${file} ${await readFile(join(lockFolder, file), 'utf8')}`).not.toContain('grant:a');
      },
      signal,
    );
  });

  it('is released by a failure, and given up by who is cancelled', async () => {
    const [one, two] = [openWindow('1'), openWindow('2')];
    await expect(one.lock('grant:a', () => Promise.reject(new Error('failed')), signal)).rejects.toThrow('failed');
    const abort = new AbortController();
    await one.lock(
      'grant:a',
      async () => {
        const waiting = two.lock('grant:a', () => expect.unreachable(), abort.signal);
        abort.abort(new Error('cancelled'));
        await expect(waiting).rejects.toThrow('cancelled');
      },
      signal,
    );
  });

  it('of a window that is gone ends by itself', async () => {
    const store = openWindow('1');
    await store.lock(
      'grant:a',
      async () => {
        const [file = ''] = await readdir(lockFolder);
        await writeFile(join(lockFolder, file), JSON.stringify({ owner: 'gone', until: clock.now() - 1 }));
        await expect(openWindow('2').lock('grant:a', async () => 'taken', signal)).resolves.toBe('taken');
      },
      signal,
    );
  });
});
