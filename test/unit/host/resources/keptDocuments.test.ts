import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type * as vscode from 'vscode';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createNullLogger } from '../../../../src/base/logger.ts';
import { createKeptDocuments, type KeptDocuments } from '../../../../src/host/resources/keptDocuments.ts';
import type { LoadedResource } from '../../../../src/host/resources/resourceStore.ts';
import { temporaryFolder } from '../../../fixtures/temporaryFolder.ts';
import { editor, Uri } from '../../../fixtures/vscode.ts';

const uri = (text: string) => Uri.parse(text) as unknown as vscode.Uri;

function loaded(text: string): LoadedResource {
  const part = { name: 'a', uri: 'x:a', mimeType: undefined, isBinary: false };
  return { changedAt: 1, parts: [{ ...part, bytes: Buffer.from(text) }] };
}

function openTab(text: string): void {
  editor.tabs.push({ input: { uri: Uri.parse(text) } });
  editor.fire('onDidChangeTabs', { closed: [] });
}

function closeTab(text: string): void {
  editor.closeTabs(({ input }) => String((input as { readonly uri: Uri }).uri) === text);
}

describe('documents that are kept', () => {
  let folder: string;
  let kept: KeptDocuments;
  const create = (): KeptDocuments =>
    createKeptDocuments(folder, async (text) => text.includes('hunter2'), createNullLogger());

  beforeEach(async () => {
    folder = join(await temporaryFolder(), 'documents');
    kept = create();
  });
  afterEach(async () => {
    kept.dispose();
  });

  it('are those that are open, in files of the person alone, and found by another window', async () => {
    await kept.keep(uri('patchbay-r:1'), loaded('é\u0000'));
    expect(await kept.find(uri('patchbay-r:1'))).toBeUndefined();
    openTab('patchbay-r:1');
    expect(await kept.find(uri('patchbay-r:1'))).toEqual(loaded('é\u0000'));
    const [name = ''] = await readdir(folder);
    if (process.platform !== 'win32') expect((await stat(join(folder, name))).mode & 0o077).toBe(0);
    const other = create();
    expect(await other.find(uri('patchbay-r:1'))).toEqual(loaded('é\u0000'));
    expect(await other.find(uri('patchbay-r:2'))).toBeUndefined();
    other.dispose();
  });

  it('go with their last tab', async () => {
    openTab('patchbay-r:1');
    await kept.keep(uri('patchbay-r:1'), loaded('text'));
    closeTab('patchbay-r:1');
    expect(await kept.find(uri('patchbay-r:1'))).toBeUndefined();
    expect(await readdir(folder)).toEqual([]);
  });

  it('go with a tab that was closed while nothing followed the tabs', async () => {
    for (const key of ['patchbay-r:1', 'patchbay-r:2']) {
      openTab(key);
      await kept.keep(uri(key), loaded('text'));
    }
    kept.dispose();
    closeTab('patchbay-r:1');
    kept = create();
    expect(await kept.find(uri('patchbay-r:1'))).toBeUndefined();
    expect(await kept.find(uri('patchbay-r:2'))).toEqual(loaded('text'));
    expect(await readdir(folder)).toHaveLength(1);
  });

  it('hold no secret that is known, and are not large', async () => {
    openTab('patchbay-r:1');
    await kept.keep(uri('patchbay-r:1'), loaded('text'));
    await kept.keep(uri('patchbay-r:1'), loaded('with hunter2'));
    expect(await kept.find(uri('patchbay-r:1'))).toBeUndefined();
    await kept.keep(uri('patchbay-r:1'), loaded('x'.repeat(1_000_001)));
    expect(await kept.find(uri('patchbay-r:1'))).toBeUndefined();
    const [part] = loaded('').parts;
    if (part === undefined) throw new Error('There is no part.');
    await kept.keep(uri('patchbay-r:1'), { changedAt: 1, parts: [{ ...part, uri: `x:${'a'.repeat(1_000_000)}` }] });
    expect(await kept.find(uri('patchbay-r:1'))).toBeUndefined();
    expect(await readdir(folder)).toEqual([]);
  });

  it('are not more than so many', async () => {
    for (let index = 0; index < 33; index += 1) {
      openTab(`patchbay-r:${index}`);
      await kept.keep(uri(`patchbay-r:${index}`), loaded('text'));
    }
    expect(await readdir(folder)).toHaveLength(30);
    expect(await kept.find(uri('patchbay-r:32'))).toEqual(loaded('text'));
  });
});
