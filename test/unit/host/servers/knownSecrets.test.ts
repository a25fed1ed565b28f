import { beforeEach, describe, expect, it } from 'vitest';
import type { LaunchPlan } from '../../../../src/base/launchPlan.ts';
import { createSecretCollector } from '../../../../src/host/servers/knownSecrets.ts';
import { planWithSecrets as local } from '../../../fixtures/launches.ts';
import type * as vscode from 'vscode';
import { editor, FileSystemError, Uri, workspace } from '../../../fixtures/vscode.ts';

beforeEach(() => {
  const { fs } = workspace;
  const { readDirectory, readFile } = fs;
  const refuse = (path: string, word: string): void => {
    if (path.includes(word)) throw new FileSystemError('NoPermissions');
  };
  Object.assign(fs, {
    readDirectory: (uri: Uri) => (refuse(uri.path, 'locked'), readDirectory(uri)),
    async readFile(uri: Uri) {
      const bytes = await readFile(uri);
      refuse(uri.path, 'secured');
      return bytes;
    },
  });
  pauses = 0;
});

const folder = (path: string) => Uri.file(path) as unknown as vscode.Uri;
let pauses = 0;
const pause = async (): Promise<void> => {
  pauses += 1;
};
const collectorOf = (folders: readonly string[], plans: Readonly<Record<string, LaunchPlan>> = {}) => {
  const sources = { plans: new Map(Object.entries(plans)), tokens: new Map(), modelKeys: new Map() };
  const collector = createSecretCollector(sources, () => folders.map(folder), pause);
  return () => collector.collect();
};
const collect = (folders: readonly string[], plans?: Readonly<Record<string, LaunchPlan>>) =>
  collectorOf(folders, plans)();

describe('createSecretCollector', () => {
  it('reads env files at the top of each folder, but no examples and no other files', async () => {
    editor.files.set('/w/a/.env', { text: 'TOKEN=first-secret\nAPP=my-shop' });
    editor.files.set('/w/a/.env.local', { text: 'TOKEN=second-secret' });
    editor.files.set('/w/a/.env.example', { text: 'TOKEN=put-your-token-here' });
    editor.files.set('/w/a/.envrc', { text: 'TOKEN=direnv-secret' });
    editor.files.set('/w/a/environment', { text: 'TOKEN=another-file' });
    editor.files.set('/w/b/.env', { text: 'TOKEN=first-secret' });
    expect(await collect(['/w/a', '/w/b', '/w/missing'])).toEqual({
      secrets: [
        { value: 'first-secret', kind: 'envFile', what: 'TOKEN of .env' },
        { value: 'second-secret', kind: 'envFile', what: 'TOKEN of .env.local' },
      ],
      isWhole: true,
    });
  });

  it.each([
    ['is too large', '/w/.env', { size: 256 * 1024 + 1 }],
    ['is no ordinary file', '/w/.env.pipe', { type: 0 }],
    ['is a link to none', '/w/.env.link', { type: 64 }],
  ])('does not open a file that %s, and says that it was left out', async (_name, path, file) => {
    editor.files.set(path, { text: 'TOKEN=not-to-be-read', ...file });
    editor.files.set('/w/.env.other', { text: 'TOKEN=of-another-file' });
    expect(await collect(['/w'])).toMatchObject({ secrets: [{ value: 'of-another-file' }], isWhole: false });
    expect(editor.reads).toEqual(['/w/.env.other']);
  });

  it('says that a file or a folder could not be read', async () => {
    editor.files.set('/w/.env.secured', { text: 'TOKEN=not-permitted' });
    expect(await collect(['/w'])).toEqual({ secrets: [], isWhole: false });
    expect(await collect(['/locked'])).toEqual({ secrets: [], isWhole: false });
  });

  it('takes no folder for a file', async () => {
    editor.files.set('/w/.env', { type: 2 });
    editor.files.set('/w/.env.d', { type: 66 });
    expect(await collect(['/w'])).toEqual({ secrets: [], isWhole: true });
  });

  it('reads at most 20 files, those with short names first, and says that there are more', async () => {
    for (let index = 0; index < 20; index += 1)
      editor.files.set(`/w/.env.${index}`, { text: `TOKEN=secret-number-${index}` });
    editor.files.set('/w/.env', { text: 'TOKEN=the-real-one' });
    const { secrets, isWhole } = await collect(['/w']);
    expect(secrets.map(({ value }) => value)).toContain('the-real-one');
    expect(isWhole).toBe(false);
    expect(editor.reads).toHaveLength(20);
    expect(editor.reads[0]).toBe('/w/.env');
    editor.files.delete('/w/.env.19');
    expect((await collect(['/w'])).isWhole).toBe(true);
  });

  it('reads at most 1 MB of all files together, with pauses', async () => {
    const text = 'TOKEN=secret-of-a-large-file\n'.padEnd(250_000, 'PORT=3000\n');
    for (let index = 0; index < 6; index += 1) editor.files.set(`/w/.env.${index}`, { text });
    expect((await collect(['/w'])).isWhole).toBe(false);
    expect(editor.reads).toHaveLength(4);
    expect(pauses).toBeGreaterThanOrEqual(4);
  });

  it('judges many settings with pauses', async () => {
    const text = Array.from({ length: 5_000 }, (_, index) => `KEY_${index}=value-number-${index}`).join('\n');
    editor.files.set('/w/.env', { text });
    expect((await collect(['/w'])).secrets).toHaveLength(5_000);
    expect(pauses).toBeGreaterThan(text.length / 16_384);
  });

  it('reads a file again only if it has changed', async () => {
    const again = collectorOf(['/w']);
    const values = async () => (await again()).secrets.map(({ value }) => value);
    editor.files.set('/w/.env', { text: 'TOKEN=before-the-change', mtime: 1 });
    expect(await values()).toEqual(['before-the-change']);
    expect(await values()).toEqual(['before-the-change']);
    expect(editor.reads).toHaveLength(1);
    editor.files.set('/w/.env', { text: 'TOKEN=_after-the-change', mtime: 2 });
    expect(await values()).toEqual(['_after-the-change']);
    editor.files.set('/w/.env', { text: 'TOKEN=longer-than-before-it', mtime: 2 });
    expect(await values()).toEqual(['longer-than-before-it']);
    editor.files.clear();
    expect(await values()).toEqual([]);
    editor.files.set('/w/.env', { text: 'TOKEN=longer-than-before-it', mtime: 2 });
    expect(await values()).toEqual(['longer-than-before-it']);
    expect(editor.reads).toHaveLength(4);
  });

  it('has the secrets of all servers that were started, each value once', async () => {
    editor.files.set('/w/.env', { text: 'TOKEN=value-of-input' });
    const other: LaunchPlan = { ...local, secrets: ['of-the-other-server'], secretNames: ['${input:other}'] };
    const { secrets: found } = await collect(['/w'], { db: local, mail: other });
    const values = found.map(({ value }) => value);
    expect(values).toEqual(expect.arrayContaining(['value-of-input', 'of-the-other-server', 'pass-in-file-2']));
    expect(new Set(values).size).toBe(values.length);
    expect(found.find(({ value }) => value === 'value-of-input')?.kind).toBe('secretInput');
  });
});
