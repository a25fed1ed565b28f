import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../fixtures/temporaryFolder.ts';
import { savedCallFiles } from '../../../../src/host/calls/savedCallFiles.ts';
import { editor, FileSystemError, Uri, workspace } from '../../../fixtures/vscode.ts';

/** VS Code's file system, over real files. */
const files = {
  async stat({ path }: Uri) {
    const own = await fs.lstat(path).catch((error: NodeJS.ErrnoException) => {
      throw new FileSystemError(error.code === 'ENOENT' ? 'FileNotFound' : error.code);
    });
    if (!own.isSymbolicLink()) return { type: own.isFile() ? 1 : own.isDirectory() ? 2 : 0, size: own.size };
    const target = await fs.stat(path).catch(() => undefined);
    return { type: 64 | (target?.isFile() ? 1 : target?.isDirectory() ? 2 : 0), size: target?.size ?? 0 };
  },
  readFile: ({ path }: Uri) => fs.readFile(path),
  writeFile: ({ path }: Uri, bytes: Uint8Array) => fs.writeFile(path, bytes),
  createDirectory: ({ path }: Uri) => fs.mkdir(path, { recursive: true }),
};

let root = '';
let app = '';

beforeEach(async () => {
  root = await temporaryFolder();
  app = join(root, 'app');
  await fs.mkdir(app);
  editor.folders = [{ name: 'app', uri: Uri.file(app) }];
  Object.assign(workspace.fs, files);
});

const file = () => savedCallFiles.files()[0] ?? expect.unreachable('there is a folder');
const append = (text: string) => [{ offset: text.length, length: 0, text: '{}' }];

describe('.vscode/mcp-calls.json', () => {
  it('is made with its folder, and read again', async () => {
    expect(await file().read()).toBeUndefined();
    await file().edit(append);
    expect(await fs.readFile(join(app, '.vscode/mcp-calls.json'), 'utf8')).toBe('{}');
    expect(await file().read()).toBe('{}');
  });

  it('is left alone where nothing changes', async () => {
    await file().edit(() => []);
    expect(await fs.readdir(app)).toEqual([]);
  });

  it('is not read beyond 1 MB, nor if it is something else than a file', async () => {
    await fs.mkdir(join(app, '.vscode'));
    await fs.writeFile(join(app, '.vscode/mcp-calls.json'), ' '.repeat(1024 * 1024 + 1));
    await expect(file().read()).rejects.toThrow(/larger than 1 MB/);
    await expect(file().edit(append)).rejects.toThrow(/larger than 1 MB/);
    await fs.rm(join(app, '.vscode/mcp-calls.json'));
    await fs.mkdir(join(app, '.vscode/mcp-calls.json'));
    await expect(file().read()).rejects.toThrow(/not an ordinary file/);
  });

  it.each([
    ['a link to a file', '.vscode/mcp-calls.json', 'target.json'],
    ['a link to nothing', '.vscode/mcp-calls.json', 'nothing'],
    ['in a folder that is a link', '.vscode', 'elsewhere'],
  ])('is neither read nor written where it is %s', async (_what, place, target) => {
    await fs.writeFile(join(root, 'target.json'), '{"calls": []}');
    await fs.mkdir(join(root, 'elsewhere'));
    await fs.writeFile(join(root, 'elsewhere/mcp-calls.json'), '{"calls": []}');
    if (place !== '.vscode') await fs.mkdir(join(app, '.vscode'));
    await fs.symlink(join(root, target), join(app, place));
    await expect(file().read()).rejects.toThrow(/is a link to another place/);
    await expect(file().edit(append)).rejects.toThrow(/is a link to another place/);
    expect(await fs.readFile(join(root, 'target.json'), 'utf8')).toBe('{"calls": []}');
    expect(await fs.readFile(join(root, 'elsewhere/mcp-calls.json'), 'utf8')).toBe('{"calls": []}');
    expect(await fs.readdir(root)).toHaveLength(3);
  });
});
