import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import {
  createToolDrafts,
  createToolFiles,
  type ToolDrafts,
  type ToolFiles,
} from '../../../../src/host/tools/toolFiles.ts';
import { toToolUri } from '../../../../src/host/tools/toolUri.ts';
import { createNullLogger } from '../../../../src/base/logger.ts';
import type { Tool } from '../../../../src/protocol/mcp/tools.ts';
import { sampleSeal } from '../sampleSeal.ts';
import { Uri } from '../../../fixtures/vscode.ts';
import { temporaryFolder } from '../../../fixtures/temporaryFolder.ts';

describe('drafts of arguments', () => {
  let folder: string;
  beforeEach(async () => {
    folder = join(await temporaryFolder(), 'drafts');
  });

  const open = (logger = createNullLogger()): ToolDrafts => createToolDrafts(folder, logger, async () => false);
  const tool: Tool = { name: 'add', inputSchema: { type: 'object', properties: { a: { type: 'number' } } } };

  it('are there again in the next window, with the definition they were typed for', async () => {
    await open().write('a', { text: '{"a":1}', tool });
    const next = open();
    expect(await next.read('a')).toEqual({ text: '{"a":1}', tool });
    expect(await next.read('b')).toBeUndefined();
  });

  it('begin with those that are given where there are none, also after a reload, and replace none', async () => {
    const seal = sampleSeal();
    const address = { server: 's', identity: 'i', tool: 'add', occurrence: 0, copy: 0 };
    const uri = Uri.from(toToolUri(seal, address, 'add')) as never;
    const reload = (): ToolFiles => createToolFiles(seal, open(), () => 1);
    const files = reload();
    const argsIn = async (where: ToolFiles): Promise<unknown> => JSON.parse((await where.find(uri)).text);
    await files.begin(uri, tool, async () => ({ a: 7 }));
    expect(await argsIn(files)).toEqual({ a: 7 });
    await vi.waitFor(async () => expect(await argsIn(reload())).toEqual({ a: 7 }));
    await files.writeFile(uri, Buffer.from('{}'));
    for (const each of [files, reload()]) {
      await each.begin(uri, tool, async () => ({ a: 7 }));
      expect(await argsIn(each)).toEqual({});
    }
  });

  it('stay those of a command over a reload, whatever is typed or listed meanwhile', async () => {
    const seal = sampleSeal();
    const address = { server: 's', identity: 'i', tool: 'add', occurrence: 0, copy: 0 };
    const uri = Uri.from(toToolUri(seal, address, 'add')) as never;
    const reload = (): ToolFiles => createToolFiles(seal, open(), () => 1);
    const files = reload();
    await files.find(uri);
    files.keep(uri, { isForCommand: true });
    await files.writeFile(uri, Buffer.from('{"a":1}'));
    files.keep(uri, { tool });
    await vi.waitFor(async () => expect(await reload().find(uri)).toMatchObject({ tool, isForCommand: true }));
    files.keep(uri, { isForCommand: false });
    await vi.waitFor(async () => expect((await reload().find(uri)).isForCommand).toBeUndefined());
    expect((await reload().find(uri)).text).toBe('{"a":1}');
  });

  it('are kept whatever the size of a definition and its pictures', async () => {
    const icons = Array.from({ length: 20 }, () => ({ src: `data:image/png;base64,${'A'.repeat(900_000)}` }));
    await open().write('a', { text: '{"a":1}', tool: { ...tool, icons } });
    expect(await open().read('a')).toEqual({ text: '{"a":1}', tool });
    await open().write('a', { text: '{"a":2}', tool: { ...tool, description: 'x'.repeat(9_000_000) } });
    expect(await open().read('a')).toEqual({ text: '{"a":2}', tool: undefined });
  });

  it('are all gone once they are forgotten, and can be written again', async () => {
    const drafts = open();
    await drafts.forgetAll();
    await drafts.write('a', { text: '{"token":"secret"}' });
    await drafts.forgetAll();
    expect(await drafts.read('a')).toBeUndefined();
    await expect(readdir(folder)).rejects.toThrow('ENOENT');
    await drafts.write('a', { text: '{}' });
    expect(await drafts.read('a')).toEqual({ text: '{}', tool: undefined });
  });

  it('survive files that are no drafts', async () => {
    const drafts = open();
    await drafts.write('a', { text: '{}' });
    const [name = ''] = await readdir(folder);
    for (const text of ['', '{', 'null', '{"key":"a"}', '{"key":"other","text":"{}"}']) {
      await writeFile(join(folder, name), text);
      expect(await drafts.read('a')).toBeUndefined();
    }
    await drafts.write('a', { text: '{"b":2}' });
    expect(await drafts.read('a')).toEqual({ text: '{"b":2}', tool: undefined });
  });

  it('stay whole when two windows write the same one at once', async () => {
    const warnings: string[] = [];
    const logger = { ...createNullLogger(), warn: (text: string | (() => string)) => void warnings.push(String(text)) };
    const [one, other] = [open(logger), open(logger)];
    const texts = Array.from({ length: 40 }, (_, index) => JSON.stringify({ a: 'x'.repeat(index * 5_000) }));
    await Promise.all(texts.map((text, index) => (index % 2 === 0 ? one : other).write('a', { text })));
    expect(texts).toContain((await one.read('a'))?.text);
    expect(warnings).toEqual([]);
    expect(await readdir(folder)).toHaveLength(1);
  });

  it('are 200 at most', async () => {
    const drafts = open();
    for (let index = 0; index < 203; index += 1) await drafts.write(String(index), { text: '{}' });
    expect(await readdir(folder)).toHaveLength(200);
    expect(await drafts.read('202')).toBeDefined();
  });

  it('do not stop the tab where the folder cannot be written', async () => {
    await writeFile(folder, 'a file in its place');
    const drafts = open();
    await drafts.write('a', { text: '{}' });
    expect(await drafts.read('a')).toBeUndefined();
  });
});
