import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createLogger } from '../../../../src/base/logger.ts';
import type { KnownSecret } from '../../../../src/secrets/knownValues.ts';
import { createSecretSearch } from '../../../../src/secrets/secretSearch.ts';
import { createSavedCallRows } from '../../../../src/host/calls/savedCallRows.ts';
import type { WindowSecrets } from '../../../../src/host/servers/windowSecrets.ts';
import { SavedCalls } from '../../../../src/host/calls/savedCallStore.ts';
import { createManualClock } from '../../../fixtures/manualClock.ts';
import { savedCallLimits } from '../../../../src/workshop/savedCalls/savedCallText.ts';
import { unhurried } from '../../../fixtures/unhurried.ts';
import { editor, type Question, type Range, Uri, window, workspace } from '../../../fixtures/vscode.ts';

beforeEach(unhurried);

const one = '{"calls": [{"name": "one", "server": "s", "tool": "t", "arguments": {"a": 1}}]}';

/** Saved calls over files in memory, one in each folder, and what the person answers. */
function createSample(given: Record<string, string | undefined> = { '/w/app': undefined }) {
  const fileOf = (folder: string): string => `${folder}/.vscode/mcp-calls.json`;
  const textOf = (folder: string): string => editor.files.get(fileOf(folder))?.text ?? '';
  const set = (folder: string, text: string | undefined): void => {
    if (text === undefined) editor.files.delete(fileOf(folder));
    else editor.files.set(fileOf(folder), { text });
  };
  for (const [folder, text] of Object.entries(given)) set(folder, text);
  editor.folders = Object.keys(given).map((folder) => ({ name: folder, uri: Uri.file(folder) }));
  const person = { folder: '/w/lib', name: 'mine', secrets: 'Save Placeholders' as string | undefined, confirms: true };
  editor.answer = ({ choices, buttons, options }: Question): unknown => {
    if ('validateInput' in options) return person.name;
    if (choices.length > 0) return person.folder;
    if (buttons.includes('Save Placeholders')) return person.secrets;
    return person.confirms ? buttons.at(-1) : buttons[0];
  };
  let watchers = 0;
  const { createFileSystemWatcher } = workspace;
  const watch = () => ((watchers += 1), { ...createFileSystemWatcher(), dispose: () => (watchers -= 1) });
  Object.assign(workspace, { createFileSystemWatcher: watch });
  const clock = createManualClock();
  const logged: string[] = [];
  const known: KnownSecret[] = [];
  const secrets = { collector: async () => ({ search: () => createSecretSearch(known) }) };
  const logger = createLogger((_level, line) => void logged.push(line));
  const calls = new SavedCalls(secrets as unknown as WindowSecrets, clock, logger);
  const changed = vi.fn<() => void>();
  calls.onDidChange(changed);
  /** Writes a file as another program would. */
  async function write(folder: string, text: string | undefined): Promise<void> {
    set(folder, text);
    editor.fire('onDidChange');
    await clock.advance(1_000);
  }
  const isWatched = (): boolean => watchers > 0;
  return { calls, textOf, set, person, known, logged, changed, write, isWatched };
}

const namesOf = (calls: SavedCalls): string[] => calls.of('s', 't').map(({ name }) => name);

