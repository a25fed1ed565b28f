import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readOrdinaryBytes, readOrdinaryFile } from '../../../../src/transport/stdio/ordinaryFile.ts';

describe('a file that anyone may have put there', () => {
  let folder = '';
  const inFolder = (name: string): string => join(folder, name);

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'patchbay-ordinary-'));
    await writeFile(inFolder('text.json'), '{"é": 1}');
    await writeFile(inFolder('empty.json'), '');
    await writeFile(inFolder('large.json'), Buffer.alloc(600_000, 'x'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('is read whole, also where it is larger than one piece', async () => {
    expect(await readOrdinaryFile(inFolder('text.json'), 1_000)).toBe('{"é": 1}');
    expect(await readOrdinaryFile(inFolder('empty.json'), 1_000)).toBe('');
    expect(await readOrdinaryFile(inFolder('large.json'), 600_000)).toHaveLength(600_000);
  });

  it('is not read where there is more than is wanted, in words that say how much is', async () => {
    expect(await readOrdinaryBytes(inFolder('large.json'), 599_999)).toBe('tooLarge');
    await expect(readOrdinaryFile(inFolder('large.json'), 2_048)).rejects.toThrow('is larger than 2 KB');
  });

  it('is missing, or no file', async () => {
    await expect(readOrdinaryFile(inFolder('none.json'), 1)).rejects.toThrow('does not exist');
    await expect(readOrdinaryFile(join(inFolder('text.json'), 'x'), 1)).rejects.toThrow('does not exist');
    await expect(readOrdinaryFile(folder, 1)).rejects.toThrow('is not an ordinary file');
  });

  it.runIf(process.platform === 'linux')(
    'is counted while it is read: a link to a file of the system that says it is empty, and never ends',
    async () => {
      const link = inFolder('mcp.json');
      await symlink('/proc/self/pagemap', link);
      expect(await readOrdinaryBytes(link, 1024 * 1024)).toBe('tooLarge');
    },
  );
});
