import { link, mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { takeRecordingFile } from '../../../src/transport/stdio/recordingFile.ts';
import { temporaryFolder } from '../../fixtures/temporaryFolder.ts';

// Making links needs a right on Windows.
it.skipIf(process.platform === 'win32')('writes through no link, whenever it was made', async () => {
  const folder = await temporaryFolder();
  const [target, path] = [join(folder, 'profile'), join(folder, 'a.mcp-session.jsonl')];
  await writeFile(target, 'kept');
  await symlink(target, path);
  await expect(takeRecordingFile(path)).rejects.toThrow('is a link or a folder');
  const other = join(folder, 'b.mcp-session.jsonl');
  const file = await takeRecordingFile(other);
  await symlink(target, other);
  await file.write('start\n', true);
  await file.write('more\n', false);
  expect(await readFile(other, 'utf8')).toBe('start\nmore\n');
  const third = join(folder, 'c.mcp-session.jsonl');
  const late = await takeRecordingFile(third);
  await symlink(target, third);
  await expect(late.write('more\n', false)).rejects.toThrow('ELOOP');
  await Promise.all([file.release(), late.release()]);
  expect(await readFile(target, 'utf8')).toBe('kept');
});

it('makes a new file, which only the person may read, where there was one that others read', async () => {
  const folder = await temporaryFolder();
  const [other, path] = [join(folder, 'other'), join(folder, 'a.mcp-session.jsonl')];
  await writeFile(other, 'kept', { mode: 0o644 });
  await link(other, path);
  const file = await takeRecordingFile(path);
  await file.write('start\n', true);
  await file.release();
  expect(await readFile(other, 'utf8')).toBe('kept');
  expect(await readFile(path, 'utf8')).toBe('start\n');
  if (process.platform !== 'win32') expect((await stat(path)).mode & 0o777).toBe(0o600);
  await mkdir(join(folder, 'b.mcp-session.jsonl'));
  await expect(takeRecordingFile(join(folder, 'b.mcp-session.jsonl'))).rejects.toThrow('is a link or a folder');
});
