import { describe, expect, it, vi } from 'vitest';
import { createLogger } from '../../../../src/base/logger.ts';
import { applyTextEdits } from '../../../../src/config/editConfiguration.ts';
import type { FolderPath } from '../../../../src/host/calls/savedCallArguments.ts';
import type { KnownSecret } from '../../../../src/secrets/knownValues.ts';
import { createSecretSearch } from '../../../../src/secrets/secretSearch.ts';
import { createSavedCallRows } from '../../../../src/host/calls/savedCallRows.ts';
import type { SavedCallFile } from '../../../../src/host/calls/savedCallFiles.ts';
import type { savedCallQuestions } from '../../../../src/host/calls/savedCallQuestions.ts';
import type { WindowSecrets } from '../../../../src/host/servers/windowSecrets.ts';
import { SavedCalls } from '../../../../src/host/calls/savedCallStore.ts';
import { createManualClock } from '../../../fixtures/manualClock.ts';

const app: FolderPath = { name: 'app', path: '/w/app' };
const lib: FolderPath = { name: 'lib', path: '/w/lib' };
const one = '{"calls": [{"name": "one", "server": "s", "tool": "t", "arguments": {"a": 1}}]}';

type Questions = typeof savedCallQuestions;

/** What the sample of a test answers in the place of the window. */
const editor = vi.hoisted(() => ({ files: {}, questions: {} }));
vi.mock('../../../../src/host/calls/savedCallFiles.ts', () => ({ savedCallFiles: editor.files }));
vi.mock('../../../../src/host/calls/savedCallQuestions.ts', () => ({ savedCallQuestions: editor.questions }));

/** Saved calls over texts in memory: one for each folder. */
function createSample(given: Record<string, string | undefined> = { '/w/app': undefined }) {
  const texts = new Map(Object.entries(given));
  const clock = createManualClock();
  const logged: string[] = [];
  const known: KnownSecret[] = [];
  const shown: unknown[] = [];
  let change: (() => void) | undefined;
  const reads = vi.fn<(path: string) => void>();
  const fileOf = (folder: FolderPath): SavedCallFile => ({
    folder,
    async read() {
      reads(folder.path);
      const text = texts.get(folder.path);
      if (text === 'unreadable') throw new Error('it is a link');
      return text;
    },
    async edit(edit) {
      const text = texts.get(folder.path) ?? '';
      texts.set(folder.path, applyTextEdits(text, edit(text)));
    },
    async show(isIn) {
      const { offset = 0, length = 0 } = isIn(texts.get(folder.path) ?? '') ?? {};
      shown.push(texts.get(folder.path)?.slice(offset, offset + length));
    },
  });
  const folders = [app, lib].filter(({ path }) => path in given);
  const questions = {
    chooseFolder: vi.fn<Questions['chooseFolder']>(async (all) => all.at(-1)),
    askName: vi.fn<Questions['askName']>(async () => 'mine'),
    replace: vi.fn<Questions['replace']>(async () => true),
    aboutSecrets: vi.fn<Questions['aboutSecrets']>(async () => 'placeholders'),
    delete: vi.fn<Questions['delete']>(async () => true),
  };
  Object.assign(editor.questions, questions);
  Object.assign(editor.files, {
    files: () => folders.map(fileOf),
    watch(onChange: () => void) {
      change = onChange;
      return { dispose: () => (change = undefined) };
    },
  });
  const secrets = { collector: async () => ({ search: () => createSecretSearch(known) }) };
  const logger = createLogger((_level, line) => void logged.push(line));
  const calls = new SavedCalls(secrets as unknown as WindowSecrets, clock, logger);
  const changed = vi.fn<() => void>();
  calls.onDidChange(changed);
  /** Writes a file as another program would. */
  async function write(path: string, text: string | undefined): Promise<void> {
    texts.set(path, text);
    change?.();
    await clock.advance(1_000);
  }
  const isWatched = (): boolean => change !== undefined;
  return { calls, texts, questions, known, logged, reads, changed, shown, write, isWatched };
}

const namesOf = (calls: SavedCalls): string[] => calls.of('s', 't').map(({ name }) => name);

