import { appendFile, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { createLogger } from '../../../../src/base/logger.ts';
import { createPinFile } from '../../../../src/host/definitions/pinFile.ts';
import { temporaryFolder } from '../../../fixtures/temporaryFolder.ts';

const server = { server: 'demo', identity: 'a' };

describe('the file of pins', () => {
  let folder: string;
  const errors: string[] = [];
  const open = () =>
    createPinFile(
      folder,
      createLogger((level, text) => level === 'error' && errors.push(text)),
    );

  beforeEach(async () => {
    folder = join(await temporaryFolder(), 'definitions');
    errors.length = 0;
  });

  it('gives what was added, once, in the next window and for each server by itself', async () => {
    const store = open();
    expect(await store.readNew(server)).toEqual([]);
    store.append(server, { a: 1 });
    store.append({ ...server, identity: 'b' }, { b: 1 });
    expect(await store.readNew(server)).toEqual([{ a: 1 }]);
    expect(await store.readNew(server)).toEqual([]);
    expect(await open().readNew(server)).toEqual([{ a: 1 }]);
  });

  it('loses nothing of two windows that write at the same time', async () => {
    const [one, two] = [open(), open()];
    for (let index = 0; index < 50; index += 1) {
      one.append(server, { one: index });
      two.append(server, { two: index });
    }
    await Promise.all([one.readNew(server), two.readNew(server)]);
    expect(await open().readNew(server)).toHaveLength(100);
  });

  it('reads past a line that a crash cut short', async () => {
    open().append(server, { a: 1 });
    await open().readNew(server);
    const store = open();
    await expect.poll(async () => (await readdir(folder)).length).toBe(1);
    const [name = ''] = await readdir(folder);
    await appendFile(join(folder, name), '{"b":');
    store.append(server, { c: 1 });
    expect(await store.readNew(server)).toEqual([{ a: 1 }, { c: 1 }]);
  });

  it('is shorter after it was replaced, and empty after it was cleared', async () => {
    const store = open();
    for (let index = 0; index < 10; index += 1) store.append(server, { index });
    await store.readNew(server);
    store.replace(server, [{ index: 9 }]);
    expect(await store.readNew(server)).toEqual([{ index: 9 }]);
    await store.clear();
    expect(await store.readNew(server)).toEqual([]);
    expect(await open().readNew(server)).toEqual([]);
  });

  it('rejects a folder in place of the file, which never counts as unused', async () => {
    open().append(server, { a: 1 });
    await open().readNew(server);
    await expect.poll(async () => (await readdir(folder)).length).toBe(1);
    const [name = ''] = await readdir(folder);
    await rm(join(folder, name));
    await mkdir(join(folder, name));
    await expect(open().readNew(server)).rejects.toThrow('is not a file');
  });

  it('rejects what cannot be read, and logs what cannot be written', async () => {
    // A file with the name of the folder.
    await mkdir(join(folder, '..'), { recursive: true });
    await writeFile(folder, '');
    const store = open();
    store.append(server, { a: 1 });
    await expect(store.readNew(server)).rejects.toThrow(/ENOTDIR|ENOENT/);
    expect(errors).toHaveLength(1);
  });
});