describe('saved calls', () => {
  it('are read and watched when they are first asked for, not before', async () => {
    const { calls, isWatched, changed } = createSample({ '/w/app': one });
    expect([namesOf(calls), editor.reads.length, isWatched()]).toEqual([[], 0, false]);
    await Promise.all([calls.load(), calls.load()]);
    expect([namesOf(calls), editor.reads.length, isWatched()]).toEqual([['one'], 1, true]);
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
    const { calls, write, logged } = createSample();
    const large = ' '.repeat(savedCallLimits.bytes + 1);
    await write('/w/app', large);
    await calls.load();
    await write('/w/app', large);
    expect(calls.isEmpty).toBe(true);
    expect(logged).toEqual(['.vscode/mcp-calls.json: it is larger than 1 MB']);
  });

  it('are opened as they are in the file now, with nothing secret put in', async () => {
    const { calls, set } = createSample({ '/w/app': one });
    await calls.load();
    set('/w/app', one.replace('1}', '"${input:key} ${workspaceFolder}"}'));
    const opened = await calls.open({ server: 's', tool: 't', name: 'one' });
    expect(opened).toMatchObject({
      args: { a: '${input:key} /w/app' },
      notice: expect.stringContaining('${input:key}'),
    });
    await expect(calls.open({ server: 's', tool: 't', name: 'gone' })).rejects.toMatchObject({ code: 'notFound' });
  });

  it('are saved in a new file, with the paths of this machine taken out', async () => {
    const { calls, textOf } = createSample();
    expect(await calls.save('s', 't', { file: '/w/app/x' })).toBe('mine');
    expect(JSON.parse(textOf('/w/app'))).toEqual({
      calls: [{ name: 'mine', server: 's', tool: 't', arguments: { file: '${workspaceFolder}/x' } }],
    });
    expect(namesOf(calls)).toEqual(['mine']);
    expect((await calls.open({ server: 's', tool: 't', name: 'mine' })).args).toEqual({ file: '/w/app/x' });
  });

  it('ask before a call is replaced', async () => {
    const { calls, textOf, person } = createSample({ '/w/app': one });
    Object.assign(person, { name: 'one', confirms: false });
    expect(await calls.save('s', 't', { b: 2 })).toBeUndefined();
    expect(textOf('/w/app')).toBe(one);
    Object.assign(person, { name: ' one ', confirms: true });
    expect(await calls.save('s', 't', { b: 2 })).toBe('one');
    expect(textOf('/w/app')).toContain('"b": 2');
    expect(namesOf(calls)).toEqual(['one']);
    // Another tool has names of its own.
    person.name = 'one';
    await calls.save('s', 'u', {});
    expect(editor.said.filter((text) => text.includes('Replace its arguments?'))).toHaveLength(2);
  });

  it('never hold a known secret: inputs are named, others asked about', async () => {
    const { calls, textOf, person, known } = createSample();
    const origin = { kind: 'secretInput', what: 'a secret' } as const;
    known.push(
      { ...origin, value: 'correct horse', reference: '${input:key}' },
      { ...origin, value: 'staple of mine' },
    );
    const args = { a: 'correct horse', b: 'staple of mine' };
    await calls.save('s', 't', args);
    expect(editor.questions.at(-1)?.detail).toContain('\n\nb → ${input:b}');
    expect(textOf('/w/app')).toMatch(/"a": "\$\{input:key\}",\s+"b": "\$\{input:b\}"/);
    person.secrets = undefined;
    person.name = 'more';
    expect(await calls.save('s', 't', args)).toBeUndefined();
    expect(namesOf(calls)).toEqual(['mine']);
    person.secrets = 'Save as They Are';
    await calls.save('s', 't', args);
    expect(textOf('/w/app')).not.toContain('correct horse');
    expect(textOf('/w/app')).toContain('staple of mine');
  });

  it('go to the folder that is chosen; of the same call in two folders, the first counts', async () => {
    const { calls, textOf, person } = createSample({ '/w/app': one, '/w/lib': one.replace('1}', '2}') });
    expect((await calls.open({ server: 's', tool: 't', name: 'one' })).args).toEqual({ a: 1 });
    await calls.save('s', 't', {});
    expect(textOf('/w/lib')).toContain('mine');
    expect(textOf('/w/app')).toBe(one);
    expect(namesOf(calls)).toEqual(['mine', 'one']);
    person.folder = 'none';
    expect(await calls.save('s', 't', {})).toBeUndefined();
  });

  it('are not saved without a folder, a name, or into a file that would lose something', async () => {
    await expect(createSample({}).calls.save('s', 't', {})).rejects.toThrow(/Open a folder/);
    const { calls, person, textOf } = createSample({ '/w/app': '{"calls": [' });
    await expect(calls.save('s', 't', {})).rejects.toMatchObject({ code: 'configuration' });
    expect(textOf('/w/app')).toBe('{"calls": [');
    person.name = '  ';
    expect(await calls.save('s', 't', {})).toBeUndefined();
  });

  it('move to another server in each file, with all else as it is written', async () => {
    const other =
      '{"calls": [ // ours\n{"name": "two", "server": "s", "tool": "t"},\n{"name": "x", "server": "z", "tool": "s"}]}';
    const { calls, textOf } = createSample({ '/w/app': one, '/w/lib': other });
    expect(await calls.move('s', 'n"')).toBe(true);
    expect(textOf('/w/app')).toBe(one.replace('"s"', '"n\\""'));
    expect(textOf('/w/lib')).toBe(other.replace('"s"', '"n\\""'));
    expect(calls.of('n"', 't').map(({ name }) => name)).toEqual(['one', 'two']);
    expect(await calls.move('n"', 'z')).toBe(false);
    expect(calls.of('n"', 't')).toHaveLength(2);
  });

  it('stay where their file cannot be changed', async () => {
    const { calls, logged } = createSample({ '/w/app': one });
    Object.assign(workspace.fs, { writeFile: () => Promise.reject(new Error('read-only')) });
    expect(await calls.move('s', 'n')).toBe(false);
    expect(namesOf(calls)).toEqual(['one']);
    expect(logged.at(-1)).toContain('read-only');
  });

  it('are deleted after a question, and shown in their file', async () => {
    const { calls, textOf, person } = createSample({ '/w/app': one });
    const key = { server: 's', tool: 't', name: 'one' };
    const document = { getText: () => one, positionAt: (offset: number) => offset };
    const shown: string[] = [];
    const showTextDocument = async (_document: unknown, { selection }: { readonly selection: Range }) =>
      void shown.push(one.slice(selection.start, selection.end));
    Object.assign(workspace, { openTextDocument: async () => document });
    Object.assign(window, { showTextDocument });
    await calls.show(key);
    expect(shown).toEqual(['{"name": "one", "server": "s", "tool": "t", "arguments": {"a": 1}}']);
    person.confirms = false;
    await calls.delete(key);
    expect(textOf('/w/app')).toBe(one);
    person.confirms = true;
    await calls.delete(key);
    expect(JSON.parse(textOf('/w/app'))).toEqual({ calls: [] });
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