describe('saved calls', () => {
  it('are read and watched when they are first asked for, not before', async () => {
    const { calls, reads, isWatched, changed } = createSample({ '/w/app': one });
    expect([namesOf(calls), reads.mock.calls.length, isWatched()]).toEqual([[], 0, false]);
    await Promise.all([calls.load(), calls.load()]);
    expect([namesOf(calls), reads.mock.calls.length, isWatched()]).toEqual([['one'], 1, true]);
    expect(changed).toHaveBeenCalledOnce();
    expect(calls.of('s', 'other')).toEqual([]);
    calls.dispose();
    expect(isWatched()).toBe(false);
  });

  it('follow their file, and stay while it is broken', async () => {
    const { calls, write, changed, logged } = createSample({ '/w/app': one });
    await calls.load();
    await write('/w/app', one.slice(0, -3));
    expect(namesOf(calls)).toEqual(['one']);
    await write('/w/app', '{"calls": [');
    expect(namesOf(calls)).toEqual(['one']);
    expect(changed).toHaveBeenCalledTimes(1);
    expect(logged.join('\n')).toContain('This is not valid JSON');
    await write('/w/app', one.replace('"one"', '"two"'));
    expect(namesOf(calls)).toEqual(['two']);
    expect(changed).toHaveBeenCalledTimes(2);
    await write('/w/app', undefined);
    expect([namesOf(calls), calls.isEmpty]).toEqual([[], true]);
  });

  it('are none of a file that cannot be read, which is told in the log once', async () => {
    const { calls, write, logged } = createSample({ '/w/app': 'unreadable' });
    await calls.load();
    await write('/w/app', 'unreadable');
    expect(calls.isEmpty).toBe(true);
    expect(logged).toEqual(['.vscode/mcp-calls.json: it is a link']);
  });

  it('are opened as they are in the file now, with nothing secret put in', async () => {
    const { calls, texts } = createSample({ '/w/app': one });
    await calls.load();
    texts.set('/w/app', one.replace('1}', '"${input:key} ${workspaceFolder}"}'));
    const opened = await calls.open({ server: 's', tool: 't', name: 'one' });
    expect(opened).toMatchObject({
      args: { a: '${input:key} /w/app' },
      notice: expect.stringContaining('${input:key}'),
    });
    await expect(calls.open({ server: 's', tool: 't', name: 'gone' })).rejects.toMatchObject({ code: 'notFound' });
  });

  it('are saved in a new file, with the paths of this machine taken out', async () => {
    const { calls, texts } = createSample();
    expect(await calls.save('s', 't', { file: '/w/app/x' })).toBe('mine');
    expect(JSON.parse(texts.get('/w/app') ?? '')).toEqual({
      calls: [{ name: 'mine', server: 's', tool: 't', arguments: { file: '${workspaceFolder}/x' } }],
    });
    expect(namesOf(calls)).toEqual(['mine']);
    expect((await calls.open({ server: 's', tool: 't', name: 'mine' })).args).toEqual({ file: '/w/app/x' });
  });

  it('ask before a call is replaced', async () => {
    const { calls, texts, questions } = createSample({ '/w/app': one });
    questions.replace.mockResolvedValueOnce(false);
    questions.askName.mockResolvedValueOnce('one');
    expect(await calls.save('s', 't', { b: 2 })).toBeUndefined();
    expect(texts.get('/w/app')).toBe(one);
    questions.askName.mockResolvedValueOnce(' one ');
    expect(await calls.save('s', 't', { b: 2 })).toBe('one');
    expect(texts.get('/w/app')).toContain('"b": 2');
    expect(namesOf(calls)).toEqual(['one']);
    // Another tool has names of its own.
    questions.askName.mockResolvedValueOnce('one');
    await calls.save('s', 'u', {});
    expect(questions.replace).toHaveBeenCalledTimes(2);
  });

  it('never hold a known secret: inputs are named, others asked about', async () => {
    const { calls, texts, questions, known } = createSample();
    const origin = { kind: 'secretInput', what: 'a secret' } as const;
    known.push(
      { ...origin, value: 'correct horse', reference: '${input:key}' },
      { ...origin, value: 'staple of mine' },
    );
    const args = { a: 'correct horse', b: 'staple of mine' };
    await calls.save('s', 't', args);
    expect(questions.aboutSecrets).toHaveBeenCalledWith([{ place: 'b', placeholder: '${input:b}' }]);
    expect(texts.get('/w/app')).toMatch(/"a": "\$\{input:key\}",\s+"b": "\$\{input:b\}"/);
    questions.aboutSecrets.mockResolvedValueOnce(undefined);
    questions.askName.mockResolvedValue('more');
    expect(await calls.save('s', 't', args)).toBeUndefined();
    expect(namesOf(calls)).toEqual(['mine']);
    questions.aboutSecrets.mockResolvedValueOnce('asIs');
    await calls.save('s', 't', args);
    expect(texts.get('/w/app')).not.toContain('correct horse');
    expect(texts.get('/w/app')).toContain('staple of mine');
  });

  it('go to the folder that is chosen; of the same call in two folders, the first counts', async () => {
    const { calls, texts, questions } = createSample({ '/w/app': one, '/w/lib': one.replace('1}', '2}') });
    expect((await calls.open({ server: 's', tool: 't', name: 'one' })).args).toEqual({ a: 1 });
    await calls.save('s', 't', {});
    expect(texts.get('/w/lib')).toContain('mine');
    expect(texts.get('/w/app')).toBe(one);
    expect(namesOf(calls)).toEqual(['mine', 'one']);
    questions.chooseFolder.mockResolvedValueOnce(undefined);
    expect(await calls.save('s', 't', {})).toBeUndefined();
  });

  it('are not saved without a folder, a name, or into a file that would lose something', async () => {
    await expect(createSample({}).calls.save('s', 't', {})).rejects.toThrow(/Open a folder/);
    const { calls, questions, texts } = createSample({ '/w/app': '{"calls": [' });
    await expect(calls.save('s', 't', {})).rejects.toMatchObject({ code: 'configuration' });
    expect(texts.get('/w/app')).toBe('{"calls": [');
    questions.askName.mockResolvedValueOnce('  ');
    expect(await calls.save('s', 't', {})).toBeUndefined();
  });

  it('are deleted after a question, and shown in their file', async () => {
    const { calls, texts, questions, shown } = createSample({ '/w/app': one });
    const key = { server: 's', tool: 't', name: 'one' };
    await calls.show(key);
    expect(shown).toEqual(['{"name": "one", "server": "s", "tool": "t", "arguments": {"a": 1}}']);
    questions.delete.mockResolvedValueOnce(false);
    await calls.delete(key);
    expect(texts.get('/w/app')).toBe(one);
    await calls.delete(key);
    expect(JSON.parse(texts.get('/w/app') ?? '')).toEqual({ calls: [] });
    expect(calls.isEmpty).toBe(true);
  });
});

describe('saved calls in the tree', () => {
  it('are loaded with the first tool that is drawn, once', async () => {
    const { calls, write } = createSample({ '/w/app': one });
    const load = vi.fn<() => Promise<SavedCalls>>(async () => calls);
    const rows = createSavedCallRows(load);
    const changed = vi.fn<() => void>();
    rows.onDidChange(changed);
    expect(load).not.toHaveBeenCalled();
    expect([rows.of('s', 't'), rows.of('s', 't')]).toEqual([[], []]);
    await expect.poll(() => changed.mock.calls.length).toBe(1);
    expect(rows.of('s', 't')).toMatchObject([{ name: 'one' }]);
    await write('/w/app', one.replace('"one"', '"two"'));
    expect([rows.of('s', 't')[0]?.name, changed.mock.calls.length, load.mock.calls.length]).toEqual(['two', 2, 1]);
  });

  it('do not draw the tree again where there are none', async () => {
    const { calls, isWatched } = createSample();
    const rows = createSavedCallRows(async () => calls);
    const changed = vi.fn<() => void>();
    rows.onDidChange(changed);
    rows.of('s', 't');
    await expect.poll(isWatched).toBe(true);
    await calls.load();
    expect(changed).not.toHaveBeenCalled();
  });
});
