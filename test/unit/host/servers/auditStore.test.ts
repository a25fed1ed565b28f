import { type FileHandle, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { takeBlock, writeBlock } from '../../../../src/host/servers/auditStore.ts';
import { temporaryFolder } from '../../../fixtures/temporaryFolder.ts';

const lines = ['{"first":"ä"}\n', '{"second":2}\n', '{"third":3}\n'];

describe('a block of the audit log', () => {
  let folder: string;
  let path: string;

  beforeEach(async () => {
    folder = await temporaryFolder();
    path = join(folder, 'audit.jsonl');
  });

  async function withFile<T>(act: (file: FileHandle) => Promise<T>): Promise<T> {
    const file = await open(path, 'a+');
    try {
      return await act(file);
    } finally {
      await file.close();
    }
  }

  /** A disk with room for so many bytes. */
  function withRoom(file: FileHandle, room: number): Pick<FileHandle, 'stat' | 'read' | 'write'> {
    let left = room;
    const write = async (bytes: Uint8Array, from: number): Promise<{ bytesWritten: number }> => {
      if (left === 0) throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
      const { bytesWritten } = await file.write(bytes, from, Math.min(left, bytes.length - from));
      left -= bytesWritten;
      return { bytesWritten };
    };
    return { stat: file.stat.bind(file), read: file.read.bind(file), write: write as FileHandle['write'] };
  }

  const bytesOf = (count: number): number => Buffer.byteLength(lines.slice(0, count).join(''));

  it.each([
    ['nothing', 0, 0],
    ['a part of the first line', 5, 0],
    ['the first line but for its end', bytesOf(1) - 1, 1],
    ['the first line', bytesOf(1), 1],
    ['a part of the second line', bytesOf(1) + 3, 1],
    ['two lines', bytesOf(2), 2],
  ])('is counted by whole lines when the disk takes %s', async (_name, room, written) => {
    const block = takeBlock(lines);
    const first = await withFile((file) => writeBlock(withRoom(file, room), block));
    expect(first).toMatchObject({ written, error: { code: 'ENOSPC' } });
    // The others are written as soon as there is room: each line is in the file exactly once.
    expect(await withFile((file) => writeBlock(file, takeBlock(lines.slice(written))))).toEqual({
      written: 3 - written,
    });
    const whole = (await readFile(path, 'utf8')).split('\n').filter((line) => lines.includes(`${line}\n`));
    expect(whole.map((line) => `${line}\n`)).toEqual(lines);
  });

  it('counts the line break before it as no part of a line', async () => {
    await withFile((file) => file.appendFile('cut'));
    const appended = await withFile((file) => writeBlock(withRoom(file, bytesOf(1)), takeBlock(lines)));
    expect(appended.written).toBe(1);
    const next = await withFile((file) => writeBlock(file, takeBlock(lines.slice(1))));
    expect(next).toEqual({ written: 2 });
    expect(await readFile(path, 'utf8')).toBe(`cut\n${lines.join('')}`);
  });

  it('is bounded, but has one line however long it is', () => {
    const long = `${'x'.repeat(600_000)}\n`;
    expect(takeBlock([long, long, long])).toEqual([long]);
    expect(takeBlock([long.repeat(3), long])).toHaveLength(1);
    expect(takeBlock(lines)).toEqual(lines);
  });
});
