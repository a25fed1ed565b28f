import type * as promises from 'node:fs/promises';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createSystemClock } from '../../../../src/base/clock.ts';
import { limits } from '../../../../src/base/limits.ts';
import { createLogger } from '../../../../src/base/logger.ts';
import { createPinFile } from '../../../../src/host/definitions/pinFile.ts';
import { withFileLock } from '../../../../src/host/platform/fileLock.ts';
import { createKeptFiles } from '../../../../src/host/platform/keptFiles.ts';
import { moveFile, removeFile, replaceFile, whileHeld } from '../../../../src/host/platform/plainFiles.ts';
import { appendLines } from '../../../../src/host/servers/auditStore.ts';
import { createManualClock, settle } from '../../../fixtures/manualClock.ts';
import { temporaryFolder } from '../../../fixtures/temporaryFolder.ts';

/** How often each function of the file system still fails, as on Windows while another program has the file open. */
const held = new Map<string, number>();

function deny(name: string): void {
  const left = held.get(name) ?? 0;
  if (left <= 0) return;
  held.set(name, left - 1);
  const code = ['EPERM', 'EACCES', 'EBUSY'][left % 3];
  throw Object.assign(new Error(`${code}: operation not permitted, ${name}`), { code });
}

vi.mock('node:fs/promises', async (load) => {
  const files = await load<typeof promises>();
  return {
    ...files,
    rename: async (...args: Parameters<typeof files.rename>) => (deny('rename'), files.rename(...args)),
    rm: async (...args: Parameters<typeof files.rm>) => (deny('rm'), files.rm(...args)),
    open: async (...args: Parameters<typeof files.open>) => {
      if (args[1] === 'wx') deny('open');
      return files.open(...args);
    },
  };
});

const actual = process.platform;
const setPlatform = (value: NodeJS.Platform): unknown => Object.defineProperty(process, 'platform', { value });

let folder: string;
let path: string;

beforeEach(async () => {
  folder = await temporaryFolder();
  path = join(folder, 'file');
  held.clear();
  setPlatform('win32');
});
afterEach(() => setPlatform(actual));

const logger = createLogger((level, text) => {
  throw new Error(`${level}: ${text}`);
});
const lock = { clock: createSystemClock(), owner: 'me', reachWindow: async () => {} };
const locked = (action: () => Promise<string>): Promise<string> =>
  withFileLock(`${path}.lock`, lock, action, new AbortController().signal);

describe('a file that another program has open', () => {
  it.each<[name: string, action: () => Promise<unknown>]>([
    ['replaced', () => replaceFile(path, 'new', { temporary: `${path}.new`, isSynced: true })],
    ['moved', async () => (await writeFile(`${path}.old`, 'new'), moveFile(`${path}.old`, path))],
    ['kept', () => createKeptFiles(folder, { files: 5, bytes: 100 }, logger).write('key', async () => ({ a: 1 }))],
    [
      'a file of pins',
      async () => {
        const pins = createPinFile(folder, logger);
        pins.replace({ server: 's', identity: 'i' }, [{ a: 1 }]);
        expect(await pins.readNew({ server: 's', identity: 'i' })).toEqual([{ a: 1 }]);
      },
    ],
    [
      'a full audit log',
      async () => {
        await writeFile(path, `${' '.repeat(limits.audit.fileBytes)}\n`);
        await appendLines(path, ['{}\n'], Date.now());
        expect((await readdir(folder)).toSorted()).toEqual(['file', 'file.1']);
        expect(await readFile(path, 'utf8')).toBe('{}\n');
      },
    ],
  ])('is tried again: %s', async (_, action) => {
    held.set('rename', 4);
    await action();
    expect(held.get('rename')).toBe(0);
    expect(await readdir(folder)).not.toContainEqual(expect.stringMatching(/new|lock/));
  });

  it('is removed once it is closed', async () => {
    await writeFile(path, '');
    held.set('rm', 3);
    await removeFile(path);
    expect(await readdir(folder)).toEqual([]);
  });

  it('is tried again with growing pauses, for a while', async () => {
    const clock = createManualClock();
    const from = clock.now();
    const times: number[] = [];
    const ended = whileHeld(
      async () => {
        times.push(clock.now() - from);
        throw Object.assign(new Error('held'), { code: 'EBUSY' });
      },
      { clock, patienceMs: 700 },
    ).catch((error: unknown) => error);
    await settle();
    await clock.advance(2_000);
    expect(await ended).toMatchObject({ message: 'held' });
    expect(times).toEqual([0, 5, 15, 35, 75, 155, 255, 355, 455, 555, 655]);
  });

  it.each([
    ['linux', 'EPERM'],
    ['win32', 'ENOSPC'],
  ] as const)('is not waited for on %s after %s', async (platform, code) => {
    const action = vi.fn(async () => {
      throw Object.assign(new Error(code), { code });
    });
    await expect(whileHeld(action, { platform })).rejects.toThrow(code);
    expect(action).toHaveBeenCalledOnce();
  });
});

describe('a lock', () => {
  it('that Windows denies is waited for like one that is held', async () => {
    held.set('open', 3);
    expect(await locked(async () => 'done')).toBe('done');
    expect(await readdir(folder)).toEqual([]);
  });

  it('that cannot be removed does not replace what the action gave', async () => {
    setPlatform('linux');
    held.set('rm', 1);
    expect(await locked(async () => 'the token')).toBe('the token');
    // Its lease ends by itself.
    expect(await readdir(folder)).toEqual(['file.lock']);
  });

  it('of the audit log that Windows denies counts as held by another window', async () => {
    await mkdir(folder, { recursive: true });
    await writeFile(path, `${' '.repeat(limits.audit.fileBytes)}\n`);
    held.set('open', 1);
    await appendLines(path, ['{}\n'], Date.now());
    expect(await readdir(folder)).toEqual(['file']);
  });
});
