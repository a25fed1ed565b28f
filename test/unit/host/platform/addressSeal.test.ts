import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, it, vi } from 'vitest';
import { loadAddressKey } from '../../../../src/host/platform/addressSeal.ts';
import { temporaryFolder } from '../../../fixtures/temporaryFolder.ts';

let folder: string;
beforeEach(async () => {
  folder = await temporaryFolder();
});

it('is made once, for all windows of a workspace, in a file of the person alone', async () => {
  const path = join(folder, 'state', 'addresses.key');
  const warn = vi.fn();
  const keys = await Promise.all(Array.from({ length: 8 }, () => loadAddressKey(path, { warn })));
  expect(new Set(keys.map((key) => Buffer.from(key).toString('hex'))).size).toBe(1);
  expect(keys[0]).toHaveLength(32);
  expect(await readdir(join(folder, 'state'))).toEqual(['addresses.key']);
  if (process.platform !== 'win32') expect((await stat(path)).mode & 0o077).toBe(0);
  expect(await loadAddressKey(join(folder, 'other'), { warn })).not.toEqual(keys[0]);
  expect(warn).not.toHaveBeenCalled();
});

it('is made anew where the file holds none', async () => {
  const path = join(folder, 'addresses.key');
  await writeFile(path, 'short');
  const warn = vi.fn();
  const made = await loadAddressKey(path, { warn });
  expect(made).toHaveLength(32);
  expect(await loadAddressKey(path, { warn })).toEqual(made);
  expect(warn).not.toHaveBeenCalled();
});

it('is one for this window alone where the file cannot be used', async () => {
  const path = join(folder, 'addresses.key');
  await mkdir(path);
  const warn = vi.fn();
  const [first, second] = await Promise.all([loadAddressKey(path, { warn }), loadAddressKey(path, { warn })]);
  expect(first).toHaveLength(32);
  expect(first).not.toEqual(second);
  expect(warn).toHaveBeenCalledTimes(2);
});
